#pragma once

#include <optional>
#include <span>
#include <string>

#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {

/// What stands at x on an axis of words.
std::optional<std::string> xWord(const PlotSpec& spec, double x);
/// Why nothing is drawn: all is hidden, or outside of what is shown, or zero on a logarithmic axis, or there is
/// nothing.
std::string emptyWords(const PlotSpec& spec, std::span<const PlotCurve> all, bool hidden);

/// The values of the part shown, of the curves that are not hidden. Where all curves have the same x: a column each,
/// else a line a point: curve, x, y, and what stands at the point. A number that is not there is an empty field, and so
/// is that of a cross. Marks along the x axis are a column of their own.
std::string plotCsv(const PlotSpec& spec, std::span<const PlotCurve> curves);

}  // namespace clothlab::app::widgets
