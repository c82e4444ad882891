#include "contact/sliding.hpp"

#include <algorithm>

namespace clothlab::contact {

Vec3 nextFriction(const Slid& slid, double& most) {
    if (slid.friction.dot(slid.slip) > slid.slow * slid.friction.norm())
        most = std::min(most, slid.friction.norm() / 2);
    const double bound = std::min(slid.cone, most);
    // A gradient step: if friction changes like this on every particle of a patch, its slip vanishes. It never
    // overshoots, since A >= M. With friction against the slip only, the directions of slow patches would turn without
    // end.
    const Vec3 wanted = slid.friction - slid.mass * slid.slip;
    const double size = wanted.norm();
    // Friction uses the whole cone, or less if that stops a particle that must not stick.
    const bool all = size > bound || (!slid.stuck && size > 0);
    return all ? Vec3(bound / size * wanted) : wanted;
}

}  // namespace clothlab::contact
