#include "integrators/state/thrown_ball.hpp"

#include <algorithm>

#include "integrators/state/state.hpp"

namespace clothlab::integrators {
namespace {

constexpr double kBounce = 0.5;  // share of the speed along the normal that comes back

/// Off the solid, if it comes nearer than its radius within the step. What it strikes with brakes it along the solid,
/// too (Coulomb), so that it comes to rest; it does not roll.
void bounce(const contact::Collider& solid, double muK, double time, double dt, double radius, Vec3& place,
            Vec3& velocity) {
    const contact::ColliderPose pose = contact::poseAt(solid, time + dt);
    const Vec3 next = place + dt * velocity;
    const auto sample = geometry::signedDistance(solid.shape, pose.orientation.conjugate() * (next - pose.position));
    const double depth = radius - sample.distance;
    if (depth <= 0) return;
    const Vec3 normal = pose.orientation * sample.normal;
    const double approach = (velocity - pose.velocityAt(next)).dot(normal);
    if (approach < 0) {
        velocity -= (1 + kBounce) * approach * normal;
        const Vec3 sliding = velocity - pose.velocityAt(next), along = sliding - sliding.dot(normal) * normal;
        const double most = solid.muK.value_or(muK) * (1 + kBounce) * -approach;
        if (const double speed = along.norm(); speed > 0) velocity -= std::min(1.0, most / speed) * along;
    }
    // Remaining penetration is removed by position only.
    place += std::max(0.0, depth + dt * std::min(approach, 0.0)) * normal;
}

/// The part of a contact's force that comes from one of its solids.
Vec3 solidForce(const contact::ParticleContact& c, Index solid) {
    if (c.secondCollider < 0) return c.collider == solid ? c.force : Vec3(Vec3::Zero());
    if (c.collider == solid) return c.force.dot(c.normal) * c.normal;
    if (c.secondCollider == solid) return c.force.dot(c.secondNormal) * c.secondNormal;
    return c.thirdCollider == solid ? Vec3(c.force.dot(c.thirdNormal) * c.thirdNormal) : Vec3(Vec3::Zero());
}

}  // namespace

void fitBalls(const SimulationState& state, std::size_t own, std::vector<contact::Collider>& colliders) {
    colliders.resize(std::min(colliders.size(), own));
    for (const ThrownBall& ball : state.balls) {
        contact::Collider solid;
        solid.name = "ball";
        solid.shape = geometry::Sphere{ball.radius};
        colliders.push_back(std::move(solid));
    }
}

std::vector<ThrownBall> flyBalls(const SimulationState& state, const Vec3& gravity, double muK, double dt,
                                 std::span<contact::Collider> colliders, std::vector<Vec3>& shifts) {
    std::vector<ThrownBall> balls = state.balls;
    const std::size_t own = colliders.size() - balls.size();
    shifts.resize(balls.empty() ? shifts.size() : colliders.size(), Vec3::Zero());
    for (std::size_t k = 0; k < balls.size(); ++k) {
        contact::Collider& solid = colliders[own + k];
        if (state.colliderGrab.active && state.colliderGrab.collider == Index(own + k)) {
            balls[k].velocity = solid.drag.velocity;  // let go, it flies on
            continue;
        }
        Vec3 place = solid.drag.from, velocity = balls[k].velocity + dt * gravity;
        for (std::size_t other = 0; other < own; ++other)
            bounce(colliders[other], muK, state.time, dt, balls[k].radius, place, velocity);
        shifts[own + k] = place + dt * velocity;
        solid.drag.velocity = (shifts[own + k] - solid.drag.from) / dt;
        balls[k].velocity = velocity;
    }
    return balls;
}

void pushBalls(const contact::ContactState& contacts, double dt, std::size_t own, std::vector<ThrownBall>& balls) {
    for (std::size_t k = 0; k < balls.size(); ++k) {
        Vec3 push = Vec3::Zero();
        for (const contact::ParticleContact& c : contacts.contacts) push -= solidForce(c, Index(own + k));
        push /= balls[k].mass;
        if (const double strength = push.norm(); strength > kMostPush) push *= kMostPush / strength;
        balls[k].velocity += dt * push;
    }
}

}  // namespace clothlab::integrators
