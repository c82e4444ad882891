#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace clothlab::contact {

/// Contacts that the last check of a solve changed, by kind of change.
struct ContactChanges {
    Index slipped = 0;   ///< stuck beyond the friction cone; slide now
    Index stuck = 0;     ///< reversed by friction; stick now
    Index caught = 0;    ///< would have ended in a solid; are contacts now
    Index stopped = 0;   ///< would have ended in a solid, but are no longer caught: see ContactStop
    Index released = 0;  ///< caught in this step, but would have to be pulled
    /// kg m/s, summed over all contacts: mu_k f_N, and the error of the impulses of those that change.
    double friction = 0, misjudged = 0;
    /// kg m/s: energy that friction added to particles, divided by the speed h |g| gained by gravity in a step. The
    /// error of friction that accelerates a particle to a high speed is larger than its impulse shows.
    double pushed = 0;
    double squares = 0;  ///< of mu_k f_N, (kg m/s)^2

    /// Share of all kinetic friction that a converged step may leave open.
    static constexpr double kUndecided = 0.25;

    /// Whether to solve again: something was caught, or the errors would make the motion as a whole wrong.
    bool matter() const;
    /// Errors as a share of all kinetic friction, at most 1000.
    double share() const { return wrong() > 0 ? wrong() / std::max(friction, wrong() * 1e-3) : 0; }
    /// Whether friction adds more energy than a converged step may leave open.
    bool pushes() const { return pushed > kUndecided * friction; }
    /// kg m/s: errors of impulses plus the energy that friction added.
    double wrong() const { return misjudged + pushed; }
    void add(const ContactChanges& other);
};

}  // namespace clothlab::contact
