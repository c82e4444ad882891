#include "integrators/state/pin.hpp"

namespace clothlab::integrators {

mechanics::Prescribed prescribedBy(const Pin& pin, const mechanics::Motion* motion, const Vec3& x, double time,
                                   double dt) {
    const Vec3 target = motion ? motion->at(pin.place, time) : pin.place;
    mechanics::Prescribed wanted{.particle = pin.particle,
                                 .ndof = pin.hold.ndof,
                                 .velocity = (target - x) / dt,
                                 .target = target,
                                 .source = mechanics::PrescribedBy::Pin};
    if (pin.hold.ndof == 0) return wanted;
    const Vec3 direction = motion ? Vec3(motion->turn(time) * pin.hold.direction) : pin.hold.direction;
    if (pin.hold.ndof == 2) {
        wanted.p = direction;
    } else {
        wanted.p = direction.unitOrthogonal();
        wanted.q = direction.cross(wanted.p);
    }
    return wanted;
}

}  // namespace clothlab::integrators
