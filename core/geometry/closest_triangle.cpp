#include "geometry/closest_triangle.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "geometry/closest_points.hpp"

namespace clothlab::geometry {
namespace {

constexpr Index kTrianglesPerLeaf = 4;

double squaredDistanceToBox(const Vec3& p, const Vec3& low, const Vec3& high) {
    return (p - p.cwiseMax(low).cwiseMin(high)).squaredNorm();
}

}  // namespace

ClosestTriangle::ClosestTriangle(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
    std::vector<Vec3> centers;
    for (const auto& [a, b, c] : mesh.triangles)
        centers.push_back((mesh.points[a] + mesh.points[b] + mesh.points[c]) / 3);
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) split(order_, 0, centers);
}

Index ClosestTriangle::split(std::span<Index> triangles, Index begin, std::span<const Vec3> centers) {
    const Index node = Index(nodes_.size());
    Node made{.low = Vec3::Constant(1e300), .high = Vec3::Constant(-1e300), .right = -1};
    made.begin = begin;
    made.end = begin + Index(triangles.size());
    Vec3 low = made.low, high = made.high;
    for (const Index t : triangles) {
        for (const Index corner : mesh_.triangles[t]) {
            made.low = made.low.cwiseMin(mesh_.points[corner]);
            made.high = made.high.cwiseMax(mesh_.points[corner]);
        }
        low = low.cwiseMin(centers[t]);
        high = high.cwiseMax(centers[t]);
    }
    nodes_.push_back(made);
    if (Index(triangles.size()) <= kTrianglesPerLeaf) return node;
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t middle = triangles.size() / 2;
    std::nth_element(triangles.begin(), triangles.begin() + std::ptrdiff_t(middle), triangles.end(),
                     [&](Index a, Index b) {
                         return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b;
                     });
    split(triangles.first(middle), begin, centers);
    const Index right = split(triangles.subspan(middle), begin + Index(middle), centers);
    nodes_[node].right = right;
    return node;
}

ClosestTriangle::Result ClosestTriangle::find(const Vec3& point, double within) const {
    Result best;
    double square = within * within;
    std::array<Index, 64> open;  // depth of the tree, halved each time: less than 64
    int count = 0;
    if (!nodes_.empty()) open[count++] = 0;
    while (count > 0) {
        const Index n = open[--count];
        const Node& node = nodes_[n];
        if (squaredDistanceToBox(point, node.low, node.high) > square) continue;
        if (node.right >= 0) {
            const Node &left = nodes_[n + 1], &right = nodes_[node.right];
            const bool leftFirst =
                squaredDistanceToBox(point, left.low, left.high) <= squaredDistanceToBox(point, right.low, right.high);
            open[count++] = leftFirst ? node.right : n + 1;
            open[count++] = leftFirst ? n + 1 : node.right;
            continue;
        }
        for (Index k = node.begin; k < node.end; ++k) {
            const auto& [a, b, c] = mesh_.triangles[order_[k]];
            const ClosestPoints closest =
                closestPoints(PairKind::VertexTriangle, {point, mesh_.points[a], mesh_.points[b], mesh_.points[c]});
            const double d = closest.apart.squaredNorm();
            if (d > square || (d == square && best.triangle >= 0)) continue;
            square = d;
            best.triangle = order_[k];
            best.point = point - closest.apart;
            best.weights = {-closest.weights[1], -closest.weights[2], -closest.weights[3]};
        }
    }
    best.distance = std::sqrt(square);
    return best;
}

}  // namespace clothlab::geometry
