#pragma once

#include <string>
#include <vector>

namespace clothlab::platform {

/// Runs a program in place of this one (exec): its output and exit code are this one's. A program without a slash is
/// looked for in PATH. words: the arguments after its name. Returns where that is impossible, with the reason.
std::string replaceProcess(const std::string& program, const std::vector<std::string>& words);

/// The interpreter that the Python module is built for: CLOTHLAB_PYTHON of the environment, /usr/bin/python3, or else
/// python3 in PATH.
std::string pythonProgram();

}  // namespace clothlab::platform
