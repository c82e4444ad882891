#include "commands/freeze.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"

namespace clothlab::app::commands {
namespace {

int explain(const experiments::NotFrozen& problem) {
    using enum experiments::NotFrozen::Why;
    switch (problem.why) {
        case Ended:
            return signalExitCode(fmt::format("after step {}", problem.step - 1), kExitDone);
        case StepFailed:
            fmt::print(stderr, "clothlab: stopped after step {}: {}\n", problem.step - 1, problem.message);
            return kExitDiverged;
        case NoSystem:
            break;
    }
    return complain(Error{.message = problem.message, .choices = {"--set integrator.kind=linearized-backward-euler"}});
}

}  // namespace

int freezeScene(scene::Scene scene, int step, SceneStep& out) {
    auto made = simulation::Simulation::create(std::move(scene), platform::hardwareThreads());
    if (!made) return complain(made.error());
    out.simulation = std::move(*made);
    if (!out.simulation->refusal().empty()) return complain(Error{.message = out.simulation->refusal()});
    const auto noSignal = [](int) { return Interrupt::signal() == 0; };
    auto frozen = experiments::freezeStep(*out.simulation, step, {.before = noSignal});
    if (!frozen) return explain(frozen.error());
    static_cast<experiments::FrozenStep&>(out) = std::move(*frozen);
    return kExitDone;
}

}  // namespace clothlab::app::commands
