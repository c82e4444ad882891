#include "commands/freeze.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"

namespace clothlab::app::commands {

int freezeStep(scene::Scene scene, int step, FrozenStep& out) {
    auto made = simulation::Simulation::create(std::move(scene), platform::hardwareThreads());
    if (!made) return complain(made.error());
    out.simulation = std::move(*made);
    simulation::Simulation& simulation = *out.simulation;
    if (!simulation.refusal().empty()) return complain(Error{.message = simulation.refusal()});

    for (int k = 1; k <= step; ++k) {
        simulation::Simulation::StepOptions options;
        options.keepSystem = k >= step - 1;
        options.hash = false;
        if (const int code = endOf(fmt::format("after step {}", k - 1), kExitDone); code != kExitDone) return code;
        if (k == step) out.origin = experiments::SystemOrigin::of(simulation);
        const simulation::StepReport& report = simulation.step(options);
        if (hasFailed(report.status)) {
            fmt::print(stderr, "clothlab: stopped after step {}: {}\n", k - 1, report.message);
            return kExitDiverged;
        }
        const linalg::FrozenSystem* system = simulation.systemOfLastStep();
        if (!options.keepSystem) continue;
        if (!system)
            return complain(Error{
                .message = fmt::format("{} solves no linear system", enumLabel(simulation.settings().integrator.kind)),
                .choices = {"--set integrator.kind=linearized-backward-euler"}});
        if (k == step - 1)
            out.earlier = *system;
        else
            out.system = *system;
    }
    out.origin.solve = simulation.lastSolve();
    return kExitDone;
}

}  // namespace clothlab::app::commands
