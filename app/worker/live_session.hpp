#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "simulation/recording.hpp"
#include "worker/commands.hpp"
#include "worker/jobs/channel.hpp"
#include "worker/mirror.hpp"
#include "worker/pacer.hpp"
#include "worker/recorder.hpp"
#include "worker/snapshots/snapshot.hpp"
#include "worker/tear_watch.hpp"

namespace clothlab::app::worker {

/// The state that SimulationThread steps: the simulation and its ghosts, their recording, a replay, and messages about
/// them. All changes of the motion go through here; queues and clocks are the thread's. Belongs to that thread.
/// Wide on purpose: one `execute` for each command that changes the motion.
class LiveSession {
public:
    struct Start {
        std::uint64_t settingsRevision = 1;  ///< of the scene's settings
        std::string problem;                 ///< shown at the start
        bool fromState = false;              ///< not from the scene's start
        std::shared_ptr<GrowingFile> recording = {};
        std::shared_ptr<simulation::Replay> replay = {};
        std::uint64_t followed = 0;  ///< the state is another program's (mirror.hpp)
    };
    LiveSession(std::unique_ptr<simulation::Simulation> simulation, int threads, Start start, Pacer& pacer,
                Channel<ReportEntry>& reports);

    simulation::Simulation& simulation() { return session_.simulation(); }
    const simulation::Simulation& simulation() const { return session_.simulation(); }
    std::uint64_t mesh() const { return mesh_->revision; }
    /// Cancels a running solve.
    std::stop_token stop;
    /// Called with the share of a scene's solids that is built; negative: all.
    std::function<void(double)> onBuilding = [](double) {};

    // --- commands
    void execute(Apply& command);
    void execute(SetSettings& command);
    void execute(GrabParticle& command);
    void execute(GrabCollider& command);
    void execute(ReleaseGrab& command);
    void execute(PinParticle& command);
    void execute(StepBack& command);
    void execute(LoadScene& command);
    void execute(SaveState& command);
    void execute(SaveRecording& command);
    void execute(StoreMotion& command);
    void execute(ReturnToMotion& command);
    void execute(ReturnPins& command);
    void execute(StartBranch& command);
    void execute(FollowState& command);
    void execute(HandBack& command);
    /// Ends a replay if the command changes the motion.
    void endReplayFor(const Command& command);
    /// Before playing or one step: forgets the problem. `before` is filled if the step drops later ones.
    void prepareStep(SharedMotionSlot before);

    // --- a step
    void movePointer(const PointerTarget& target);
    /// Sets the target of the grabbed particle or solid, while it is held.
    bool aimAt(const PointerTarget& target);
    /// Takes a step, by the settings or the recording; none: it was cancelled, or the recording has ended.
    std::optional<ReportEntry> step();
    /// Reports the step, and pauses where it failed.
    void finish(ReportEntry entry);

    void describe(const OverlayRequest& overlay, Snapshot& snapshot);

private:
    /// As in Snapshot. A cure belongs to the problem that it was found for: another problem has none.
    struct Problem {
        std::string text, cure;
        std::shared_ptr<const scene::Settings> cureSettings;
    };
    /// Motions kept by the window, by their numbers in the recording; the window may have dropped them.
    struct WindowShelf final : simulation::Shelf {
        std::map<std::int64_t, std::weak_ptr<const MotionSlot>> motions;
        std::int64_t next = 1;
        const simulation::StoredMotion* find(std::int64_t id) const override;
    };

    bool act(const simulation::Edit& edit, const SharedMotionSlot& before = {}, std::uint64_t mesh = 0);
    void follow(const simulation::Edit& edit, std::uint64_t mesh);
    MotionSlot::Content present() const;
    void fill(const SharedMotionSlot& place, MotionSlot::Content content);
    void keep(const SharedMotionSlot& here);
    void noteTear(double from, MotionSlot::Content before, ReportEntry& entry);
    void refuseScene(std::uint64_t revision);
    void followWithGhosts(ReportEntry& entry);
    void beginReplay(std::shared_ptr<simulation::Replay> replay);
    void replayed(const simulation::Edit& edit);
    std::optional<ReportEntry> replayStep();
    void leaveReplay();
    void tryCures();
    /// Records it, in memory and in a file if there is one.
    void record(const std::function<void(Recorder&)>& what);
    void record(const simulation::Edit& edit);
    void recordFromHere();
    const std::shared_ptr<const scene::Settings>& stepSettings();

    simulation::Session session_;
    Pacer& pacer_;
    Channel<ReportEntry>& reports_;
    WindowShelf shelf_;
    std::uint64_t loads_ = 1;
    std::shared_ptr<const MeshTopology> mesh_;
    std::uint64_t settingsRevision_, refusedLoad_ = 0;
    std::shared_ptr<const scene::Settings> stepSettings_;  ///< of the last report
    Problem problem_;
    std::string warning_;  ///< as in Snapshot
    Snapshot::Saved saved_;
    Recorder motionRecorder_;
    std::optional<Recorder> recording_;
    std::shared_ptr<simulation::Replay> replay_;  ///< null: none, or it has ended
    Snapshot::Replayed replayed_;
    SharedMotionSlot way_;                ///< for the motion with the later steps that the next step drops
    simulation::edits::Hold hold_;        ///< of the pointer
    Vec3 colliderOffset_ = Vec3::Zero();  ///< m, from the pointer to the origin of the grabbed solid
    std::uint64_t grabSerial_ = 0;
    TearWatch tears_;
    Mirror mirror_;
    std::optional<simulation::StepReport> theirs_;  ///< of the step shown, taken by another program; none: by this one
    bool unrecorded_ = false;                       ///< a state came from another program: a recording begins with it
};

}  // namespace clothlab::app::worker
