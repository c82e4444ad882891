#include "worker/simulation_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "scene/builder.hpp"
#include "simulation/cure.hpp"
#include "worker/job_context.hpp"
#include "worker/publish.hpp"

namespace clothlab::app::worker {
namespace {

/// Steps of nice by which a simulation steps back behind the picture. Where the processor draws, it otherwise takes
/// every second time slice from a frame (two cores, software GL: 87 ms instead of 52; this way 60 to 75). With a free
/// core it costs nothing.
constexpr int kYieldToPicture = 8;

}  // namespace

int SimulationThread::defaultThreads() { return std::max(1, platform::hardwareThreads() - 1); }

Expected<std::unique_ptr<SimulationThread>> SimulationThread::start(const scene::Scene& scene, Options options) {
    // On a thread of its own, so that the workers that it starts inherit the priority.
    Expected<std::unique_ptr<simulation::Simulation>> simulation;
    std::thread([&] {
        platform::lowerThreadPriority(kYieldToPicture);
        simulation = create(scene, options.state.get());
    }).join();
    if (!simulation) return fail(simulation.error());
    if (!options.replay) (*simulation)->makeFactorsInBackground();  // a recording says when each was adopted
    return std::unique_ptr<SimulationThread>(new SimulationThread(std::move(*simulation), std::move(options)));
}

SimulationThread::SimulationThread(std::unique_ptr<simulation::Simulation> simulation, Options options)
    : simulation_(std::move(simulation)),
      mesh_(makeTopology(*simulation_, loads_)),
      settingsRevision_(options.settingsRevision),
      overlay_(options.overlay),
      playing_(options.playing),
      speed_(options.speed),
      problem_(options.problem),
      due_(Clock::now()) {
    warnOfStart();
    if (options.recording) recording_.emplace(std::move(options.recording));
    record([&](Recorder& r) { r.load(*simulation_, !options.state); });
    if (options.replay) beginReplay(std::move(options.replay));
    publish();
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

SimulationThread::~SimulationThread() {
    thread_.request_stop();
    thread_.join();
}

// --- the window's side -----------------------------------------------------------------------------------------------

void SimulationThread::post(Command command) {
    unsent_.push_back(std::move(command));
    ++posted_;
    const StageTimer timer;
    commands_.tryPush(unsent_);
    longestExchangeMs_ = std::max(longestExchangeMs_, timer.seconds() * 1e3);
}

void SimulationThread::setPointerTarget(const PointerTarget& target) {
    pointer_.back() = target;
    pointer_.publish();
}

bool SimulationThread::update() {
    const StageTimer timer;
    if (!unsent_.empty()) commands_.tryPush(unsent_);
    const bool answered = jobs_.update(results_), fresh = snapshots_.take() || answered;
    longestExchangeMs_ = std::max(longestExchangeMs_, timer.seconds() * 1e3);
    return fresh;
}

void SimulationThread::takeReports(std::vector<ReportEntry>& out) {
    const StageTimer timer;
    reports_.tryDrain(out);
    longestExchangeMs_ = std::max(longestExchangeMs_, timer.seconds() * 1e3);
}

// --- the simulation's side -------------------------------------------------------------------------------------------

void SimulationThread::run(const std::stop_token& stop) {
    platform::singleThreadedBlas();
    platform::lowerThreadPriority(kYieldToPicture);
    stop_ = stop;
    while (!stop.stop_requested()) {
        waitForWork(stop);
        if (stop.stop_requested()) break;
        commands_.drain(batch_);
        const bool commanded = !batch_.empty();
        if (commanded) executeAll(stop);
        const bool due = playing_ && (speed_ <= 0 || Clock::now() >= due_);
        if (due) step();
        if (commanded || due) publish();
    }
}

void SimulationThread::waitForWork(const std::stop_token& stop) {
    if (!playing_)
        commands_.wait(stop);
    else if (speed_ > 0)
        commands_.waitUntil(stop, due_);
}

void SimulationThread::executeAll(const std::stop_token& stop) {
    for (std::size_t i = 0; i < batch_.size() && !stop.stop_requested(); ++i) {
        // A dragged slider posts the whole settings every frame: only the last of a run counts. Brush and scrubbing
        // likewise.
        const bool superseded = i + 1 < batch_.size() && batch_[i].index() == batch_[i + 1].index() &&
                                (std::holds_alternative<SetSettings>(batch_[i]) ||
                                 std::holds_alternative<Paint>(batch_[i]) || std::holds_alternative<Seek>(batch_[i]));
        if (replay_ && takesOver(batch_[i])) leaveReplay();
        if (!superseded) std::visit([this](auto& command) { execute(command); }, batch_[i]);
        ++executed_;
    }
}

void SimulationThread::record(const std::function<void(Recorder&)>& what) {
    what(memory_);
    if (recording_) what(*recording_);
}

void SimulationThread::execute(SetSettings& command) {
    record([&](Recorder& r) { r.set(*simulation_, command.settings); });
    simulation_->apply(command.settings);
    settingsRevision_ = command.revision;
}

void SimulationThread::execute(GrabParticle& command) {
    if (command.topologyRevision != mesh_->revision) return;
    if (command.particle < 0 || command.particle >= mesh_->particles) return;
    grab_ = {.active = true,
             .particle = command.particle,
             .target = Vec3(command.target[0], command.target[1], command.target[2])};
    colliderGrab_ = {};
    grabSerial_ = command.serial;
    giveGrabs();
}

void SimulationThread::execute(GrabCollider& command) {
    const auto colliders = simulation_->colliders();
    if (command.topologyRevision != mesh_->revision || std::size_t(command.collider) >= colliders.size()) return;
    const contact::Collider& collider = colliders[command.collider];
    if (!integrators::canBeGrabbed(collider)) return;
    const Vec3 origin = contact::poseAt(collider, simulation_->state().time).position;
    colliderOffset_ = origin - Vec3(command.at[0], command.at[1], command.at[2]);
    colliderGrab_ = {.active = true, .collider = command.collider, .target = origin};
    grab_ = {};
    grabSerial_ = command.serial;
    giveGrabs();
}

void SimulationThread::execute(ReleaseGrab&) {
    grab_ = {};
    colliderGrab_ = {};
    giveGrabs();
}

void SimulationThread::giveGrabs() {
    simulation_->setGrab(grab_);
    simulation_->setColliderGrab(colliderGrab_);
    record([&](Recorder& r) { r.hold(grab_, colliderGrab_); });
}

void SimulationThread::execute(TogglePin& command) {
    if (command.topologyRevision != mesh_->revision) return;
    if (command.particle < 0 || command.particle >= mesh_->particles) return;
    const bool pinned = simulation_->state().pinOf(command.particle) != nullptr;
    SetPin pin{command.particle, command.topologyRevision, std::nullopt, command.velocity, command.before};
    if (!pinned) pin.hold = command.hold;
    execute(pin);
}

void SimulationThread::execute(SetPin& command) {
    if (command.topologyRevision != mesh_->revision) return;
    keep(command.before);
    mechanics::Motion motion;
    motion.velocity = command.velocity;
    // One that rests has no beginning: else it would count as a motion.
    if (!command.velocity.isZero(0.0)) motion.startTime = simulation_->state().time;
    simulation_->setPin(command.particle, command.hold, motion);
    record([&](Recorder& r) { r.note(simulation::recorded::PinAt{command.particle, command.hold, motion}); });
}

void SimulationThread::execute(Cut& command) {
    if (command.topologyRevision != mesh_->revision) return;
    const bool wanted = command.before && !command.before->content();
    KeptMotion::Content before = wanted ? present() : KeptMotion::Content{};
    record([&](Recorder& r) {
        if (wanted) r.keep(command.before.get());
        r.note(simulation::recorded::Cut{command.blade});
    });
    if (simulation_->cut(command.blade) > 0 && wanted) command.before->fill(std::move(before));
    for (const auto& branch : branches_) branch->cut(command.blade);
}

void SimulationThread::execute(ThrowBall& command) {
    if (command.topologyRevision != mesh_->revision) return;
    simulation_->throwBall(command.from, command.ball);
    record([&](Recorder& r) { r.note(simulation::recorded::Ball{command.from, command.ball}); });
    for (const auto& branch : branches_) branch->throwBall(command.from, command.ball);
}

void SimulationThread::execute(Paint& command) {
    if (command.topologyRevision != mesh_->revision) return;
    auto done = simulation_->paint(command.painting);
    for (std::size_t k = 0; done && k < branches_.size(); ++k) done = branches_[k]->paint(command.painting);
    if (!done) problem_ = "Not painted: " + done.error().text();
    if (done) record([&](Recorder& r) { r.note(simulation::recorded::Paint{command.painting}); });
}

void SimulationThread::execute(Play& command) {
    way_ = std::move(command.before);
    problem_.clear();
    setPlaying(true);
    pauseAt_ = command.steps > 0 ? simulation_->state().step + command.steps : -1;
}

void SimulationThread::execute(Pause&) { setPlaying(false); }

void SimulationThread::execute(StepOnce& command) {
    way_ = std::move(command.before);
    setPlaying(false);
    problem_.clear();
    step();
}

void SimulationThread::execute(StepBack&) {
    setPlaying(false);
    if (!simulation_->stepBack()) return;
    record([&](Recorder& r) { r.seek(simulation_->state().step); });
    problem_.clear();
    afterJump();
}

void SimulationThread::execute(Restart& command) {
    if (simulation_->history().lastStep() > 0) keep(command.before);
    grab_ = {};  // what it holds is elsewhere now: a new press takes it
    colliderGrab_ = {};
    simulation_->restart();
    record([](Recorder& r) { r.note(simulation::recorded::Restart{}); });
    problem_.clear();
    afterJump();
    reports_.push({.cleared = true, .report = {}});
}

void SimulationThread::execute(Seek& command) {
    setPlaying(false);
    if (!simulation_->seek(command.step)) return;
    record([&](Recorder& r) { r.seek(simulation_->state().step); });
    problem_.clear();
    afterJump();
}

void SimulationThread::execute(SetOverlay& command) { overlay_ = command.request; }

void SimulationThread::execute(SetSpeed& command) {
    speed_ = command.factor > 0 ? std::clamp(command.factor, 0.1, 4.0) : 0;
    due_ = Clock::now();
    pace_.clear();
}

void SimulationThread::execute(CancelJob&) { background_.cancel(); }

template <class Request>
void SimulationThread::execute(Request& request) {
    jobs_.ask(std::move(request), {*simulation_, mesh_->revision, gate_, background_});
}

const std::shared_ptr<const scene::Settings>& SimulationThread::stepSettings() {
    if (!stepSettings_ || !(*stepSettings_ == simulation_->settings()))
        stepSettings_ = std::make_shared<const scene::Settings>(simulation_->settings());
    return stepSettings_;
}

void SimulationThread::step() {
    if (replay_) return replayStep();
    if (!gate_.enter(stop_)) return;
    takePointerTarget();
    simulation::Simulation::StepOptions options;
    options.stop = stop_;
    const KeepHere way = laterSteps() ? std::exchange(way_, {}) : nullptr;
    KeptMotion::Content before = way ? present() : KeptMotion::Content{};
    if (way) record([&](Recorder& r) { r.keep(way.get()); });
    const simulation::StepReport& report = simulation_->step(options);
    if (way && !laterSteps()) way->fill(std::move(before));
    ReportEntry entry = lastReportEntry(*simulation_);
    if (report.solveStatus != solvers::SolveStatus::Cancelled) followWithGhost(entry);
    gate_.leave();
    if (report.solveStatus == solvers::SolveStatus::Cancelled) return;
    record([&](Recorder& r) { r.stepped(report.factorAdopted); });
    finishStep(std::move(entry));
}

void SimulationThread::finishStep(ReportEntry entry) {
    const double dt = entry.report.dt;
    if (!entry.report.warning.empty()) warning_ = entry.report.warning;
    entry.settings = stepSettings();
    reports_.push(std::move(entry));
    if (std::string problem = lastProblem(*simulation_); !problem.empty()) {
        setPlaying(false);
        problem_ = std::move(problem);
        tryCures();
    }
    if (simulation_->state().step == pauseAt_) setPlaying(false);
    pace_.add(std::chrono::duration<double>(Clock::now().time_since_epoch()).count(), simulation_->state().time);
    schedule(dt);
}

void SimulationThread::warnOfStart() {
    std::vector<std::string> found =
        simulation::warningsOf(simulation_->model(), simulation_->colliders(), simulation_->state());
    for (const std::string& note : scene::meshNotes(simulation_->scene())) found.push_back(note + ".");
    warning_ = fmt::format("{}", fmt::join(found, " "));
}

void SimulationThread::tryCures() {
    if (!simulation_->refusal().empty()) return;
    const simulation::Cure cure = simulation::findCure(*simulation_, stop_);
    problem_ = simulation::withCure(simulation_->lastReport(), cure);
    cure_ = cure.assignment;
    cureSettings_ = cure.settings ? std::make_shared<const scene::Settings>(*cure.settings) : nullptr;
}

void SimulationThread::takePointerTarget() {
    pointer_.take();  // one that came before its grab stays in front until that is there
    if (!(grab_.active || colliderGrab_.active)) return;
    const PointerTarget& target = pointer_.front();
    if (target.serial != grabSerial_) return;
    const Vec3 at(target.position[0], target.position[1], target.position[2]);
    if (grab_.active) grab_.target = at;
    if (colliderGrab_.active) colliderGrab_.target = at + colliderOffset_;
    giveGrabs();
}

void SimulationThread::afterJump() {
    branches_.clear();  // they began at states that this motion may not come through again
    giveGrabs();
    due_ = Clock::now();
    pace_.clear();
}

void SimulationThread::setPlaying(bool playing) {
    if (playing && !playing_) due_ = Clock::now();
    if (playing != playing_) pace_.clear();
    playing_ = playing;
    pauseAt_ = -1;
}

/// The next step is due dt / speed after this one was. A delay of less than one step is made up for (timers are never
/// exact), a longer one is not.
void SimulationThread::schedule(double dt) {
    if (speed_ <= 0) return;
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt / speed_));
    const auto now = Clock::now();
    due_ += period;
    if (now - due_ > period) due_ = now;
}

void SimulationThread::publish() {
    Snapshot& snapshot = snapshots_.back();
    fillSnapshot(*simulation_, overlay_, snapshot);
    fillGhosts(branches_, snapshot);
    refreshTopology(*simulation_, mesh_);
    snapshot.mesh = mesh_;
    snapshot.revision = ++published_;
    snapshot.settingsRevision = settingsRevision_;
    snapshot.commands = executed_;
    snapshot.playing = playing_;
    snapshot.problem = problem_;
    snapshot.cure = problem_.empty() ? "" : cure_;
    snapshot.cureSettings = problem_.empty() ? nullptr : cureSettings_;
    snapshot.warning = warning_;
    snapshot.saved = saved_;
    snapshot.replayed = replayed_;
    snapshot.plain = memory_.plain();
    snapshot.taken = memory_.steps();
    snapshot.unrecorded = recording_ ? recording_->problem() : "";
    snapshot.refusedLoad = refusedLoad_;
    snapshot.building = building_;
    snapshot.speed = speed_;
    snapshot.realTimeFactor = pace_.factor();
    snapshots_.publish();
}

}  // namespace clothlab::app::worker
