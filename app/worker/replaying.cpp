#include <type_traits>

#include "worker/publish.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of a recording that is played in the window. Until it ends, or somebody changes the motion by
// hand, each step is the recording's.
namespace clothlab::app::worker {

using Phase = Snapshot::Replayed::Phase;

namespace {

template <class C, class... Others>
constexpr bool isOneOf = (std::is_same_v<C, Others> || ...);

}  // namespace

void SimulationThread::beginReplay(std::shared_ptr<simulation::Replay> replay) {
    replay_ = std::move(replay);
    replayed_ = {.phase = Phase::On, .steps = 0, .all = replay_->allSteps()};
    replay_->onEvent = [this](const simulation::RecordedEvent& event) { replayed(event); };
}

/// What is done again is written down again, and a simulation that took the place of another is made known.
void SimulationThread::replayed(const simulation::RecordedEvent& event) {
    const auto* load = std::get_if<simulation::recorded::Load>(&event);
    record([&](Recorder& r) { load ? r.load(*simulation_, !load->state) : r.note(event); });
    const auto* back = std::get_if<simulation::recorded::Return>(&event);
    if (!load && !(back && back->anew)) return;
    mesh_ = makeTopology(*simulation_, ++loads_);
    reports_.push({.cleared = true, .report = {}});
    replayed_.scene = std::make_shared<const scene::Scene>(simulation_->scene());
}

void SimulationThread::replayStep() {
    if (!gate_.enter(stop_)) return;
    simulation::Simulation::StepOptions options;
    options.stop = stop_;
    const auto more = replay_->step(simulation_, simulation_->threads(), options);
    gate_.leave();
    replayed_.steps = replay_->steps();
    if (!more || !*more) {
        if (!more) problem_ = "The recording cannot go on: " + more.error().text();
        leaveReplay();
        replayed_.phase = Phase::Ended;
        return setPlaying(false);
    }
    const simulation::StepReport& report = simulation_->lastReport();
    if (report.solveStatus == solvers::SolveStatus::Cancelled) return;
    record([&](Recorder& r) { r.stepped(report.factorAdopted); });
    finishStep(lastReportEntry(*simulation_));
}

void SimulationThread::leaveReplay() {
    replay_.reset();
    replayed_.phase = Phase::Left;
    simulation_->makeFactorsInBackground();
    giveGrabs();  // the recording's hand lets go
}

/// What looks on does not, nor what is asked of a background job.
bool SimulationThread::takesOver(const Command& command) {
    return std::visit(
        [](const auto& each) {
            using C = std::decay_t<decltype(each)>;
            return isOneOf<C, SetSettings, GrabParticle, GrabCollider, TogglePin, SetPin, Cut, ThrowBall, Paint,
                           StepBack, Restart, Seek, LoadScene, ReturnToMotion, ReturnPins, StartBranch>;
        },
        command);
}

}  // namespace clothlab::app::worker
