#include <filesystem>

#include "simulation/state_file.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of putting a motion aside and going back to it (worker/kept_motion.hpp).
namespace clothlab::app::worker {

const simulation::Kept* SimulationThread::WindowShelf::find(std::int64_t id) const {
    const auto found = motions.find(id);
    const auto motion = found == motions.end() ? nullptr : found->second.lock();
    // The command that asks for it holds it meanwhile.
    return motion && motion->content() ? &motion->content()->simulation : nullptr;
}

KeptMotion::Content SimulationThread::present() const { return {simulation().keep(), mesh_->revision, playing_}; }

void SimulationThread::fill(const KeepHere& place, KeptMotion::Content content) {
    content.id = shelf_.next++;
    std::erase_if(shelf_.motions, [](const auto& motion) { return motion.second.expired(); });
    shelf_.motions[content.id] = place;
    record(simulation::edits::Keep{content.id});
    place->fill(std::move(content));
}

/// The first of several changes that share a place counts: a stroke is taken back as a whole.
void SimulationThread::keep(const KeepHere& here) {
    if (here && !here->content()) fill(here, present());
}

/// That a step would drop.
bool SimulationThread::laterSteps() const { return simulation().history().lastStep() > simulation().state().step; }

void SimulationThread::execute(SaveState& command) {
    const auto done = simulation::saveState(simulation(), command.path, command.inputs);
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
    if (kept && kept->mesh == mesh_->revision) act(simulation::edits::PinsOf{kept->id}, command.before);
}

void SimulationThread::execute(ReturnToMotion& command) {
    settingsRevision_ = command.revision;
    const KeptMotion::Content* kept = command.to->content();
    if (!kept) return;
    const bool anew = kept->mesh != mesh_->revision;
    if (!act(simulation::edits::Return{kept->id, anew}, command.before, anew ? kept->mesh : 0))
        return refuseScene(command.revision);
    setPlaying(kept->playing);
    const simulation::History& history = simulation().history();
    for (const simulation::StepReport* report : history.reports())
        reports_.push({.cleared = false, .report = *report, .settings = history.findSettings(report->step)});
}

}  // namespace clothlab::app::worker
