#pragma once

#include <algorithm>
#include <cmath>
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

}  // namespace clothlab
