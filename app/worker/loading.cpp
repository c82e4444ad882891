#include <utility>

#include "worker/simulation_thread.hpp"

// The simulation's side of another scene, from its start or from a saved state.
namespace clothlab::app::worker {

void SimulationThread::execute(LoadScene& command) {
    const auto progress = [&](double share) {
        if (share < building_ + 0.02) return;
        building_ = share;
        publish();
    };
    const auto made = scene::makeSolids(command.scene, progress, stop_);
    building_ = -1;
    if (!made) problem_ = "The scene cannot be built: " + made.error().text();
    simulation::edits::Load load{std::move(command.scene), std::nullopt};
    if (command.state) load.state = *command.state;
    if (!made || !act(load, command.before, loads_ + 1)) return refuseScene(command.revision);
    ++loads_;
    settingsRevision_ = command.revision;
}

void SimulationThread::refuseScene(std::uint64_t revision) {
    refusedLoad_ = revision;
    setPlaying(false);  // as the banner says; playing on takes it down
}

}  // namespace clothlab::app::worker
