#pragma once

#include "simulation/branch.hpp"
#include "simulation/edits.hpp"

namespace clothlab::simulation {

/// Motions that were put aside under a number. Whoever owns them puts them there when a Keep is done.
class Shelf {
public:
    virtual ~Shelf() = default;
    /// Null where there is none of that number.
    virtual const Kept* find(std::int64_t id) const = 0;
};

/// For those who put nothing aside.
struct EmptyShelf final : Shelf {
    const Kept* find(std::int64_t) const override { return nullptr; }
};

/// A simulation and the ghosts beside it: what edits act on. Belongs to one thread, as the simulation does.
class Session {
public:
    static constexpr std::size_t kMostGhosts = 4;

    /// Without a simulation, until a Load brings one. threads 0 = all of the machine.
    explicit Session(int threads) : threads_(threads) {}
    Session(std::unique_ptr<Simulation> simulation, int threads)
        : simulation_(std::move(simulation)), threads_(threads) {}

    /// Does it to the simulation and to those that follow it. True: something changed. An Error, and no change, where
    /// it does not fit what is there.
    Expected<bool> apply(const Edit& edit, Shelf& shelf);

    bool loaded() const { return simulation_ != nullptr; }
    Simulation& simulation() { return *simulation_; }
    const Simulation& simulation() const { return *simulation_; }
    /// Another one, without ghosts.
    void replace(std::unique_ptr<Simulation> next);
    int threads() const { return threads_; }

    /// A ghost from the present state with these settings: in place of those that there are, or as one more.
    Expected<void> startGhost(const scene::Settings& settings, bool further);
    void endGhosts() { ghosts_.clear(); }
    /// In the order of their start.
    const std::vector<std::unique_ptr<Branch>>& ghosts() const { return ghosts_; }
    /// After a step: brings the ghosts to its time.
    void follow(const std::stop_token& stop);

private:
    std::unique_ptr<Simulation> simulation_;
    std::vector<std::unique_ptr<Branch>> ghosts_;
    int threads_;
};

}  // namespace clothlab::simulation
