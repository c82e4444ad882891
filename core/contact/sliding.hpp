#pragma once

#include "base/types.hpp"

namespace clothlab::contact {

/// A contact that slid in a solve, with the result of that solve.
struct Slid {
    Vec3 friction;  ///< kg m/s, included in b
    Vec3 slip;      ///< m/s, resulting velocity along the solid
    double mass;    ///< kg
    double cone;    ///< kg m/s, resulting mu_k h f_N
    double slow;    ///< m/s, gained by gravity in a step
    bool stuck;     ///< stuck earlier in this step, beyond the friction cone: must not stick again
};

/// Friction (kg m/s) for the next solve of the same step. `most` bounds it within the step: infinity at first,
/// halved where friction pushed the particle along, faster than gravity would.
Vec3 nextFriction(const Slid& slid, double& most);

}  // namespace clothlab::contact
