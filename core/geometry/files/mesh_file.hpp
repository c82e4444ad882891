#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "geometry/triangle_mesh.hpp"

/// Files of triangle meshes: OBJ (obj_reader.hpp) and PLY (ply_reader.hpp).
namespace clothlab::geometry {

/// Limits of a file; everything is counted before anything is built.
inline constexpr Index kMostMeshPoints = 4'000'000, kMostMeshTriangles = 16'000'000;
/// Limit of the magnitude of coordinates, so that they and their squares are finite.
inline constexpr double kFarthestMeshPoint = 1e6;

/// The surface in a file, and the mapping of the file's points. Points in no face are not in the mesh.
struct FileMesh : TriangleMesh {
    FileMesh() = default;
    /// A mesh whose points are those of a file.
    explicit FileMesh(TriangleMesh mesh) : TriangleMesh(std::move(mesh)), filePoints(Index(points.size())) {}

    Index filePoints = 0;
    std::vector<Index> pointOf;   ///< per point of the file: its point here, -1: none; empty: the same
    std::vector<Index> numberOf;  ///< per point here: its number in the file, from 0; empty: the same
    /// Pairs of points to be sewn together, a < b, each once, ascending; none is an edge of a triangle.
    std::vector<std::array<Index, 2>> seams;
    std::vector<std::string> notes;  ///< what was skipped or repaired, a sentence each

    Index pointOfNumber(Index number) const { return pointOf.empty() ? number : pointOf[number]; }
    Index numberOfPoint(Index point) const { return numberOf.empty() ? point : numberOf[point]; }
    bool operator==(const FileMesh&) const = default;
};

/// The tolerance of a reader.
enum class MeshReading {
    Tolerant,  ///< skips what does not matter, repairs what it can, and adds notes
    Strict     ///< all of it is an Error instead
};

/// Reads a mesh, PLY when it begins with "ply", otherwise OBJ. `file` names it in errors.
Expected<FileMesh> readMeshText(std::string_view text, const std::string& file,
                                MeshReading reading = MeshReading::Tolerant);
/// The same from a file of at most 1 GiB.
Expected<FileMesh> readMeshFile(const std::string& path, MeshReading reading = MeshReading::Tolerant);

/// Whether a name has the extension of a mesh: ".obj", ".ply", in any case.
bool namesMesh(std::string_view path);

}  // namespace clothlab::geometry
