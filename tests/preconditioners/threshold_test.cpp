#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dense_inverse.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/kind.hpp"
#include "preconditioners/threshold_cholesky.hpp"
#include "solvers/solver.hpp"
#include "support/core_grid.hpp"

namespace clothlab::preconditioners {
namespace {

using testing::DenseMatrix;

constexpr double kNothing = 1e-14;  // no entry is below this tolerance

PreconditionerSettings threshold(double tolerance, bool keepPattern = false, double limit = 100, int domains = 1) {
    return {.kind = PreconditionerKind::IncompleteCholesky,
            .dropTolerance = tolerance,
            .keepPattern = keepPattern,
            .fillLimit = limit,
            .domains = domains,
            .precision = linalg::Precision::Double};
}

/// The factor by its definition, in dense blocks: in each column, small blocks and those beyond the budget are dropped.
DenseMatrix denseFactor(const linalg::BlockMatrix& matrix, const PreconditionerSettings& with, double shift) {
    const Index n = matrix.rows();
    const DenseMatrix A(matrix);
    DenseMatrix L = DenseMatrix::zero(A.rows(), A.rows());
    double ofMatrix = 0, blocks = 0;
    for (Index j = 0; j < n; ++j) {
        Mat3 pivot = (1 + shift) * A.block(j, j);
        for (Index k = 0; k < j; ++k) pivot -= L.block(j, k) * L.block(j, k).transpose();
        const Mat3 G = testing::cholesky(pivot);
        L.setBlock(j, j, G);
        struct Candidate {
            bool fixed;
            double rank;
            Index row;
            Mat3 block;
        };
        std::vector<Candidate> kept;
        for (Index i = j + 1; i < n; ++i) {
            const Index position = matrix.pattern().find(i, j);
            const bool has = position >= 0 && matrix.occupied(position);
            ofMatrix += has;
            Mat3 block = A.block(i, j);
            for (Index k = 0; k < j; ++k) block -= L.block(i, k) * L.block(j, k).transpose();
            block = block * G.inverse().transpose();
            const double rank = block.norm() / std::sqrt(A.block(i, i).trace());
            const bool fixed = has && with.keepPattern;
            if (fixed || (rank > 0 && rank >= with.dropTolerance)) kept.push_back({fixed, rank, i, block});
        }
        std::sort(kept.begin(), kept.end(), [](const Candidate& a, const Candidate& b) {
            return a.fixed != b.fixed ? a.fixed : a.rank > b.rank;
        });
        const double most = std::floor(with.fillLimit * ofMatrix) - blocks;
        if (double(kept.size()) > most) kept.resize(std::size_t(most));
        blocks += double(kept.size());
        for (const Candidate& c : kept) L.setBlock(c.row, j, c.block);
    }
    return L;
}

TEST(ThresholdCholesky, IsItsDefinition) {
    const auto system = testing::randomSystem(40, 71, 0.0, true);
    for (const bool keep : {false, true})
        for (const double limit : {1.0, 1.3, 100.0}) {
            Index blocks = 10000;
            for (const double tolerance : {kNothing, 0.02, 0.1}) {
                ThresholdCholesky<double> factor(threshold(tolerance, keep, limit));
                const Outcome outcome = prepare(factor, system.A);
                ASSERT_TRUE(outcome.usable) << outcome.message;
                const DenseMatrix L = denseFactor(system.A, threshold(tolerance, keep, limit), outcome.shift);
                const DenseMatrix expected = (L * L.transpose()).inverse();
                EXPECT_LT((denseInverse(factor, 40) - expected).norm(), 1e-10 * expected.norm())
                    << keep << tolerance << " " << limit;
                EXPECT_LE(factor.columns().blocks(), blocks) << keep << tolerance << " " << limit;
                if (limit == 100) {
                    EXPECT_LT(factor.columns().blocks(), blocks) << keep << tolerance;
                }
                blocks = factor.columns().blocks();
            }
        }
}

TEST(ThresholdCholesky, ThatDropsNothingIsCholesky) {
    const testing::GridWithCore grid(12, 72);
    for (const int domains : {1, 2, 4}) {
        const PreconditionerSettings with = threshold(kNothing, false, 100, domains);
        ThresholdCholesky<double> factor(with);
        ASSERT_TRUE(prepare(factor, grid.system.A).usable);
        const DenseMatrix product = denseInverse(factor, 144) * DenseMatrix(grid.system.A);
        EXPECT_LT((product - DenseMatrix::identity(432)).norm(), 1e-9) << domains;
        solvers::SolveSummary summary;
        linalg::BlockVector dv;
        WorkerPool pool;
        solvers::makeSolver({.tolerance = 1e-8, .warmStart = false}, with)->solve(grid.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.iterations, 1) << domains;
        EXPECT_GT(summary.relativeFill, 1) << domains;
    }
}

TEST(ThresholdCholesky, ThatKeepsThePatternAndNothingElseIsThatOfThePattern) {
    const testing::GridWithCore grid(10, 73);
    const Index n = grid.system.A.rows();
    for (const int domains : {1, 2}) {
        ThresholdCholesky<double> factor(threshold(1, true, 1, domains));
        IncompleteCholesky<double> ofPattern({.domains = domains});
        const Outcome outcome = prepare(factor, grid.system.A), expected = prepare(ofPattern, grid.system.A);
        ASSERT_TRUE(outcome.usable && expected.usable);
        EXPECT_EQ(outcome.shift, 0);
        EXPECT_EQ(outcome.entries, expected.entries);
        EXPECT_EQ(outcome.fill, 1);
        const DenseMatrix inverse = denseInverse(ofPattern, n);
        EXPECT_LT((denseInverse(factor, n) - inverse).norm(), 1e-12 * inverse.norm()) << domains;
    }
}

TEST(ThresholdCholesky, ObeysTheFillLimit) {
    const testing::GridWithCore grid(16, 74);
    IncompleteCholesky<double> ofPattern({.domains = 1});
    ASSERT_TRUE(prepare(ofPattern, grid.system.A).usable);
    const double blocks = ofPattern.triangle().blocks();
    for (const int domains : {1, 2, 4})
        for (const bool keep : {false, true}) {
            double before = 0;
            for (const double limit : {1.0, 1.7, 3.0}) {
                ThresholdCholesky<double> factor(threshold(kNothing, keep, limit, domains));
                const Outcome outcome = prepare(factor, grid.system.A);
                ASSERT_TRUE(outcome.usable) << outcome.message;
                EXPECT_LE(factor.columns().blocks(), limit * blocks);
                EXPECT_GT(factor.columns().blocks(), before);
                before = 0.9 * limit * blocks;  // the budget is used
            }
        }
}

// Neither units nor the axes of a particle change what is kept.
TEST(ThresholdCholesky, DoesNotDependOnUnitsAndAxes) {
    const auto system = testing::randomSystem(40, 75, 0.0, true);
    auto other = system;
    std::mt19937 rng(7);
    std::vector<Mat3> Q;
    Q.reserve(40);
    for (Index i = 0; i < 40; ++i)
        Q.push_back(
            (0.1 + i % 5) *
            Eigen::Quaterniond::FromTwoVectors(testing::randomVec3(rng), testing::randomVec3(rng)).toRotationMatrix());
    const linalg::BlockPattern& p = system.A.pattern();
    for (Index i = 0; i < 40; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            other.A.block(k) = Q[i] * system.A.block(k) * Q[p.column[k]].transpose();
    ThresholdCholesky<double> one(threshold(0.05)), two(threshold(0.05));
    ASSERT_TRUE(prepare(one, system.A).usable && prepare(two, other.A).usable);
    EXPECT_EQ(one.columns().blocks(), two.columns().blocks());
    DenseMatrix D = DenseMatrix::zero(120, 120);
    for (Index i = 0; i < 40; ++i) D.setBlock(i, i, Q[i]);
    const DenseMatrix inverse = denseInverse(one, 40), back = D.transpose() * denseInverse(two, 40) * D;
    EXPECT_LT((back - inverse).norm(), 1e-10 * inverse.norm());
}

TEST(ThresholdCholesky, ABreakdownIsShiftedAwayAndRememberedWithinBounds) {
    auto system = testing::randomSystem(40, 45, 0.0);
    system.A.diagonal(39) *= 0.3;  // no longer definite
    for (const bool keep : {false, true}) {
        ThresholdCholesky<double> factor(threshold(0.01, keep));
        const Outcome first = prepare(factor, system.A);
        ASSERT_TRUE(first.usable) << first.message;
        ASSERT_GT(first.shift, 0.002);
        WorkerPool pool;
        EXPECT_EQ(factor.update({.matrix = system.A}, pool).shift, first.shift);  // the object keeps no shift
        const Outcome second = factor.update({.matrix = system.A, .shift = first.shift}, pool);
        EXPECT_TRUE(second.usable);
        EXPECT_LE(second.shift, 2 * first.shift);
        // The given shift of another kind of matrix is limited to four times the shift of a good matrix itself.
        const auto good = testing::randomSystem(40, 45, 0.0);
        EXPECT_DOUBLE_EQ(factor.update({.matrix = good.A, .shift = 1}, pool).shift, 0.004);
        EXPECT_DOUBLE_EQ(factor.update({.matrix = good.A}, pool).shift, keep ? 0 : 0.001);
    }
    system.A.diagonal(39) = -1e9 * Mat3::Identity();
    ThresholdCholesky<double> hopeless(threshold(0.01));
    EXPECT_FALSE(prepare(hopeless, system.A).usable);
    auto noNumber = testing::randomSystem(40, 45, 0.0);
    const linalg::BlockPattern& p = noNumber.A.pattern();
    const Index j = p.column[p.diagonal[20] + 1];
    for (const Index k : {p.find(20, j), p.find(j, 20)}) {
        noNumber.A.block(k)(1, 1) = std::nan("");
        noNumber.A.setOccupied(k, true);
    }
    for (const double limit : {1.0, 100.0}) {
        ThresholdCholesky<double> unfit(threshold(0.01, false, limit));
        EXPECT_FALSE(prepare(unfit, noNumber.A).usable);
    }
}

}  // namespace
}  // namespace clothlab::preconditioners
