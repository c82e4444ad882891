#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace clothlab::contact {

/// How many contacts the last look at a solve has changed, and how.
struct ContactChanges {
    Index slipped = 0;   ///< held more than the cone allows, and slide now
    Index stuck = 0;     ///< friction turned them around, and they stick now
    Index caught = 0;    ///< would have ended in a solid
    Index stopped = 0;   ///< would have ended in a solid, and are not caught any more: see ContactStop
    Index released = 0;  ///< were caught in this step, and would have to be pulled
    /// kg m/s, summed over all contacts: mu_k f_N, and by how much the impulses of those that change were wrong.
    double friction = 0, misjudged = 0;
    /// kg m/s: the energy that friction gave to particles, over the speed h |g| that gravity gives in a step. Friction
    /// that accelerates a particle to a high speed is more wrong than its impulse alone shows.
    double pushed = 0;
    double squares = 0;  ///< of mu_k f_N, (kg m/s)^2

    /// Share of all kinetic friction that a converged step may leave open.
    static constexpr double kUndecided = 0.25;

    /// Worth another solve: something was caught, or so much was wrong that the motion as a whole would be.
    bool matter() const;
    /// What was wrong, of all kinetic friction; where there is none, of what was wrong: 1.
    double share() const { return wrong() > 0 ? wrong() / std::max(friction, wrong() * 1e-3) : 0; }
    /// Whether friction gives more energy than a converged step may leave open.
    bool pushes() const { return pushed > kUndecided * friction; }
    /// kg m/s: misjudged impulses and the energy that friction gave.
    double wrong() const { return misjudged + pushed; }
    void add(const ContactChanges& other);
};

}  // namespace clothlab::contact
