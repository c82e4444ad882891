#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>

#include "experiments/freeze.hpp"
#include "simulation/simulation.hpp"
#include "worker/channel.hpp"
#include "worker/commands.hpp"
#include "worker/job_results.hpp"
#include "worker/step_gate.hpp"
#include "worker/triple_buffer.hpp"
#include "worker/work_measurement.hpp"

namespace clothlab::app::worker {

/// What is done in the background to one frozen frame: races, slow motion, sparsity, work and precision, bundles; one
/// after the other, on a thread of its own. The systems are made from a state of the simulation by a second simulation,
/// so that the one in the window is neither stopped nor changed; only while a time is taken it is held between two
/// steps (not in a live race, which is marked).
class FrameJob {
public:
    /// The step whose system is taken, as it was made.
    struct Source {
        scene::Scene scene;      ///< with the settings that the step was made with
        scene::Settings active;  ///< those of now
        /// What the step begins at, with the pins and the grab that it has; where it is remembered, the step before
        /// comes first.
        std::vector<integrators::SimulationState> starts;
        std::uint64_t mesh = 0;  ///< revision of the mesh shown
        int threads = 1;
    };

    /// The thread begins here and so has the priority of the caller. Let that be the picture's: where the processor
    /// draws, a lower one is put aside for tens of milliseconds in the middle of a measurement of two.
    explicit FrameJob(StepGate& gate);

    // --- one thread, the simulation's. Each new race, slow motion or measurement ends what runs.
    void race(Source source, const experiments::RaceOptions& options, bool live);
    void slowMotion(Source source, const StartSlowMotion& what);
    void sparsity(Source source, const ShowSparsity& what);
    /// Runs integrators from one state; the motion goes on meanwhile, held in slices of a frame or two.
    void measureWork(WorkOrder order);
    /// Shows a sweep's file in place of what was measured.
    void openWork(const std::string& path);
    /// Writes what was measured, once that is over or stopped.
    void saveWork(const std::string& path);
    void cancel() { cancel_.request_stop(); }
    /// Writes the bundle of the last race into a folder, once it is over.
    void save(const std::string& folder);

    // --- one thread, the window's
    bool update();
    /// Null before the first.
    const RaceProgress* raceProgress() const { return races_.front().get(); }
    const SlowMotionResult* slowMotionResult() const { return motions_.front().get(); }
    const SparsityResult* sparsityResult() const { return sparsities_.front().get(); }
    const WorkProgress* workProgress() const { return works_.front().get(); }

private:
    struct RaceRequest {
        Source source;
        experiments::RaceOptions options;
        bool live = false;
        std::stop_token cancelled;
    };
    struct SlowRequest {
        Source source;
        StartSlowMotion what;
        std::stop_token cancelled;
    };
    struct SparsityRequest {
        Source source;
        ShowSparsity what;
    };
    struct SaveRequest {
        std::string folder;
    };
    struct WorkRequest {
        WorkOrder order;
        std::stop_token cancelled;
    };
    struct OpenWorkRequest {
        std::string path;
    };
    struct SaveWorkRequest {
        std::string path;
    };
    using Request = std::variant<RaceRequest, SlowRequest, SparsityRequest, SaveRequest, WorkRequest, OpenWorkRequest,
                                 SaveWorkRequest>;

    /// With where the step ends.
    struct Frame : experiments::FrozenStep {
        integrators::SimulationState after;
        std::vector<contact::ColliderPose> colliders;
        std::uint64_t mesh = 0;
    };
    static std::optional<Frame> freeze(const Source& source, const std::stop_token& stop, std::string& problem);

    std::stop_token restart();
    void run(const std::stop_token& stop);
    void carryOut(RaceRequest& request, const std::stop_token& stop);
    void carryOut(SlowRequest& request, const std::stop_token& stop);
    void carryOut(SparsityRequest& request, const std::stop_token& stop);
    void carryOut(SaveRequest& request, const std::stop_token& stop);
    void carryOut(WorkRequest& request, const std::stop_token& stop);
    void carryOut(OpenWorkRequest& request, const std::stop_token& stop);
    void carryOut(SaveWorkRequest& request, const std::stop_token& stop);
    void publishWork(const WorkProgress& progress);
    void publish(RaceProgress progress);

    StepGate& gate_;
    std::stop_source cancel_;  ///< of what was asked for last
    Channel<Request> requests_;
    TripleBuffer<std::shared_ptr<const RaceProgress>> races_;
    TripleBuffer<std::shared_ptr<const SlowMotionResult>> motions_;
    TripleBuffer<std::shared_ptr<const SparsityResult>> sparsities_;
    TripleBuffer<std::shared_ptr<const WorkProgress>> works_;

    // --- the job's own
    std::uint64_t raceSerial_ = 0;
    scene::Scene racedScene_;  ///< of the last race, for its bundle: with the settings that the step was made with
    linalg::FrozenSystem racedSystem_;
    experiments::SystemOrigin racedOrigin_;
    std::optional<Frame> slowFrame_;  ///< of the last slow motion: other methods are shown on the same step
    RaceProgress last_;
    WorkMeasurement work_;

    std::jthread thread_;  ///< last: it ends before what it uses
};

}  // namespace clothlab::app::worker
