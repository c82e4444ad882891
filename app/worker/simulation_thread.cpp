#include "worker/simulation_thread.hpp"

#include <algorithm>
#include <utility>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "simulation/state_file.hpp"
#include "worker/jobs/job_context.hpp"

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
    return first && first->edit.index() == second->edit.index() && simulation::traitsFor(first->edit).lastCounts;
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
    return std::unique_ptr<SimulationThread>(new SimulationThread(std::move(*simulation), options));
}

SimulationThread::SimulationThread(std::unique_ptr<simulation::Simulation> simulation, const Options& options)
    : overlay_(options.overlay),
      pacer_(options.playing, options.speed),
      live_(std::move(simulation), defaultThreads(),
            {options.settingsRevision, options.problem, options.state != nullptr, options.recording, options.replay,
             options.followed},
            pacer_, reports_) {
    live_.onBuilding = [this](double share) {
        building_ = share;
        if (share >= 0) publish();
    };
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
    live_.stop = stop;
    while (!stop.stop_requested()) {
        waitForWork(stop);
        if (stop.stop_requested()) break;
        commands_.drain(batch_);
        const bool commanded = !batch_.empty();
        if (commanded) executeAll(stop);
        const bool due = pacer_.isDue();
        if (due) step();
        if (commanded || due) publish();
    }
}

void SimulationThread::waitForWork(const std::stop_token& stop) {
    if (!pacer_.playing())
        commands_.wait(stop);
    else if (pacer_.waits())
        commands_.waitUntil(stop, pacer_.due());
}

void SimulationThread::executeAll(const std::stop_token& stop) {
    for (std::size_t i = 0; i < batch_.size() && !stop.stop_requested(); ++i) {
        const bool superseded = i + 1 < batch_.size() && isSuperseded(batch_[i], batch_[i + 1]);
        live_.endReplayFor(batch_[i]);
        if (!superseded) std::visit([this](auto& command) { execute(command); }, batch_[i]);
        ++executed_;
    }
}

void SimulationThread::execute(Play& command) {
    live_.prepareStep(std::move(command.before));
    if (command.steps > 0)
        pacer_.playUntil(live_.simulation().state().step + command.steps);
    else
        pacer_.setPlaying(true);
}

void SimulationThread::execute(Pause&) { pacer_.setPlaying(false); }

void SimulationThread::execute(StepOnce& command) {
    live_.prepareStep(std::move(command.before));
    pacer_.setPlaying(false);
    step();
}

void SimulationThread::execute(SetOverlay& command) { overlay_ = command.request; }

void SimulationThread::execute(SetSpeed& command) { pacer_.setSpeed(command.factor); }

void SimulationThread::execute(CancelJob&) { background_.cancel(); }

/// Without a step nothing else brings what is held to where the pointer is.
void SimulationThread::aimAtPointer() {
    pointer_.take();
    live_.aimAt(pointer_.front());
}

void SimulationThread::execute(FollowState& command) {
    aimAtPointer();
    live_.execute(command);
}

void SimulationThread::execute(HandBack& command) {
    aimAtPointer();
    live_.execute(command);
}

template <class Request>
void SimulationThread::execute(Request& request) {
    if constexpr (requires { live_.execute(request); })
        live_.execute(request);
    else
        jobs_.ask(std::move(request), {live_.simulation(), live_.mesh(), gate_, background_});
}

void SimulationThread::step() {
    if (!gate_.enter(live_.stop)) return;
    pointer_.take();  // one that came before its grab stays in front until that is there
    live_.movePointer(pointer_.front());
    auto entry = live_.step();
    gate_.leave();
    if (entry) live_.finish(std::move(*entry));
}

void SimulationThread::publish() {
    Snapshot& snapshot = snapshots_.back();
    live_.describe(overlay_, snapshot);
    snapshot.revision = ++published_;
    snapshot.commands = executed_;
    snapshot.playing = pacer_.playing();
    snapshot.building = building_;
    snapshot.speed = pacer_.speed();
    snapshot.realTimeFactor = pacer_.realTimeFactor();
    snapshots_.publish();
}

}  // namespace clothlab::app::worker
