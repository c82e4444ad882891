#pragma once

#include "simulation/simulation.hpp"

namespace clothlab::simulation {

/// Two settings from one state: a simulation that continues, and a second one next to it, the ghost, that starts from
/// the state of the first with its own settings. Only the settings make them differ: the mesh, pins, the pointer's grab
/// and the noise are the same.
///
/// The two are compared at the times of the first. If the ghost has another step length, its positions are interpolated
/// linearly between the two steps around that time.
class Branch {
public:
    /// Another simulation at the same state, with its own settings.
    static Expected<std::unique_ptr<Simulation>> makeCopy(const Simulation& simulation, const scene::Settings& settings,
                                                          int threads);
    /// From the current state of `simulation`. An Error as in Simulation::create.
    static Expected<std::unique_ptr<Branch>> start(const Simulation& simulation, const scene::Settings& ghost,
                                                   int threads);

    /// After a step of the simulation: brings the ghost to its time, and measures. Returns false if the simulation is
    /// at a time before the ghost's last two steps: it has jumped back, and the branch is no longer valid.
    bool follow(const Simulation& simulation, const std::stop_token& stop = {});

    const Simulation& ghost() const { return *ghost_; }
    /// For edits that also apply to ghosts (EditTraits::ghosts).
    Simulation& simulation() { return *ghost_; }
    std::int64_t startStep() const { return startStep_; }
    /// Positions of the ghost at the time of the simulation, m.
    const linalg::BlockVector& positions() const { return positions_; }
    /// Distances between corresponding particles, m: the largest and the root mean square. Negative when the ghost has
    /// stopped.
    double largestDistance() const { return largest_; }
    double rmsDistance() const { return rms_; }
    /// Why the ghost has stopped (diverged, refused), or empty.
    const std::string& problem() const { return problem_; }

private:
    Branch() = default;
    void syncPinsAndGrabs(const Simulation& simulation);
    void place(double time);
    void measure(const linalg::BlockVector& x);

    std::unique_ptr<Simulation> ghost_;
    std::int64_t startStep_ = 0;
    linalg::BlockVector before_, positions_;  // of the ghost: at its step before, and at the simulation's time
    double timeBefore_ = 0;
    double largest_ = 0, rms_ = 0;
    std::string problem_;
};

}  // namespace clothlab::simulation
