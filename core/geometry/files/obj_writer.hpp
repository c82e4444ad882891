#pragma once

#include <span>
#include <string>

#include "geometry/grid.hpp"

namespace clothlab::geometry {

/// Wavefront OBJ: one `v` per point, with numbers that read back to the same bits, and one `f` per triangle, its
/// corners in their order and counted from 1.
std::string toObj(std::span<const Vec3> points, std::span<const Triangle> triangles);

}  // namespace clothlab::geometry
