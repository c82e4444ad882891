#include <fmt/format.h>

#include <cstdio>

#include "commands/commands.hpp"

namespace clothlab::app {

int runRender(const RenderOptions&) {
    fmt::print(stderr, "clothlab: this build has no renderer\n");
    return kExitUsage;
}

}  // namespace clothlab::app
