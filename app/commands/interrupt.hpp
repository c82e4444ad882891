#pragma once

#include <stop_token>
#include <thread>

namespace clothlab::app::commands {

/// From here to the end of its scope the first SIGINT, SIGTERM or SIGHUP ends nothing by itself: whoever steps asks
/// `signal` between two steps, or hands on `token`, and ends with all files in place. A second one ends the program at
/// once. The command line has one for all commands.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Number of the signal that has come, or 0.
    static int signal();
    /// Asked to stop soon after the signal: a thread looks for it, since a handler may do no more than set a number.
    std::stop_token token();
    /// The one that is in scope; null outside of a command.
    static Interrupt* current();

private:
    std::stop_source request_;
    std::jthread watcher_;
};

}  // namespace clothlab::app::commands
