#pragma once

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// Left: controls. Right: plots. Bottom: the motion. Centre: the cloth. From kFullWidth up there is room for both
/// columns; a narrower window shows one of them, or none.
struct Regions {
    static constexpr float kFullWidth = 1100,
                           kFullHeight = 640;  ///< points: from this size on nothing overlaps and no text is cut
    static constexpr float kLeastWidth = 640, kLeastHeight = 400;  ///< points: smallest window
    static constexpr float kOneLine = 680;                         ///< points: least width for a bottom bar of one line
    static constexpr float kOneLinePresenting = 560;  ///< the same in the presenter's mode, which has fewer buttons
    panels::Region left, right, bottom, centre;
    static constexpr float kLeastLeft = 250, kLeastRight = 280, kLeastCentre = 500;  ///< points, of dragged columns
    static constexpr float kMostLeft = 560, kMostRight = 800;
    static constexpr float kLeastBeside = 300;  ///< points of the centre beside a single column

    static Regions of(ImVec2 window, float scale, model::Column shown = model::Column::Controls,
                      model::ColumnWidths widths = {});
    static constexpr float kMostLesson = 360;  ///< points of a lesson's column in the presenter's mode
    /// In the presenter's mode: no columns but that of a lesson. `low`: the bar of the motion is as low as it can be.
    static Regions presenting(ImVec2 window, float scale, bool lesson, bool low);
    static bool folded(ImVec2 window, float scale) { return window.x < kFullWidth * scale - 0.5f; }
};

}  // namespace clothlab::app::columns
