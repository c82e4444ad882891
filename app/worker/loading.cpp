#include <utility>

#include "simulation/state_file.hpp"
#include "worker/publish.hpp"
#include "worker/simulation_thread.hpp"

// The simulation's side of another scene, from its start or from a saved state.
namespace clothlab::app::worker {

/// At the scene's start, or where a state has it.
Expected<std::unique_ptr<simulation::Simulation>> SimulationThread::create(const scene::Scene& scene,
                                                                           const integrators::SimulationState* state) {
    if (state) return simulation::resume({scene, *state}, defaultThreads());
    return simulation::Simulation::create(scene, defaultThreads());
}

void SimulationThread::execute(LoadScene& command) {
    const auto progress = [&](double share) {
        if (share < building_ + 0.02) return;
        building_ = share;
        publish();
    };
    const auto made = scene::makeSolids(command.scene, progress, stop_);
    building_ = -1;
    Expected<std::unique_ptr<simulation::Simulation>> next;
    if (made)
        next = create(command.scene, command.state.get());
    else
        next = fail(made.error());
    if (!next) return refuseScene(next.error(), command.revision);
    keep(command.before);
    settingsRevision_ = command.revision;
    replaced(std::move(*next), ++loads_);
    record([&](Recorder& r) { r.load(*simulation_, !command.state); });
}

void SimulationThread::refuseScene(const Error& why, std::uint64_t revision) {
    problem_ = "The scene cannot be built: " + why.text();
    refusedLoad_ = revision;
    setPlaying(false);  // as the banner says; playing on takes it down
}

void SimulationThread::replaced(std::unique_ptr<simulation::Simulation> next, std::uint64_t mesh) {
    simulation_ = std::move(next);
    simulation_->makeFactorsInBackground();
    mesh_ = makeTopology(*simulation_, mesh);
    grab_ = {};
    colliderGrab_ = {};
    problem_.clear();
    warnOfStart();
    afterJump();
    reports_.push({.cleared = true, .report = {}});
}

}  // namespace clothlab::app::worker
