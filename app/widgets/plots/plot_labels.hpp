#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <vector>

namespace clothlab::app::widgets {

/// Number of lines through each part of a frame, in cells of some pixels.
class InkMap {
public:
    InkMap(ImVec2 min, ImVec2 max, float cell);
    void add(std::span<const ImVec2> line);
    /// Lines in the cells of a box, per cell.
    float under(ImVec2 min, ImVec2 max) const;

private:
    struct Cell {
        int lines = 0, last = -1;  ///< the line that came last
    };
    int column(float x) const;
    int row(float y) const;

    ImVec2 min_;
    float cell_;
    int columns_, rows_, added_ = 0;
    std::vector<Cell> cells_;
};

/// Finds room for words beside points: above or below, right or left of one, inside a frame, clear of marks and other
/// words.
class LabelPlacer {
public:
    LabelPlacer(ImVec2 min, ImVec2 max) : min_(min), max_(max) {}

    /// Nothing may cover this mark.
    void avoid(ImVec2 point, float radius) {
        taken_.push_back({{point.x - radius, point.y - radius}, {point.x + radius, point.y + radius}});
    }
    /// Start of the text; none when there is no room.
    std::optional<ImVec2> place(ImVec2 point, ImVec2 size, float radius);
    /// Beside the point where the text covers the fewest lines; none if these are more than `most` per cell.
    std::optional<ImVec2> placeClear(std::span<const ImVec2> points, ImVec2 size, float radius, const InkMap& ink,
                                     float most);

private:
    struct Box {
        ImVec2 min, max;
    };
    bool isFree(const Box& box) const;
    template <class F>
    static void eachSide(ImVec2 point, ImVec2 size, float radius, F&& use);

    ImVec2 min_, max_;
    std::vector<Box> taken_;
};

}  // namespace clothlab::app::widgets
