#pragma once

#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// The triangle of a surface that is closest to a point, by boxes in a tree.
class ClosestTriangle {
public:
    struct Result {
        Index triangle = -1;
        double distance = 0;              ///< m
        Vec3 point;                       ///< of the surface
        std::array<double, 3> weights{};  ///< of the corners at that point; zero outside its face, edge or corner
    };

    /// The mesh must outlive this and must not move.
    explicit ClosestTriangle(const TriangleMesh& mesh);
    /// Triangle -1 if the surface is farther away than `within` (m).
    Result find(const Vec3& point, double within) const;

private:
    struct Node {
        Vec3 low, high;
        Index right = -1, begin = 0, end = 0;  // in preorder: the left child follows; right -1: triangles begin..end
    };
    Index split(std::span<Index> triangles, Index begin, std::span<const Vec3> centers);

    const TriangleMesh& mesh_;
    std::vector<Index> order_;
    std::vector<Node> nodes_;
};

}  // namespace clothlab::geometry
