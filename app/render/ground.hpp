#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <utility>

#include "render/contact_shadow.hpp"
#include "render/gl/gl_handles.hpp"
#include "render/gl/shader_program.hpp"
#include "render/scene_colors.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::render {

/// A plane as the picture shows it: a point, two unit vectors in it, and its unit normal.
struct GroundPlane {
    glm::vec3 point{0}, along{1, 0, 0}, across{0, 0, -1}, normal{0, 1, 0};
};

/// The plane of a pose whose local y = 0 it is, seen round `centre`; level planes keep the world's axes.
GroundPlane planeAt(const contact::ColliderPose& pose);

bool isPlane(const contact::Collider& collider);

/// Height of the first plane that lies level, as it is drawn, m. Without one there is no ground.
std::optional<float> floorHeight(const worker::Snapshot& snapshot);

/// The gradient behind everything, and planes with a grid that fades into it.
class Ground {
public:
    static Expected<Ground> create(const std::string& shaderFolder);

    /// Drawn last, behind all that is there.
    void drawBackground(const SceneColors& colors) const;

    /// Makes the contact shadow of the level ground at this height; `drawCasters` as for it.
    void updateContact(const Sphere3& bounds, float height,
                       const std::function<void(const ShaderProgram&)>& drawCasters);

    struct Light {
        glm::mat4 worldToMap{1};
        GLuint cover = 0;
        float strength = 0;  ///< 0 = no shadows
    };
    /// The rows of the framebuffer that the picture covers: the ground fades into the background's own colour, row by
    /// row, and is drawn opaque, so that no pixel is shaded twice.
    struct Rows {
        int low = 0, height = 1;
    };
    struct Sight {
        const glm::mat4& viewProjection;
        const glm::vec3& eye;
        const SceneColors& colors;
        const Rows& rows;
    };
    void drawPlane(const GroundPlane& plane, const SceneFit& fit, const Sight& sight, const Light& light) const;

private:
    explicit Ground(ContactShadow contact) : contact_(std::move(contact)) {}
    ShaderProgram background_, plane_;
    gl::VertexArray empty_;
    ContactShadow contact_;
    float contactHeight_ = 0;  ///< m, of the plane that has it
};

}  // namespace clothlab::app::render
