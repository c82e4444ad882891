#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/systems/system_formats.hpp"
#include "simulation/simulation.hpp"

namespace clothlab::experiments {

/// The origin of a system and the result of its solve: with the scene enough to rebuild A and b elsewhere.
struct SystemOrigin {
    linalg::BlockVector x, v;                                              ///< #P, state K-1: m, m/s
    double time = 0;                                                       ///< s, of that state
    Vec3 wind = Vec3::Zero();                                              ///< m/s, of the air, used in b
    std::vector<std::pair<std::string, contact::ColliderPose>> colliders;  ///< by name, at that time
    solvers::SolveSummary solve;

    /// The origin of the next step, from the current state; `solve` stays empty.
    static SystemOrigin of(const simulation::Simulation& simulation);
};

/// Pairs of name and content.
using NamedFiles = std::vector<std::pair<std::string_view, std::string>>;

/// A S (3N x 3N) pattern (N x N) b z delta_v (3N), each a file of the format, such as A.mtx; constraints.json
/// settings.toml; core (3N x 3N) if there is one, and if the origin is known x v (N x 3). Enough for another
/// program to solve the same system. An Error where the format cannot hold a matrix of this size.
Expected<NamedFiles> systemFiles(const linalg::FrozenSystem& system, const scene::Settings& settings,
                                 const SystemOrigin* origin, SystemForm form = SystemForm::MatrixMarket);
/// All their names, for the check of an output folder before the work begins.
std::span<const std::string_view> systemFileNames(SystemForm form = SystemForm::MatrixMarket);

/// S of all particles, on the diagonal.
linalg::BlockMatrix filterMatrix(const linalg::DofConstraints& constraints);

/// The inverse: A and b of a folder in one of the formats, ours or foreign, and core, pattern, S, z and
/// constraints.json if present. Without a pattern the blocks without entries are missing, and an order or domains that
/// follow from the pattern may differ from those of the step. Without constraints.json every particle is free.
/// Redundant data (z, S) must agree.
Expected<linalg::FrozenSystem> importSystem(const std::string& folder);

}  // namespace clothlab::experiments
