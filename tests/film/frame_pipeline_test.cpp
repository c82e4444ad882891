#include "frames/frame_pipeline.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <future>
#include <latch>
#include <thread>
#include <vector>

// Frames are packed in parallel and handed on in order, with a bounded number of them in memory.
namespace clothlab::app::frames {
namespace {

render::Image pixel(int value) { return {1, 1, {std::uint8_t(value), 0, 0}}; }

TEST(FramePipelineTest, HandsOnInOrderWhateverPackingTakes) {
    std::vector<int> order;
    std::vector<std::int64_t> firsts;
    FramePipeline pipeline(
        4,
        [](Frame& frame) -> Expected<void> {
            // Of each four frames, the later ones are packed faster.
            std::this_thread::sleep_for(std::chrono::milliseconds(2 * (3 - frame.image.rgb[0] % 4)));
            frame.packed = std::string(1, char(frame.image.rgb[0]));
            return {};
        },
        [&](const Frame& frame) -> Expected<void> {
            order.push_back(frame.packed[0]);
            firsts.push_back(frame.first);
            return {};
        });
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(pipeline.add(pixel(k), 1 + k % 3));
    ASSERT_TRUE(pipeline.finish());
    ASSERT_EQ(order.size(), 40u);
    std::int64_t first = 0;
    for (int k = 0; const std::int64_t each : firsts) {
        EXPECT_EQ(order[k], k);
        EXPECT_EQ(each, first);
        first += 1 + k++ % 3;
    }
}

TEST(FramePipelineTest, PacksAsManyAtOnceAsThereAreThreads) {
    std::barrier together(3);  // no thread passes before three have arrived
    FramePipeline pipeline(
        3,
        [&](Frame&) -> Expected<void> {
            together.arrive_and_wait();
            return {};
        },
        [](const Frame&) -> Expected<void> { return {}; });
    for (int k = 0; k < 9; ++k) ASSERT_TRUE(pipeline.add(pixel(k), 1));
    EXPECT_TRUE(pipeline.finish());
}

TEST(FramePipelineTest, WhoAddsWaitsOnlyForTheBoundOfMemory) {
    constexpr int kThreads = 2, kAhead = 4;
    std::latch open(1);
    std::atomic<int> added = 0;
    FramePipeline pipeline(
        kThreads,
        [&](Frame&) -> Expected<void> {
            open.wait();
            return {};
        },
        [](const Frame&) -> Expected<void> { return {}; });
    for (int k = 0; k < kThreads + kAhead; ++k, ++added) ASSERT_TRUE(pipeline.add(pixel(k), 1));  // must not wait
    std::future<void> more = std::async(std::launch::async, [&] {
        EXPECT_TRUE(pipeline.add(pixel(9), 1));
        ++added;
    });
    EXPECT_EQ(more.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout) << "one more has to wait";
    EXPECT_EQ(added, kThreads + kAhead);
    open.count_down();
    more.get();
    EXPECT_TRUE(pipeline.finish());
}

TEST(FramePipelineTest, AFullDiskEndsItAndIsSaid) {
    std::vector<int> handed;
    FramePipeline pipeline(
        3, [](Frame&) -> Expected<void> { return {}; },
        [&](const Frame& frame) -> Expected<void> {
            if (frame.image.rgb[0] == 5) return fail("no space");
            handed.push_back(frame.image.rgb[0]);
            return {};
        });
    bool said = false;
    for (int k = 0; k < 100 && !said; ++k) said = !pipeline.add(pixel(k), 1);
    const auto finished = pipeline.finish();
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().message, "no space");
    EXPECT_TRUE(said) << "long before the hundredth frame";
    EXPECT_EQ(handed, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(FramePipelineTest, WhatIsGivenUpIsDropped) {
    std::atomic<int> handed = 0;
    std::latch open(1);
    const std::jthread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        open.count_down();
    });
    {
        FramePipeline pipeline(1, FramePipeline::Pack(), [&](const Frame&) -> Expected<void> {
            open.wait();
            ++handed;
            return {};
        });
        for (int k = 0; k < 4; ++k) ASSERT_TRUE(pipeline.add(pixel(k), 1));
    }
    EXPECT_LE(handed, 1) << "at most the frame in progress";
}

}  // namespace
}  // namespace clothlab::app::frames
