#include "geometry/surface_patches.hpp"

#include <algorithm>
#include <utility>

namespace clothlab::geometry {
namespace {

void close(SurfacePatches::Members& members) { members.first.push_back(Index(members.id.size())); }

Index split(SurfacePatches& out, std::span<Index> triangles, std::span<const Vec3> centers) {
    const Index node = Index(out.nodes.size());
    out.nodes.emplace_back();
    out.nodes[node].firstPatch = out.size();
    if (Index(triangles.size()) <= SurfacePatches::kTriangles) {
        std::ranges::sort(triangles);
        out.faces.id.insert(out.faces.id.end(), triangles.begin(), triangles.end());
        close(out.faces);
    } else {
        Vec3 lo = centers[triangles[0]], hi = lo;
        for (const Index t : triangles) {
            lo = lo.cwiseMin(centers[t]);
            hi = hi.cwiseMax(centers[t]);
        }
        int axis = 0;
        (hi - lo).maxCoeff(&axis);
        const auto middle = triangles.begin() + std::ptrdiff_t(triangles.size() / 2);
        std::nth_element(triangles.begin(), middle, triangles.end(), [&](Index a, Index b) {
            return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b;
        });
        split(out, {triangles.begin(), middle}, centers);
        out.nodes[node].right = split(out, {middle, triangles.end()}, centers);
    }
    out.nodes[node].lastPatch = out.size() - 1;
    return node;
}

}  // namespace

Index SurfacePatches::findEdge(Index a, Index b) const {
    const std::array<Index, 2> wanted{std::min(a, b), std::max(a, b)};
    return Index(std::ranges::lower_bound(edges, wanted) - edges.begin());
}

SurfacePatches cutIntoPatches(std::span<const Vec3> points, std::span<const Triangle> triangles,
                              std::span<const MeshEdge> edges) {
    SurfacePatches out;
    out.triangles.assign(triangles.begin(), triangles.end());
    for (const MeshEdge& e : edges) out.edges.push_back({e.a, e.b});
    for (SurfacePatches::Members* members : {&out.faces, &out.corners, &out.sides}) members->first = {0};
    std::vector<Vec3> centers;
    for (const Triangle& t : triangles) centers.push_back((points[t[0]] + points[t[1]] + points[t[2]]) / 3);
    std::vector<Index> order(triangles.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = Index(t);
    if (!order.empty()) split(out, order, centers);

    // A vertex and an edge go to the first patch that has them.
    std::vector<std::uint8_t> taken(points.size(), 0), edgeTaken(out.edges.size(), 0);
    for (Index patch = 0; patch < out.size(); ++patch) {
        for (const Index face : out.faces.of(patch)) {
            const Triangle& t = out.triangles[face];
            for (int c = 0; c < 3; ++c) {
                if (!std::exchange(taken[t[c]], std::uint8_t(1))) out.corners.id.push_back(t[c]);
                const Index e = out.findEdge(t[c], t[(c + 1) % 3]);
                if (!std::exchange(edgeTaken[e], std::uint8_t(1))) out.sides.id.push_back(e);
            }
        }
        close(out.corners);
        close(out.sides);
    }
    return out;
}

}  // namespace clothlab::geometry
