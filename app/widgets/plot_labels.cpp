#include "widgets/plot_labels.hpp"

#include <algorithm>

namespace clothlab::app::widgets {

bool LabelPlacer::isFree(const Box& box) const {
    if (box.min.x < min_.x || box.min.y < min_.y || box.max.x > max_.x || box.max.y > max_.y) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
        return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
    });
}

std::optional<ImVec2> LabelPlacer::place(ImVec2 point, ImVec2 size, float radius) {
    const float right = point.x + radius, left = point.x - radius - size.x;
    const float above = point.y - size.y - radius * 0.5f, below = point.y + radius * 0.5f;
    for (const ImVec2 at : {ImVec2{right, above}, {left, below}, {right, below}, {left, above}}) {
        const Box box{at, {at.x + size.x, at.y + size.y}};
        if (!isFree(box)) continue;
        taken_.push_back(box);
        return at;
    }
    return {};
}

}  // namespace clothlab::app::widgets
