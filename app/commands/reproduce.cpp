#include "simulation/reproduce.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/platform.hpp"
#include "commands/assets.hpp"
#include "commands/commands.hpp"
#include "commands/interrupt.hpp"
#include "commands/load_scene.hpp"

namespace clothlab::app {

int runReproduce(const ReproduceCommand& command) {
    if (command.list) {
        for (const simulation::PaperTable& table : simulation::paperTables()) fmt::print("{:<22} {}\n", table.name, table.title);
        return kExitDone;
    }
    if (command.table.empty()) return complain(Error{.message = "reproduce takes the name of a TABLE, or --list"});
    Interrupt interrupt;
    simulation::ReproduceControl control{.stop = interrupt.token()};
    const bool watched = platform::stderrIsTerminal();
    if (watched)
        control.progress = [](std::string_view what, double share) { fmt::print(stderr, "\r\033[K{:3.0f} % {}", 100 * share, what); };
    platform::singleThreadedBlas();
    const simulation::ReproduceOptions options{.assetsFolder = assetsFolder(), .quick = command.quick, .threads = command.threads};
    const auto table = simulation::reproduce(command.table, options, control);
    if (watched) fmt::print(stderr, "\r\033[K");
    if (!table) {
        complain(table.error());
        return table.error().choices.empty() ? kExitDiverged : kExitUsage;
    }
    fmt::print("{}", command.json ? simulation::toJson(*table) : simulation::reproductionText(*table));
    return kExitDone;
}

}  // namespace clothlab::app
