#pragma once

#include "papers/ye/ye.hpp"

/// Frames of `ye-clump`, the motion of [Y] figure 4, for the tables about contact of the cloth with itself.
namespace clothlab::papers::ye {

struct ClumpFrame {
    linalg::FrozenSystem system;         ///< that leads to the frame
    integrators::SimulationState start;  ///< of the step before
    simulation::StepReport report;

    double share(Index particles) const { return double(particles) / double(system.A.rows()); }
};

struct Clump {
    std::vector<ClumpFrame> frames;
    double assembleMs = 0, contactMs = 0;  ///< means over the steps that were timed
};

/// Numbers of steps, from where the first folds lie on each other.
std::vector<int> clumpSteps(int frames, int apart);

Expected<scene::Scene> clumpScene(const std::vector<std::string>& sets, Job& job);

inline constexpr int kAround = 5;
/// Walks to the last of these steps, and a little beyond. Timed are the steps no further than kAround from one of them.
Expected<Clump> walkClump(const std::vector<std::string>& sets, const std::vector<int>& steps, Job& job);

}  // namespace clothlab::papers::ye
