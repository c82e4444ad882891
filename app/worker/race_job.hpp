#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "simulation/race.hpp"
#include "simulation/simulation.hpp"
#include "worker/channel.hpp"
#include "worker/step_gate.hpp"
#include "worker/triple_buffer.hpp"

namespace clothlab::app {

/// How far a race has come; each row makes a new one.
struct RaceProgress {
    std::uint64_t serial = 0;  ///< of the race
    bool running = false;
    double share = 0;
    simulation::RaceResult result;
    std::string problem;  ///< why there is no race, or empty
    std::string saved;    ///< folder of the bundle once it is written
};

/// A race in the background, on a thread of its own. The systems are made from a state of the simulation by a second
/// simulation, so that the one in the window is neither stopped nor changed; only while a time is taken it is held
/// between two steps (not in a live race, which is marked as such).
class RaceJob {
public:
    struct Input {
        scene::Scene scene;                    ///< with the settings in force
        integrators::SimulationState state;    ///< two steps before the state on show, or the oldest there is
        std::int64_t step = 1;                 ///< the step whose system is raced
        int threads = 1;
        bool live = false;
        simulation::RaceOptions options;
    };

    /// The thread begins here and so has the priority of the caller. Let that be the picture's: where the processor draws, a
    /// lower one is put aside for tens of milliseconds in the middle of a measurement of two.
    explicit RaceJob(StepGate& gate);

    // --- one thread, the simulation's
    /// Ends a race that runs, and begins this one.
    void start(Input input);
    void cancel() { cancel_.request_stop(); }
    /// Writes the bundle of the last race into a folder, once it is over.
    void save(const std::string& folder);

    // --- one thread, the window's
    bool update() { return progress_.take(); }
    /// Never null after the first race has begun.
    const std::shared_ptr<const RaceProgress>& progress() const { return progress_.front(); }

private:
    struct Request {
        std::optional<Input> race;
        std::string folder;  ///< of a bundle, when there is no race
        std::stop_token cancelled;
    };

    void run(const std::stop_token& stop);
    void race(const std::stop_token& stop);
    void writeBundle(const std::string& folder);
    bool freeze(const std::stop_token& stop, std::string& problem);
    void publish(RaceProgress progress);

    StepGate& gate_;
    std::stop_source cancel_;  ///< of the race begun last
    Channel<Request> requests_;
    TripleBuffer<std::shared_ptr<const RaceProgress>> progress_;

    // --- the job's own
    std::uint64_t serial_ = 0;
    Input input_;
    linalg::FrozenSystem system_, earlier_;
    bool hasEarlier_ = false;
    RaceProgress last_;

    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::app
