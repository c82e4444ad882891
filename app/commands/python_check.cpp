#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/platform.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/say.hpp"

namespace clothlab::app::commands {
namespace {

// Says in words that the module is missing; `python3 -m` would say it as a trace. The module of the same build comes
// first.
constexpr const char* kStart = R"(
import os, sys
folder = sys.argv.pop(1)
sys.path[0] = os.path.join(folder, "python")
try:
    from clothlab.check import main
except ImportError as error:
    sys.exit(print("clothlab: check: the Python module cannot be imported (build the target clothlab_python, or set "
                   "PYTHONPATH; docs/python.md):", error, file=sys.stderr) or 2)
sys.exit(main(sys.argv[1:]))
)";

}  // namespace

int runPythonCheck(const CheckCommand& command) {
    if (!command.sets.empty())
        return complain(Error{.message = fmt::format("{}: --set is for scenes", shown(command.scene))});
    const std::string folder = platform::programFolder();
    // The module is built for Debian's interpreter; python3 in PATH may be another one.
    const char* chosen = std::getenv("CLOTHLAB_PYTHON");
    if (!chosen) chosen = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    std::vector<const char*> words = {chosen, "-c", kStart, folder.c_str()};
    if (!command.exercise.empty()) words.insert(words.end(), {"--exercise", command.exercise.c_str()});
    if (command.json) words.push_back("--json");
    words.insert(words.end(), {"--", command.scene.c_str(), nullptr});
    execvp(chosen, const_cast<char* const*>(words.data()));
    return complain(Error{.message = fmt::format("check: cannot run {}: {}", shown(chosen), std::strerror(errno))});
}

}  // namespace clothlab::app::commands
