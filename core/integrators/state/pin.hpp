#pragma once

#include "base/members.hpp"
#include "mechanics/motion.hpp"
#include "mechanics/prescribed.hpp"

namespace clothlab::integrators {

/// The directions that a pin leaves free ([Y] (3); [C] (43) and its constraints along one, two and three directions).
struct PinHold {
    int ndof = 0;                   ///< 0 a point, 1 a line, 2 a plane
    Vec3 direction = Vec3::Zero();  ///< ndof 1: along the line; ndof 2: normal of the plane; unit

    static PinHold point() { return {}; }
    static PinHold line(const Vec3& along) { return {1, along.normalized()}; }
    static PinHold plane(const Vec3& normal) { return {2, normal.normalized()}; }
    bool operator==(const PinHold&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [ndof, direction] = self;
        return std::tie(ndof, direction);
    }
};

/// A particle that is held at a point, on a line or on a plane, which may move.
struct Pin {
    Index particle = -1;
    Vec3 place = Vec3::Zero();  ///< m, of the particle when it was pinned
    PinHold hold = {};
    int motion = -1;  ///< index into SimulationState::pinMotions; -1: it rests

    bool operator==(const Pin&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [particle, place, hold, motion] = self;
        return std::tie(particle, place, hold, motion);
    }
};

/// The prescribed motion of a step from x (m) that takes dt (s) and ends at `time` (s): in the removed directions the
/// velocity that takes the particle to the final position of the line or plane. `motion` may be null.
mechanics::Prescribed prescribedBy(const Pin& pin, const mechanics::Motion* motion, const Vec3& x, double time,
                                   double dt);

}  // namespace clothlab::integrators
