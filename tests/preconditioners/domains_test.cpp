#include <gtest/gtest.h>

#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/solver.hpp"
#include "support/core_grid.hpp"

namespace clothlab::preconditioners {
namespace {

struct Solved {
    linalg::BlockVector dv;
    solvers::SolveSummary summary;
};

Solved solve(const linalg::LinearSystem& system, const PreconditionerSettings& with, int threads = 1) {
    WorkerPool pool(threads, threads > 1 ? 0 : WorkerPool::kDefaultInlineRows);
    Solved run;
    solvers::makeSolver({.tolerance = 1e-8, .warmStart = false}, with)->solve(system, run.dv, run.summary, {}, pool);
    EXPECT_EQ(run.summary.status, solvers::SolveStatus::Converged);
    return run;
}

// A chain that is eliminated from both ends has no fill, so the incomplete factor is exact. Of four domains, two
// eliminate away from the separator between them, and the entries dropped there change the factor.
TEST(Domains, TwoHalvesOfAChainAreExact) {
    testing::Pairs pairs;
    for (Index i = 0; i + 1 < 200; ++i) pairs.emplace_back(i, i + 1);
    std::mt19937 rng(5);
    auto system = testing::systemOnPairs(200, pairs, rng, 0.0, false);
    const auto iterations = [&](int domains) {
        return solve(system.view(), {.kind = PreconditionerKind::IncompleteCholesky,
                                     .domains = domains,
                                     .precision = linalg::Precision::Double})
            .summary.iterations;
    };
    EXPECT_EQ(iterations(1), 1);
    EXPECT_EQ(iterations(2), 1);
    EXPECT_GT(iterations(4), 1);
}

// Two threads handle one domain each; with more threads the rows are swept as a wave, in domains and separators.
TEST(Domains, SameBitsAtAnyNumberOfThreads) {
    const testing::GridWithCore grid(60, 62, 0.05);
    const auto expectSameBits = [&](const PreconditionerSettings& with) {
        const Solved one = solve(grid.view(), with, 1);
        for (const int threads : {2, 3, 8})
            EXPECT_TRUE(one.dv == solve(grid.view(), with, threads).dv) << threads << " threads";
    };
    for (const int domains : {0, 1, 4}) {
        for (const double dropTolerance : {0.0, 0.01})
            expectSameBits(
                {.kind = PreconditionerKind::IncompleteCholesky, .dropTolerance = dropTolerance, .domains = domains});
        expectSameBits({.kind = PreconditionerKind::Ssor, .domains = domains});
        expectSameBits({.kind = PreconditionerKind::IncompleteCholesky,
                        .ordering = factors::Ordering::ReverseCuthillMcKee,
                        .fillLevel = 1,
                        .domains = domains});
    }
}

TEST(Domains, MoreThreadsThanDomainsGoAsAWave) {
    const testing::GridWithCore grid(60, 62, 0.05);
    IncompleteCholesky<float> preconditioner({.kind = PreconditionerKind::IncompleteCholesky, .domains = 2});
    for (const int threads : {8, 2, 4}) {
        WorkerPool pool(threads, 0);
        preconditioner.analyze(grid.view().A, nullptr, pool);
        ASSERT_TRUE(preconditioner.update({.matrix = grid.view().A}, pool).usable);
        const factors::SweepSchedule& schedule = preconditioner.triangle().schedule();
        EXPECT_EQ(schedule.lanes() > 1, threads > 2) << threads << " threads";
        EXPECT_GE(schedule.speedup(), threads > 2 ? 0.6 * threads : 1);
    }
}

}  // namespace
}  // namespace clothlab::preconditioners
