#include "base/processes/replace.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace clothlab::platform {

std::string replaceProcess(const std::string& program, const std::vector<std::string>& words) {
    std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(program.c_str(), arguments.data());
    return std::strerror(errno);
}

std::string pythonProgram() {
    if (const char* chosen = std::getenv("CLOTHLAB_PYTHON"); chosen && *chosen) return chosen;
    constexpr const char* kDebians = "/usr/bin/python3";
    return access(kDebians, X_OK) == 0 ? kDebians : "python3";
}

}  // namespace clothlab::platform
