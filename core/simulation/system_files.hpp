#pragma once

#include <string>

#include "simulation/simulation.hpp"

namespace clothlab::simulation {

/// Writes A.mtx core.mtx (3N x 3N, lower triangle, MatrixMarket symmetric) b.mtx z.mtx delta_v.mtx constraints.json
/// settings.toml into a folder, which is made. Enough for another program to solve the same system to the same dv.
Expected<void> exportSystem(const linalg::FrozenSystem& system, const scene::Settings& settings, const std::string& folder);

/// The inverse: A.mtx and b.mtx of a folder, ours or foreign, and core.mtx and constraints.json where they are there.
/// Without constraints.json every particle is free. What says the same twice (z.mtx, S) must agree.
Expected<linalg::FrozenSystem> importSystem(const std::string& folder);

}  // namespace clothlab::simulation
