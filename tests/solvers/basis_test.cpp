#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "support/random_systems.hpp"

/// Tests of solver.basis: [Y] §3 says that not every U performs equally well.
namespace clothlab::solvers {
namespace {

using linalg::Basis;
using preconditioners::PreconditionerKind;

struct Solve {
    SolveSummary summary;
    linalg::BlockVector deltaV;
};

Solve solve(const testing::RandomSystem& system, Basis basis, PreconditionerKind preconditioner) {
    WorkerPool pool;
    Solve out;
    makeSolver({.kind = SolverKind::ReducedPcg, .tolerance = 1e-12, .basis = basis}, {.kind = preconditioner})
        ->solve(system.view(), out.deltaV, out.summary, {}, pool);
    return out;
}

// Neither the solution nor the iterations of methods on 3x3 blocks depend on the basis. Those of the point-wise
// diagonal do.
TEST(Basis, ChangesWhatPointWiseMethodsCountAndNothingElse) {
    const auto system = testing::randomSystem(200, 5, 0.7);
    const testing::DenseMatrix expected = system.denseSolution();
    const auto counts = [&](PreconditionerKind kind) {
        std::array<int, 3> out{};
        for (const Basis basis : {Basis::Robust, Basis::Printed, Basis::Random}) {
            const Solve s = solve(system, basis, kind);
            EXPECT_EQ(s.summary.status, SolveStatus::Converged) << s.summary.message;
            EXPECT_LT((s.deltaV - expected).norm(), 1e-9 * expected.norm());
            out[int(basis)] = s.summary.iterations;
        }
        return out;
    };
    const auto block = counts(PreconditionerKind::BlockJacobi), none = counts(PreconditionerKind::Identity),
               point = counts(PreconditionerKind::Jacobi);
    for (const auto& [robust, printed, random] : {block, none}) {
        EXPECT_NEAR(random, robust, 1) << "only round-off";
        EXPECT_EQ(printed, robust);
    }
    EXPECT_EQ(point[0], point[1]) << "only signs differ";
    const auto iterates = [&](Basis basis) { return solve(system, basis, PreconditionerKind::Jacobi).summary.history; };
    const auto robust = iterates(Basis::Robust), random = iterates(Basis::Random);
    EXPECT_GT(std::abs(random[5] - robust[5]), 1e-5 * robust[5]) << "far beyond round-off";
}

// E-18: the printed basis divides by zero there. The message says so and names the alternative.
TEST(Basis, AsPrintedIsRefusedNextToTheAxis) {
    auto system = testing::randomSystem(30, 6, 0.0);
    system.constraints.set({.particle = 4, .ndof = 2, .p = -Vec3::UnitX()});
    const Solve printed = solve(system, Basis::Printed, PreconditionerKind::Jacobi);
    EXPECT_EQ(printed.summary.status, SolveStatus::Breakdown);
    EXPECT_NE(printed.summary.message.find("particle 4"), std::string::npos) << printed.summary.message;
    EXPECT_NE(printed.summary.message.find("solver.basis = robust"), std::string::npos) << printed.summary.message;
    EXPECT_EQ(solve(system, Basis::Robust, PreconditionerKind::Jacobi).summary.status, SolveStatus::Converged);
}

}  // namespace
}  // namespace clothlab::solvers
