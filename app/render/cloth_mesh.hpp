#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/gl/gl_handles.hpp"
#include "render/outline.hpp"
#include "render/overlays.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

/// The cloth on the GPU: fixed triangles and checks, and a ring of three buffers for moving data. Made once per mesh.
class ClothMesh {
public:
    explicit ClothMesh(const worker::MeshTopology& mesh);

    /// Computes normals and fills the next buffer of the ring, and the colours that the overlay gives the particles:
    /// what varies over the cloth as vertex colours, what does not as cells, one around each particle. Does nothing
    /// where the same is there already: while a long step runs, frame after frame shows one state.
    void update(const worker::Snapshot& snapshot, OverlayKind overlay);
    /// The same without an overlay, for a ghost.
    void update(std::span<const float> positions) { fill(positions, false); }
    void draw() const;
    /// Computes the outline of the last update, as seen from `eye`, and draws it.
    void updateOutline(std::span<const float> positions, const glm::vec3& eye, const glm::mat4& viewProjection,
                       const Viewport& viewport);
    void drawOutline() const { quads_.draw(); }
    /// Binds what the cells need as buffer textures, from a texture unit on: the colour of each particle (RGBA8: alpha
    /// 0 = none, 1/2 = a cell with a seam around it), the corners of each triangle, the checks of each particle.
    void bindCells(GLenum firstUnit) const;
    std::span<const float> normals() const { return normals_; }
    /// Number of times a buffer was filled.
    int fills() const { return fills_; }

private:
    struct Vertex {
        float position[3];
        float normal[3];
        std::uint8_t data[4];  ///< overlay colour, and how much of it
        float check[2];        ///< texture coordinates, in checks
        float fromRim;         ///< checks to the rim of its cloth, for the hem
        std::uint8_t cloth;    ///< which of the scene: tells layers apart
        std::uint8_t unused[3];
    };
    static void describe(GLsizei stride);
    void fill(std::span<const float> positions, bool colored);
    bool holds(std::span<const float> positions, bool colored) const;
    std::array<std::uint8_t, 4> colorBytes(std::size_t particle, bool colored) const;
    void makeRing();
    void fillRims();
    std::vector<float> checkerCoordinates(const worker::MeshTopology& mesh) const;
    void makeCells();
    void updateCells(const worker::Snapshot& snapshot, OverlayKind overlay);

    std::vector<geometry::Triangle> triangles_;
    std::size_t particles_ = 0;
    std::vector<float> normals_;
    std::vector<Vertex> vertices_;
    std::vector<Rgb> colors_;
    std::vector<std::uint8_t> cellColors_;
    gl::Buffer indices_, checks_, cells_;
    std::array<gl::Texture, 3> cellTextures_;
    std::array<gl::Buffer, gl::kRing> buffers_;
    std::array<gl::VertexArray, gl::kRing> arrays_;
    int current_ = 0, fills_ = 0;
    std::optional<Outline> outline_;  ///< made on first use
    std::vector<OutlineCorner> corners_;
    OutlineQuads quads_;
};

}  // namespace clothlab::app::render
