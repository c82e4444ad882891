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
/// What keeps an edge out is a spring of the stretch stiffness, in the solve of any method: at rest an edge is as deep
/// as its share of the load needs, a thousandth of its length. Impulses alone, after a solve that knows nothing of the
/// rim, stretch the cloth there by a quarter (layer_forces.hpp says why); they are there for what comes fast.
namespace clothlab::contact {

/// Depth of an edge, in its lengths, from which on its solid pushes. Edges between particles on a round solid are
/// left to the contact of these.
inline constexpr double kFreeDepth = 0.025;

/// An edge, or a triangle (solid_tips.hpp), that a solid keeps out: n . sum_k weights[k] u[corners[k]] >= bound.
struct FeatureWall {
    std::array<Index, 3> corners;   ///< of an edge the last is the first again
    std::array<double, 3> weights;  ///< of the point that touches; of an edge the last is 0
    Index collider;
    Vec3 normal;    ///< unit, outward
    double gap;     ///< m, along the normal; < 0: it goes through
    double bound;   ///< m
    Vec3 drift;     ///< m, displacement of the solid there within the step
    double mu;      ///< friction
    double length;  ///< m, by which depths are measured: of the edge, or of the longest one of the triangle

    bool ofEdge() const { return corners[2] == corners[0]; }
    /// sum_k weights[k] of[corners[k]]
    Vec3 mean(const linalg::BlockVector& of) const {
        const Vec3 ofTwo = weights[0] * of[corners[0]] + weights[1] * of[corners[1]];
        return ofEdge() ? ofTwo : Vec3(ofTwo + weights[2] * of[corners[2]]);
    }
};

/// Adds to `terms` what solids do to edges and triangles that go through them, one term a particle, before those of its
/// pairs:
///
///     N = k (-gap - kFreeDepth length)      force on an end = its share of N n - V v_t
///     J = share k n n^T                     V = (mu N / |v_t|)(I - n n^T)
///
/// with the velocity v_t (m/s) along the solid, and 1 mm/s where it is slower: friction that holds but for a creep. The
/// shares stand for the squares and products of shares of the exact J: larger, and so definite, without a block between
/// the corners. `stiffness` (N/m) has one entry a particle, of which the least counts; dt (s) that of the walls. With
/// `mass` (kg, one entry a particle) friction takes no more than half of the slip within dt, as explicit methods want
/// it.
void featureTerms(std::span<const FeatureWall> walls, std::span<const double> stiffness, const linalg::BlockVector& v,
                  double dt, std::span<const double> mass, std::vector<mechanics::PairTerm>& terms);

/// The energy of these springs, J, at the displacements for which the walls were found; all with one stiffness (N/m).
double featureEnergy(std::span<const FeatureWall> walls, double stiffness);

/// Where an edge touches a shape.
struct EdgeTouch {
    double share;  ///< of the edge, from a on
    Vec3 normal;   ///< unit, outward, at right angles to the edge
    double gap;    ///< m, along the normal; < 0: the edge goes through
};

/// How the edge from a to b lies to a shape, in the shape's frame, m; nothing if it is more than `reach` (m) outside.
/// `normals` are those of the distance at both ends. The gap is the way along the normal at which the whole edge is
/// outside, to a hundredth of its length.
std::optional<EdgeTouch> touchOf(const geometry::Shape& shape, const std::array<Vec3, 2>& ends,
                                 const std::array<Vec3, 2>& normals, double reach);

}  // namespace clothlab::contact
