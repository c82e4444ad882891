#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "support/core_grid.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::Permute;
using preconditioners::PreconditionerKind;

struct InOrder {
    SolveSummary summary;
    linalg::BlockVector dv;
    std::vector<linalg::BlockVector> iterates;  ///< as velocity changes
};

InOrder solve(const linalg::LinearSystem& system, Permute permute, double tolerance, int threads = 1,
              linalg::Precision matrixPrecision = linalg::Precision::Double) {
    WorkerPool pool(threads, 0);
    InOrder run;
    const auto solver = makeSolver({.tolerance = tolerance, .matrixPrecision = matrixPrecision},
                                   {.kind = PreconditionerKind::MatrixCore, .permute = permute});
    const Observer observer = [&](const Iterate& it) {
        linalg::BlockVector full;
        solver->toDeltaV(it.x, full);
        run.iterates.push_back(full);
    };
    solver->solve(system, run.dv, run.summary, {.observer = observer}, pool);
    EXPECT_EQ(run.summary.status, SolveStatus::Converged) << run.summary.message;
    return run;
}

// The iterates of conjugate gradients do not depend on the order of the rows.
TEST(Permute, OnceHasTheIteratesOfEach) {
    const testing::GridWithCore grid(14, 81, 0.6);
    std::array<int, 4> ofNdof{};
    for (const auto ndof : grid.system.constraints.ndofs()) ++ofNdof[ndof];
    for (const int count : ofNdof) ASSERT_GT(count, 5);
    const testing::DenseMatrix expected = grid.system.denseSolution();

    for (const auto precision : {linalg::Precision::Double, linalg::Precision::Single}) {
        const InOrder each = solve(grid.view(), Permute::Each, 1e-12, 1, precision);
        const InOrder once = solve(grid.view(), Permute::Once, 1e-12, 1, precision);
        EXPECT_NEAR(once.summary.iterations, each.summary.iterations, 1);
        EXPECT_LT(testing::distance(once.dv, each.dv), 1e-10 * expected.norm());
        EXPECT_LT((once.dv - expected).norm(), 1e-10 * expected.norm());
    }

    const InOrder each = solve(grid.view(), Permute::Each, 1e-12), once = solve(grid.view(), Permute::Once, 1e-12);
    ASSERT_GT(each.iterates.size(), 5u);
    for (std::size_t k = 0; k < std::min(each.iterates.size(), once.iterates.size()); ++k)
        EXPECT_LT(testing::distance(once.iterates[k], each.iterates[k]), 1e-10 * expected.norm()) << k;
}

TEST(Permute, OnceTakesTheStartOfTheStepBefore) {
    const testing::GridWithCore grid(14, 82, 0.4);
    linalg::BlockVector before = solve(grid.view(), Permute::Each, 1e-12).dv;
    before.flat() *= 1.0001;
    linalg::LinearSystem warm = grid.view();
    warm.previous = &before;
    const int each = solve(warm, Permute::Each, 1e-9).summary.iterations;
    EXPECT_LT(each, solve(grid.view(), Permute::Each, 1e-9).summary.iterations);
    EXPECT_NEAR(solve(warm, Permute::Once, 1e-9).summary.iterations, each, 1);
}

TEST(Permute, SameBitsAtAnyNumberOfThreads) {
    const testing::GridWithCore grid(45, 83, 0.3);
    const InOrder one = solve(grid.view(), Permute::Once, 1e-8, 1);
    EXPECT_TRUE(one.dv == solve(grid.view(), Permute::Once, 1e-8, 2).dv);
    EXPECT_TRUE(one.dv == solve(grid.view(), Permute::Once, 1e-8, 4).dv);
}

TEST(Permute, OnceIsRefusedWithMpcg) {
    EXPECT_FALSE(refusal(SolverKind::Mpcg, {.kind = PreconditionerKind::MatrixCore, .permute = Permute::Once}).empty());
    EXPECT_EQ(refusal(SolverKind::ReducedPcg, {.kind = PreconditionerKind::MatrixCore, .permute = Permute::Once}), "");
    // The other preconditioners ignore the setting, so they accept it.
    EXPECT_EQ(refusal(SolverKind::Mpcg, {.kind = PreconditionerKind::Ssor, .permute = Permute::Once}), "");
}

}  // namespace
}  // namespace clothlab::solvers
