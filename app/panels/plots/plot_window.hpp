#pragma once

#include <span>

#include "model/ui_model.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// All plots over steps show the same part of them.
inline constexpr std::string_view kStepsAxis = "steps";

/// The steps that the plots over steps show: by default the last ones, or those around the state shown; else the user's
/// choice.
struct PlotWindow {
    widgets::PlotRange usual, whole;
    std::size_t first, count;              ///< entries shown, and one beyond each side, for the curves
    std::size_t firstInside, countInside;  ///< without those beyond the sides

    static PlotWindow of(const model::UiModel& model);
    template <class T>
    std::span<const T> cut(std::span<const T> all) const {
        return all.subspan(first, count);
    }
    template <class T>
    std::span<const T> inside(std::span<const T> all) const {
        return all.subspan(firstInside, countInside);
    }
};

/// A plot over the common axis of steps: in a low column only the lowest has its labels.
widgets::PlotSpec overSteps(const model::UiModel& model, const PlotWindow& window, bool xTicks, std::string_view id,
                            std::string_view title, std::string_view unit);

}  // namespace clothlab::app::panels
