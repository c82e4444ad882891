#pragma once

#include <string>
#include <vector>

#include "panels/plots/plot_window.hpp"

namespace clothlab::app::panels {

/// The time of contact in the steps that the plots show.
struct ContactWords {
    std::vector<std::string> lines;  ///< in ms, the longest first; none: contact is negligible
    std::string help;                ///< a sentence; empty when no step is shown
};
ContactWords contactWords(const model::UiModel& model, const PlotWindow& window);

}  // namespace clothlab::app::panels
