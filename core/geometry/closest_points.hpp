#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace clothlab::geometry {

/// The two kinds of pairs in which moving triangles first meet.
enum class PairKind : std::uint8_t { VertexTriangle, EdgeEdge };

/// The four corners of a pair: a vertex and the corners of a triangle, or the ends of one edge and of another.
using PairPoints = std::array<Vec3, 4>;

/// The closest points (+) of the two sides of a pair, with the weights of the corners; `apart` leads from the second
/// side to the first.
///
///                 o p[0]  1                   p[0] o--------+-------o p[1]
///                 ^                          1 - s          ^         s
///                 | apart                                   | apart
///       p[1] o----|----o p[2]             p[2] o-._         |
///        -a   '.  +  .'   -b          -(1 - t)     '--._    |
///               '. .'                                   '--.+_
///                 o p[3]  -c                                  '--._
///                                                                  'o p[3]  -t
///
///     apart = sum_k weights[k] * p[k],   sum_k weights[k] = 0,   a, b, c, s, t in [0, 1]
struct ClosestPoints {
    Vec3 apart;
    std::array<double, 4> weights;

    double distance() const { return apart.norm(); }
};

/// Degenerate triangles and edges are allowed; the result may then be farther apart than the closest points.
ClosestPoints closestPoints(PairKind kind, const PairPoints& p);

}  // namespace clothlab::geometry
