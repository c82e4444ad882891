#pragma once

#include "linalg/block_vector.hpp"

namespace clothlab::contact {

/// Counts of the robust contact of one step: pairs and particles.
struct SelfContactCounts {
    Index candidates = 0;  ///< pairs whose boxes met
    Index tangled = 0;     ///< edges that go through triangles at the start; counted with `untangle` only
    Index near = 0;        ///< closer than the thickness at the start
    Index impacts = 0;     ///< would have met
    int passes = 0;        ///< searches for impacts
    Index zones = 0, inZones = 0, largestZone = 0;
    Index bounded = 0;     ///< particles with a bound on their motion
    Index heldBack = 0;    ///< held by a pin or the pointer, and kept from where it moves them
    Index pinched = 0;     ///< touching a solid, and kept from where it pushes them
    Index unresolved = 0;  ///< pairs that may still meet; none unless sides touch at the start
    int repeats = 0;       ///< within the solve: solves of the step beyond the first
    double moved = -1;     ///< m, largest move of a particle by layers after the last solve; negative: bounded, no
                           ///< surface, or contact acts after the solve
    double energy = 0;     ///< J, in the springs of contact after the solve
    double angular = 0;    ///< kg m^2/s, angular momentum added by pairs of layers, about any point, with the
                           ///< particles at the start; negative: unknown, since motions were bounded
    double smallestDistance = -1;  ///< m, of the pairs at the start; negative: no pair
};

}  // namespace clothlab::contact
