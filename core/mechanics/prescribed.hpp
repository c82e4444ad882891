#pragma once

#include <vector>

#include "base/types.hpp"

namespace clothlab::mechanics {

/// The cause of a prescribed motion, in the order of precedence, strongest first.
enum class PrescribedBy : unsigned char { Grab, Pin, Contact, ImpactZone };

/// A particle whose velocity is prescribed in some directions, independent of the method: each integrator turns it into
/// its own S and z, a fixed row or a zero inverse mass.
struct Prescribed {
    Index particle = -1;
    int ndof = 0;                             ///< free directions left: 0, 1 or 2
    Vec3 p = Vec3::Zero(), q = Vec3::Zero();  ///< removed directions (ndof 2: p; ndof 1: p, q)
    Vec3 velocity = Vec3::Zero();             ///< m/s, wanted at the end of the step in the removed directions
    Vec3 target = Vec3::Zero();               ///< m, its position then in the removed directions
    PrescribedBy source = PrescribedBy::Contact;
};

}  // namespace clothlab::mechanics
