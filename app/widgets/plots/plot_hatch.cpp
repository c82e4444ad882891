#include "widgets/plots/plot_hatch.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::widgets {
namespace {

/// Lines y = intercept + slope x for every intercept on a grid, as far as they lie in the boxes.
void sloped(const Pen& pen, std::span<const HatchBox> boxes, float slope, ImU32 color, float apart, float width) {
    float least = 1e30f, most = -1e30f;
    for (const HatchBox& box : boxes) {
        least = std::min({least, box.high - slope * box.from, box.high - slope * box.to});
        most = std::max({most, box.low - slope * box.from, box.low - slope * box.to});
    }
    for (float intercept = std::ceil(least / apart) * apart; intercept < most; intercept += apart) {
        float begin = 0, end = -1;  // of the piece that is under way; none
        const auto flush = [&] {
            if (end > begin) pen.line({begin, intercept + slope * begin}, {end, intercept + slope * end}, color, width);
        };
        for (const HatchBox& box : boxes) {
            float from = box.from, to = box.to;
            if (slope == 0) {
                if (intercept < box.high || intercept > box.low) continue;
            } else {
                const float a = (box.high - intercept) / slope, b = (box.low - intercept) / slope;
                from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
                if (from >= to) continue;
            }
            if (end > begin && from <= end + 0.01f) {
                end = to;
                continue;
            }
            flush();
            begin = from, end = to;
        }
        flush();
    }
}

void upright(const Pen& pen, std::span<const HatchBox> boxes, ImU32 color, float apart, float width) {
    for (const HatchBox& box : boxes)
        for (float x = std::ceil(box.from / apart) * apart; x < box.to; x += apart)
            pen.line({x, box.high}, {x, box.low}, color, width);
}

}  // namespace

void hatch(const Pen& pen, std::span<const HatchBox> boxes, std::size_t pattern, ImU32 color, float apart,
           float width) {
    if (boxes.empty()) return;
    enum Pattern : std::size_t { None, Rising, Level, Falling, Upright, Crossed, Patterns };
    switch (pattern % Patterns) {
        case Rising:
            return sloped(pen, boxes, -1, color, apart, width);
        case Level:
            return sloped(pen, boxes, 0, color, apart, width);
        case Falling:
            return sloped(pen, boxes, 1, color, apart, width);
        case Upright:
            return upright(pen, boxes, color, apart, width);
        case Crossed:
            sloped(pen, boxes, -1, color, apart, width);
            return sloped(pen, boxes, 1, color, apart, width);
        default:
            return;
    }
}

}  // namespace clothlab::app::widgets
