#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <thread>

#include "worker/jobs/channel.hpp"
#include "worker/jobs/triple_buffer.hpp"

namespace clothlab::app::worker {
namespace {

TEST(TripleBuffer, TheLatestValueWinsAndComesOnce) {
    TripleBuffer<int> buffer;
    EXPECT_FALSE(buffer.take());
    for (int i = 1; i <= 5; ++i) {
        buffer.back() = i;
        buffer.publish();
    }
    EXPECT_TRUE(buffer.take());
    EXPECT_EQ(buffer.front(), 5);
    EXPECT_FALSE(buffer.take());
    EXPECT_EQ(buffer.front(), 5);
}

/// The producer writes blocks of equal numbers; a consumer that ever sees two different ones has a torn value.
TEST(TripleBuffer, TwoThreadsNeverSeeATornOrAnOlderValue) {
    constexpr int kValues = 20000;
    TripleBuffer<std::array<int, 64>> buffer;
    std::thread producer([&] {
        for (int i = 1; i <= kValues; ++i) {
            buffer.back().fill(i);
            buffer.publish();
        }
    });
    int last = 0;
    bool torn = false, backward = false;
    while (last < kValues) {
        if (!buffer.take()) {
            std::this_thread::yield();
            continue;
        }
        const auto& value = buffer.front();
        for (const int v : value) torn |= v != value[0];
        backward |= value[0] <= last;
        last = value[0];
    }
    producer.join();
    EXPECT_FALSE(torn);
    EXPECT_FALSE(backward);
}

TEST(Channel, NothingIsLostBetweenTwoThreads) {
    constexpr int kItems = 20000;
    Channel<int> channel;
    std::thread producer([&] {
        std::vector<int> unsent;
        for (int i = 0; i < kItems; ++i) {
            unsent.push_back(i);
            channel.tryPush(unsent);
        }
        while (!channel.tryPush(unsent)) std::this_thread::yield();
    });
    std::vector<int> got;
    while (got.size() < kItems)
        if (!channel.tryDrain(got)) std::this_thread::yield();
    producer.join();
    std::vector<int> expected(kItems);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace clothlab::app::worker
