#pragma once

#include <string>
#include <vector>

#include "widgets/ui_theme.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::panels {

/// What the plot of the residual says of the step shown: all of it from that step's report, nothing from the settings
/// of now.
struct ResidualWords {
    widgets::Style style = widgets::hue::kInk;  ///< of the method that solved
    std::string method;                         ///< "Incomplete Cholesky, fill level 1"
    std::vector<std::string>
        caption;                 ///< method, iterations, and "before the change" where it is no longer the active one
    std::string note, noteHelp;  ///< "true 9.6e-4"
    std::string empty;           ///< why there is no curve
    bool iterates = false;  ///< the step's method iterates to a residual as the axis has it: its tolerance is a level
    double tolerance = 0;   ///< by its rule, for the length of the step
};
ResidualWords residualWords(const worker::Snapshot& now);

/// The methods of the step shown are not those that are set now.
bool methodsChanged(const worker::Snapshot& now);

}  // namespace clothlab::app::panels
