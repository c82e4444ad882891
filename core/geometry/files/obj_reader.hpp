#pragma once

#include <string>
#include <string_view>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {

/// Reads Wavefront OBJ: `v`, `vt` and `f`. A face of n corners becomes n - 2 triangles (geometry/polygon.hpp); a corner
/// is 7, 7/3, 7//2 or 7/3/2, and a negative number counts back from the last `v` (`vt`, `vn`) above the line. A point
/// has the texture coordinate of the first corner that gives it one; unless all points get one, none has. Lines (`l`)
/// between points that are no edges of faces are sewing threads (FileMesh::seams). Normals, groups, objects, materials
/// and points are skipped.
///
/// A tolerant reading skips unknown words, extra numbers, and missing or invalid texture coordinates and normals; a
/// backslash continues a line. Notes count what could matter. Either reading refuses, with line and column, polygons
/// that form no surface (surface_maker.hpp), corners that are no points of the file, and points of a face that are not
/// numbers, not finite or too large.
Expected<FileMesh> readObj(std::string_view text, const std::string& file, MeshReading reading = MeshReading::Tolerant);

}  // namespace clothlab::geometry
