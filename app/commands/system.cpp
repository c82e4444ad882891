#include <fmt/format.h>

#include "commands/commands.hpp"
#include "commands/freeze.hpp"
#include "commands/load_scene.hpp"
#include "simulation/system_files.hpp"

namespace clothlab::app {

int runSystem(const SystemCommand& command) {
    FrozenStep frozen;
    if (const int code = freezeStep(command.scene, command.sets, command.threads, command.step, frozen); code != kExitDone) return code;
    if (auto done = simulation::exportSystem(frozen.system, frozen.simulation->settings(), command.outFolder); !done)
        return complain(done.error());
    fmt::print("step {}: {} rows, {} constrained particles, in {}\n", command.step, 3 * frozen.system.A.rows(),
               frozen.system.constraints.constrained().size(), command.outFolder);
    return kExitDone;
}

}  // namespace clothlab::app
