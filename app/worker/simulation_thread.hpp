#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "simulation/recording.hpp"
#include "worker/background_thread.hpp"
#include "worker/channel.hpp"
#include "worker/commands.hpp"
#include "worker/pace_meter.hpp"
#include "worker/recorder.hpp"
#include "worker/snapshot.hpp"
#include "worker/step_gate.hpp"
#include "worker/triple_buffer.hpp"

namespace clothlab::app::worker {

/// The thread that owns the simulation, and the only way to it.
///
///     window ── commands (lossless, between steps) ──> ┌────────────┐ ── snapshots (latest wins) ──> window
///            ── pointer target (latest wins) ────────> │ simulation │ ── reports (lossless) ───────> window
///                                                      └────────────┘
///
/// A step holds no lock, and no function here waits for one: a frame is never longer because a step is.
/// Playing is paced to the wall clock; a late simulation does not catch up. A step that diverges or fails pauses the
/// motion at the last good state and leaves a problem text in the snapshot; playing on after a change is allowed.
///
/// All functions are for one thread, the window's.
class SimulationThread {
public:
    struct Options {
        bool playing = true;
        double speed = 1;                    ///< as in SetSpeed
        std::uint64_t settingsRevision = 1;  ///< that scene.settings stand for
        OverlayRequest overlay;
        std::string problem;                                             ///< shown at the start
        std::shared_ptr<const integrators::SimulationState> state = {};  ///< to go on from; null: the scene's start
        std::shared_ptr<GrowingFile> recording = {};                     ///< everything that is done is written there
        std::shared_ptr<simulation::Replay> replay = {};  ///< steps are those of a recording whose load is the scene
    };

    /// Builds the scene on the calling thread; an Error says what in it cannot be built.
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
    /// Sends on what could not be sent without waiting, and takes the newest snapshot; true when there is a new one.
    bool update();
    const Snapshot& snapshot() const { return snapshots_.front(); }
    /// Appends the reports since the last call; what is just being written comes with the next call.
    void takeReports(std::vector<ReportEntry>& out);
    /// What the background jobs have answered last; it changes in `update`.
    const JobResults& results() const { return results_; }
    /// The longest that any call above has taken in its exchange with the simulation, ms.
    double longestExchangeMs() const { return longestExchangeMs_; }

private:
    using Clock = std::chrono::steady_clock;

    SimulationThread(std::unique_ptr<simulation::Simulation> simulation, Options options);

    // --- the simulation's side
    void run(const std::stop_token& stop);
    void waitForWork(const std::stop_token& stop);
    void executeAll(const std::stop_token& stop);
    void execute(Apply& command);
    void execute(SetSettings& command);
    void execute(GrabParticle& command);
    void execute(GrabCollider& command);
    void execute(ReleaseGrab& command);
    void execute(PinParticle& command);
    void execute(Play& command);
    void execute(Pause& command);
    void execute(StepOnce& command);
    void execute(StepBack& command);
    void execute(LoadScene& command);
    void execute(SaveState& command);
    void execute(SaveRecording& command);
    void execute(KeepMotion& command);
    void execute(ReturnToMotion& command);
    void execute(ReturnPins& command);
    void execute(SetOverlay& command);
    void execute(SetSpeed& command);
    void execute(StartBranch& command);
    void execute(CancelJob& command);
    /// What is none of these is asked of a background job.
    template <class Request>
    void execute(Request& request);
    simulation::Simulation& simulation() { return session_.simulation(); }
    const simulation::Simulation& simulation() const { return session_.simulation(); }
    bool act(const simulation::Edit& edit, const KeepHere& before = {}, std::uint64_t mesh = 0);
    void follow(const simulation::Edit& edit, std::uint64_t mesh);
    KeptMotion::Content present() const;
    void fill(const KeepHere& place, KeptMotion::Content content);
    void keep(const KeepHere& here);
    bool laterSteps() const;
    void refuseScene(std::uint64_t revision);
    void followWithGhosts(ReportEntry& entry);
    const std::shared_ptr<const scene::Settings>& stepSettings();
    void step();
    void beginReplay(std::shared_ptr<simulation::Replay> replay);
    void replayed(const simulation::Edit& edit);
    void replayStep();
    void warnOfStart();
    void tryCures();
    void finishStep(ReportEntry entry);
    /// The user's hand takes over.
    void leaveReplay();
    static bool takesOver(const Command& command);
    void takePointerTarget();
    /// Writes it down, in memory and in a file if there is one.
    void record(const std::function<void(Recorder&)>& what);
    void record(const simulation::Edit& edit);
    void setPlaying(bool playing);
    void schedule(double dt);
    void publish();

    /// Motions that the window has put aside, by their numbers in the recording; the window may have dropped them.
    struct WindowShelf final : simulation::Shelf {
        std::map<std::int64_t, std::weak_ptr<const KeptMotion>> motions;
        std::int64_t next = 1;
        const simulation::Kept* find(std::int64_t id) const override;
    };

    simulation::Session session_;
    WindowShelf shelf_;
    std::shared_ptr<const MeshTopology> mesh_;
    std::uint64_t loads_ = 1;
    std::uint64_t published_ = 0, executed_ = 0;
    std::uint64_t settingsRevision_ = 1, refusedLoad_ = 0;
    OverlayRequest overlay_;
    bool playing_ = true;
    std::int64_t pauseAt_ = -1;  ///< step of the motion at which playing ends; -1 = none
    double speed_ = 1;
    double building_ = -1;                                 ///< as in Snapshot
    std::shared_ptr<const scene::Settings> stepSettings_;  ///< of the last report
    std::string problem_, warning_, cure_;                 ///< as in Snapshot
    std::shared_ptr<const scene::Settings> cureSettings_;
    Snapshot::Saved saved_;
    Recorder memory_;
    std::optional<Recorder> recording_;
    std::shared_ptr<simulation::Replay> replay_;  ///< null: none, or it has ended
    Snapshot::Replayed replayed_;
    KeepHere way_;                        ///< for the motion with the later steps that the next step drops
    simulation::edits::Hold hold_;        // of the pointer
    Vec3 colliderOffset_ = Vec3::Zero();  // m, from the pointer to the origin of the grabbed solid
    std::uint64_t grabSerial_ = 0;
    Clock::time_point due_{};
    PaceMeter pace_;
    std::stop_token stop_;
    std::vector<Command> batch_;

    // --- shared
    Channel<Command> commands_;
    Channel<ReportEntry> reports_;
    TripleBuffer<Snapshot> snapshots_;
    TripleBuffer<PointerTarget> pointer_;
    StepGate gate_;
    JobSet<AllJobs> jobs_;
    BackgroundThread background_;  ///< behind what its tasks use

    // --- the window's side
    std::vector<Command> unsent_;
    JobResults results_;
    std::uint64_t posted_ = 0;
    double longestExchangeMs_ = 0;

    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::app::worker
