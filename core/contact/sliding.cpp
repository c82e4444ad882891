#include "contact/sliding.hpp"

#include <algorithm>

namespace clothlab::contact {

Vec3 nextFriction(const Slid& slid, double& most) {
    if (slid.friction.dot(slid.slip) > slid.slow * slid.friction.norm())
        most = std::min(most, slid.friction.norm() / 2);
    const double bound = std::min(slid.cone, most);
    // A step down the gradient: with friction changed like this on every particle of a patch, its slip is gone. A is no
    // less than M, so it is never too much. Against the slip alone the directions of slow patches would turn without
    // end.
    const Vec3 wanted = slid.friction - slid.mass * slid.slip;
    const double size = wanted.norm();
    // Friction takes all of the cone, but less where less is enough to stop what must not stick.
    const bool all = size > bound || (!slid.stuck && size > 0);
    return all ? Vec3(bound / size * wanted) : wanted;
}

}  // namespace clothlab::contact
