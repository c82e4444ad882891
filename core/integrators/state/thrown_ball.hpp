#pragma once

#include <span>
#include <vector>

#include "base/members.hpp"
#include "contact/collider.hpp"
#include "contact/contact_state.hpp"

namespace clothlab::integrators {

struct SimulationState;

/// A thrown ball: a solid after those of the scene, moved by its weight and by the cloth and the solids that it hits.
/// Its place is its shift (SimulationState::colliderShifts).
struct ThrownBall {
    double radius = 0.1;           ///< m
    double mass = 0.3;             ///< kg
    Vec3 velocity = Vec3::Zero();  ///< m/s

    bool operator==(const ThrownBall&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [radius, mass, velocity] = self;
        return std::tie(radius, mass, velocity);
    }
};

/// Makes solids for the balls of the state, after the first `own`.
void fitBalls(const SimulationState& state, std::size_t own, std::vector<contact::Collider>& colliders);

/// After dragColliders: gives each ball not held by the pointer the velocity of a step of length dt (s), by its weight
/// and by the solids that it bounces off and slides on, with their friction or that of the settings, and moves it in
/// `shifts`. Returns the balls of the step.
std::vector<ThrownBall> flyBalls(const SimulationState& state, const Vec3& gravity, double muK, double dt,
                                 std::span<contact::Collider> colliders, std::vector<Vec3>& shifts);

/// After the solve: applies the cloth's contact forces in `contacts` to the balls, for the next step. A step takes
/// momentum from the cloth with the ball's old velocity, so a ball much lighter than the cloth that it hits would be
/// thrown back too hard: kMostPush limits it.
void pushBalls(const contact::ContactState& contacts, double dt, std::size_t own, std::vector<ThrownBall>& balls);

/// m/s^2, limit of the cloth's push on a ball over its mass.
inline constexpr double kMostPush = 500;

}  // namespace clothlab::integrators
