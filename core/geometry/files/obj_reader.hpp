#pragma once

#include <string>
#include <string_view>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {

/// Reads Wavefront OBJ: `v`, `vt` and `f`. A face of n corners becomes n - 2 triangles (geometry/polygon.hpp); a corner
/// is 7, 7/3, 7//2 or 7/3/2, and a negative number counts back from the last `v` (`vt`, `vn`) above the line. A point
/// takes the texture coordinate of the first corner that gives it one; unless all points get one, none has. Lines
/// (`l`) between points that are no edges of faces say what is sewn (FileMesh::seams). Normals, groups, objects,
/// materials and points are passed over.
///
/// A tolerant reading passes over unknown words, more numbers than are needed, and texture coordinates and normals that
/// are not there or are none; a backslash continues a line. Notes count what could matter. Either reading refuses with
/// line and column what is no surface (surface_maker.hpp), corners that are none of the file's points, and points of a
/// face that are no numbers, not finite or too large.
Expected<FileMesh> readObj(std::string_view text, const std::string& file, MeshReading reading = MeshReading::Tolerant);

}  // namespace clothlab::geometry
