#include "base/worker_pool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace clothlab {
namespace {

TEST(WorkerPool, RunsEveryChunkExactlyOnceInEveryRegion) {
    WorkerPool pool(4, 0);
    for (int region = 0; region < 200; ++region) {
        const Index chunks = 1 + region % 37;
        std::vector<int> runs(chunks, 0);
        pool.forChunks(chunks, chunks, [&](Index c) { ++runs[c]; });
        for (const int r : runs) ASSERT_EQ(r, 1) << "region " << region;
    }
}

TEST(WorkerPool, SmallRegionsStayOnTheCaller) {
    WorkerPool pool(3, 1000);
    const auto caller = std::this_thread::get_id();
    int elsewhere = 0;
    pool.forChunks(16, 999, [&](Index) { elsewhere += std::this_thread::get_id() != caller; });
    EXPECT_EQ(elsewhere, 0);
}

TEST(WorkerPool, SumsHaveTheSameBitsAtAnyNumberOfThreads) {
    const Index rows = 7000;
    std::vector<double> values(rows);
    for (Index i = 0; i < rows; ++i) values[i] = std::sin(i) * std::pow(10.0, i % 12);
    const auto sum = [&](int threads) {
        WorkerPool pool(threads, 0);
        return parallelSum(pool, rows, 0.0, [&](Index begin, Index end) {
            return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
        });
    };
    const double one = sum(1);
    EXPECT_EQ(one, sum(2));
    EXPECT_EQ(one, sum(4));
    // The order of the chunks matters: otherwise this test could not detect a wrong one.
    EXPECT_NE(one, std::accumulate(values.rbegin(), values.rend(), 0.0));
}

TEST(WorkerPool, RowChunksCoverAllRowsOnce) {
    for (const Index rows : {0, 1, 511, 512, 513, 5000}) {
        const RowChunks chunks{rows};
        Index next = 0;
        for (Index c = 0; c < chunks.count(); ++c) {
            EXPECT_EQ(chunks.begin(c), next);
            next = chunks.end(c);
        }
        EXPECT_EQ(next, rows);
    }
}

}  // namespace
}  // namespace clothlab
