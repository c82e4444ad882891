#pragma once

#include <span>
#include <string>

#include "widgets/plot.hpp"

namespace clothlab::app::widgets {

/// The values of the part shown, of the curves that are not hidden. Where all curves have the same x: a column each,
/// else a line a point: curve, x, y. A number that is not there is an empty field.
std::string plotCsv(const PlotSpec& spec, std::span<const PlotCurve> curves);

}  // namespace clothlab::app::widgets
