#include "experiments/systems/system_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cloth/wind.hpp"
#include "experiments/systems/constraints_file.hpp"
#include "integrators/schedule.hpp"
#include "integrators/traits.hpp"

namespace clothlab::experiments {

namespace {

constexpr std::array<std::string_view, 4> kMatrices{"A", "core", "S", "pattern"};
constexpr std::array<std::string_view, 5> kVectors{"b", "z", "delta_v", "x", "v"};
constexpr std::array<std::string_view, 2> kTexts{"constraints.json", "settings.toml"};

/// The names of a format, which last as long as the program.
struct Names {
    std::vector<std::string> own;
    std::vector<std::string_view> all;

    explicit Names(const SystemFormat& format) {
        for (const std::string_view stem : kMatrices) own.push_back(format.matrixName(stem));
        for (const std::string_view stem : kVectors) own.push_back(format.vectorName(stem));
        for (const std::string_view name : kTexts) own.emplace_back(name);
        all.assign(own.begin(), own.end());
    }
    std::string_view of(const std::string& name) const { return *std::ranges::find(own, name); }
};

const Names& formatNames(SystemForm form) {
    static const std::vector<Names> all = [] {
        std::vector<Names> names;
        for (const SystemFormat& format : systemFormats()) names.emplace_back(format);
        return names;
    }();
    return all[int(form)];
}

}  // namespace

SystemOrigin SystemOrigin::of(const simulation::Simulation& simulation) {
    const integrators::SimulationState& state = simulation.state();
    const integrators::IntegratorSettings& integrator = simulation.settings().integrator;
    const double h = integrators::stepLength(integrator, state);
    const double windTime = integrators::windTime(integrators::traitsFor(integrator.kind).coefficients, state, h);
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

std::span<const std::string_view> systemFileNames(SystemForm form) { return formatNames(form).all; }

linalg::BlockMatrix filterMatrix(const linalg::DofConstraints& constraints) {
    linalg::BlockMatrix S(linalg::makePattern(constraints.particles(), {}));
    for (Index i = 0; i < S.rows(); ++i) {
        const linalg::DofConstraint* c = constraints.find(i);
        S.diagonal(i) = c ? c->S() : Mat3::Identity();
    }
    return S;
}

Expected<NamedFiles> systemFiles(const linalg::FrozenSystem& system, const scene::Settings& settings,
                                 const SystemOrigin* origin, SystemForm form) {
    const SystemFormat& format = systemFormat(form);
    const Names& names = formatNames(form);
    NamedFiles files;
    std::optional<Error> problem;
    const auto addMatrix = [&](std::string_view stem, Expected<std::string> text) {
        const std::string name = format.matrixName(stem);
        if (text)
            files.emplace_back(names.of(name), std::move(*text));
        else if (!problem)
            problem = Error{.message = text.error().message, .file = name};
    };
    const auto addVector = [&](std::string_view stem, std::string text) {
        files.emplace_back(names.of(format.vectorName(stem)), std::move(text));
    };
    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    addMatrix("A", format.matrix(system.A, nullptr));
    if (!system.core.offDiagonal.empty()) addMatrix("core", format.matrix(system.A, &system.core));
    addMatrix("S", format.matrix(filterMatrix(system.constraints), nullptr));
    addMatrix("pattern", format.pattern(system.A.pattern(), system.core));
    if (problem) return fail(*problem);
    addVector("b", format.vector(system.b));
    addVector("z", format.vector(z));
    addVector("delta_v", format.vector(system.deltaV));
    files.emplace_back(kTexts[0], constraintsJson(system.constraints, system.dt, system.step, origin));
    files.emplace_back(kTexts[1], scene::writeSettings(settings));
    if (!origin) return files;
    addVector("x", format.rows(origin->x));
    addVector("v", format.rows(origin->v));
    return files;
}

}  // namespace clothlab::experiments
