#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "geometry/triangle_mesh.hpp"

/// Files of triangle meshes: OBJ (obj_reader.hpp) and PLY (ply_reader.hpp).
namespace clothlab::geometry {

/// What is taken of a file; everything is counted before anything is made of it.
inline constexpr Index kMostMeshPoints = 4'000'000, kMostMeshTriangles = 16'000'000;
/// Coordinates lie within this on both sides of 0; they are finite, then, and their squares are.
inline constexpr double kFarthestMeshPoint = 1e6;

/// The surface in a file, and what became of the file's points. A point in no face is none of the mesh.
struct FileMesh : TriangleMesh {
    FileMesh() = default;
    /// A mesh of which every point is one of a file.
    explicit FileMesh(TriangleMesh mesh) : TriangleMesh(std::move(mesh)), filePoints(Index(points.size())) {}

    Index filePoints = 0;
    std::vector<Index> pointOf;   ///< of each point of the file: its point here, -1: none; empty: the same
    std::vector<Index> numberOf;  ///< of each point here: its number in the file, from 0; empty: the same
    /// Points that are to be sewn together, a < b, each once, ascending: no edges of triangles.
    std::vector<std::array<Index, 2>> seams;
    std::vector<std::string> notes;  ///< what was passed over or mended, a sentence each

    Index pointOfNumber(Index number) const { return pointOf.empty() ? number : pointOf[number]; }
    Index numberOfPoint(Index point) const { return numberOf.empty() ? point : numberOf[point]; }
    bool operator==(const FileMesh&) const = default;
};

/// How much a reader takes.
enum class MeshReading {
    Tolerant,  ///< what does not matter is passed over, what can be mended is mended, and notes say so
    Strict     ///< all of it is an Error
};

/// Reads a mesh, PLY when it begins with "ply", otherwise OBJ. `file` names it in errors.
Expected<FileMesh> readMeshText(std::string_view text, const std::string& file,
                                MeshReading reading = MeshReading::Tolerant);
/// The same from a file of 1 GiB at most.
Expected<FileMesh> readMeshFile(const std::string& path, MeshReading reading = MeshReading::Tolerant);

/// Whether a name ends as those of meshes do: ".obj", ".ply", in any case.
bool namesMesh(std::string_view path);

}  // namespace clothlab::geometry
