#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/freeze.hpp"
#include "commands/load_scene.hpp"
#include "experiments/systems/system_files.hpp"

namespace clothlab::app::commands {

int runSystem(const SystemCommand& command) {
    const auto scene = loadScene(command.scene, command.sets, command.threads);
    if (!scene) return complain(scene.error());
    const auto form = enumNamed<experiments::SystemForm>(command.format);
    const auto folder = OutputFolder::create(command.outFolder, experiments::systemFileNames(form), listInputs(*scene));
    if (!folder) return complain(folder.error());
    SceneStep frozen;
    if (const int code = freezeScene(*scene, command.step, frozen); code != kExitDone) return code;
    const solvers::SolveSummary& solve = frozen.origin.solve;
    if (!solvers::converged(solve.status))
        fmt::print(stderr,
                   "clothlab: the solve of step {} ended as {} after {} iterations, true relative residual {:.2g}: "
                   "{} is not the solution\n",
                   command.step, enumKey(solve.status), solve.iterations, solve.trueRelativeResidual,
                   experiments::systemFormat(form).vectorName("delta_v"));
    const auto files = experiments::systemFiles(frozen.system, frozen.simulation->settings(), &frozen.origin, form);
    if (!files) return complain(files.error());
    if (auto done = folder->write(*files); !done) return complain(done.error());
    return say(fmt::format("step {}: {} rows, {} constrained particles, in {}\n", command.step,
                           3 * frozen.system.A.rows(), frozen.system.constraints.constrained().size(),
                           shownPath(command.outFolder)));
}

}  // namespace clothlab::app::commands
