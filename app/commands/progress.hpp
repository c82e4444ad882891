#pragma once

#include <chrono>
#include <string_view>

namespace clothlab::app::commands {

/// Progress of a long command on stderr: on a terminal a bar in one line, with the current task and the remaining time;
/// elsewhere one line per tenth, so that a log stays readable.
class Progress {
public:
    Progress();
    /// Removes the bar.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `share`: the part done, 0 to 1.
    void show(std::string_view what, double share);

private:
    bool terminal_;
    int tenths_ = 0;          ///< printed so far
    double firstShare_ = -1;  ///< share done before the clock started
    std::chrono::steady_clock::time_point start_;
};

}  // namespace clothlab::app::commands
