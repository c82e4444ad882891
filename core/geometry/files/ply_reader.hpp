#pragma once

#include <string>
#include <string_view>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {

/// Whether a text begins like PLY: with the line "ply", possibly after a byte order mark.
bool isPly(std::string_view text);

/// Reads the Stanford polygon format, ascii or binary of either byte order: the elements `vertex` with x, y, z and
/// optionally a texture coordinate (s t, u v, texture_u texture_v), and `face` with the list vertex_indices or
/// vertex_index. Everything else is skipped, whatever its type. Polygons become triangles like those of OBJ
/// (surface_maker.hpp).
///
/// Mistakes have line and column in the header and in ascii, the byte and the element in binary.
Expected<FileMesh> readPly(std::string_view text, const std::string& file, MeshReading reading = MeshReading::Tolerant);

}  // namespace clothlab::geometry
