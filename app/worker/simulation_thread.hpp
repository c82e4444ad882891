#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "worker/jobs/background_thread.hpp"
#include "worker/jobs/channel.hpp"
#include "worker/jobs/step_gate.hpp"
#include "worker/jobs/triple_buffer.hpp"
#include "worker/live_session.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::worker {

/// The thread that owns the simulation, and the only access to it.
///
///     window ── commands (lossless, between steps) ──> ┌────────────┐ ── snapshots (latest wins) ──> window
///            ── pointer target (latest wins) ────────> │ simulation │ ── reports (lossless) ───────> window
///                                                      └────────────┘
///
/// A step holds no lock, and no function here waits for one: a long step never delays a frame.
/// Playing is paced to the wall clock; a late simulation does not catch up. A step that diverges or fails pauses the
/// motion at the last good state and leaves a problem text in the snapshot; playing on after a change is allowed.
///
/// All functions are for one thread, the window's.
class SimulationThread {
public:
    struct Options {
        bool playing = true;
        double speed = 1;                    ///< as in SetSpeed
        std::uint64_t settingsRevision = 1;  ///< of scene.settings
        OverlayRequest overlay;
        std::string problem;                                             ///< shown at the start
        std::shared_ptr<const integrators::SimulationState> state = {};  ///< to start from; null: the scene's start
        std::shared_ptr<GrowingFile> recording = {};                     ///< receives all edits and steps
        std::shared_ptr<simulation::Replay> replay = {};  ///< steps by a recording, whose first load is the scene
        std::uint64_t followed = 0;                       ///< `state` is another program's (mirror.hpp)
    };

    /// Builds the scene on the calling thread; an Error says why it cannot be built.
    static Expected<std::unique_ptr<SimulationThread>> start(const scene::Scene& scene, Options options);
    /// Cancels a running solve and joins.
    ~SimulationThread();
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;

    /// One fewer than the cores, at least 1: the window needs one.
    static int defaultThreads();

    void post(Command command);
    /// Commands posted so far; the snapshot's `commands` says how many of them have been carried out.
    std::uint64_t posted() const { return posted_; }
    void setPointerTarget(const PointerTarget& target);
    /// Sends commands that could not be sent without waiting, and takes the newest snapshot; true if there is a new
    /// one.
    bool update();
    const Snapshot& snapshot() const { return snapshots_.front(); }
    /// Appends the reports since the last call; one that is just being written comes with the next call.
    void takeReports(std::vector<ReportEntry>& out);
    /// Latest results of the background jobs; changes in `update`.
    const JobResults& results() const { return results_; }
    /// The longest that any call above has taken in its exchange with the simulation, ms.
    double longestExchangeMs() const { return longestExchangeMs_; }

private:
    SimulationThread(std::unique_ptr<simulation::Simulation> simulation, const Options& options);

    // --- the simulation's side
    void run(const std::stop_token& stop);
    void waitForWork(const std::stop_token& stop);
    void executeAll(const std::stop_token& stop);
    void execute(Play& command);
    void execute(Pause& command);
    void execute(StepOnce& command);
    void execute(SetOverlay& command);
    void execute(SetSpeed& command);
    void execute(CancelJob& command);
    void execute(FollowState& command);
    void execute(HandBack& command);
    void aimAtPointer();
    /// All other commands: edits of the motion, else requests to a background job.
    template <class Request>
    void execute(Request& request);
    void step();
    void publish();

    std::uint64_t published_ = 0, executed_ = 0;
    OverlayRequest overlay_;
    double building_ = -1;  ///< as in Snapshot
    Pacer pacer_;
    std::vector<Command> batch_;

    // --- shared
    Channel<Command> commands_;
    Channel<ReportEntry> reports_;
    LiveSession live_;
    TripleBuffer<Snapshot> snapshots_;
    TripleBuffer<PointerTarget> pointer_;
    StepGate gate_;
    JobSet<AllJobs> jobs_;
    BackgroundThread background_;  ///< declared after the members that its tasks use

    // --- the window's side
    std::vector<Command> unsent_;
    JobResults results_;
    std::uint64_t posted_ = 0;
    double longestExchangeMs_ = 0;

    std::jthread thread_;  ///< last, so that it ends before the members that it uses are destroyed
};

}  // namespace clothlab::app::worker
