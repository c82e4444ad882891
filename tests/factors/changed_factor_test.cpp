#include "factors/changed_factor.hpp"

#include <gtest/gtest.h>

#include <set>

#include "laplacian.hpp"

namespace clothlab::factors {

using linalg::BlockPattern;
using linalg::BlockVector;
using testing::apart;
using testing::laplacian;
using testing::threefold;
using Added = std::vector<std::pair<Index, double>>;
namespace {

class ChangedFactorTest : public ::testing::Test {
protected:
    explicit ChangedFactorTest() : ChangedFactorTest(testing::gridSystem(13, 51).A.sharedPattern()) {}
    explicit ChangedFactorTest(std::shared_ptr<const BlockPattern> p)
        : pattern_(std::move(p)), values_(laplacian(*pattern_, 0.7)), b_(testing::randomBlocks(pattern_->rows, 52)) {}

    FactoredMatrix made(std::vector<Index> pinned) {
        FactoredMatrix matrix;
        EXPECT_TRUE(matrix.make({pattern_, values_, std::move(pinned)}, pool_)) << matrix.message();
        return matrix;
    }
    /// The dense solution with 0 at pinned rows.
    BlockVector expected(const std::vector<Index>& pinned, const Added& added = {}) const {
        BlockVector x = testing::DenseMatrix(threefold(pattern_, values_, pinned, added)).solveSymmetric(b_).blocks();
        for (const Index i : pinned) x[i].setZero();
        return x;
    }
    void expectSolved(const std::vector<Index>& pinned, const Added& added = {}) {
        ASSERT_TRUE(changed_.follow({pinned, added}, pool_)) << changed_.message();
        const BlockVector wanted = expected(pinned, added);
        BlockVector x;
        ASSERT_TRUE(changed_.solve(b_, x, pool_));
        EXPECT_LT(apart(x, wanted), 1e-4);
        for (const Index i : pinned) EXPECT_EQ(Vec3(x[i]), Vec3(Vec3::Zero()));
        ASSERT_TRUE(changed_.solveRefined(b_, x, pool_)) << changed_.message();
        EXPECT_LT(apart(x, wanted), 1e-10);
        for (const Index i : pinned) EXPECT_EQ(Vec3(x[i]), Vec3(Vec3::Zero()));
    }

    WorkerPool pool_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<double> values_;
    BlockVector b_;
    ChangedFactor changed_;
};

TEST_F(ChangedFactorTest, WithoutAChangeIsTheFactor) {
    changed_.take(made({3, 4}));
    expectSolved({3, 4});
    EXPECT_EQ(changed_.columns(), 0);
}

TEST_F(ChangedFactorTest, ANewFactorServesWithoutAChange) {
    changed_.take(made({3, 4}));
    expectSolved({3, 4, 5});
    changed_.take(made({3, 4, 5}));
    expectSolved({3, 4, 5});
    EXPECT_EQ(changed_.columns(), 0);
}

TEST_F(ChangedFactorTest, PinsAndLetsGoInAnyOrder) {
    changed_.take(made({0, 12, 13}));
    expectSolved({0, 12, 13, 80});
    EXPECT_EQ(changed_.columns(), 1);
    expectSolved({0, 12, 13, 80, 81, 120});
    expectSolved({0, 12, 13, 81, 120});
    EXPECT_EQ(changed_.columns(), 2);
    expectSolved({0, 81, 120});  // the neighbours 12 and 13 are both released
    EXPECT_EQ(changed_.columns(), 4);
    expectSolved({81, 14});  // 14 is a neighbour of 13, which was released
    expectSolved({});
    EXPECT_EQ(changed_.columns(), 3);
    expectSolved({0, 12, 13});
    EXPECT_EQ(changed_.columns(), 0);
}

TEST_F(ChangedFactorTest, AddsStiffness) {
    changed_.take(made({0, 1}));
    expectSolved({0, 1}, {{84, 50.0}});
    expectSolved({0, 1}, {{84, 0.25}});
    expectSolved({0, 1, 84}, {{84, 9.0}});  // nothing moves a pinned particle
    expectSolved({0}, {{1, 3.0}, {84, 9.0}});
    expectSolved({0}, {{84, 9.0}, {85, 9.0}});
    expectSolved({0, 1});
    EXPECT_EQ(changed_.columns(), 0);
}

TEST_F(ChangedFactorTest, SpringsBreakAndMendBetweenRowsThatArePinnedAndLetGo) {
    using Link = ChangedFactor::Link;
    changed_.take(made({0, 1, 40}));
    const auto expectLinked = [&](const std::vector<Index>& pinned, const std::vector<Link>& links) {
        ASSERT_TRUE(changed_.follow({pinned, {}, links}, pool_)) << changed_.message();
        std::vector<double> values = values_;
        for (const auto& [i, j, value] : links) {
            for (const Index end : {i, j}) values[pattern_->diagonal[end]] += value;
            values[pattern_->find(i, j)] -= value;
            values[pattern_->find(j, i)] -= value;
        }
        BlockVector wanted = testing::DenseMatrix(threefold(pattern_, values, pinned, {})).solveSymmetric(b_).blocks();
        for (const Index i : pinned) wanted[i].setZero();
        BlockVector x;
        ASSERT_TRUE(changed_.solve(b_, x, pool_));
        EXPECT_LT(apart(x, wanted), 1e-4);
        ASSERT_TRUE(changed_.solveRefined(b_, x, pool_)) << changed_.message();
        EXPECT_LT(apart(x, wanted), 1e-10);
    };
    const double k = -values_[pattern_->find(84, 85)];
    ASSERT_GT(k, 0);
    expectLinked({0, 1, 40}, {{84, 85, -k}});
    expectLinked({0, 1, 40}, {{84, 85, -k}, {85, 86, -k}, {84, 97, -k}});
    EXPECT_EQ(changed_.columns(), 3);
    expectLinked({0, 1, 40}, {{85, 86, -k}, {84, 97, 2.5}});
    expectLinked({0, 1, 40, 85}, {{84, 85, -k}, {85, 86, -k}});  // one end is also pinned
    expectLinked({0}, {{0, 1, -k}, {1, 2, -k}, {40, 41, -k}});   // one pin is released, the other stays
    expectLinked({}, {{0, 1, -k}, {1, 14, -k}, {27, 40, -k}});   // both are released
    expectLinked({0, 1, 40}, {});
    EXPECT_EQ(changed_.columns(), 0);
}

TEST_F(ChangedFactorTest, FollowsAHundredPinsInTurn) {
    changed_.take(made({5, 6, 7}));
    std::mt19937 rng(53);
    std::set<Index> pinned{5, 6, 7};
    for (int turn = 0; turn < 100; ++turn) {
        const auto i = Index(rng() % unsigned(pattern_->rows));
        const bool lets = pinned.size() > 12 || (turn % 2 == 1 && pinned.size() > 1);
        if (lets)
            pinned.erase(std::next(pinned.begin(), std::ptrdiff_t(rng() % pinned.size())));
        else
            pinned.insert(i);
        const std::vector<Index> list(pinned.begin(), pinned.end());
        ASSERT_TRUE(changed_.follow({list, {}}, pool_)) << changed_.message();
    }
    const std::vector<Index> list(pinned.begin(), pinned.end());
    ChangedFactor fresh;
    fresh.take(made(list));
    BlockVector x, anew;
    ASSERT_TRUE(changed_.solveRefined(b_, x, pool_) && fresh.solveRefined(b_, anew, pool_));
    EXPECT_LT(apart(x, anew), 1e-8);
    expectSolved(list);
    // The dense solution checks the fresh factor too.
    EXPECT_LT(apart(anew, expected(list)), 1e-10);
}

TEST_F(ChangedFactorTest, TakesAFactorFromAnotherThread) {
    changed_.take(made({}));
    expectSolved({9, 10});
    FactoredMatrix folded;
    std::thread background([&] {
        WorkerPool own;
        ASSERT_TRUE(folded.make({pattern_, values_, {9, 10}}, own));
    });
    background.join();
    changed_.take(std::move(folded));
    expectSolved({9, 10, 11});
    EXPECT_EQ(changed_.columns(), 1);
}

TEST_F(ChangedFactorTest, HasTheSameBitsAtAnyNumberOfThreads) {
    std::vector<BlockVector> solutions;
    for (const int threads : {1, 2, 4}) {
        WorkerPool pool(threads, 1);
        ChangedFactor changed;
        FactoredMatrix matrix;
        ASSERT_TRUE(matrix.make({pattern_, values_, {2}}, pool));
        changed.take(std::move(matrix));
        const std::vector<Index> pinned{40, 41};
        ASSERT_TRUE(changed.follow({pinned, {}}, pool));
        BlockVector x, refined;
        ASSERT_TRUE(changed.solve(b_, x, pool) && changed.solveRefined(b_, refined, pool));
        solutions.push_back(x);
        solutions.push_back(refined);
    }
    for (std::size_t k = 2; k < solutions.size(); ++k) EXPECT_TRUE(solutions[k] == solutions[k % 2]) << k;
}

TEST_F(ChangedFactorTest, SaysWhenTheChangedMatrixIsSingular) {
    values_ = laplacian(*pattern_, 0.0);  // singular without pins
    changed_.take(made({0}));
    expectSolved({0, 1});
    EXPECT_FALSE(changed_.follow({}, pool_));
    EXPECT_NE(changed_.message().find("singular"), std::string::npos) << changed_.message();
    expectSolved({0, 1});  // works again after the failure
}

TEST_F(ChangedFactorTest, CountsWhatItDoes) {
    changed_.take(made({}));
    const std::vector<Index> pinned{30};
    ASSERT_TRUE(changed_.follow({pinned, {}}, pool_));
    ASSERT_TRUE(changed_.follow({pinned, {}}, pool_));
    EXPECT_EQ(changed_.times().changes, 1);
    EXPECT_GT(changed_.matrix().seconds().factorization, 0);
}

TEST(FactoredMatrix, SaysWhenTheMatrixIsSingular) {
    const auto pattern = testing::gridSystem(6, 54).A.sharedPattern();
    WorkerPool pool;
    FactoredMatrix matrix;
    EXPECT_FALSE(matrix.make({pattern, laplacian(*pattern, -1.0), {}}, pool));
    EXPECT_NE(matrix.message().find("not positive definite"), std::string::npos) << matrix.message();
    EXPECT_FALSE(matrix.made());
    EXPECT_TRUE(matrix.make({pattern, laplacian(*pattern, 1.0), {}}, pool)) << matrix.message();
}

}  // namespace
}  // namespace clothlab::factors
