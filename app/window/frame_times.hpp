#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace clothlab::app::window {

/// Durations of the last few hundred frames, ms. Only shown and written to the state file.
class FrameTimes {
public:
    void add(double ms) {
        times_[next_++ % times_.size()] = ms;
        count_ = std::min(count_ + 1, times_.size());
    }
    /// The given share of the frames is at most this long.
    double percentile(double share) const {
        if (count_ == 0) return 0;
        std::vector<double> sorted(times_.begin(), times_.begin() + std::ptrdiff_t(count_));
        const auto at = std::min(count_ - 1, std::size_t(share * double(count_)));
        std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(at), sorted.end());
        return sorted[at];
    }

private:
    std::array<double, 512> times_{};
    std::size_t next_ = 0, count_ = 0;
};

}  // namespace clothlab::app::window
