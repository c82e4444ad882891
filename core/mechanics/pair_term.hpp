#pragma once

#include "base/types.hpp"

namespace clothlab::mechanics {

/// The interaction of two particles i < j in this step besides the springs of the mesh, as assembly receives it; or,
/// without j, the action of the outside world on one particle.
///
/// Sign convention of cloth::ForceModel: f_i = +force, f_j = -force, J = d(force)/dx_j and V = d(force)/dv_j, both
/// symmetric (to the last bit) and, in their sum, positive semidefinite, so that A = M - h D - h^2 K gets +(h^2 J + h
/// V) on the two diagonal blocks and its negative on the two others.
struct PairTerm {
    static constexpr Index kOutside = -1;

    Index i, j;                     ///< j may be kOutside, which does not move
    Vec3 force = Vec3::Zero();      ///< N, on i, elastic part and damping
    Mat3 stiffness = Mat3::Zero();  ///< J, N/m
    Mat3 damping = Mat3::Zero();    ///< V, N s/m
    bool implicit = true;           ///< J and V enter the matrix
    bool ofLayers = false;          ///< part of a pair of layers: its own J may be negative

    bool outside() const { return j == kOutside; }
    /// of[j] - of[i] of per-particle values; that of the outside is zero.
    template <class Values>
    Vec3 across(const Values& of) const {
        return outside() ? Vec3(-of[i]) : Vec3(of[j] - of[i]);
    }
    /// Likewise for the change since a start.
    template <class Values>
    Vec3 across(const Values& of, const Values& since) const {
        return outside() ? Vec3(-(of[i] - since[i])) : Vec3((of[j] - since[j]) - (of[i] - since[i]));
    }
    /// Adds `by` to i and subtracts it from j.
    template <class Values>
    void add(const Vec3& by, Values& to) const {
        to[i] += by;
        if (!outside()) to[j] -= by;
    }
};

}  // namespace clothlab::mechanics
