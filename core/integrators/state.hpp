#pragma once

#include <cstdint>
#include <vector>

#include "contact/contact_solver.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::integrators {

/// A particle held where it is. `target` is where it was when it was pinned (m).
struct Pin {
    Index particle = -1;
    Vec3 target = Vec3::Zero();
};

/// The pointer's hold on the cloth.
struct Grab {
    bool active = false;
    Index particle = -1;
    Vec3 target = Vec3::Zero();  ///< m, where the pointer wants it
};

/// Everything that decides how the motion goes on, as a value: copying it is saving, assigning it is going back.
/// Patterns, factors and scratch are caches elsewhere; dropping them changes no bit.
struct SimulationState {
    linalg::BlockVector x, v;                  ///< m, m/s
    linalg::BlockVector xPrevious, vPrevious;  ///< of the step before, for two-step methods
    double dtPrevious = 0;                     ///< s
    bool previousValid = false;
    linalg::BlockVector deltaV;  ///< m/s, of the last solve: the warm start; empty before the first
    contact::ContactState contacts;
    std::vector<Pin> pins;  ///< sorted by particle
    Grab grab;
    double adaptiveDt = 0;                    ///< s; 0 = not in use
    int goodSteps = 0;                        ///< since adaptiveDt was changed
    double icShift = 0;                       ///< remembered shift of an incomplete factorization
    std::vector<std::uint8_t> brokenSprings;  ///< per spring; empty = none
    double time = 0;                          ///< s
    std::int64_t step = 0;                    ///< state 0 is the start; step K solves from state K-1 to K
    std::uint64_t seed = 1;

    std::size_t bytes() const;
};

/// What every method of one step does: the next step of a method of two steps starts anew.
void forgetPast(SimulationState& state);

/// Hash of all that decides the future: equal at any number of threads.
std::uint64_t stateHash(const SimulationState& state);

}  // namespace clothlab::integrators
