#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace clothlab::factors {

/// When the last of some chunks is done, if each in its turn goes to the thread that is free first (WorkerPool does so
/// nearly). In the unit of the costs.
inline double makespan(std::span<const double> costs, int threads) {
    std::vector<double> free(std::max(threads, 1), 0.0);
    for (const double cost : costs) *std::ranges::min_element(free) += cost;
    return *std::ranges::max_element(free);
}

}  // namespace clothlab::factors
