#include <gtest/gtest.h>

#include "linalg/reduced_system.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "solvers/yardstick.hpp"
#include "support/core_grid.hpp"

namespace clothlab::solvers {
namespace {

using linalg::Precision;
using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;
using preconditioners::Variant;

/// The first iterates of a solve, as velocity changes.
std::vector<linalg::BlockVector> iterates(const testing::GridWithCore& grid, SolverKind kind,
                                          const PreconditionerSettings& with, double shift) {
    WorkerPool pool;
    linalg::LinearSystem system = grid.view();
    system.icShift = shift;
    linalg::ReducedSystem reduced;
    reduced.build(system, pool);
    std::vector<linalg::BlockVector> out;
    const auto observer = [&](const Iterate& it) {
        linalg::BlockVector full = it.x;
        if (kind == SolverKind::ReducedPcg) reduced.expand(it.x, full);
        out.push_back(full);
    };
    SolveSummary summary;
    linalg::BlockVector dv;
    makeSolver({.kind = kind, .tolerance = 1e-14, .maxIterations = 15}, with)
        ->solve(system, dv, summary, {.observer = observer}, pool);
    return out;
}

/// Largest distance between the iterates of MPCG with one preconditioner and those of the reduced system with the
/// other.
double largestDistance(const testing::GridWithCore& grid, const PreconditionerSettings& ofMpcg,
                       const PreconditionerSettings& ofReduced, double shift = 0) {
    const auto mpcg = iterates(grid, SolverKind::Mpcg, ofMpcg, shift),
               reduced = iterates(grid, SolverKind::ReducedPcg, ofReduced, shift);
    EXPECT_GT(mpcg.size(), 5u);
    double largest = 0;
    for (std::size_t k = 0; k < std::min(mpcg.size(), reduced.size()); ++k)
        largest = std::max(largest, testing::distance(mpcg[k], reduced[k]) / testing::norm(reduced.back()));
    return largest;
}

// Block methods on SAS + s(I - S) have the iterates of the reduced system, in any basis.
TEST(Iterates, OfBlockMethodsAreThoseOfTheReducedSystem) {
    using enum PreconditionerKind;
    const testing::GridWithCore grid(9, 71, 0.7);
    std::array<int, 4> ofNdof{};
    for (const auto ndof : grid.system.constraints.ndofs()) ++ofNdof[ndof];
    for (const int count : ofNdof) ASSERT_GT(count, 5);

    EXPECT_LT(largestDistance(grid, {.kind = ConstrainedBlock}, {.kind = BlockJacobi}), 1e-12);
    for (const PreconditionerSettings& with :
         std::initializer_list<PreconditionerSettings>{{.kind = IncompleteCholesky, .precision = Precision::Double},
                                                       {.kind = Ssor, .precision = Precision::Double},
                                                       {.kind = Ssor, .omega = 1.3, .precision = Precision::Double},
                                                       {.kind = IncompletePoisson, .precision = Precision::Double},
                                                       {.kind = MatrixCore, .precision = Precision::Double}})
        EXPECT_LT(largestDistance(grid, with, with), 1e-12) << enumKey(with.kind);
    const PreconditionerSettings shifted{.kind = IncompleteCholesky, .precision = Precision::Double};
    EXPECT_LT(largestDistance(grid, shifted, shifted, 0.1), 1e-12);  // begins at half of the previous shift: 0.05

    // Division by single unknowns does depend on the basis.
    EXPECT_GT(largestDistance(grid, {.kind = Jacobi}, {.kind = Jacobi}), 1e-3);
    EXPECT_GT(largestDistance(grid, {.kind = Ssor, .variant = Variant::Point, .precision = Precision::Double},
                              {.kind = Ssor, .variant = Variant::Point, .precision = Precision::Double}),
              1e-3);
}

// With the matrix in single precision, the true residual in double still reaches the tolerance.
TEST(SinglePrecision, ReachesTheTrueResidualFarBelowItsOwn) {
    const testing::GridWithCore grid(12, 72, 0.4);
    const testing::DenseMatrix expected = grid.system.denseSolution();
    WorkerPool pool;
    for (const SolverKind kind : {SolverKind::Mpcg, SolverKind::ReducedPcg})
        for (const PreconditionerKind with :
             {PreconditionerKind::Jacobi, PreconditionerKind::IncompleteCholesky, PreconditionerKind::MatrixCore}) {
            const auto solve = [&](Precision precision, double tolerance, linalg::BlockVector& dv) {
                SolveSummary summary;
                makeSolver({.kind = kind, .tolerance = tolerance, .matrixPrecision = precision}, {.kind = with})
                    ->solve(grid.view(), dv, summary, {}, pool);
                EXPECT_EQ(summary.status, SolveStatus::Converged) << enumKey(with) << summary.message;
                return summary.iterations;
            };
            linalg::BlockVector dv;
            EXPECT_EQ(solve(Precision::Single, 1e-3, dv), solve(Precision::Double, 1e-3, dv)) << enumKey(with);
            solve(Precision::Single, 1e-12, dv);
            EXPECT_LT(trueRelativeResidual(grid.view(), dv), 1e-12) << enumKey(with);
            EXPECT_LT((dv - expected).norm(), 1e-11 * expected.norm()) << enumKey(with);
        }
}

}  // namespace
}  // namespace clothlab::solvers
