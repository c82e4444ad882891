#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "model/tools/playground.hpp"
#include "render/camera.hpp"

namespace clothlab::app::window {

/// The colour that the cloth is dyed with, sRGB; none: it has the picture's own.
std::optional<glm::vec3> dyeColor(const model::Playground& playground);
/// Where the camera looks, unit.
Vec3 viewDirection(const render::Camera& camera);

}  // namespace clothlab::app::window
