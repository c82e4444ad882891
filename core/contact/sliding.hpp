#pragma once

#include "base/types.hpp"

namespace clothlab::contact {

/// A contact that slid in a solve, with what the solve made of it.
struct Slid {
    Vec3 friction;  ///< in b, kg m/s
    Vec3 slip;      ///< velocity along the solid that came of it, m/s
    double mass;    ///< kg
    double cone;    ///< mu_k h f_N that came of it, kg m/s
    double slow;    ///< what gravity gives in a step, m/s
    bool stuck;     ///< it stuck in this step before, with more than the cone allows: it must not stick again
};

/// Friction (kg m/s) for the next solve of the same step. `most` bounds it within the step: it begins at infinity, and
/// is halved where friction pushed the particle along, faster than gravity would.
Vec3 nextFriction(const Slid& slid, double& most);

}  // namespace clothlab::contact
