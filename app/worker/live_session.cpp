#include "worker/live_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scene/builder.hpp"
#include "simulation/cure.hpp"
#include "worker/snapshots/publish.hpp"

// Its steps, by hand and by a recording; live_edits.cpp has what is done between them.
namespace clothlab::app::worker {

using Phase = Snapshot::Replayed::Phase;

namespace {

template <class... Types>
bool isOneOf(const Command& command) {
    return (std::holds_alternative<Types>(command) || ...);
}

/// What looks on does not, nor what is asked of a background job.
bool changesMotion(const Command& command) {
    if (const auto* apply = std::get_if<Apply>(&command)) return simulation::takesOver(apply->edit);
    return isOneOf<SetSettings, GrabParticle, GrabCollider, PinParticle, StepBack, LoadScene, ReturnToMotion,
                   ReturnPins, StartBranch, FollowState>(command);
}

}  // namespace

LiveSession::LiveSession(std::unique_ptr<simulation::Simulation> simulation, int threads, Start start, Pacer& pacer,
                         Channel<ReportEntry>& reports)
    : session_(std::move(simulation), threads),
      pacer_(pacer),
      reports_(reports),
      mesh_(makeTopology(session_.simulation(), loads_)),
      settingsRevision_(start.settingsRevision),
      problem_{.text = std::move(start.problem)} {
    warning_ = startWarning(session_.simulation());
    if (start.recording) recording_.emplace(std::move(start.recording));
    record([&](Recorder& r) { r.begin(session_.simulation(), !start.fromState); });
    if (start.replay) beginReplay(std::move(start.replay));
    if (start.followed > 0) mirror_.follow(start.followed);
}

void LiveSession::tryCures() {
    if (!simulation().refusal().empty()) return;
    const simulation::Cure cure = simulation::findCure(simulation(), stop);
    problem_ = {.text = simulation::withCure(simulation().lastReport(), cure),
                .cure = cure.assignment,
                .cureSettings = cure.settings ? std::make_shared<const scene::Settings>(*cure.settings) : nullptr};
}

const std::shared_ptr<const scene::Settings>& LiveSession::stepSettings() {
    if (!stepSettings_ || !(*stepSettings_ == simulation().settings()))
        stepSettings_ = std::make_shared<const scene::Settings>(simulation().settings());
    return stepSettings_;
}

void LiveSession::prepareStep(SharedMotionSlot before) {
    way_ = std::move(before);
    problem_ = {};
}

bool LiveSession::aimAt(const PointerTarget& target) {
    if (replay_ || !hold_.takesOver() || target.serial != grabSerial_) return false;
    const Vec3 at(target.position[0], target.position[1], target.position[2]);
    if (hold_.cloth.active) hold_.cloth.target = at;
    if (hold_.solid.active) hold_.solid.target = at + colliderOffset_;
    return true;
}

void LiveSession::movePointer(const PointerTarget& target) {
    if (aimAt(target)) act(hold_);
}

std::optional<ReportEntry> LiveSession::step() {
    if (replay_) return replayStep();
    recordFromHere();
    simulation::Simulation::StepOptions options;
    options.stop = stop;
    const SharedMotionSlot way = dropsLaterSteps(simulation()) ? std::exchange(way_, {}) : nullptr;
    const double from = simulation().state().time;
    const bool mayTear = simulation().tears() && tears_.wantsState(from);
    MotionSlot::Content before = way || mayTear ? present() : MotionSlot::Content{};
    const simulation::StepReport& report = simulation().step(options);
    if (way && !dropsLaterSteps(simulation())) fill(way, before);
    if (report.solveStatus == solvers::SolveStatus::Cancelled) return {};
    mirror_.stepped();
    theirs_.reset();
    ReportEntry entry = lastReportEntry(simulation());
    if (simulation().tornInLastStep() > 0) noteTear(from, std::move(before), entry);
    followWithGhosts(entry);
    return entry;
}

/// After a step that began at `from` (s). A tear that no hand has pulled comes back paused: played on, it would
/// tear again before anybody could take back what made it tear.
void LiveSession::noteTear(double from, MotionSlot::Content before, ReportEntry& entry) {
    if (!tears_.tore(from)) return;
    const bool pulled = tears_.pull() != nullptr;
    const SharedMotionSlot place = pulled ? tears_.pull() : std::make_shared<MotionSlot>();
    before.playing = false;
    if (!pulled) fill(place, std::move(before));
    entry.tear = {place, pulled};
}

void LiveSession::finish(ReportEntry entry) {
    record([&](Recorder& r) { r.stepped(entry.report.factorAdopted); });
    const double dt = entry.report.dt;
    if (!entry.report.warning.empty()) warning_ = entry.report.warning;
    entry.settings = stepSettings();
    reports_.push(std::move(entry));
    if (std::string problem = lastProblem(simulation()); !problem.empty()) {
        pacer_.setPlaying(false);
        problem_ = {.text = std::move(problem)};
        tryCures();
    }
    pacer_.stepped(dt, simulation().state().step, simulation().state().time);
}

void LiveSession::followWithGhosts(ReportEntry& entry) {
    const auto& ghosts = session_.ghosts();
    if (ghosts.empty()) return;
    const simulation::Branch& first = *ghosts.front();
    const std::int64_t before = first.ghost().state().step;
    session_.follow(stop);
    if (first.ghost().state().step != before || !first.problem().empty()) entry.ghost = first.ghost().lastReport();
    entry.report.ghostDistance = first.largestDistance();
    entry.report.ghostRms = first.rmsDistance();
    for (std::size_t k = 1; k < ghosts.size(); ++k) entry.furtherDistances.push_back(ghosts[k]->largestDistance());
}

// --- a recording: until it ends, or somebody changes the motion by hand, each step is the recording's

void LiveSession::beginReplay(std::shared_ptr<simulation::Replay> replay) {
    replay_ = std::move(replay);
    replayed_ = {.phase = Phase::On, .steps = 0, .all = replay_->allSteps()};
    replay_->ghosts = true;
    replay_->onEdit = [this](const simulation::Edit& edit) { replayed(edit); };
}

/// What is done again is written down again, and a simulation that took the place of another is made known.
void LiveSession::replayed(const simulation::Edit& edit) {
    record(edit);
    if (const auto* keep = std::get_if<simulation::edits::Keep>(&edit))
        shelf_.next = std::max(shelf_.next, keep->id + 1);
    const auto* back = std::get_if<simulation::edits::Return>(&edit);
    if (!std::holds_alternative<simulation::edits::Load>(edit) && !(back && back->anew)) return;
    mesh_ = makeTopology(simulation(), ++loads_);
    reports_.push({.cleared = true, .report = {}});
    replayed_.scene = std::make_shared<const scene::Scene>(simulation().scene());
}

std::optional<ReportEntry> LiveSession::replayStep() {
    simulation::Simulation::StepOptions options;
    options.stop = stop;
    const auto more = replay_->step(session_, options);
    replayed_.steps = replay_->steps();
    if (!more || !*more) {
        if (!more) problem_ = {.text = "The recording cannot continue: " + more.error().text()};
        leaveReplay();
        replayed_.phase = Phase::Ended;
        pacer_.setPlaying(false);
        return {};
    }
    ReportEntry entry = lastReportEntry(simulation());
    if (entry.report.solveStatus == solvers::SolveStatus::Cancelled) return {};
    followWithGhosts(entry);
    return entry;
}

void LiveSession::leaveReplay() {
    replay_.reset();
    replayed_.phase = Phase::Left;
    simulation().makeFactorsInBackground();
    act(hold_);  // the recording's hand lets go
}

void LiveSession::endReplayFor(const Command& command) {
    if (replay_ && changesMotion(command)) leaveReplay();
}

void LiveSession::describe(const OverlayRequest& overlay, Snapshot& snapshot) {
    fillSnapshot(simulation(), overlay, snapshot);
    fillGhosts(session_.ghosts(), snapshot);
    refreshTopology(simulation(), mesh_);
    snapshot.mesh = mesh_;
    snapshot.settingsRevision = settingsRevision_;
    snapshot.problem = problem_.text;
    snapshot.cure = problem_.cure;
    snapshot.cureSettings = problem_.cureSettings;
    snapshot.warning = warning_;
    snapshot.saved = saved_;
    snapshot.replayed = replayed_;
    snapshot.plain = motionRecorder_.plain();
    snapshot.taken = motionRecorder_.steps();
    snapshot.unrecorded = recording_ ? recording_->problem() : "";
    snapshot.refusedLoad = refusedLoad_;
    snapshot.followed = mirror_.serial();
    if (theirs_) snapshot.report = *theirs_;
}

}  // namespace clothlab::app::worker
