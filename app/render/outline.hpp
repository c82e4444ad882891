#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "render/camera.hpp"
#include "render/gl/gl_handles.hpp"

namespace clothlab::app::render {

/// Smooth edges without multisampling: along its outline a surface is drawn over by quads of one pixel's width, which
/// extend outwards and fade to nothing ("discontinuity edge overdraw", Sander and others 2001). Their cost is
/// proportional to its length. Only outlines are smoothed; pixels where two surfaces cut each other are not.
///
struct OutlineCorner {
    std::uint32_t vertex;  ///< of the mesh
    /// Attributes of a quad's corner only: drawn as a mesh, these attributes are zero.
    struct Tail {
        float other[3];  ///< m, the other end of the edge
        float out;       ///< px to the left of the direction there, on the screen; 0 on the edge itself
        float triangle;  ///< one with this edge, counted from 1
    } tail;
};

/// The edges of a mesh of triangles, and those of them that the eye sees as an outline.
class Outline {
public:
    /// `places` says of each vertex which one stands for it: a mesh may have a seam where vertices meet. Empty: each is
    /// its own.
    Outline() = default;
    explicit Outline(std::span<const std::uint32_t> indices, const std::vector<std::uint32_t>& places = {});

    /// Appends four corners an edge: its ends, and the same standing out, in the order that turns as the triangle does
    /// that the eye sees there. An edge is part of the outline where it has
    /// one triangle, or where one of two faces the eye. `positions` has `stride` floats a vertex, the first three of
    /// them m; all of it is in the mesh's own frame.
    void find(std::span<const float> positions, std::size_t stride, const glm::vec3& eye,
              const glm::mat4& viewProjection, const Viewport& viewport, std::vector<OutlineCorner>& corners);

private:
    struct Edge {
        std::uint32_t a, b;
        std::array<std::int32_t, 2> triangles;  ///< the second -1 at a rim
        std::array<std::uint32_t, 2> opposite;  ///< their third corners
    };
    std::vector<std::uint32_t> indices_;
    std::vector<Edge> edges_;
    std::vector<char> faces_;  ///< of each triangle: whether its front faces the eye
};

/// For each vertex the first one at the same place.
std::vector<std::uint32_t> weldVertices(std::span<const float> positions, std::size_t stride);

/// The quads on the GPU: a vertex of the mesh, byte for byte, and the tail behind it.
class OutlineQuads {
public:
    /// `describe` points the mesh's own attributes into the bound buffer, given the bytes from one vertex to the next.
    OutlineQuads(std::size_t vertexBytes, const std::function<void(GLsizei)>& describe);

    void fill(const void* vertices, std::span<const OutlineCorner> corners);
    /// All, or those of some corners, a multiple of four.
    void draw() const { draw(0, corners_); }
    void draw(std::size_t firstCorner, std::size_t corners) const;

private:
    std::size_t vertexBytes_, corners_ = 0, indexed_ = 0;
    std::vector<std::byte> bytes_;
    gl::Buffer vertices_, indices_;
    gl::VertexArray array_;
};

}  // namespace clothlab::app::render
