#pragma once

#include <array>
#include <vector>

#include "render/gl/gl_handles.hpp"
#include "render/overlays.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

/// The cloth on the GPU: fixed triangles and checks, and a ring of three buffers for what moves. Made once a mesh.
class ClothMesh {
public:
    explicit ClothMesh(const worker::MeshTopology& mesh);

    /// Computes normals and fills the next buffer of the ring, and the colours that the overlay gives the particles:
    /// what varies over the cloth as vertex colours, what does not as cells, one around each particle.
    void update(const worker::Snapshot& snapshot, OverlayKind overlay);
    /// The same without an overlay: a ghost.
    void update(std::span<const float> positions) { fill(positions, false); }
    void draw() const;
    /// Binds what the cells need as buffer textures, from a texture unit on: the colour of each particle (RGBA8: alpha
    /// 0 = none, 1/2 = a cell with a seam around it), the corners of each triangle, the checks of each particle.
    void bindCells(GLenum firstUnit) const;
    std::span<const float> normals() const { return normals_; }

private:
    struct Vertex {
        float position[3];
        float normal[3];
        std::uint8_t data[4];  ///< overlay colour, and how much of it
    };
    void fill(std::span<const float> positions, bool colored);
    void makeRing();
    void fillRims(const worker::MeshTopology& mesh);
    void fillChecks(const worker::MeshTopology& mesh, std::vector<float>& checks) const;
    void makeCells();
    void updateCells(const worker::Snapshot& snapshot, OverlayKind overlay);

    std::vector<geometry::Triangle> triangles_;
    std::size_t particles_ = 0;
    std::vector<float> normals_;
    std::vector<Vertex> vertices_;
    std::vector<Rgb> colors_;
    std::vector<std::uint8_t> cellColors_;
    gl::Buffer indices_, checks_, rims_, cells_;
    std::array<gl::Texture, 3> cellTextures_;
    std::array<gl::Buffer, gl::kRing> buffers_;
    std::array<gl::VertexArray, gl::kRing> arrays_;
    int current_ = 0;
};

}  // namespace clothlab::app::render
