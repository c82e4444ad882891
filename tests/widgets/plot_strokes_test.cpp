#include "widgets/plots/plot_strokes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace clothlab::app::widgets {
namespace {

/// The range of heights in each pixel column.
std::vector<std::pair<float, float>> covered(const std::vector<ImVec2>& points, int columns) {
    std::vector<std::pair<float, float>> spans(columns, {1e9f, -1e9f});
    for (const ImVec2& p : points) {
        const auto column = std::size_t(p.x);
        auto& [low, high] = spans[column];
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    return spans;
}

TEST(PlotStrokes, ThinningKeepsWhatEachColumnOfPixelsShows) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> height(0, 100), wide(0.01f, 1.7f);
    std::vector<ImVec2> points;
    for (float x = 0; x < 200; x += points.size() % 400 < 300 ? 0.013f : wide(random))
        points.push_back({x, height(random)});
    points[points.size() / 2].y = 900;  // one step's spike
    std::vector<ImVec2> thin = points;
    thinToColumns(thin);
    EXPECT_EQ(covered(thin, 200), covered(points, 200));
    EXPECT_LE(thin.size(), 4u * 200);
    EXPECT_LT(thin.size(), points.size() / 4);
    EXPECT_TRUE(std::ranges::is_sorted(thin, {}, &ImVec2::x));
    EXPECT_TRUE(thin.front().y == points.front().y && thin.back().y == points.back().y);
    std::vector<ImVec2> few{{0.5f, 3}, {7, 4}, {7.5f, 9}};
    thinToColumns(few);
    EXPECT_EQ(few.size(), 3u);
    std::vector<ImVec2> none;
    thinToColumns(none);
    EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace clothlab::app::widgets
