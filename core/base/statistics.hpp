#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace clothlab {

/// The middle one in order, of two the larger; 0 of none.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// NaN of no values; q = 0 is the least, q = 1 the most. Between two values it is the smaller.
inline double quantile(std::vector<double> values, double q) {
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    return values[std::size_t(q * double(values.size() - 1))];
}

/// A series of measurements in a few numbers. A percentile is that of nearest rank: the least of the values that at
/// least so many percent of them do not exceed, so it was measured, and of few values the 99th is the worst. NaN of
/// none.
struct Spread {
    std::size_t count = 0;
    double mean = NAN, p50 = NAN, p95 = NAN, p99 = NAN, most = NAN;
    std::size_t at = 0;  ///< index of the first that is `most`
};

/// Gaps, which are NaN, are left out; `at` counts them.
inline Spread spreadOf(std::span<const double> values) {
    std::vector<double> sorted;
    sorted.reserve(values.size());
    double sum = 0;
    for (const double value : values)
        if (!std::isnan(value)) sorted.push_back(value), sum += value;
    if (sorted.empty()) return {};
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    const auto percentile = [&](std::size_t percent) { return sorted[(percent * n + 99) / 100 - 1]; };
    return {.count = n,
            .mean = sum / double(n),
            .p50 = percentile(50),
            .p95 = percentile(95),
            .p99 = percentile(99),
            .most = sorted.back(),
            .at = std::size_t(std::find(values.begin(), values.end(), sorted.back()) - values.begin())};
}

}  // namespace clothlab
