#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "messages.hpp"
#include "simulation/state_file.hpp"

/// Makes a world from the input and steps it. No file may end the process, a step obeys a request to stop, and its
/// result is a state that can be saved and resumed.
namespace clothlab::fuzz {

inline constexpr int kMostRows = 6;
inline constexpr std::size_t kMostCloths = 3, kMostColliders = 4;

/// Makes a scene small enough for a quick test; false if that is impossible.
inline bool makeSmall(scene::Scene& scene) {
    if (scene.cloths.size() > kMostCloths || scene.colliders.size() > kMostColliders) return false;
    for (scene::ClothPatch& cloth : scene.cloths) {
        if (cloth.mesh || cloth.solid) return false;
        cloth.rows = std::min(cloth.rows, kMostRows);
        cloth.columns = std::min(cloth.columns, kMostRows);
    }
    for (const contact::Collider& solid : scene.colliders)
        if (std::holds_alternative<geometry::MeshSolid>(solid.shape)) return false;
    scene.settings.threads = 1;
    return true;
}

/// Takes steps and requests a stop after a tenth of a second.
inline void step(simulation::Simulation& world, int steps) {
    std::stop_source stop;
    std::mutex mutex;
    std::condition_variable_any ended;
    std::jthread clock([&](const std::stop_token& done) {
        std::unique_lock lock(mutex);
        if (!ended.wait_for(lock, done, std::chrono::milliseconds(100), [&] { return done.stop_requested(); }))
            stop.request_stop();
    });
    for (int k = 0; k < steps && !stop.stop_requested(); ++k) {
        const simulation::StepReport& report = world.step({.stop = stop.get_token()});
        require(!integrators::hasFailed(report.status) || !report.message.empty(), "a step that failed says why");
        integrators::SimulationState state = world.state();
        integrators::forget(state, integrators::StateRole::Hand);
        const std::string wrong = simulation::misfit(state, world);
        require(wrong.empty(), "what a step leaves can be taken up again", wrong);
    }
}

}  // namespace clothlab::fuzz
