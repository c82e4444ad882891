#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "scene/scene.hpp"

namespace clothlab::app {

int printVersion() {
    const BuildFacts& facts = buildFacts();
    fmt::print("clothlab {}\n", facts.version);
    fmt::print("build     {}{}{}, {}\n", facts.buildType, facts.asserts ? " with asserts" : "",
               facts.optimized ? "" : ", NOT OPTIMISED: timings say nothing", facts.compiler);
    if (!facts.sanitizers.empty()) fmt::print("sanitizer {}\n", facts.sanitizers);
    fmt::print("arch      CLOTHLAB_ARCH={}\n", facts.arch);
    fmt::print("cpu       {}, {} threads\n", platform::cpuName().empty() ? "unknown" : platform::cpuName(), platform::hardwareThreads());
    for (const DependencyVersion& d : facts.dependencies)
        fmt::print("{:<13} {}\n", d.name, d.version.empty() ? "version unknown" : d.version);
    return kExitDone;
}

int printSettings() {
    fmt::print("{}", scene::settingsHelp());
    return kExitDone;
}

}  // namespace clothlab::app
