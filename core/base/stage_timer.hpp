#pragma once

#include <chrono>

namespace clothlab {

/// Seconds since construction or since the last lap. Times are reported, never used to decide anything.
class StageTimer {
public:
    StageTimer() : start_(Clock::now()) {}
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    /// Seconds since the last lap (or construction); starts the next one.
    double lap() {
        const auto now = Clock::now();
        const double s = std::chrono::duration<double>(now - start_).count();
        start_ = now;
        return s;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_;
};

}  // namespace clothlab
