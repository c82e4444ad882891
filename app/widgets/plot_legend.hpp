#pragma once

#include <imgui.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    bool cut;  ///< the words are less than the name
};

struct Legend {
    std::vector<LegendName> names;
    int rows = 0;
    std::size_t first = 0;    ///< of the curves without a place; as many as there are curves: none
    std::string more;         ///< "+3 more"
    ImVec2 moreMin, moreMax;  ///< where that stands

    bool all() const { return more.empty(); }
};

/// In ImGui's font of now. A name that is wider than a row is cut.
Legend layOutLegend(std::span<const std::string_view> names, const LegendRoom& room);

}  // namespace clothlab::app::widgets
