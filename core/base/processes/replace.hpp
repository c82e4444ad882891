#pragma once

#include <string>
#include <vector>

namespace clothlab::platform {

/// Replaces this process by a program (exec), whose output and exit code become this one's. A name without a slash is
/// looked up in PATH. words: the arguments after its name. Returns only on failure, with the reason.
std::string replaceProcess(const std::string& program, const std::vector<std::string>& words);

/// The interpreter that the Python module is built for: CLOTHLAB_PYTHON of the environment, /usr/bin/python3, or else
/// python3 in PATH.
std::string pythonProgram();

}  // namespace clothlab::platform
