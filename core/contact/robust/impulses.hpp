#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "contact/robust/edge_walls.hpp"
#include "contact/robust/wall.hpp"
#include "geometry/closest_points.hpp"
#include "linalg/block_vector.hpp"

/// Impulses between pairs of features that hold their sides apart within a step (Bridson and others 2002;
/// docs/methods/contact.md).
///
/// The unknowns are displacements u = x_(n+1) - x_n, so an impulse I moves a corner by h I/m. A pair requires
///
///     n . sum_k w_k u_k >= bound,    lambda >= 0,    |friction| <= mu lambda
///
/// with the weights of its closest points (geometry/closest_points.hpp), and gets lambda n and friction along its
/// plane: repeatedly, one pair after the other (projected Gauss-Seidel), each with its accumulated multiplier, so that
/// too large a push is taken back. The impulses on the corners of a pair sum to zero: linear momentum is kept, and
/// along the gap (n parallel to sum_k w_k x_k) angular momentum too. relaxation.hpp decides the order.
namespace clothlab::contact {

/// Mobility of each particle: 1/m, or S/m where it is not free in all directions.
class Mobility {
public:
    void reset(std::span<const double> mass);
    /// Leaves only the directions of S free; S = 0: held entirely.
    void restrict(Index particle, const Mat3& S);
    /// Removes the direction n (unit).
    void hold(Index particle, const Vec3& n);
    /// Marks a particle of a pin or the pointer: it keeps its prescribed motion and leads its zone.
    void lead(Index particle) { leads_[particle] = 1; }

    double inverseMass(Index i) const { return inverseMass_[i]; }
    bool held(Index i) const { return slot_[i] >= 0; }
    bool leads(Index i) const { return leads_[i] != 0; }
    /// Whether the mobility is 1/m: also if the particle may leave the only solid that holds it.
    bool free(Index i) const { return slot_[i] < 0 || S_[slot_[i]].isIdentity(1e-12); }
    Vec3 moved(Index i, const Vec3& push) const {
        const Vec3 by = inverseMass_[i] * push;
        return slot_[i] < 0 ? by : Vec3(S_[slot_[i]] * by);
    }

private:
    std::vector<double> inverseMass_;
    std::vector<Index> slot_;
    std::vector<std::uint8_t> leads_;
    std::vector<Mat3> S_;
};

/// The impulse of one pair, or of a wall.
struct PairImpulse {
    std::array<Index, 4> corners;
    std::array<double, 4> weights;
    geometry::PairKind kind = geometry::PairKind::VertexTriangle;
    Vec3 normal;                   ///< unit, from the second side to the first
    double bound;                  ///< m
    double lambda = 0;             ///< kg m
    Vec3 friction = Vec3::Zero();  ///< kg m, at right angles to the normal
    double resistance = 0;         ///< kg: lambda for 1 m of relative displacement; 0: neither side can move

    double slipResistance = 0;  ///< kg: the same along the plane, at most
    int seen = -1;              ///< last turn of the relaxation that it accounts for

    PairImpulse(geometry::PairKind pair, const std::array<Index, 4>& particles, const geometry::ClosestPoints& closest,
                double least, const Mobility& mobility);
    /// Without friction: contact with solids adds it.
    PairImpulse(const Wall& wall, const Mobility& mobility);
    /// An edge or a triangle beside a solid; also without friction.
    PairImpulse(const FeatureWall& wall, const Mobility& mobility);
    bool wall() const { return corners[0] == corners[1]; }
    bool featureWall() const { return (corners[0] == corners[2] || corners[0] == corners[3]) && !wall(); }
    Vec3 apart(const linalg::BlockVector& u) const {
        return weights[0] * u[corners[0]] + weights[1] * u[corners[1]] + weights[2] * u[corners[2]] +
               weights[3] * u[corners[3]];
    }
    /// Sets the resistances from the present mobility of the corners.
    void weigh(const Mobility& mobility);
    /// Distance to the bound, m; > 0: violated.
    double missing(const linalg::BlockVector& u) const { return bound - normal.dot(apart(u)); }
    /// Brings this pair to its bound and its friction into the cone, and calls `move(k, displacement)` for each corner
    /// k. `now` is sum_k w_k u_k, m. Returns the relative move of the sides, m.
    template <class Move>
    double apply(double mu, const Mobility& mobility, const Vec3& now, Move&& move);
};

template <class Move>
double PairImpulse::apply(double mu, const Mobility& mobility, const Vec3& now, Move&& move) {
    const double along = normal.dot(now);
    const double push = std::max(lambda + (bound - along) * resistance, 0.0);
    Vec3 change = (push - lambda) * normal;
    lambda = push;
    if (mu > 0 && (push > 0 || !friction.isZero(0.0))) {
        Vec3 wanted = friction - slipResistance * (now - along * normal);
        const double most = mu * push, size = wanted.norm();
        if (size > most) wanted *= most / size;
        change += wanted - friction;
        friction = wanted;
    }
    if (change.isZero(0.0)) return 0;
    for (int k = 0; k < 4; ++k)
        if (weights[k] != 0) move(k, mobility.moved(corners[k], weights[k] * change));
    return change.norm() / resistance;
}

}  // namespace clothlab::contact
