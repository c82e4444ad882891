#pragma once

namespace clothlab::app {

/// From here to the end of its scope the first SIGINT or SIGTERM ends nothing by itself: whoever steps asks `signal` between two
/// steps, and ends with all files in place. A second one ends the program at once.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Number of the signal that has come, or 0.
    static int signal();
};

}  // namespace clothlab::app
