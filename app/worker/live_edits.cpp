#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "simulation/state_file.hpp"
#include "worker/live_session.hpp"
#include "worker/snapshots/publish.hpp"

// What is done between two steps: whatever changes the motion comes through `act`.
namespace clothlab::app::worker {

namespace edits = simulation::edits;

void LiveSession::record(const std::function<void(Recorder&)>& what) {
    what(motionRecorder_);
    if (recording_) what(*recording_);
}

void LiveSession::record(const simulation::Edit& edit) {
    record([&](Recorder& r) { r.note(edit); });
}

/// Does it, keeps the motion as it was if that changed anything, and writes it down. False: it could not be done, and
/// the problem says why. `mesh`: revision of the mesh of a simulation that takes the place of this one; 0: none does.
bool LiveSession::act(const simulation::Edit& edit, const SharedMotionSlot& before, std::uint64_t mesh) {
    recordFromHere();
    const bool wanted = before && !before->content();
    MotionSlot::Content past = wanted ? present() : MotionSlot::Content{};
    const auto changed = session_.apply(edit, shelf_);
    if (!changed) {
        problem_ = {.text = fmt::format("{}: {}", simulation::traitsFor(edit).refused, changed.error().text())};
        return false;
    }
    if (wanted && *changed) fill(before, std::move(past));
    record(edit);
    mirror_.did(edit);
    const simulation::Effect effect = simulation::traitsFor(edit).effect;
    if (effect == simulation::Effect::Jumps) theirs_.reset();
    if (*changed && effect != simulation::Effect::LooksOn && !std::holds_alternative<edits::Hold>(edit))
        tears_.forget();
    if (effect == simulation::Effect::Jumps) follow(edit, mesh);
    return true;
}

/// The motion continues from elsewhere: keeps the current grab and resets pacing.
void LiveSession::follow(const simulation::Edit& edit, std::uint64_t mesh) {
    problem_ = {};
    if (mesh != 0) {
        simulation().makeFactorsInBackground();
        mesh_ = makeTopology(simulation(), mesh);
        warning_ = startWarning(simulation());
    }
    // What it holds is elsewhere now, or of another scene: a new press takes it.
    if (mesh != 0 || std::holds_alternative<edits::Restart>(edit)) hold_ = {};
    act(hold_);
    pacer_.restart();
    if (!std::holds_alternative<edits::Seek>(edit)) reports_.push({.cleared = true, .report = {}});
}

void LiveSession::execute(Apply& command) {
    if (command.topologyRevision != 0 && command.topologyRevision != mesh_->revision) return;
    if (const auto* seek = std::get_if<edits::Seek>(&command.edit)) {
        pacer_.setPlaying(false);
        if (!simulation().history().find(seek->step)) return;  // forgotten since it was on show
    }
    act(command.edit, command.before);
}

void LiveSession::execute(SetSettings& command) {
    act(simulation::difference(simulation().settings(), command.settings));
    settingsRevision_ = command.revision;
}

void LiveSession::execute(GrabParticle& command) {
    if (command.topologyRevision != mesh_->revision) return;
    if (command.particle < 0 || command.particle >= mesh_->particles) return;
    hold_ = {.cloth = {.active = true,
                       .particle = command.particle,
                       .target = Vec3(command.target[0], command.target[1], command.target[2])},
             .solid = {}};
    if (simulation().tears()) {
        const auto pull = std::make_shared<MotionSlot>();
        keep(pull);
        tears_.handHolds(pull);
    }
    grabSerial_ = command.serial;
    act(hold_);
}

void LiveSession::execute(GrabCollider& command) {
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

void LiveSession::execute(ReleaseGrab&) {
    hold_ = {};
    tears_.handHolds(nullptr);
    act(hold_);
}

void LiveSession::execute(PinParticle& command) {
    if (command.topologyRevision != mesh_->revision) return;
    edits::Pin pin = command.pin;
    if (command.toggles && simulation().state().findPin(pin.particle)) {
        act(edits::Unpin{pin.particle}, command.before);
        return;
    }
    // One that rests has no beginning: else it would count as a motion.
    if (!pin.motion.velocity.isZero(0.0)) pin.motion.startTime = simulation().state().time;
    act(pin, command.before);
}

void LiveSession::execute(StepBack&) {
    Apply seek{edits::Seek{simulation().state().step - 1}};
    execute(seek);
}

void LiveSession::execute(StartBranch& command) {
    const edits::Set differs = simulation::difference(simulation().settings(), command.ghost);
    if (!act(edits::Ghost{differs, command.further})) pacer_.setPlaying(false);  // as the banner says
}

// --- motions that are put aside (worker/motion_slot.hpp)

const simulation::StoredMotion* LiveSession::WindowShelf::find(std::int64_t id) const {
    const auto found = motions.find(id);
    const auto motion = found == motions.end() ? nullptr : found->second.lock();
    // The command that asks for it holds it meanwhile.
    return motion && motion->content() ? &motion->content()->simulation : nullptr;
}

MotionSlot::Content LiveSession::present() const { return {simulation().keep(), mesh_->revision, pacer_.playing()}; }

void LiveSession::fill(const SharedMotionSlot& place, MotionSlot::Content content) {
    recordFromHere();
    content.id = shelf_.next++;
    std::erase_if(shelf_.motions, [](const auto& motion) { return motion.second.expired(); });
    shelf_.motions[content.id] = place;
    record(simulation::edits::Keep{content.id});
    place->fill(std::move(content));
}

/// The first of several changes that share a place counts: a stroke is taken back as a whole.
void LiveSession::keep(const SharedMotionSlot& here) {
    if (here && !here->content()) fill(here, present());
}

void LiveSession::execute(SaveState& command) {
    const auto done = simulation::saveState(simulation(), command.path, command.inputs);
    saved_ = {command.serial, command.path, done ? "" : done.error().text()};
}

void LiveSession::execute(SaveRecording& command) {
    recordFromHere();
    std::error_code ignored;  // writing says what is wrong with the folder
    std::filesystem::create_directories(std::filesystem::path(command.path).parent_path(), ignored);
    const auto done = writeFile(command.path, motionRecorder_.text(), {});
    saved_ = {command.serial, command.path, done ? "" : done.error().text()};
}

void LiveSession::execute(StoreMotion& command) { keep(command.into); }

void LiveSession::execute(ReturnPins& command) {
    const MotionSlot::Content* kept = command.to->content();
    if (kept && kept->mesh == mesh_->revision) act(simulation::edits::PinsOf{kept->id}, command.before);
}

void LiveSession::execute(ReturnToMotion& command) {
    settingsRevision_ = command.revision;
    const MotionSlot::Content* kept = command.to->content();
    if (!kept) return;
    const bool anew = kept->mesh != mesh_->revision;
    if (!act(simulation::edits::Return{kept->id, anew}, command.before, anew ? kept->mesh : 0))
        return refuseScene(command.revision);
    pacer_.setPlaying(kept->playing);
    const simulation::History& history = simulation().history();
    for (const simulation::StepReport* report : history.reports())
        reports_.push({.cleared = false, .report = *report, .settings = history.findSettings(report->step)});
}

// --- a copy of another program's simulation (mirror.hpp)

/// What comes in is not written down state by state: a recording begins where something is done here.
void LiveSession::recordFromHere() {
    if (!std::exchange(unrecorded_, false)) return;
    motionRecorder_.forget();
    record([&](Recorder& r) { r.begin(session_.simulation(), false); });
}

void LiveSession::execute(FollowState& command) {
    const simulation::SavedState& from = command.from->saved;
    pacer_.setPlaying(false);
    problem_ = {};
    const std::vector<simulation::Edit> again = mirror_.follow(command.serial);
    if (const std::string why = simulation::misfit(from.state, simulation()); !why.empty()) {
        problem_ = {.text = "The state that came does not fit its scene: " + why};
        return;
    }
    session_.endGhosts();
    tears_.forget();
    const std::int64_t before = simulation().state().step;
    if (!(simulation().settings() == from.scene.settings)) simulation().apply(from.scene.settings);
    simulation().setState(from.state);
    for (const simulation::Edit& edit : again) (void)session_.apply(edit, shelf_);
    (void)session_.apply(hold_, shelf_);
    unrecorded_ = true;
    pacer_.restart();
    if (from.state.step < before) reports_.push({.cleared = true, .report = {}});
    theirs_ = command.from->report;
    if (theirs_ && from.state.step != before)
        reports_.push({.cleared = false, .report = *theirs_, .settings = stepSettings()});
}

void LiveSession::execute(HandBack& command) { command.answer(mirror_.handBack(simulation(), hold_)); }

// --- another scene, from its start or from a saved state

void LiveSession::execute(LoadScene& command) {
    double shown = -1;
    const auto progress = [&](double share) {
        if (share < shown + 0.02) return;
        onBuilding(shown = share);
    };
    const auto made = scene::makeSolids(command.scene, progress, stop);
    onBuilding(-1);
    if (!made) problem_ = {.text = "The scene cannot be built: " + made.error().text()};
    simulation::edits::Load load{std::move(command.scene), std::nullopt};
    if (command.state) load.state = *command.state;
    if (!made || !act(load, command.before, loads_ + 1)) return refuseScene(command.revision);
    ++loads_;
    settingsRevision_ = command.revision;
}

void LiveSession::refuseScene(std::uint64_t revision) {
    refusedLoad_ = revision;
    pacer_.setPlaying(false);  // as the banner says; playing on takes it down
}

}  // namespace clothlab::app::worker
