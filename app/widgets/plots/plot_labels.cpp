#include "widgets/plots/plot_labels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clothlab::app::widgets {

bool LabelPlacer::isFree(const Box& box) const {
    if (box.min.x < min_.x || box.min.y < min_.y || box.max.x > max_.x || box.max.y > max_.y) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
        return box.min.x < other.max.x && other.min.x < box.max.x && box.min.y < other.max.y && other.min.y < box.max.y;
    });
}

/// Right above, left below, right below, left above.
template <class F>
void LabelPlacer::eachSide(ImVec2 point, ImVec2 size, float radius, F&& use) {
    const float right = point.x + radius, left = point.x - radius - size.x;
    const float above = point.y - size.y - radius * 0.5f, below = point.y + radius * 0.5f;
    for (const ImVec2 at : {ImVec2{right, above}, {left, below}, {right, below}, {left, above}})
        use(Box{at, {at.x + size.x, at.y + size.y}});
}

std::optional<ImVec2> LabelPlacer::place(ImVec2 point, ImVec2 size, float radius) {
    std::optional<ImVec2> found;
    eachSide(point, size, radius, [&](const Box& box) {
        if (found || !isFree(box)) return;
        taken_.push_back(box);
        found = box.min;
    });
    return found;
}

std::optional<ImVec2> LabelPlacer::placeClear(std::span<const ImVec2> points, ImVec2 size, float radius,
                                              const InkMap& ink, float most) {
    std::optional<Box> best;
    float least = most;
    for (const ImVec2 point : points)
        eachSide(point, size, radius, [&](const Box& box) {
            if (!isFree(box)) return;
            const float under = ink.under(box.min, box.max);
            if (best ? under >= least : under > least) return;
            best = box;
            least = under;
        });
    if (!best) return {};
    taken_.push_back(*best);
    return best->min;
}

InkMap::InkMap(ImVec2 min, ImVec2 max, float cell)
    : min_(min),
      cell_(cell),
      columns_(std::max(1, int((max.x - min.x) / cell) + 1)),
      rows_(std::max(1, int((max.y - min.y) / cell) + 1)),
      cells_(std::size_t(columns_) * std::size_t(rows_)) {}

int InkMap::column(float x) const { return std::clamp(int((x - min_.x) / cell_), 0, columns_ - 1); }

int InkMap::row(float y) const { return std::clamp(int((y - min_.y) / cell_), 0, rows_ - 1); }

/// Walks along it in half cells. What is outside of the frame counts for its edge.
void InkMap::add(std::span<const ImVec2> line) {
    const int id = added_++;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const ImVec2 from = line[i], by{line[i + 1].x - from.x, line[i + 1].y - from.y};
        const float length = std::min(std::hypot(by.x, by.y), cell_ * float(columns_ + rows_));
        const int steps = std::max(1, int(2 * length / cell_));
        for (int k = 0; k <= steps; ++k) {
            const float along = float(k) / float(steps);
            Cell& cell = cells_[std::size_t(row(from.y + along * by.y)) * std::size_t(columns_) +
                                std::size_t(column(from.x + along * by.x))];
            if (std::exchange(cell.last, id) != id) ++cell.lines;
        }
    }
}

float InkMap::under(ImVec2 min, ImVec2 max) const {
    int lines = 0, cells = 0;
    for (int r = row(min.y); r <= row(max.y); ++r)
        for (int c = column(min.x); c <= column(max.x); ++c, ++cells)
            lines += cells_[std::size_t(r) * std::size_t(columns_) + std::size_t(c)].lines;
    return float(lines) / float(std::max(cells, 1));
}

}  // namespace clothlab::app::widgets
