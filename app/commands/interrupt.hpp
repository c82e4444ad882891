#pragma once

#include <stop_token>
#include <thread>

namespace clothlab::app::commands {

/// Defers the first SIGINT, SIGTERM or SIGHUP until the end of its scope: the stepping loop checks `signal` between two
/// steps, or passes on `token`, and ends with all files complete. A second signal ends the program at once. The command
/// line has one for all commands.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Number of the signal that has come, or 0.
    static int signal();
    /// Stops soon after the signal: a thread polls for it, since a handler may only set a number.
    std::stop_token token();
    /// The instance in scope; null outside of a command.
    static Interrupt* current();

private:
    std::stop_source request_;
    std::jthread watcher_;
};

}  // namespace clothlab::app::commands
