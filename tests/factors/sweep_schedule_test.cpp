#include "factors/sweep_schedule.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>

namespace clothlab::factors {
namespace {

/// A strictly lower triangle by rows and the domains of its order.
struct Lower {
    std::vector<Index> rowStart{0}, column, domainStart;

    Index rows() const { return Index(rowStart.size()) - 1; }
    void closeRow() {
        std::sort(column.begin() + rowStart.back(), column.end());
        rowStart.push_back(Index(column.size()));
    }
    SweepSchedule::Triangle view() const { return {rowStart, column, domainStart}; }
};

/// The neighbours in a sheet: stretch, both diagonals, and bend.
Lower sheet(Index side) {
    Lower lower;
    for (Index r = 0; r < side; ++r)
        for (Index c = 0; c < side; ++c) {
            for (const auto& [dr, dc] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, -1}, std::pair{1, 0},
                                         std::pair{1, 1}, std::pair{2, 0}})
                if (r >= dr && c >= dc && c - dc < side) lower.column.push_back((r - dr) * side + c - dc);
            lower.closeRow();
        }
    lower.domainStart = {0, lower.rows()};
    return lower;
}

/// Two domains that do not touch each other, and a separator that touches both; rows with any number of blocks.
Lower scattered(Index rows, unsigned seed) {
    std::mt19937 rng(seed);
    Lower lower;
    lower.domainStart = {0, 2 * rows / 5, 4 * rows / 5};
    for (Index k = 0; k < rows; ++k) {
        const Index begin = k < lower.domainStart[1] ? 0 : k < lower.domainStart[2] ? lower.domainStart[1] : 0;
        std::vector<Index> row;
        for (unsigned n = rng() % 6; n > 0 && k > begin; --n) row.push_back(begin + Index(rng() % unsigned(k - begin)));
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        lower.column.insert(lower.column.end(), row.begin(), row.end());
        lower.closeRow();
    }
    return lower;
}

/// Sweeps down and up over a triangle, and counts rows that were handled too early. `touched` of a column is the last
/// row that was subtracted from it on the way up.
class Watched {
public:
    explicit Watched(const Lower& lower)
        : lower_(lower),
          down_(std::make_unique<std::atomic<int>[]>(std::size_t(lower.rows()))),
          up_(std::make_unique<std::atomic<int>[]>(std::size_t(lower.rows()))),
          touched_(std::make_unique<std::atomic<Index>[]>(std::size_t(lower.rows()))) {
        for (Index k = 0; k < lower.rows(); ++k) touched_[k] = lower.rows();
    }
    void down(Index first, Index end) {
        for (Index k = first; k < end; ++k) {
            for (Index s = lower_.rowStart[k]; s < lower_.rowStart[k + 1]; ++s) {
                wrong_ += down_[lower_.column[s]] != 1;
                wrong_ += touched_[lower_.column[s]] != lower_.rows();  // the way up has begun too early
            }
            ++down_[k];
        }
    }
    void up(Index first, Index end) {
        for (Index k = end - 1; k >= first; --k) {
            wrong_ += down_[k] != 1;
            for (Index s = lower_.rowStart[k]; s < lower_.rowStart[k + 1]; ++s) {
                const Index column = lower_.column[s];
                wrong_ += up_[column] != 0;
                wrong_ += touched_[column].exchange(k) <= k;
            }
            ++up_[k];
        }
    }
    void expectAllDone(int sweepsUp) const {
        EXPECT_EQ(wrong_, 0);
        for (Index k = 0; k < lower_.rows(); ++k) ASSERT_EQ(down_[k] * 2 + up_[k], 2 + sweepsUp) << k;
    }

private:
    const Lower& lower_;
    std::unique_ptr<std::atomic<int>[]> down_, up_;
    std::unique_ptr<std::atomic<Index>[]> touched_;
    std::atomic<int> wrong_{0};
};

TEST(SweepSchedule, RowsComeOnceAndAfterThoseTheyDependOn) {
    std::vector<Lower> triangles{sheet(3), sheet(40), scattered(0, 1)};
    for (unsigned seed = 1; seed < 6; ++seed) triangles.push_back(scattered(Index(100 * seed), seed));
    for (const Lower& lower : triangles)
        for (const int lanes : {1, 2, 3, 5, 8, 16, 100})
            for (const int threads : {1, 2, 4}) {
                SweepSchedule schedule;
                schedule.make(lower.view(), lanes);
                if (schedule.lanes() == 0) continue;
                WorkerPool pool(threads, 0);
                for (int again = 0; again < 3; ++again) {
                    Watched both(lower), only(lower);
                    schedule.downAndUp(
                        pool, [&](Index first, Index end) { both.down(first, end); },
                        [&](Index first, Index end) { both.up(first, end); });
                    both.expectAllDone(1);
                    schedule.down(pool, [&](Index, Index first, Index end) { only.down(first, end); });
                    only.expectAllDone(0);
                }
            }
}

TEST(SweepSchedule, ASheetIsSweptAsAWave) {
    const Lower lower = sheet(161);
    SweepSchedule schedule;
    double before = 1;
    for (const auto& [lanes, least] : {std::pair{2, 1.8}, std::pair{4, 3.2}, std::pair{8, 5.0}}) {
        schedule.make(lower.view(), lanes);
        EXPECT_GT(schedule.speedup(), least) << lanes;
        EXPECT_LE(schedule.speedup(), lanes);
        EXPECT_GT(schedule.speedup(), before);
        before = schedule.speedup();
    }
}

TEST(SweepSchedule, AChainHasNothingForASecondLane) {
    Lower chain;
    for (Index k = 0; k < 500; ++k) {
        if (k > 0) chain.column.push_back(k - 1);
        chain.closeRow();
    }
    chain.domainStart = {0, 500};
    SweepSchedule schedule;
    schedule.make(chain.view(), 8);
    EXPECT_EQ(schedule.lanes(), 0);
}

}  // namespace
}  // namespace clothlab::factors
