#include "factors/factor_maker.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "laplacian.hpp"

namespace clothlab::factors {

using linalg::BlockVector;
using testing::laplacian;
namespace {

class FactorMakerTest : public ::testing::Test {
protected:
    std::shared_ptr<const FactorSource> source(double k, std::vector<Index> pinned = {}) const {
        return std::make_shared<const FactorSource>(
            FactorSource{.pattern = pattern_, .values = laplacian(*pattern_, k), .pinned = std::move(pinned)});
    }
    void expectTheFactorOf(const std::shared_ptr<const FactorSource>& wanted, FactoredMatrix made) {
        ASSERT_TRUE(made.made()) << made.message();
        EXPECT_EQ(made.source(), wanted);
        FactoredMatrix here;
        ASSERT_TRUE(here.make(wanted, pool_));
        BlockVector x, expected;
        made.factor().solveSingle(b_, x, pool_);
        here.factor().solveSingle(b_, expected, pool_);
        for (Index i = 0; i < x.size(); ++i) ASSERT_EQ(Vec3(x[i]), Vec3(expected[i])) << i;
    }
    /// Waits until the factor is ready, at most ten seconds.
    bool comes(const FactorSource& wanted) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (std::chrono::steady_clock::now() < end) {
            if (maker_.ready(wanted)) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

    WorkerPool pool_;
    std::shared_ptr<const linalg::BlockPattern> pattern_ = testing::gridSystem(13, 51).A.sharedPattern();
    BlockVector b_ = testing::randomBlocks(pattern_->rows, 52);
    FactorMaker maker_;
};

TEST_F(FactorMakerTest, MakesTheSameFactorBesideTheCaller) {
    const auto wanted = source(0.7, {3, 4});
    maker_.order(wanted);
    maker_.order(source(0.7, {3, 4}));  // the same again
    ASSERT_TRUE(comes(*wanted));
    expectTheFactorOf(wanted, maker_.take());
    EXPECT_FALSE(maker_.ready(*wanted));
}

TEST_F(FactorMakerTest, WaitsForWhatIsTakenTooEarly) {
    const auto wanted = source(0.3);
    maker_.order(wanted);
    expectTheFactorOf(wanted, maker_.take());
}

TEST_F(FactorMakerTest, TheLastOrderCounts) {
    for (int k = 1; k < 20; ++k) {
        maker_.order(source(0.1 * k));
        if (k % 5 == 0) {
            EXPECT_TRUE(comes(*source(0.1 * k)));
        }
    }
    const auto last = source(7, {1});
    maker_.order(source(3));
    maker_.order(last);
    EXPECT_FALSE(maker_.ready(*source(3)));
    ASSERT_TRUE(comes(*last));
    expectTheFactorOf(last, maker_.take());
}

TEST_F(FactorMakerTest, AFactorGivenBackServesTheNext) {
    FactoredMatrix first;
    ASSERT_TRUE(first.make(source(0.5), pool_));
    EXPECT_GT(first.seconds().analysis, 0);
    maker_.giveBack(std::move(first));
    const auto wanted = source(5);
    maker_.order(wanted);
    FactoredMatrix made = maker_.take();
    EXPECT_LT(made.seconds().analysis, 0.5 * made.seconds().factorization);
    expectTheFactorOf(wanted, std::move(made));
}

TEST_F(FactorMakerTest, SaysWhyThereIsNone) {
    auto none = std::make_shared<FactorSource>(*source(0.5));
    none->values.assign(none->values.size(), 0.0);
    maker_.order(none);
    const FactoredMatrix made = maker_.take();
    EXPECT_FALSE(made.made());
    EXPECT_FALSE(made.message().empty());
}

}  // namespace
}  // namespace clothlab::factors
