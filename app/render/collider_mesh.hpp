#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "contact/collider.hpp"
#include "render/gl/gl_handles.hpp"
#include "render/outline.hpp"

namespace clothlab::app::render {

/// Triangles of a solid: positions and normals interleaved (6 floats per vertex).
struct SolidMesh {
    std::vector<float> vertices;
    std::vector<std::uint32_t> indices;
};

/// A shape with its edges rounded by about `rounding` (m), then drawn in by `inset` (m) on all sides: cloth lies on
/// the true surface in straight chords, and would otherwise be cut by it. Planes give nothing; the ground draws them.
SolidMesh solidMesh(const geometry::Shape& shape, float rounding, float inset);

/// All solids of a scene in one pair of buffers.
class ColliderMeshes {
public:
    ColliderMeshes(std::span<const contact::Collider> colliders, float clothSpacing);

    std::size_t count() const { return ranges_.size(); }
    bool drawable(std::size_t collider) const { return ranges_[collider].count > 0; }
    void draw(std::size_t collider) const;
    /// Computes the outlines of all of them in these poses, as seen from `eye`, and draws that of one.
    void updateOutlines(std::span<const contact::ColliderPose> poses, const glm::vec3& eye,
                        const glm::mat4& viewProjection, const Viewport& viewport);
    void drawOutline(std::size_t collider) const;

private:
    struct Range {
        GLsizei count;
        std::size_t firstIndex;
        Outline outline;
        std::size_t firstCorner = 0, corners = 0;
    };
    static void describe(GLsizei stride);
    std::vector<Range> ranges_;
    std::vector<float> positionsAndNormals_;
    gl::Buffer vertices_, indices_;
    gl::VertexArray array_;
    std::vector<OutlineCorner> corners_;
    OutlineQuads quads_;
};

/// Pose as a matrix.
glm::mat4 modelMatrix(const contact::ColliderPose& pose);

}  // namespace clothlab::app::render
