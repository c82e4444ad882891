#pragma once

#include <cmath>

namespace clothlab::app::worker {

/// The next of 1, 2, 3 or 5 times a power of ten.
inline double roundedUp(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 3.0, 5.0})
        if (value <= step * decade * 1.0001) return step * decade;
    return 10 * decade;
}

}  // namespace clothlab::app::worker
