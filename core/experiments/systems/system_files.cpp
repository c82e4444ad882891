#include "experiments/systems/system_files.hpp"

#include <fmt/format.h>

#include <array>

#include "cloth/wind.hpp"
#include "experiments/systems/constraints_file.hpp"
#include "integrators/schedule.hpp"
#include "integrators/traits.hpp"
#include "linalg/matrix_market.hpp"

namespace clothlab::experiments {

namespace {

constexpr std::array<std::string_view, 10> kNames{
    "A.mtx",       "core.mtx",         "b.mtx",         "z.mtx", "delta_v.mtx",
    "pattern.mtx", "constraints.json", "settings.toml", "x.mtx", "v.mtx"};

}  // namespace

SystemOrigin SystemOrigin::of(const simulation::Simulation& simulation) {
    const integrators::SimulationState& state = simulation.state();
    const integrators::IntegratorSettings& integrator = simulation.settings().integrator;
    const double h = integrators::stepLength(integrator, state);
    const double windTime = integrators::windTime(integrators::traitsOf(integrator.kind).coefficients, state, h);
    SystemOrigin origin{.x = state.x,
                        .v = state.v,
                        .time = state.time,
                        .wind = cloth::windVelocity(simulation.settings().wind, windTime),
                        .colliders = {},
                        .solve = {}};
    for (const contact::Collider& collider : simulation.colliders())
        origin.colliders.emplace_back(collider.name, contact::poseAt(collider, state.time));
    return origin;
}

std::span<const std::string_view> systemFileNames() { return kNames; }

NamedFiles systemFiles(const linalg::FrozenSystem& system, const scene::Settings& settings,
                       const SystemOrigin* origin) {
    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    NamedFiles files{
        {kNames[0], linalg::matrixMarketText(system.A)},
        {kNames[1], linalg::matrixMarketText(system.A, &system.core)},
        {kNames[2], linalg::matrixMarketText(system.b)},
        {kNames[3], linalg::matrixMarketText(z)},
        {kNames[4], linalg::matrixMarketText(system.deltaV)},
        {kNames[5], linalg::patternText(system.A.pattern(), system.core)},
        {kNames[6], constraintsJson(system.constraints, system.dt, system.step, origin)},
        {kNames[7], scene::writeSettings(settings)},
    };
    if (!origin) return files;
    files.emplace_back(kNames[8], linalg::matrixMarketRows(origin->x));
    files.emplace_back(kNames[9], linalg::matrixMarketRows(origin->v));
    return files;
}

}  // namespace clothlab::experiments
