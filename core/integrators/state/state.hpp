#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/members.hpp"
#include "contact/contact_state.hpp"
#include "contact/robust/layer_forces.hpp"
#include "factors/factor_source.hpp"
#include "integrators/state/collider_grab.hpp"
#include "integrators/state/pin.hpp"
#include "integrators/state/thrown_ball.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::integrators {

/// The pointer's hold on the cloth.
struct Grab {
    bool active = false;
    Index particle = -1;
    Vec3 target = Vec3::Zero();  ///< m, the place of the pointer

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [active, particle, target] = self;
        return std::tie(active, particle, target);
    }
};

/// The factor of local/global: the last bits of a motion depend on which one is used. Changes of pins change it by
/// columns; another stiffness, mass or step makes a new one, in the background if possible, and until it is adopted the
/// old one is used. Sources are shared by all states that refer to them.
struct FactorBase {
    std::shared_ptr<const factors::FactorSource> serves;  ///< null: none yet
    std::shared_ptr<const factors::FactorSource> coming;  ///< ordered; null: none
    int stepsBehind = 0;  ///< consecutive steps whose matrix differed from that of the factor

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [serves, coming, stepsBehind] = self;
        return std::tie(serves, coming, stepsBehind);
    }
};

/// Impact zones, passed from one step to the next: the members of all, zone after zone, and the end of each zone.
struct ImpactZoneMembers {
    std::vector<Index> members, ends;

    std::span<const Index> zone(std::size_t k) const {
        const Index begin = k == 0 ? 0 : ends[k - 1];
        return std::span(members).subspan(std::size_t(begin), std::size_t(ends[k] - begin));
    }
    void add(std::span<const Index> zone) {
        members.insert(members.end(), zone.begin(), zone.end());
        ends.push_back(Index(members.size()));
    }

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [members, ends] = self;
        return std::tie(members, ends);
    }
};

/// Everything that determines the further motion, as a value: copying it saves, assigning it goes back. Patterns,
/// factors and scratch are caches elsewhere; dropping them changes no bit.
struct SimulationState {
    linalg::BlockVector x, v;                  ///< m, m/s
    linalg::BlockVector xPrevious, vPrevious;  ///< of the previous step, for two-step methods
    linalg::BlockVector deltaV;                ///< m/s, of the last solve: the warm start; empty before the first
    double dtPrevious = 0;                     ///< s
    bool previousValid = false;
    contact::ContactState contacts;
    std::vector<Index> collided;                   ///< moved by contact of the cloth with itself; ascending
    ImpactZoneMembers zones;                       ///< that moved as rigid bodies in the last step
    std::vector<contact::LayerForce> layerForces;  ///< between layers, in the solve of the next step
    std::vector<Pin> pins;                         ///< sorted by particle
    std::vector<mechanics::Motion> pinMotions;     ///< those that pins refer to
    Grab grab;
    std::vector<Vec3> colliderShifts;  ///< m, shifts of the solids by the pointer; empty: none yet
    ColliderGrab colliderGrab;
    std::vector<ThrownBall> balls;            ///< solids behind those of the scene, one each
    double adaptiveDt = 0;                    ///< s; 0 = not in use
    int goodSteps = 0;                        ///< since adaptiveDt was changed
    double icShift = 0;                       ///< remembered shift of an incomplete factorization
    FactorBase factorBase;                    ///< of local/global
    std::vector<std::uint8_t> brokenSprings;  ///< per spring; empty = none
    double time = 0;                          ///< s
    std::int64_t step = 0;                    ///< state 0 is the start; step K solves from state K-1 to K
    std::uint64_t seed = 1;

    std::size_t bytes() const;
    /// The pin of a particle; null if it has none.
    const Pin* findPin(Index particle) const;
    /// The motion of a pin; null if it rests.
    const mechanics::Motion* pinMotion(const Pin& pin) const {
        return pin.motion < 0 ? nullptr : &pinMotions[pin.motion];
    }
};

/// The role of a part of the state. A restart from given positions and velocities keeps Body and World.
enum class StateRole : int {
    Body,    ///< positions and velocities of the cloth, and broken springs
    World,   ///< external influences: contacts, pins, the clock
    Hand,    ///< the pointer's current action
    Past,    ///< of two-step methods
    Method,  ///< memory of a method and its schedule: a start for the next solve, a step length
};

/// Calls visit(role, member) for every member. Bytes, hash and forgetting use it, and no member can be missed:
/// leaving one out is a compile error.
template <class State, class Visitor>
void visitState(State& state, Visitor visit) {
    auto& [x, v, xPrevious, vPrevious, deltaV, dtPrevious, previousValid, contacts, collided, zones, layerForces, pins,
           pinMotions, grab, colliderShifts, colliderGrab, balls, adaptiveDt, goodSteps, icShift, factorBase,
           brokenSprings, time, step, seed] = state;
    visit(StateRole::Body, x);
    visit(StateRole::Body, v);
    visit(StateRole::Past, xPrevious);
    visit(StateRole::Past, vPrevious);
    visit(StateRole::Method, deltaV);
    visit(StateRole::Past, dtPrevious);
    visit(StateRole::Past, previousValid);
    visit(StateRole::World, contacts);
    visit(StateRole::World, collided);
    visit(StateRole::World, zones);
    visit(StateRole::World, layerForces);
    visit(StateRole::World, pins);
    visit(StateRole::World, pinMotions);
    visit(StateRole::Hand, grab);
    visit(StateRole::World, colliderShifts);
    visit(StateRole::Hand, colliderGrab);
    visit(StateRole::World, balls);
    visit(StateRole::Method, adaptiveDt);
    visit(StateRole::Method, goodSteps);
    visit(StateRole::Method, icShift);
    visit(StateRole::Method, factorBase);
    visit(StateRole::Body, brokenSprings);
    visit(StateRole::World, time);
    visit(StateRole::World, step);
    visit(StateRole::World, seed);
}

/// Pins a particle at its current place, or changes what its pin holds and how it moves from now on; nullopt: unpins
/// it. A default motion means none.
void setPin(SimulationState& state, Index particle, const std::optional<PinHold>& hold,
            const mechanics::Motion& motion = {});

/// Sets what the pointer does. A particle that it no longer holds loses its forces between layers: they balanced the
/// pointer, and in the next solve would throw the particle away. Unpinning does the same.
void setGrab(SimulationState& state, const Grab& grab);

/// Gives `to` the pins of `from`, another state of the same cloth. If the cloth is at the same place they are the same
/// to the last bit; otherwise a restored pin holds its particle at its current place, and an existing one stays.
void copyPins(const SimulationState& from, SimulationState& to);

/// Gives `to` the pins and the grabs of `from`.
void copyPinsAndGrab(const SimulationState& from, SimulationState& to);

/// Resets every member of the given kind: after Past a two-step method starts anew.
void forget(SimulationState& state, StateRole role);

/// Hash of everything that determines the further motion: equal at any number of threads.
std::uint64_t stateHash(const SimulationState& state);

}  // namespace clothlab::integrators
