#pragma once

#include <chrono>
#include <string_view>

namespace clothlab::app::commands {

/// How far a long command is, on stderr. On a terminal a bar in one line, with what is being done and how long it takes
/// yet; elsewhere a line for every tenth, so that a log stays readable.
class Progress {
public:
    Progress();
    /// Takes the bar away.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `share` is done, from 0 to 1.
    void show(std::string_view what, double share);

private:
    bool terminal_;
    int tenths_ = 0;          ///< that have been printed
    double firstShare_ = -1;  ///< what was done before the clock started
    std::chrono::steady_clock::time_point start_;
};

}  // namespace clothlab::app::commands
