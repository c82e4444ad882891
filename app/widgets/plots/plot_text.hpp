#pragma once

#include <optional>
#include <span>
#include <string>

#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {

/// The label at x on an axis of words.
std::optional<std::string> xWord(const PlotSpec& spec, double x);
/// Why nothing is drawn: all is hidden, or outside of what is shown, or zero on a logarithmic axis, or there is
/// nothing.
std::string emptyWords(const PlotSpec& spec, std::span<const PlotCurve> all, bool hidden);

/// The values of the part shown, of visible curves. If all curves have the same x: one column per curve, else one line
/// per point: curve, x, y, and its label. Missing numbers, also those of crosses, are empty fields. Marks along the x
/// axis are a column of their own.
std::string plotCsv(const PlotSpec& spec, std::span<const PlotCurve> curves);

}  // namespace clothlab::app::widgets
