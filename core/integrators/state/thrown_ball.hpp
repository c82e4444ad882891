#pragma once

#include <span>
#include <vector>

#include "base/members.hpp"
#include "contact/collider.hpp"
#include "contact/contact_state.hpp"

namespace clothlab::integrators {

struct SimulationState;

/// A ball that was thrown into the motion: a solid behind those of the scene, which its weight moves, and what the
/// cloth and the solids that it meets do to it. Its place is its shift (SimulationState::colliderShifts).
struct ThrownBall {
    double radius = 0.1;           ///< m
    double mass = 0.3;             ///< kg
    Vec3 velocity = Vec3::Zero();  ///< m/s

    bool operator==(const ThrownBall&) const = default;

    template <class Self>
    static auto membersOf(Self& self) {
        auto& [radius, mass, velocity] = self;
        return std::tie(radius, mass, velocity);
    }
};

/// Solids for the balls of the state, behind the first `own`.
void fitBalls(const SimulationState& state, std::size_t own, std::vector<contact::Collider>& colliders);

/// After dragColliders: gives each ball that the pointer does not hold the velocity of a step of length dt (s), by its
/// weight and by the solids that it bounces off and slides on, with their friction or that of the settings, and
/// carries it on in `shifts`. Returns the balls as the step has them.
std::vector<ThrownBall> flyBalls(const SimulationState& state, const Vec3& gravity, double muK, double dt,
                                 std::span<contact::Collider> colliders, std::vector<Vec3>& shifts);

/// After the solve: what the cloth's contact forces in `contacts` do to the balls, for the next step. A step takes
/// momentum from the cloth with the velocity that the ball had, so a ball much lighter than the cloth that it meets
/// would be thrown back too hard: kMostPush bounds it.
void pushBalls(const contact::ContactState& contacts, double dt, std::size_t own, std::vector<ThrownBall>& balls);

/// m/s^2, of the cloth's push on a ball over its mass.
inline constexpr double kMostPush = 500;

}  // namespace clothlab::integrators
