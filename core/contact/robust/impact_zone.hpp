#pragma once

#include <vector>

#include "base/types.hpp"

namespace clothlab::contact {

/// Linear and angular momentum (about the origin): kg m/s, kg m^2/s.
struct Momentum {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Particles that moved as one rigid body in a step (impact_zones.hpp).
struct ImpactZone {
    std::vector<Index> members;    ///< ascending
    std::vector<Vec3> velocities;  ///< m/s, of the rigid motion at its end
    Momentum before;               ///< of the motion that the rigid one replaces
    Vec3 pushed = Vec3::Zero();    ///< kg m/s, of walls in its way
    bool free = true;              ///< no member is held
};

}  // namespace clothlab::contact
