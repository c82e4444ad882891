#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/pen.hpp"
#include "widgets/ui_theme.hpp"

/// Names of curves in rows, from left to right, with a fixed number of rows. The last row ends with the number of names
/// that did not fit; the caller offers these in a list.
namespace clothlab::app::widgets {

struct LegendRoom {
    ImVec2 corner;  ///< of the first row, upper left
    float width, line;
    float swatch;  ///< before a name
    float gap;     ///< between two of them
    int rows;      ///< at most; one at least
};

struct LegendName {
    std::size_t curve;
    ImVec2 min, max;  ///< swatch and words
    std::string words;
    bool cut;  ///< the text is shorter than the name
};

struct Legend {
    std::vector<LegendName> names;
    int rows = 0;
    std::size_t first = 0;    ///< first curve without a place; the number of curves: none
    std::string more;         ///< "+3 more"
    ImVec2 moreMin, moreMax;  ///< rectangle of `more`

    bool all() const { return more.empty(); }
};

struct PlotFrame;

/// The legend of one plot: how many rows it may have, how it is drawn, and how its curves are hidden.
class PlotLegend {
public:
    explicit PlotLegend(const PlotFrame& frame);
    /// Chooses rows so that the plot has the larger part of the room; at least one.
    void layOut(float room);
    /// Pixels, with the gap below; 0: there is none.
    float height() const;
    /// Removes it for want of room.
    void drop() { legend_ = {}; }
    void draw() const;
    /// A click on a name hides its curve; one on "+3 more" opens a list of the others.
    void handle(bool hovered) const;

private:
    float swatchWidth() const;
    void drawCurveSwatch(const Pen& pen, std::size_t curve, ImVec2 at) const;
    void handleMore(bool pointedAt) const;

    const PlotFrame& frame_;
    const UiTheme& theme_;
    Legend legend_;
};

/// In ImGui's current font. A name that is wider than a row is cut.
Legend layOutLegend(std::span<const std::string_view> names, const LegendRoom& room);

}  // namespace clothlab::app::widgets
