#pragma once

#include "papers/ye/ye.hpp"

/// Frames of one motion with contact, [Y] figures 1 and 4, for the tables that compare methods on their systems.
namespace clothlab::papers::ye {

struct Frame {
    linalg::FrozenSystem system;         ///< that leads to the frame
    integrators::SimulationState start;  ///< of the step before
    simulation::StepReport report;

    double share(Index particles) const { return double(particles) / double(system.A.rows()); }
};

struct Frames {
    std::vector<Frame> frames;
    double assembleMs = 0, contactMs = 0;  ///< means over the steps that were timed
};

inline constexpr int kAround = 5;
/// Walks a scene to the last of these steps, and a little beyond. Timed are the steps no further than kAround from one
/// of them.
Expected<Frames> walkFrames(Expected<scene::Scene> scene, const std::vector<int>& steps, Job& job);

/// So many numbers of steps.
std::vector<int> stepsFrom(int first, int frames, int apart);

/// `ye-clump` of figure 4 with so many particles a side, or fewer where the job is quick.
Expected<scene::Scene> clumpScene(int side, int quickSide, const std::vector<std::string>& sets, Job& job);

/// What a method comes to on the systems of all frames.
struct Comparison {
    /// Status where a solve did not converge, iterations, residual, difference to another direct solution, ms of the
    /// analysis.
    records::Entries solves;
    double dynamicsMs = 0;  ///< assembly and solve, mean
};
Expected<Comparison> compare(const Method& method, const Frames& frames, Job& job, Kernel kernel = Kernel::Ours);
/// What the notes say about the frames.
void tell(const std::vector<int>& steps, Job& job);

/// With the same keys for ours as for the paper's. The ratio tells more than the times, which are another machine's.
records::Entries timesOf(double dynamicsMs, double contactMs);
/// The last two of them.
records::Entries sumAndRatioOf(double dynamicsMs, double contactMs);

}  // namespace clothlab::papers::ye
