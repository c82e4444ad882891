#pragma once

#include <array>
#include <vector>

#include "render/gl_handles.hpp"
#include "render/overlays.hpp"
#include "worker/snapshot.hpp"

namespace clothlab::app {

/// The cloth on the GPU: fixed triangles and checks, and a ring of three buffers for what moves. Made once a mesh.
class ClothMesh {
public:
    explicit ClothMesh(const MeshTopology& mesh);

    /// Computes normals and fills the next buffer of the ring; colours, too, if there is a field.
    void update(std::span<const float> positions, const ParticleField* field = nullptr);
    void draw() const;
    std::span<const float> normals() const { return normals_; }

private:
    struct Vertex {
        float position[3];
        float normal[3];
        std::uint8_t data[4];  ///< overlay colour, and how much of it
    };
    void makeRing(GLuint checks);
    void fillChecks(const MeshTopology& mesh, std::vector<float>& checks) const;

    std::vector<geometry::Triangle> triangles_;
    std::size_t particles_ = 0;
    std::vector<float> normals_;
    std::vector<Vertex> vertices_;
    gl::Buffer indices_, checks_;
    std::array<gl::Buffer, gl::kRing> buffers_;
    std::array<gl::VertexArray, gl::kRing> arrays_;
    int current_ = 0;
};

}  // namespace clothlab::app
