#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

namespace clothlab::app::widgets {

/// Finds room for words beside points: above or below, right or left of one, inside a frame, clear of marks and other
/// words.
class LabelPlacer {
public:
    LabelPlacer(ImVec2 min, ImVec2 max) : min_(min), max_(max) {}

    /// Nothing may cover this mark.
    void avoid(ImVec2 point, float radius) {
        taken_.push_back({{point.x - radius, point.y - radius}, {point.x + radius, point.y + radius}});
    }
    /// Where the words begin; nothing when there is no room.
    std::optional<ImVec2> place(ImVec2 point, ImVec2 size, float radius);

private:
    struct Box {
        ImVec2 min, max;
    };
    bool isFree(const Box& box) const;

    ImVec2 min_, max_;
    std::vector<Box> taken_;
};

}  // namespace clothlab::app::widgets
