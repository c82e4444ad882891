#include <algorithm>

#include "worker/publish.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of a recording that is played in the window. Until it ends, or somebody changes the motion by
// hand, each step is the recording's.
namespace clothlab::app::worker {

using Phase = Snapshot::Replayed::Phase;
namespace {

template <class... Types>
bool isOneOf(const Command& command) {
    return (std::holds_alternative<Types>(command) || ...);
}

}  // namespace

void SimulationThread::beginReplay(std::shared_ptr<simulation::Replay> replay) {
    replay_ = std::move(replay);
    replayed_ = {.phase = Phase::On, .steps = 0, .all = replay_->allSteps()};
    replay_->ghosts = true;
    replay_->onEdit = [this](const simulation::Edit& edit) { replayed(edit); };
}

/// What is done again is written down again, and a simulation that took the place of another is made known.
void SimulationThread::replayed(const simulation::Edit& edit) {
    record(edit);
    if (const auto* keep = std::get_if<simulation::edits::Keep>(&edit))
        shelf_.next = std::max(shelf_.next, keep->id + 1);
    const auto* back = std::get_if<simulation::edits::Return>(&edit);
    if (!std::holds_alternative<simulation::edits::Load>(edit) && !(back && back->anew)) return;
    mesh_ = makeTopology(simulation(), ++loads_);
    reports_.push({.cleared = true, .report = {}});
    replayed_.scene = std::make_shared<const scene::Scene>(simulation().scene());
}

void SimulationThread::replayStep() {
    if (!gate_.enter(stop_)) return;
    simulation::Simulation::StepOptions options;
    options.stop = stop_;
    const auto more = replay_->step(session_, options);
    ReportEntry entry = lastReportEntry(simulation());
    if (more && *more && entry.report.solveStatus != solvers::SolveStatus::Cancelled) followWithGhosts(entry);
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
    simulation().makeFactorsInBackground();
    act(hold_);  // the recording's hand lets go
}

/// What looks on does not, nor what is asked of a background job.
bool SimulationThread::takesOver(const Command& command) {
    if (const auto* apply = std::get_if<Apply>(&command)) return simulation::takesOver(apply->edit);
    return isOneOf<SetSettings, GrabParticle, GrabCollider, PinParticle, StepBack, LoadScene, ReturnToMotion,
                   ReturnPins, StartBranch>(command);
}

}  // namespace clothlab::app::worker
