// contact
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace clothlab::contact {

/// How many contacts the last look at a solve has changed, and how.
struct ContactChanges {
    Index slipped = 0;   ///< held more than the cone allows, and slide now
    Index stuck = 0;     ///< friction turned them around, and they stick now
    Index caught = 0;    ///< would have ended in a solid
    Index released = 0;  ///< were caught in this step, and would have to be pulled
    /// kg m/s, summed over all contacts: mu_k f_N, and by how much the impulses of those that change were wrong.
    double friction = 0, misjudged = 0;
    double squares = 0;  ///< of mu_k f_N, (kg m/s)^2

    /// Worth another solve: something was caught, or so much was wrong that the motion as a whole would be.
    bool matter() const;
    /// What was wrong, of all kinetic friction; where there is none, of what was wrong: 1.
    double share() const { return misjudged > 0 ? misjudged / std::max(friction, misjudged * 1e-3) : 0; }
    void add(const ContactChanges& other);
};

}  // namespace clothlab::contact
