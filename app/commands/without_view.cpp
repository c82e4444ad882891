#include <fmt/format.h>

#include <cstdio>

#include "commands/commands.hpp"

namespace clothlab::app {

int runView(const ViewOptions&) {
    fmt::print(stderr, "clothlab: this build has no window\n");
    return kExitUsage;
}

}  // namespace clothlab::app
