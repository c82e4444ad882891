#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace clothlab::geometry {

/// The two kinds of pairs in which moving triangles first meet.
enum class PairKind : std::uint8_t { VertexTriangle, EdgeEdge };

/// The four corners of a pair: a vertex and the corners of a triangle, or the ends of one edge and of another.
using PairPoints = std::array<Vec3, 4>;

/// The closest points of the two sides of a pair. `apart` leads from the second side to the first:
///
///     apart = sum_k weights[k] * p[k],   sum_k weights[k] = 0
///
/// with weights (1, -a, -b, -c) of a vertex and a triangle, and (1 - s, s, -(1 - t), -t) of two edges, all within the
/// triangle and the edges.
struct ClosestPoints {
    Vec3 apart;
    std::array<double, 4> weights;

    double distance() const { return apart.norm(); }
};

/// Degenerate triangles and edges are allowed; the result may then be farther apart than the closest points.
ClosestPoints closestPoints(PairKind kind, const PairPoints& p);

}  // namespace clothlab::geometry
