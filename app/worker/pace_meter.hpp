#pragma once

#include <deque>

namespace clothlab::app::worker {

/// Simulated seconds per second of a clock, over that clock's last second. The window uses the wall clock, a film the
/// time of its steps without drawing.
class PaceMeter {
public:
    void add(double clockSeconds, double simulatedSeconds) {
        samples_.push_back({clockSeconds, simulatedSeconds});
        while (samples_.size() > 2 && clockSeconds - samples_.front().clock > kSpanSeconds) samples_.pop_front();
    }
    void clear() { samples_.clear(); }
    /// 0 = not measured.
    double factor() const {
        if (samples_.size() < 2) return 0;
        const double elapsed = samples_.back().clock - samples_.front().clock;
        return elapsed > 0 ? (samples_.back().simulated - samples_.front().simulated) / elapsed : 0;
    }

private:
    static constexpr double kSpanSeconds = 1.0;
    struct Sample {
        double clock, simulated;
    };
    std::deque<Sample> samples_;
};

}  // namespace clothlab::app::worker
