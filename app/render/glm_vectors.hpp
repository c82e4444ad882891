#pragma once

#include <glm/glm.hpp>

#include "base/types.hpp"

namespace clothlab::app::render {

inline glm::vec3 toGlm(const Vec3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

}  // namespace clothlab::app::render
