#pragma once

#include <span>
#include <string_view>

#include "model/ui_states.hpp"

namespace clothlab::app::model {

struct MotionPlotEntry {
    MotionPlot plot;
    std::string_view key, name;
    float share;  ///< of the height of the column; those with a line of names have more
};
std::span<const MotionPlotEntry> motionPlots();

}  // namespace clothlab::app::model
