#pragma once

#include <string>
#include <vector>

#include "widgets/ui_theme.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::panels {

/// The texts of the residual plot, from the report of the step shown only, not from the current settings.
struct ResidualWords {
    widgets::Style style = widgets::hue::kInk;  ///< of the method that solved
    std::string method;                         ///< "Incomplete Cholesky, fill level 1"
    std::vector<std::string>
        caption;                 ///< method, iterations, and "before the change" where it is no longer the active one
    std::string note, noteHelp;  ///< "true 9.6e-4"
    std::string empty;           ///< why there is no curve
    bool iterates = false;       ///< the method iterates to the residual of the axis, so that its tolerance is a level
    double tolerance = 0;        ///< by its rule, for the time step
};
ResidualWords residualWords(const worker::Snapshot& now);

/// Whether the methods of the step shown differ from the current settings.
bool methodsChanged(const worker::Snapshot& now);

}  // namespace clothlab::app::panels
