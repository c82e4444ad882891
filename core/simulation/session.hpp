#pragma once

#include "simulation/branch.hpp"
#include "simulation/edits.hpp"

namespace clothlab::simulation {

/// Motions stored under a number. Their owner stores them when a Keep is done.
class Shelf {
public:
    virtual ~Shelf() = default;
    /// Null if there is none of that number.
    virtual const StoredMotion* find(std::int64_t id) const = 0;
};

/// For callers that store nothing.
struct EmptyShelf final : Shelf {
    const StoredMotion* find(std::int64_t) const override { return nullptr; }
};

/// A simulation and its ghosts, on which edits act. Belongs to one thread, like the simulation.
class Session {
public:
    static constexpr std::size_t kMostGhosts = 4;

    /// Without a simulation, until a Load brings one. threads 0 = all hardware threads.
    explicit Session(int threads) : threads_(threads) {}
    Session(std::unique_ptr<Simulation> simulation, int threads)
        : simulation_(std::move(simulation)), threads_(threads) {}

    /// Applies it to the simulation and its ghosts. True: something changed. An Error, and no change, if it does not
    /// fit.
    Expected<bool> apply(const Edit& edit, Shelf& shelf);

    bool loaded() const { return simulation_ != nullptr; }
    Simulation& simulation() { return *simulation_; }
    const Simulation& simulation() const { return *simulation_; }
    /// Replaces the simulation; ghosts end.
    void replace(std::unique_ptr<Simulation> next);
    int threads() const { return threads_; }

    /// Starts a ghost from the current state with these settings: in place of existing ones, or as one more.
    Expected<void> startGhost(const scene::Settings& settings, bool further);
    void endGhosts() { ghosts_.clear(); }
    /// The ghosts in the order of their start.
    const std::vector<std::unique_ptr<Branch>>& ghosts() const { return ghosts_; }
    /// After a step: brings the ghosts to its time.
    void follow(const std::stop_token& stop);

private:
    std::unique_ptr<Simulation> simulation_;
    std::vector<std::unique_ptr<Branch>> ghosts_;
    int threads_;
};

}  // namespace clothlab::simulation
