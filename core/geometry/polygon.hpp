#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/errors.hpp"
#include "base/types.hpp"

namespace clothlab::geometry {

/// A polygon with more corners than this is only accepted as a fan: the time is quadratic in their number.
inline constexpr std::size_t kMostPolygonCorners = 4096;

using PolygonTriangle = std::array<std::size_t, 3>;

/// The n - 2 triangles of a polygon in space, by the numbers of its n >= 3 corners, with its orientation. They are the
/// fan around its first corner if that covers the polygon without a fold. Otherwise ears are cut off in the plane of
/// its area vector, the best shaped first; corners on a straight side stay corners.
///
/// Refused are polygons that cross or touch themselves, and those so far from a plane that their triangles have more
/// than 1.5 times the area of their projection onto it. A collinear polygon is the fan as well, of triangles without
/// area.
Expected<std::vector<PolygonTriangle>> triangulatePolygon(std::span<const Vec3> corners);

}  // namespace clothlab::geometry
