#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace clothlab {

/// The middle value, the larger of two; 0 if there are no values.
inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The value of rank floor(q (n - 1)): q = 0 the least, q = 1 the largest; NaN without values.
inline double quantile(std::vector<double> values, double q) {
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    return values[std::size_t(q * double(values.size() - 1))];
}

/// A series of measurements in a few numbers. Percentiles are by nearest rank: the least value that at least that share
/// of the values do not exceed. So each was measured, and the 99th of a few values is the largest. NaN without values.
struct Spread {
    std::size_t count = 0;
    double mean = NAN, p50 = NAN, p95 = NAN, p99 = NAN, most = NAN;
    std::size_t at = 0;  ///< index of the first that is `most`
};

/// Skips gaps (NaN), which count for the index `at`.
inline Spread computeSpread(std::span<const double> values) {
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
