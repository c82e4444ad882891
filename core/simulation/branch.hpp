#pragma once

#include "simulation/simulation.hpp"

namespace clothlab::simulation {

/// Two settings from one state: a simulation that goes on, and a second one beside it, the ghost, that starts from the
/// state of the first with settings of its own. What they do differently is the settings' doing and nothing else: the
/// mesh, pins, the pointer's grab and the noise are the same.
///
/// The two are compared at the times of the first. A ghost with another step length is asked for the time in between,
/// which is taken linearly from the two steps around it.
class Branch {
public:
    /// Another simulation at the same state, with settings of its own.
    static Expected<std::unique_ptr<Simulation>> copyOf(const Simulation& simulation, const scene::Settings& settings,
                                                        int threads);
    /// From the present state of `simulation`. An Error as in Simulation::create.
    static Expected<std::unique_ptr<Branch>> start(const Simulation& simulation, const scene::Settings& ghost,
                                                   int threads);

    /// After a step of the simulation: brings the ghost to its time, and measures. Returns false when the simulation is
    /// at a time before the ghost's last two steps: it has jumped back, and the branch is of no use any more.
    bool follow(const Simulation& simulation, const std::stop_token& stop = {});

    const Simulation& ghost() const { return *ghost_; }
    /// For edits that ghosts get, too (EditTraits::ghosts).
    Simulation& simulation() { return *ghost_; }
    std::int64_t startStep() const { return startStep_; }
    /// Of the ghost at the time of the simulation, m.
    const linalg::BlockVector& positions() const { return positions_; }
    /// Distances between the two places of a particle, m: the largest and the root of the mean square. Negative when
    /// the ghost has stopped.
    double largestDistance() const { return largest_; }
    double rmsDistance() const { return rms_; }
    /// Why the ghost stands still (diverged, refused), or empty.
    const std::string& problem() const { return problem_; }

private:
    Branch() = default;
    void takePinsAndGrab(const Simulation& simulation);
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
