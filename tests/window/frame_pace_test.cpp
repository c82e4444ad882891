#include "window/frame_pace.hpp"

#include <gtest/gtest.h>

namespace clothlab::app::window {
namespace {

TEST(FramePace, APictureDrawnByTheCoresTakesAtMostHalfOfTheTimeWhereTheMotionNeedsIt) {
    EXPECT_DOUBLE_EQ((FramePace{.lastFrame = 0.05}.interval()), 1.0 / 60) << "a graphics card draws in parallel";
    EXPECT_DOUBLE_EQ((FramePace{.software = true, .lastFrame = 0.05}.interval()), 1.0 / 30);
    EXPECT_DOUBLE_EQ((FramePace{.software = true, .busy = true, .lastFrame = 0.01}.interval()), 1.0 / 30);
    EXPECT_DOUBLE_EQ((FramePace{.software = true, .busy = true, .lastFrame = 0.05}.interval()), 0.1);
    EXPECT_DOUBLE_EQ((FramePace{.software = true, .busy = true, .lastFrame = 1}.interval()), 1.1);
    EXPECT_DOUBLE_EQ((FramePace{.software = true, .idle = true, .lastFrame = 0.05}.interval()), 0.1);
}

}  // namespace
}  // namespace clothlab::app::window
