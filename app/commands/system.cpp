#include <fmt/format.h>

#include <cstdio>

#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/load_scene.hpp"
#include "simulation/system_export.hpp"

namespace clothlab::app {

int runSystem(const SystemCommand& command) {
    auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return complain(scene.error());
    auto made = simulation::Simulation::create(std::move(*scene), platform::hardwareThreads());
    if (!made) return complain(made.error());
    simulation::Simulation& simulation = **made;
    if (!simulation.refusal().empty()) return complain(Error{.message = simulation.refusal()});

    for (int k = 1; k <= command.step; ++k) {
        simulation::Simulation::StepOptions options;
        options.keepSystem = k == command.step;
        options.hash = false;
        const simulation::StepReport& report = simulation.step(options);
        if (report.status < integrators::StepStatus::Diverged) continue;
        fmt::print(stderr, "clothlab: step {}: {}\n", k, report.message);
        return kExitDiverged;
    }
    const linalg::FrozenSystem* system = simulation.systemOfLastStep();
    if (!system)
        return complain(Error{.message = fmt::format("{} solves no linear system", enumLabel(simulation.settings().integrator.kind)),
                              .choices = {"--set integrator.kind=linearized-backward-euler"}});
    if (auto done = simulation::exportSystem(*system, simulation.settings(), command.outFolder); !done)
        return complain(done.error());
    fmt::print("step {}: {} rows, {} constrained particles, in {}\n", command.step, 3 * system->A.rows(),
               system->constraints.constrained().size(), command.outFolder);
    return kExitDone;
}

}  // namespace clothlab::app
