#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// A user's program, run to its end or to a limit. No process of it remains: it has its own process group and a keeper,
/// a fork of this process, which is its parent and ends everything it started. A process that leaves the group (setsid)
/// and loses its parent becomes a child of the keeper (Linux: PR_SET_CHILD_SUBREAPER), which ends it too. If this
/// process dies, the keeper notices and does the same.
namespace clothlab::platform {

struct ProcessOrder {
    std::string command;  ///< for /bin/sh -c
    /// Environment variables: a value, unless the user has set one; nullopt removes the variable.
    std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
    double limitSeconds = 60;         ///< then SIGTERM, and 0.2 s later SIGKILL, to the whole group
    std::uint64_t mostFileBytes = 0;  ///< of each file it writes (RLIMIT_FSIZE); 0 = any
    std::uint64_t mostMemory = 0;     ///< bytes of address space of each of its processes (RLIMIT_AS); 0 = any
};

struct ProcessEnd {
    enum class How {
        Exited,      ///< `code` is its exit code; the shell says 127 for no such program, 126 for one it may not run
        Signalled,   ///< `code` is the signal
        TimedOut,    ///< it was still running at the limit
        Cancelled,   ///< the stop token was set
        NotStarted,  ///< `code` is the errno
    };
    How how = How::NotStarted;
    int code = 0;
    double seconds = 0;    ///< from its start to its end
    int leftBehind = 0;    ///< its processes still running 0.2 s after it had ended by itself; they were ended
    bool allEnded = true;  ///< false: some process could not be ended within seconds
    std::string lastLine;  ///< the last non-blank line of its stderr, verbatim; empty = none
};

/// Runs it with stdin and stdout at /dev/null, in the current folder. Blocks.
ProcessEnd runProcess(const ProcessOrder& order, const std::stop_token& stop);

/// "exited with 7", "was ended by signal 11 (Segmentation fault)", "had not ended after 60.2 s, and was ended"
std::string describeEnd(const ProcessEnd& end);

}  // namespace clothlab::platform
