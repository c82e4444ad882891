#pragma once

#include "papers/ye/ye.hpp"

/// Frames of one motion with contact, [Y] figures 1 and 4, for the tables that compare methods on their systems.
namespace clothlab::papers::ye {

struct Frame {
    linalg::FrozenSystem system;         ///< that leads to the frame
    integrators::SimulationState start;  ///< of the previous step
    simulation::StepReport report;

    double share(Index particles) const { return double(particles) / double(system.A.rows()); }
};

struct Frames {
    std::vector<Frame> frames;
    double assembleMs = 0, contactMs = 0;  ///< means over the timed steps
};

inline constexpr int kAround = 5;
/// Walks a scene to the last of these steps, and a little beyond. Steps within kAround of one of them are timed.
Expected<Frames> walkFrames(Expected<scene::Scene> scene, const std::vector<int>& steps, Job& job);

/// The step numbers of `frames` frames.
std::vector<int> stepsFrom(int first, int frames, int apart);

/// `ye-clump` of figure 4 with this many particles per side, or `quickSide` if the job is quick.
Expected<scene::Scene> clumpScene(int side, int quickSide, const std::vector<std::string>& sets, Job& job);

/// The results of a method on the systems of all frames.
struct Comparison {
    /// Status if a solve did not converge, iterations, residual, difference to another direct solution, ms of the
    /// analysis.
    records::Entries solves;
    double dynamicsMs = 0;  ///< assembly and solve, mean
};
Expected<Comparison> compare(const Method& method, const Frames& frames, Job& job, Kernel kernel = Kernel::Ours);
/// Sets the values of the notes about the frames.
void tell(const std::vector<int>& steps, Job& job);

/// With the same keys for ours and the paper's. The ratio means more than the times, which are another machine's.
records::Entries timeEntries(double dynamicsMs, double contactMs);
/// The last two of them.
records::Entries sumAndRatio(double dynamicsMs, double contactMs);

}  // namespace clothlab::papers::ye
