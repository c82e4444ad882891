#include <fmt/format.h>

#include <utility>

#include "worker/publish.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of edits: whatever is done to it by hand comes through `act`.
namespace clothlab::app::worker {

namespace edits = simulation::edits;

void SimulationThread::record(const std::function<void(Recorder&)>& what) {
    what(memory_);
    if (recording_) what(*recording_);
}

void SimulationThread::record(const simulation::Edit& edit) {
    record([&](Recorder& r) { r.note(edit); });
}

/// Does it, keeps the motion as it was if that changed anything, and writes it down. False: it could not be done, and
/// the problem says why. `mesh`: revision of the mesh of a simulation that takes the place of this one; 0: none does.
bool SimulationThread::act(const simulation::Edit& edit, const KeepHere& before, std::uint64_t mesh) {
    const bool wanted = before && !before->content();
    KeptMotion::Content past = wanted ? present() : KeptMotion::Content{};
    const auto changed = session_.apply(edit, shelf_);
    if (!changed) {
        problem_ = fmt::format("{}: {}", simulation::traitsOf(edit).refused, changed.error().text());
        return false;
    }
    if (wanted && *changed) fill(before, std::move(past));
    record(edit);
    if (simulation::traitsOf(edit).effect == simulation::Effect::Jumps) follow(edit, mesh);
    return true;
}

/// The motion continues from elsewhere: what the pointer holds is that of now, and the pace is forgotten.
void SimulationThread::follow(const simulation::Edit& edit, std::uint64_t mesh) {
    problem_.clear();
    if (mesh != 0) {
        simulation().makeFactorsInBackground();
        mesh_ = makeTopology(simulation(), mesh);
        warnOfStart();
    }
    // What it holds is elsewhere now, or of another scene: a new press takes it.
    if (mesh != 0 || std::holds_alternative<edits::Restart>(edit)) hold_ = {};
    act(hold_);
    due_ = Clock::now();
    pace_.clear();
    if (!std::holds_alternative<edits::Seek>(edit)) reports_.push({.cleared = true, .report = {}});
}

void SimulationThread::execute(Apply& command) {
    if (command.topologyRevision != 0 && command.topologyRevision != mesh_->revision) return;
    if (const auto* seek = std::get_if<edits::Seek>(&command.edit)) {
        setPlaying(false);
        if (!simulation().history().find(seek->step)) return;  // forgotten since it was on show
    }
    act(command.edit, command.before);
}

void SimulationThread::execute(SetSettings& command) {
    act(simulation::difference(simulation().settings(), command.settings));
    settingsRevision_ = command.revision;
}

void SimulationThread::execute(GrabParticle& command) {
    if (command.topologyRevision != mesh_->revision) return;
    if (command.particle < 0 || command.particle >= mesh_->particles) return;
    hold_ = {.cloth = {.active = true,
                       .particle = command.particle,
                       .target = Vec3(command.target[0], command.target[1], command.target[2])},
             .solid = {}};
    grabSerial_ = command.serial;
    act(hold_);
}

void SimulationThread::execute(GrabCollider& command) {
    const auto colliders = simulation().colliders();
    if (command.topologyRevision != mesh_->revision || std::size_t(command.collider) >= colliders.size()) return;
    const contact::Collider& collider = colliders[command.collider];
    if (!integrators::canBeGrabbed(collider)) return;
    const Vec3 origin = contact::poseAt(collider, simulation().state().time).position;
    colliderOffset_ = origin - Vec3(command.at[0], command.at[1], command.at[2]);
    hold_ = {.cloth = {}, .solid = {.active = true, .collider = command.collider, .target = origin}};
    grabSerial_ = command.serial;
    act(hold_);
}

void SimulationThread::execute(ReleaseGrab&) {
    hold_ = {};
    act(hold_);
}

void SimulationThread::execute(PinParticle& command) {
    if (command.topologyRevision != mesh_->revision) return;
    edits::Pin pin = command.pin;
    if (command.toggles && simulation().state().pinOf(pin.particle)) {
        act(edits::Unpin{pin.particle}, command.before);
        return;
    }
    // One that rests has no beginning: else it would count as a motion.
    if (!pin.motion.velocity.isZero(0.0)) pin.motion.startTime = simulation().state().time;
    act(pin, command.before);
}

void SimulationThread::execute(StepBack&) {
    Apply seek{edits::Seek{simulation().state().step - 1}};
    execute(seek);
}

void SimulationThread::execute(StartBranch& command) {
    const edits::Set differs = simulation::difference(simulation().settings(), command.ghost);
    if (!act(edits::Ghost{differs, command.further})) setPlaying(false);  // as the banner says
}

void SimulationThread::followWithGhosts(ReportEntry& entry) {
    const auto& ghosts = session_.ghosts();
    if (ghosts.empty()) return;
    const simulation::Branch& first = *ghosts.front();
    const std::int64_t before = first.ghost().state().step;
    session_.follow(stop_);
    if (first.ghost().state().step != before || !first.problem().empty()) entry.ghost = first.ghost().lastReport();
    entry.report.ghostDistance = first.largestDistance();
    entry.report.ghostRms = first.rmsDistance();
    for (std::size_t k = 1; k < ghosts.size(); ++k) entry.furtherDistances.push_back(ghosts[k]->largestDistance());
}

}  // namespace clothlab::app::worker
