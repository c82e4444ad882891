#pragma once

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// Left: controls. Right: plots. Bottom: the motion. Centre: the cloth. From kFullWidth up there is room for both
/// columns; a narrower window shows one of them, or none.
struct Regions {
    static constexpr float kFullWidth = 1100,
                           kFullHeight = 640;  ///< points: from here up nothing overlaps and no text is cut
    static constexpr float kLeastWidth = 640, kLeastHeight = 400;  ///< points: smaller is no window
    static constexpr float kOneLine = 640;  ///< points: width from which the bottom bar is one line
    panels::Region left, right, bottom, centre;
    static Regions of(ImVec2 window, float scale, panels::Column shown = panels::Column::Controls);
    static bool folded(ImVec2 window, float scale) { return window.x < kFullWidth * scale - 0.5f; }
};

}  // namespace clothlab::app::columns
