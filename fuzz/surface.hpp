#pragma once

#include "geometry/files/mesh_file.hpp"
#include "messages.hpp"

namespace clothlab::fuzz {

/// The surface of an accepted mesh file has two sides, is finite and without flat triangles, fits the size of its file,
/// and its points are points of the file.
inline void checkSurface(const geometry::FileMesh& mesh, std::size_t size) {
    const auto points = Index(mesh.points.size());
    require(!mesh.triangles.empty(), "a surface has a triangle");
    require(mesh.points.size() <= size && mesh.triangles.size() <= size, "no larger than its file");
    require(mesh.textures.empty() || mesh.textures.size() == mesh.points.size(), "all have textures, or none");
    for (const Vec3& p : mesh.points)
        require(p.cwiseAbs().maxCoeff() <= geometry::kFarthestMeshPoint, "points are finite");
    std::vector<bool> used(mesh.points.size(), false);
    for (const geometry::Triangle& t : mesh.triangles) {
        for (const Index corner : t) {
            require(corner >= 0 && corner < points, "corners are points");
            used[corner] = true;
        }
        require(!geometry::isDegenerate(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]), "no flat triangle");
    }
    for (const bool one : used) require(one, "each point is in a triangle");
    require(!geometry::findEdgeFault(mesh.triangles, points), "edges have two triangles at most, turned alike");
    const auto edges = geometry::collectEdges(mesh.triangles, points);
    for (std::size_t k = 1; k < edges.size(); ++k)
        require(std::pair(edges[k - 1].a, edges[k - 1].b) < std::pair(edges[k].a, edges[k].b), "edges are sorted");
    require(mesh.filePoints >= points, "points are those of the file");
    for (Index i = 0; i < points; ++i)
        require(mesh.pointOfNumber(mesh.numberOfPoint(i)) == i, "a point is found by its number");
    for (std::size_t k = 0; k < mesh.seams.size(); ++k) {
        const auto [a, b] = mesh.seams[k];
        require(a >= 0 && a < b && b < points, "seams join two points");
        require(k == 0 || mesh.seams[k - 1] < mesh.seams[k], "seams are sorted");
    }
    for (const std::string& note : mesh.notes) {
        require(!note.empty() && note.size() < 1000, "a note has 1 to 1000 characters", note);
        for (const char c : note)
            require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "no control characters in a note", note);
    }
}

}  // namespace clothlab::fuzz
