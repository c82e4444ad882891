#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace clothlab::factors {

/// The time at which the last of some chunks is done if each in turn goes to the first idle thread (as WorkerPool
/// nearly does). In the unit of the costs.
inline double makespan(std::span<const double> costs, int threads) {
    std::vector<double> free(std::max(threads, 1), 0.0);
    for (const double cost : costs) *std::ranges::min_element(free) += cost;
    return *std::ranges::max_element(free);
}

}  // namespace clothlab::factors
