#include <filesystem>

#include "simulation/state_file.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of putting a motion aside and going back to it (worker/kept_motion.hpp).
namespace clothlab::app::worker {

KeptMotion::Content SimulationThread::present() const { return {simulation_->keep(), mesh_->revision, playing_}; }

/// The first of several changes that share a place counts: a stroke is taken back as a whole.
void SimulationThread::keep(const KeepHere& here) {
    if (!here || here->content()) return;
    here->fill(present());
    record([&](Recorder& r) { r.keep(here.get()); });
}

/// That a step would drop.
bool SimulationThread::laterSteps() const { return simulation_->history().lastStep() > simulation_->state().step; }

void SimulationThread::execute(SaveState& command) {
    const auto done = simulation::saveState(*simulation_, command.path, command.inputs);
    saved_ = {command.serial, command.path, done ? "" : done.error().text()};
}

void SimulationThread::execute(SaveRecording& command) {
    std::error_code ignored;  // writing says what is wrong with the folder
    std::filesystem::create_directories(std::filesystem::path(command.path).parent_path(), ignored);
    const auto done = writeFile(command.path, memory_.text(), {});
    saved_ = {command.serial, command.path, done ? "" : done.error().text()};
}

void SimulationThread::execute(KeepMotion& command) { keep(command.into); }

void SimulationThread::execute(ReturnPins& command) {
    const KeptMotion::Content* kept = command.to->content();
    if (!kept || kept->mesh != mesh_->revision) return;
    keep(command.before);
    if (!simulation_->takePins(kept->simulation)) return;
    record([&](Recorder& r) { r.pinsOf(command.to.get()); });
}

void SimulationThread::execute(ReturnToMotion& command) {
    settingsRevision_ = command.revision;
    const KeptMotion::Content* kept = command.to->content();
    if (!kept) return;
    keep(command.before);
    const bool anew = kept->mesh != mesh_->revision;
    if (auto done = rebuild(*kept); !done) return refuseScene(done.error(), command.revision);
    record([&](Recorder& r) { r.returnTo(command.to.get(), anew); });
    setPlaying(kept->playing);
    const simulation::History& history = simulation_->history();
    for (const simulation::StepReport* report : history.reports())
        reports_.push({.cleared = false, .report = *report, .settings = history.findSettings(report->step)});
}

/// In the simulation that there is, where it is of the same mesh.
Expected<void> SimulationThread::rebuild(const KeptMotion::Content& kept) {
    if (kept.mesh == mesh_->revision) {
        if (auto done = simulation_->takeBack(kept.simulation); !done) return done;
        problem_.clear();
        afterJump();
        reports_.push({.cleared = true, .report = {}});
        return {};
    }
    auto next = simulation::Simulation::recreate(kept.simulation, defaultThreads());
    if (!next) return fail(next.error());
    replaced(std::move(*next), kept.mesh);
    return {};
}

}  // namespace clothlab::app::worker
