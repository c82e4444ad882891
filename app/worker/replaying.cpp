#include <type_traits>

#include "worker/publish.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of a recording that is played in the window. Until it ends, or somebody changes the motion by
// hand, each step is the recording's.
namespace clothlab::app::worker {

using Phase = Snapshot::Replayed::Phase;
namespace recorded = simulation::recorded;

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
    if (const auto* branch = std::get_if<recorded::Ghost>(&event)) return replayed(*branch);
    if (std::holds_alternative<recorded::Seek>(event) || std::holds_alternative<recorded::Restart>(event) ||
        std::holds_alternative<recorded::Return>(event) || std::holds_alternative<recorded::Load>(event))
        branches_.clear();  // as after any jump
    const auto* load = std::get_if<recorded::Load>(&event);
    record([&](Recorder& r) { load ? r.load(*simulation_, !load->state) : r.note(event); });
    const auto* back = std::get_if<recorded::Return>(&event);
    if (!load && !(back && back->anew)) return;
    mesh_ = makeTopology(*simulation_, ++loads_);
    reports_.push({.cleared = true, .report = {}});
    replayed_.scene = std::make_shared<const scene::Scene>(simulation_->scene());
}

void SimulationThread::replayed(const recorded::Ghost& branch) {
    EndBranch end;
    if (!branch.differs) return execute(end);
    StartBranch start{simulation_->settings(), branch.further};
    if (simulation::assign(*branch.differs, start.ghost)) execute(start);
}

void SimulationThread::replayStep() {
    if (!gate_.enter(stop_)) return;
    simulation::Simulation::StepOptions options;
    options.stop = stop_;
    const auto more = replay_->step(simulation_, simulation_->threads(), options);
    ReportEntry entry = lastReportEntry(*simulation_);
    if (more && *more && entry.report.solveStatus != solvers::SolveStatus::Cancelled) followWithGhost(entry);
    gate_.leave();
    replayed_.steps = replay_->steps();
    if (!more || !*more) {
        if (!more) problem_ = "The recording cannot go on: " + more.error().text();
        leaveReplay();
        replayed_.phase = Phase::Ended;
        return setPlaying(false);
    }
    if (entry.report.solveStatus == solvers::SolveStatus::Cancelled) return;
    record([&](Recorder& r) { r.stepped(entry.report.factorAdopted); });
    finishStep(std::move(entry));
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
