#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/platform.hpp"
#include "base/processes/replace.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/say.hpp"

namespace clothlab::app::commands {
namespace {

// Says in words that the module is missing; `python3 -m` would say it as a trace. The module of the same build comes
// first, and then that below the same prefix.
constexpr const char* kStart = R"(
import os, sys
folder = sys.argv.pop(1)
sys.path[:1] = [os.path.join(folder, path) for path in ("python", "../lib/python3/dist-packages")]
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
    const std::string python = platform::pythonProgram();
    std::vector<std::string> words = {"-c", kStart, platform::programFolder()};
    if (!command.exercise.empty()) words.insert(words.end(), {"--exercise", command.exercise});
    if (command.json) words.emplace_back("--json");
    words.insert(words.end(), {"--", command.scene});
    const std::string reason = platform::replaceProcess(python, words);
    return complain(Error{.message = fmt::format("check: cannot run {}: {}", shown(python), reason)});
}

}  // namespace clothlab::app::commands
