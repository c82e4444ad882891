#pragma once

#include <array>

#include "base/types.hpp"

namespace clothlab::contact {

/// Up to three unit normals that point in clearly different directions; unused ones are zero, so that every loop runs
/// over all three.
struct Normals {
    /// Normals with a larger |cosine| are one contact, not two.
    static constexpr double kSame = 0.95;

    std::array<Vec3, 3> n{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};

    int count() const { return int(!n[0].isZero(0.0)) + int(!n[1].isZero(0.0)) + int(!n[2].isZero(0.0)); }
    /// Solves G w = r with G_jk = n_j.n_k: w are the components along the normals of a force f with r_k = n_k.f, and
    /// sum w_k n_k is the shortest vector d with n_k.d = r_k.
    Vec3 solveGram(const Vec3& r) const;
    /// Components of f along the normals; the rest of f is tangential to all of them.
    Vec3 components(const Vec3& f) const { return solveGram(Vec3(n[0].dot(f), n[1].dot(f), n[2].dot(f))); }
    Vec3 sum(const Vec3& weights) const { return weights[0] * n[0] + weights[1] * n[1] + weights[2] * n[2]; }
    Vec3 tangential(const Vec3& f) const { return f - sum(components(f)); }
    /// Whether this normal is clearly different from the present ones.
    bool independent(const Vec3& normal) const;
};

/// One solid that a particle touches.
struct Touch {
    Index collider = -1;
    Vec3 normal = Vec3::Zero();
    double depth = 0;              ///< m; negative: distance to the solid
    Vec3 velocity = Vec3::Zero();  ///< of the solid there, m/s
    double closing = 0;            ///< m/s along -normal, in addition: takes the particle to the surface
    double push = 0;               ///< N, its part of f_N
    bool isNew = false;
};

/// Up to three touches with clearly different normals, the deepest first.
struct TouchSet {
    std::array<Touch, 3> items;
    int count = 0;
    /// A solid that overlaps the deepest one from the other side and pinches the particle, with an unknown force.
    /// Collider -1: no such solid.
    Touch opposite;

    bool pinched() const { return opposite.collider >= 0; }

    Normals normals() const { return {{items[0].normal, items[1].normal, items[2].normal}}; }
    /// Adds a touch and keeps the deepest ones that are independent. Nearly all particles touch one solid only.
    void add(const Touch& touch);
    /// Splits f_c (N) among the contacts and drops those that would have to pull (n.f_c < 0), until none is left.
    void releasePulled(const Vec3& force);
    /// Velocity to prescribe along the normals: that of the deepest solid, corrected to fit the others and to take the
    /// particle to the surfaces that it has not reached.
    Vec3 velocity() const;
    /// The shortest way out of all solids, m; for a pinched particle to the middle between the two.
    Vec3 penetration() const;
};

}  // namespace clothlab::contact
