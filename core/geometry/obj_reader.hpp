#pragma once

#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// What is taken of an OBJ file; everything is counted before anything is made of it.
inline constexpr Index kMostObjPoints = 4'000'000, kMostObjTriangles = 16'000'000;
/// Coordinates lie within this on both sides of 0; they are finite, then, and their squares are.
inline constexpr double kFarthestObjPoint = 1e6;

/// Reads Wavefront OBJ: `v`, `vt` and `f`. A face of n corners becomes a fan of n - 2 triangles around its first; a
/// corner is 7, 7/3, 7//2 or 7/3/2, and a negative number counts back from the last `v` (`vt`, `vn`) above the line.
/// A point takes the texture coordinate of the first corner that gives it one; unless all points get one, none has.
/// Normals, groups, objects, materials, lines and points are passed over.
///
/// What is no surface to be a cloth is an Error with line and column, and so is what is no OBJ: numbers that are none,
/// not finite or too large, corners outside of the file, faces of fewer than three corners or with the same one twice,
/// triangles without area, an edge of three triangles or of two that are turned differently, a point in no face.
Expected<TriangleMesh> readObj(std::string_view text, const std::string& file);
/// The same from a file of 1 GiB at most, with lines of 1 MiB.
Expected<TriangleMesh> readObjFile(const std::string& path);

}  // namespace clothlab::geometry
