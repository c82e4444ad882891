#include "widgets/plots/plot_twins.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::widgets {
namespace {

/// How far a point is above or below a piece of a line that comes by its x.
float apart(ImVec2 a, ImVec2 b, ImVec2 at) {
    if (b.x <= a.x) return std::abs(std::clamp(at.y, std::min(a.y, b.y), std::max(a.y, b.y)) - at.y);
    const float along = std::clamp((at.x - a.x) / (b.x - a.x), 0.0f, 1.0f);
    return std::abs(a.y + along * (b.y - a.y) - at.y);
}

/// Whether the points of one line from `low` to `high` lie on the other. Both ascend in x.
bool pointsLieOn(std::span<const ImVec2> line, std::span<const ImVec2> other, float low, float high, float within) {
    std::size_t k = 1;
    for (const ImVec2 at : line) {
        if (at.x < low || at.x > high) continue;
        while (k + 1 < other.size() && other[k].x < at.x) ++k;
        bool near = false;
        for (std::size_t piece = k; !near && piece < other.size() && (piece == k || other[piece - 1].x <= at.x);
             ++piece)
            near = apart(other[piece - 1], other[piece], at) <= within;
        if (!near) return false;
    }
    return true;
}

/// As far as the first goes. The end first: most lines part there.
bool liesOn(std::span<const ImVec2> line, std::span<const ImVec2> other, float within) {
    if (line.size() < 2 || other.size() < 2) return false;
    const float low = line.front().x, high = line.back().x;
    if (low < other.front().x - within || high > other.back().x + within) return false;
    return pointsLieOn(line.last(1), other, low, high, within) && pointsLieOn(line, other, low, high, within) &&
           pointsLieOn(other, line, low, high, within);
}

}  // namespace

std::vector<std::size_t> firstTwins(std::span<const std::vector<ImVec2>> lines, float within) {
    std::vector<std::size_t> first(lines.size());
    for (std::size_t c = 0; c < lines.size(); ++c) {
        first[c] = c;
        for (std::size_t other = 0; other < c && first[c] == c; ++other)
            if (first[other] == other &&
                (liesOn(lines[c], lines[other], within) || liesOn(lines[other], lines[c], within)))
                first[c] = other;
    }
    return first;
}

}  // namespace clothlab::app::widgets
