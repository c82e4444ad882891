#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "commands/say.hpp"
#include "scene/scene.hpp"

namespace clothlab::app::commands {

int printVersion() {
    const BuildFacts& facts = buildFacts();
    std::string text;
    text += fmt::format("clothlab {}\n", facts.version);
    text += fmt::format("build     {}{}{}, {}\n", facts.buildType, facts.asserts ? " with asserts" : "",
                        facts.optimized ? "" : ", NOT OPTIMISED: timings say nothing", facts.compiler);
    if (!facts.sanitizers.empty()) text += fmt::format("sanitizer {}\n", facts.sanitizers);
    text += fmt::format("arch      CLOTHLAB_ARCH={}\n", facts.arch);
    text += fmt::format("cpu       {}, {} threads\n", platform::cpuName().empty() ? "unknown" : platform::cpuName(),
                        platform::hardwareThreads());
    for (const DependencyVersion& d : facts.dependencies)
        if (!d.version.empty()) text += fmt::format("{:<13} {}\n", d.name, d.version);
    return say(text);
}

int printLicences() {
    std::string text =
        "clothlab      MIT; linked with CHOLMOD and METIS, a binary is distributed under GPL-3.0-or-later\n";
    for (const DependencyVersion& d : buildFacts().dependencies) text += fmt::format("{:<13} {}\n", d.name, d.licence);
    text += "On Debian, /usr/share/doc/PACKAGE/copyright has the full texts.\n";
    return say(text);
}

int printSettings() { return say(scene::settingsHelp()); }

}  // namespace clothlab::app::commands
