#include "solvers/energy_error.hpp"

#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "support/core_grid.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;

/// |e|_A of a velocity change, by the definition.
double energyNorm(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                  const linalg::BlockVector& solution) {
    linalg::BlockVector e(system.A.rows()), product(system.A.rows());
    e.flat() = solution.flat() - deltaV.flat();
    linalg::multiply(system.A, e, product);
    return std::sqrt(e.flat().dot(product.flat()));
}

// Two numbers per iteration give the error against a known solution, for every form of the system, precision and
// restart.
TEST(EnergyErrors, AreThoseOfEachIterateAgainstTheSolution) {
    const testing::GridWithCore grid(12, 72, 0.5);
    const linalg::LinearSystem system = grid.view();
    WorkerPool pool;
    linalg::BlockVector solution, dv, full;
    SolveSummary summary;
    makeSolver({.kind = SolverKind::Cholesky}, {})->solve(system, solution, summary, {}, pool);
    ASSERT_EQ(summary.status, SolveStatus::Converged);
    for (const SolverKind kind : {SolverKind::Mpcg, SolverKind::ReducedPcg})
        for (const PreconditionerKind with : {PreconditionerKind::Identity, PreconditionerKind::BlockJacobi,
                                              PreconditionerKind::IncompleteCholesky, PreconditionerKind::MatrixCore})
            for (const linalg::Precision precision : {linalg::Precision::Double, linalg::Precision::Single}) {
                const std::string name = fmt::format("{} {} {}", enumKey(kind), enumKey(with), enumKey(precision));
                const auto solver =
                    makeSolver({.kind = kind, .tolerance = 1e-7, .matrixPrecision = precision, .warmStart = false},
                               {.kind = with});
                EnergyErrors errors;
                std::vector<double> expected;
                const Observer observer = [&](const Iterate& it) {
                    errors.observe(it);
                    full.resize(system.A.rows());
                    solver->toDeltaV(it.x, full);
                    expected.push_back(energyNorm(system, full, solution));
                };
                solver->solve(system, dv, summary, {.observer = observer}, pool);
                ASSERT_EQ(summary.status, SolveStatus::Converged) << name;
                const std::vector<float> found = errors.relative(energyError2(system, dv, solution));
                ASSERT_EQ(found.size(), expected.size()) << name;
                ASSERT_GT(found.size(), 4u) << name;
                for (std::size_t k = 0; k < found.size(); ++k)
                    EXPECT_NEAR(found[k] * expected[0], expected[k], 1e-3 * expected[k] + 1e-9 * expected[0])
                        << name << " " << k;
                EXPECT_FLOAT_EQ(found.front(), 1);
                EXPECT_TRUE(std::ranges::is_sorted(found, std::greater())) << name << ": the error must never grow";
            }
}

TEST(EnergyErrors, AreNoneWhereNumbersAreNone) {
    const linalg::BlockVector nothing;
    EnergyErrors errors;
    EXPECT_TRUE(errors.relative(0).empty()) << "no relative errors of an error of zero";
    errors.observe({.k = 1, .x = nothing, .r = nothing, .alpha = NAN, .beta = 0, .relativeResidual = 1, .rz = 1});
    EXPECT_TRUE(errors.relative(1).empty());
}

}  // namespace
}  // namespace clothlab::solvers
