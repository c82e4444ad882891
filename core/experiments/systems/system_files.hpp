#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulation/simulation.hpp"

namespace clothlab::experiments {

/// From what a system was assembled and what its solve came to: with the scene enough to build A and b anew elsewhere.
struct SystemOrigin {
    linalg::BlockVector x, v;                                              ///< #P, state K-1: m, m/s
    double time = 0;                                                       ///< s, of that state
    Vec3 wind = Vec3::Zero();                                              ///< m/s, of the air that b was built with
    std::vector<std::pair<std::string, contact::ColliderPose>> colliders;  ///< by name, at that time
    solvers::SolveSummary solve;

    /// Of the state shown, which the next step starts from; `solve` stays empty.
    static SystemOrigin of(const simulation::Simulation& simulation);
};

/// A name and a content each.
using NamedFiles = std::vector<std::pair<std::string_view, std::string>>;

/// A.mtx core.mtx (3N x 3N, lower triangle, MatrixMarket symmetric) b.mtx z.mtx delta_v.mtx (3N x 1) pattern.mtx (N x
/// N) constraints.json settings.toml, and where the origin is known x.mtx v.mtx (N x 3). Enough for another program to
/// solve the same system.
NamedFiles systemFiles(const linalg::FrozenSystem& system, const scene::Settings& settings, const SystemOrigin* origin);
/// The names of all of them: what an output folder is asked for before the work begins.
std::span<const std::string_view> systemFileNames();

/// The inverse: A.mtx and b.mtx of a folder, ours or foreign, and core.mtx, pattern.mtx and constraints.json where they
/// are there. Without pattern.mtx the blocks without entries are missing, and an order or domains that follow from the
/// pattern may differ from those of the step. Without constraints.json every particle is free. What says the same twice
/// (z.mtx, S) must agree.
Expected<linalg::FrozenSystem> importSystem(const std::string& folder);

}  // namespace clothlab::experiments
