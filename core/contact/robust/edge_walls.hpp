#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "geometry/shapes.hpp"
#include "linalg/block_vector.hpp"
#include "mechanics/pair_term.hpp"

/// Edges of the cloth against solids. Particles that are outside do not keep the edge between them outside: it cuts the
/// rim of a table by up to half of its length.
///
///      a o-----.
///     ---------.\_______   the edge from a to b goes over the rim; its wall has the normal n, at right angles to the
///              | \         edge, between the normals of the solid at both ends: it turns smoothly from the top to the
///        solid |  o b      side as the edge slides over the rim, where the distance to the solid has a crease
///
/// A spring of the stretch stiffness keeps an edge out, in the solve of any method: at rest an edge is as deep as its
/// share of the load needs, a thousandth of its length. Impulses only, after a solve without the rim, stretch the cloth
/// there by a quarter (layer_forces.hpp explains why); they are for fast edges.
namespace clothlab::contact {

/// Depth, in lengths of the edge, beyond which the solid pushes an edge. Edges between particles on a round solid are
/// left to the contact of those particles.
inline constexpr double kFreeDepth = 0.025;

/// An edge, or a triangle (solid_tips.hpp), that a solid keeps out: n . sum_k weights[k] u[corners[k]] >= bound.
struct FeatureWall {
    std::array<Index, 3> corners;   ///< for an edge the last repeats the first
    std::array<double, 3> weights;  ///< of the touching point; for an edge the last is 0
    Index collider;
    Vec3 normal;    ///< unit, outward
    double gap;     ///< m, along the normal; < 0: it goes through
    double bound;   ///< m
    Vec3 drift;     ///< m, displacement of the solid there within the step
    double mu;      ///< friction
    double length;  ///< m, unit of depths: of the edge, or of the longest edge of the triangle

    bool ofEdge() const { return corners[2] == corners[0]; }
    /// sum_k weights[k] of[corners[k]]
    Vec3 mean(const linalg::BlockVector& of) const {
        const Vec3 ofTwo = weights[0] * of[corners[0]] + weights[1] * of[corners[1]];
        return ofEdge() ? ofTwo : Vec3(ofTwo + weights[2] * of[corners[2]]);
    }
};

/// Adds to `terms` the forces of solids on edges and triangles that go through them, one term per particle, before
/// those of its pairs:
///
///     N = k (-gap - kFreeDepth length)      force on an end = its share of N n - V v_t
///     J = share k n n^T                     V = (mu N / |v_t|)(I - n n^T)
///
/// with the velocity v_t (m/s) along the solid, its norm at least 1 mm/s: friction that holds except for a creep. The
/// shares replace the squares and products of shares of the exact J: larger, and so definite, without a block between
/// the corners. `stiffness` (N/m) has one entry per particle, of which the least counts; dt (s) is that of the walls.
/// With `mass` (kg, one entry per particle) the friction of a wall removes at most a quarter of the slip of a corner
/// within dt, as explicit methods need.
void featureTerms(std::span<const FeatureWall> walls, std::span<const double> stiffness, const linalg::BlockVector& v,
                  double dt, std::span<const double> mass, std::vector<mechanics::PairTerm>& terms);

/// The energy of these springs, J, at the displacements for which the walls were found; all with one stiffness (N/m).
double featureEnergy(std::span<const FeatureWall> walls, double stiffness);

/// Where an edge touches a shape.
struct EdgeTouch {
    double share;  ///< of the edge, from a
    Vec3 normal;   ///< unit, outward, at right angles to the edge
    double gap;    ///< m, along the normal; < 0: the edge goes through
};

/// Contact of the edge from a to b with a shape, in the shape's frame, m; nothing if it is more than `reach` (m)
/// outside. `normals` are those of the distance at both ends. A move by -gap along the normal brings the whole edge
/// just outside, to a hundredth of its length.
std::optional<EdgeTouch> findTouch(const geometry::Shape& shape, const std::array<Vec3, 2>& ends,
                                   const std::array<Vec3, 2>& normals, double reach);

}  // namespace clothlab::contact
