#pragma once

#include <string>

namespace clothlab {

/// A number for display, with at most `digits` significant digits: "6,000", "0.05", "1e-3", "2.5e-4", "0"; "-" for NaN.
std::string formatNumber(double value, int digits = 4);

}  // namespace clothlab
