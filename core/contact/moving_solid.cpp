#include "contact/moving_solid.hpp"

namespace clothlab::contact {

geometry::DistanceSample MovingSolid::sample(const Vec3& point, double reach) const {
    const Vec3 offset = point - position;
    const double most = radius + reach, squared = offset.squaredNorm();
    if (!(squared <= most * most)) return {std::sqrt(squared) - radius, Vec3::Zero()};
    geometry::DistanceSample sample = geometry::signedDistance(*shape, toWorld.transpose() * offset);
    sample.normal = toWorld * sample.normal;
    return sample;
}

std::optional<MovingSolid::Hit> MovingSolid::firstTouch(const Vec3& x, const Vec3& xEnd) const {
    const Vec3 from = toWorld.transpose() * (x - position), to = endToWorld.transpose() * (xEnd - endPosition);
    const geometry::DistanceSample start = geometry::signedDistance(*shape, from);
    if (start.distance < 0) {  // already inside, and may not go deeper: the far side of a thin plate is near
        if (!(start.normal.dot(to - from) < 0)) return {};
        return Hit{toWorld * start.normal, start.distance};
    }
    const auto touch = geometry::firstTouch(*shape, from, to);
    if (!touch) return {};
    return Hit{toWorld * touch->normal, touch->normal.dot(from - touch->point)};
}

void placeSolids(std::span<const Collider> colliders, double time, double dt, const ContactSettings& settings,
                 std::vector<MovingSolid>& out) {
    out.clear();
    for (const Collider& collider : colliders) {
        const ColliderPose start = poseAt(collider, time), end = poseAt(collider, time + dt);
        const double share = movingSeconds(collider, time, dt) / dt;
        const double speed = collider.angularVelocity.norm();
        Mat3 turnRate = Mat3::Zero();
        if (share > 0 && speed > 0) {
            const Eigen::AngleAxisd turn(share * dt * speed, collider.angularVelocity / speed);
            turnRate = (turn.toRotationMatrix() - Mat3::Identity()) / dt;
        }
        out.push_back({.shape = &collider.shape,
                       .position = start.position,
                       .endPosition = end.position,
                       .toWorld = start.orientation.toRotationMatrix(),
                       .endToWorld = end.orientation.toRotationMatrix(),
                       .velocity = meanVelocity(collider, time, dt),
                       .angularVelocity = share * collider.angularVelocity,
                       .turnRate = turnRate,
                       .radius = geometry::boundingRadius(collider.shape),
                       .muS = collider.muS.value_or(settings.muS),
                       .muK = collider.muK.value_or(settings.muK),
                       .dt = dt});
    }
}

}  // namespace clothlab::contact
