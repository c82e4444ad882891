#include "worker/simulation_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "scene/builder.hpp"
#include "simulation/cure.hpp"
#include "simulation/state_file.hpp"
#include "worker/job_context.hpp"
#include "worker/publish.hpp"

namespace clothlab::app::worker {
namespace {

/// Steps of nice by which a simulation steps back behind the picture. Where the processor draws, it otherwise takes
/// every second time slice from a frame (two cores, software GL: 87 ms instead of 52; this way 60 to 75). With a free
/// core it costs nothing.
constexpr int kYieldToPicture = 8;

/// A dragged slider posts the whole settings every frame: only the last of a run counts. Brush and scrubbing likewise.
bool isSuperseded(const Command& command, const Command& next) {
    if (command.index() != next.index()) return false;
    if (std::holds_alternative<SetSettings>(command)) return true;
    const auto *first = std::get_if<Apply>(&command), *second = std::get_if<Apply>(&next);
    return first && first->edit.index() == second->edit.index() && simulation::traitsOf(first->edit).lastCounts;
}

}  // namespace

int SimulationThread::defaultThreads() { return std::max(1, platform::hardwareThreads() - 1); }

Expected<std::unique_ptr<SimulationThread>> SimulationThread::start(const scene::Scene& scene, Options options) {
    // On a thread of its own, so that the workers that it starts inherit the priority.
    Expected<std::unique_ptr<simulation::Simulation>> simulation;
    std::thread([&] {
        platform::lowerThreadPriority(kYieldToPicture);
        simulation = options.state ? simulation::resume({scene, *options.state}, defaultThreads())
                                   : simulation::Simulation::create(scene, defaultThreads());
    }).join();
    if (!simulation) return fail(simulation.error());
    if (!options.replay) (*simulation)->makeFactorsInBackground();  // a recording says when each was adopted
    return std::unique_ptr<SimulationThread>(new SimulationThread(std::move(*simulation), std::move(options)));
}

SimulationThread::SimulationThread(std::unique_ptr<simulation::Simulation> simulation, Options options)
    : session_(std::move(simulation), defaultThreads()),
      mesh_(makeTopology(session_.simulation(), loads_)),
      settingsRevision_(options.settingsRevision),
      overlay_(options.overlay),
      playing_(options.playing),
      speed_(options.speed),
      problem_(options.problem),
      due_(Clock::now()) {
    warnOfStart();
    if (options.recording) recording_.emplace(std::move(options.recording));
    record([&](Recorder& r) { r.begin(session_.simulation(), !options.state); });
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
        const bool superseded = i + 1 < batch_.size() && isSuperseded(batch_[i], batch_[i + 1]);
        if (replay_ && takesOver(batch_[i])) leaveReplay();
        if (!superseded) std::visit([this](auto& command) { execute(command); }, batch_[i]);
        ++executed_;
    }
}

void SimulationThread::execute(Play& command) {
    way_ = std::move(command.before);
    problem_.clear();
    setPlaying(true);
    pauseAt_ = command.steps > 0 ? simulation().state().step + command.steps : -1;
}

void SimulationThread::execute(Pause&) { setPlaying(false); }

void SimulationThread::execute(StepOnce& command) {
    way_ = std::move(command.before);
    setPlaying(false);
    problem_.clear();
    step();
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
    jobs_.ask(std::move(request), {simulation(), mesh_->revision, gate_, background_});
}

const std::shared_ptr<const scene::Settings>& SimulationThread::stepSettings() {
    if (!stepSettings_ || !(*stepSettings_ == simulation().settings()))
        stepSettings_ = std::make_shared<const scene::Settings>(simulation().settings());
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
    const simulation::StepReport& report = simulation().step(options);
    if (way && !laterSteps()) fill(way, std::move(before));
    ReportEntry entry = lastReportEntry(simulation());
    if (report.solveStatus != solvers::SolveStatus::Cancelled) followWithGhosts(entry);
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
    if (std::string problem = lastProblem(simulation()); !problem.empty()) {
        setPlaying(false);
        problem_ = std::move(problem);
        tryCures();
    }
    if (simulation().state().step == pauseAt_) setPlaying(false);
    pace_.add(std::chrono::duration<double>(Clock::now().time_since_epoch()).count(), simulation().state().time);
    schedule(dt);
}

void SimulationThread::warnOfStart() {
    std::vector<std::string> found =
        simulation::warningsOf(simulation().model(), simulation().colliders(), simulation().state());
    for (const std::string& note : scene::meshNotes(simulation().scene())) found.push_back(note + ".");
    warning_ = fmt::format("{}", fmt::join(found, " "));
}

void SimulationThread::tryCures() {
    if (!simulation().refusal().empty()) return;
    const simulation::Cure cure = simulation::findCure(simulation(), stop_);
    problem_ = simulation::withCure(simulation().lastReport(), cure);
    cure_ = cure.assignment;
    cureSettings_ = cure.settings ? std::make_shared<const scene::Settings>(*cure.settings) : nullptr;
}

void SimulationThread::takePointerTarget() {
    pointer_.take();  // one that came before its grab stays in front until that is there
    if (!hold_.takesOver()) return;
    const PointerTarget& target = pointer_.front();
    if (target.serial != grabSerial_) return;
    const Vec3 at(target.position[0], target.position[1], target.position[2]);
    if (hold_.cloth.active) hold_.cloth.target = at;
    if (hold_.solid.active) hold_.solid.target = at + colliderOffset_;
    act(hold_);
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
    fillSnapshot(simulation(), overlay_, snapshot);
    fillGhosts(session_.ghosts(), snapshot);
    refreshTopology(simulation(), mesh_);
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
