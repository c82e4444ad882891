#include <cmath>

#include "geometry/obj_reader.hpp"
#include "messages.hpp"

using namespace clothlab;

/// A mesh. What is taken is a surface with two sides, finite, of a size that its file has room for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto mesh = geometry::readObj(text, "fuzz.obj");
    if (!mesh) {
        fuzz::checkMessage(mesh.error(), text);
        fuzz::require(mesh.error().column >= 1, "an error names a column");
        return 0;
    }
    const auto points = Index(mesh->points.size());
    fuzz::require(mesh->points.size() <= size && mesh->triangles.size() <= size, "no larger than its file");
    fuzz::require(mesh->textures.empty() || mesh->textures.size() == mesh->points.size(), "all have textures, or none");
    for (const Vec3& p : mesh->points)
        fuzz::require(p.cwiseAbs().maxCoeff() <= geometry::kFarthestObjPoint, "points are finite");
    std::vector<bool> used(mesh->points.size(), false);
    for (const geometry::Triangle& t : mesh->triangles)
        for (const Index corner : t) {
            fuzz::require(corner >= 0 && corner < points, "corners are points");
            used[corner] = true;
        }
    for (const bool one : used) fuzz::require(one, "each point is in a triangle");
    fuzz::require(!geometry::findEdgeFault(mesh->triangles, points), "edges have two triangles at most, turned alike");
    const auto edges = geometry::edgesOf(mesh->triangles, points);
    for (std::size_t k = 1; k < edges.size(); ++k)
        fuzz::require(std::pair(edges[k - 1].a, edges[k - 1].b) < std::pair(edges[k].a, edges[k].b),
                      "edges are sorted");
    return 0;
}
