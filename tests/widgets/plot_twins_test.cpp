#include "widgets/plots/plot_twins.hpp"

#include <gtest/gtest.h>

namespace clothlab::app::widgets {
namespace {

using Line = std::vector<ImVec2>;

TEST(PlotTwins, LinesThatLieOnEachOtherHaveTheFirstOfThem) {
    const Line falling{{0, 0}, {10, 10}, {20, 20}, {30, 30}}, same = falling, sparse{{0, 0.5f}, {30, 30.5f}},
                                                              beside{{0, 0}, {10, 12}, {20, 20}, {30, 30}},
                                                              longer{{0, 0}, {30, 30}, {40, 80}}, dot{{5, 5}};
    EXPECT_EQ(firstTwins(std::vector{falling, beside, same, sparse, dot}, 1),
              (std::vector<std::size_t>{0, 1, 0, 0, 4}));
    EXPECT_EQ(firstTwins(std::vector{falling, longer}, 1), (std::vector<std::size_t>{0, 0}))
        << "all of the first line lies under the longer one";
    EXPECT_EQ(firstTwins(std::vector{beside, longer}, 1), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(firstTwins(std::vector<Line>{{}, {}}, 1), (std::vector<std::size_t>{0, 1}));
}

TEST(PlotTwins, AStepUpAndDownIsALineToo) {
    const Line step{{0, 0}, {10, 0}, {10, 50}, {20, 50}}, other{{0, 0}, {10, 0}, {10, 50}, {20, 50}},
        ramp{{0, 0}, {20, 50}};
    EXPECT_EQ(firstTwins(std::vector{step, other, ramp}, 1), (std::vector<std::size_t>{0, 0, 2}));
}

}  // namespace
}  // namespace clothlab::app::widgets
