#pragma once

#include <sys/wait.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/input.hpp"
#include "scratch_folder.hpp"

namespace clothlab::tests {

struct Result {
    int code = -1;  ///< exit code; -1 = ended by a signal
    std::string out, err;
};

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Runs the real program; `before` is put before its command line.
inline Result clothlab(const std::string& arguments, const std::string& before = {}) {
    const ScratchFolder folder;
    const std::string out = folder.file("out"), err = folder.file("err");
    const int status =
        std::system((before + " '" CLOTHLAB_PROGRAM "' " + arguments + " >'" + out + "' 2>'" + err + "'").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *readFile(out), *readFile(err)};
}

}  // namespace clothlab::tests
