#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/robust/impulses.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/triangle_mesh.hpp"
#include "linalg/block_vector.hpp"

/// Pulls apart cloth that goes through cloth at the start of a step. No side is stored: the state alone decides the
/// direction.
///
/// Where the edges that go through triangles cut off a part of the cloth, the smaller part has strayed (Baraff and
/// others 2003), and each cut edge moves so that this end of it goes back through its triangle.
///
/// Where they cut off nothing, the curve in which the surfaces cut each other is made shorter, as [Y] §7 does it
/// (Volino and Magnenat-Thalmann 2006). It begins where an edge goes through a triangle, and leads off into the one or
/// two triangles beside the edge:
///
///          N       o
///          ^    E / '-.          a triangle beside the edge;
///          |     /     '-.       E, N, R_i are unit vectors
///     -----+----+==>------+----- the triangle, seen from its side
///              / R_i  _.-'
///             o----''''
///
/// It shortens fastest when the edge moves relative to the triangle along
///
///     G = sum_i (R_i - 2 (E.R_i)/(E.N) N)
///
/// This is not sufficient: the curve of a tail that hangs through a sheet has the same length everywhere.
namespace clothlab::contact {

class Untangling {
public:
    /// At x (m). Edges are those of the triangles, in order; `seam` as in geometry::findIntersections.
    void find(const linalg::BlockVector& x, std::span<const geometry::Triangle> triangles,
              std::span<const std::array<Index, 2>> edges, std::span<const Index> seam = {});
    /// Edges that go through triangles.
    Index count() const { return Index(cuts_.size()); }
    /// Whether a pair lies where surfaces go through each other: contact must not stop it.
    bool tangled(const std::array<Index, 4>& corners, geometry::PairKind kind) const;
    /// Moves each edge by at least `by` (m) relative to its triangle in the step, in the direction above. Keeps
    /// linear momentum.
    void draw(double by, const Mobility& mobility, linalg::BlockVector& u) const;

private:
    struct Cut {
        std::array<Index, 5> corners;   // of the edge and of the triangle
        std::array<double, 5> weights;  // of the point in which they meet: those of the triangle are negative
        Vec3 direction;                 // unit; zero: unknown
    };
    void mark(std::span<const geometry::Triangle> triangles, Index particles);

    std::vector<Cut> cuts_;
    std::vector<std::vector<Index>> marks_;  // of a particle: 2 k beside the edge of cut k, 2 k + 1 beside its triangle
};

}  // namespace clothlab::contact
