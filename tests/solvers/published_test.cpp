#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "solvers/verdict.hpp"
#include "support/random_systems.hpp"

/// Forms printed in the papers that are never the default.
namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;
using preconditioners::Variant;

struct Observed {
    SolveSummary summary;
    linalg::BlockVector deltaV;
    std::vector<linalg::BlockVector> iterates;
};

Observed observe(const linalg::LinearSystem& system, const SolverSettings& settings,
                 const PreconditionerSettings& with) {
    WorkerPool pool(1);
    Observed run;
    const SolveControl control{.observer = [&](const Iterate& it) { run.iterates.push_back(it.x); }};
    makeSolver(settings, with)->solve(system, run.deltaV, run.summary, control, pool);
    return run;
}

// [B] (5.4): SC + I - S is not symmetric, but has the iterates of SCS + s(I - S).
TEST(Published, TheUnsymmetricConstrainedBlockHasTheIteratesOfTheSymmetricOne) {
    for (const double share : {0.2, 0.7}) {
        const auto system = testing::randomSystem(80, 61, share);
        Index counts[4];
        system.constraints.counts(counts);
        ASSERT_GT(counts[1] + counts[2], 0);
        for (const MpcgVariant variant : {MpcgVariant::Corrected, MpcgVariant::Original}) {
            const SolverSettings settings{
                .kind = SolverKind::Mpcg, .tolerance = 1e-6, .stopping = Stopping::PNorm, .mpcgVariant = variant};
            const Observed symmetric = observe(system.view(), settings, {.kind = PreconditionerKind::ConstrainedBlock});
            const Observed printed = observe(
                system.view(), settings, {.kind = PreconditionerKind::ConstrainedBlock, .variant = Variant::Published});
            const Observed plain = observe(system.view(), settings, {.kind = PreconditionerKind::BlockJacobi});
            ASSERT_TRUE(converged(symmetric.summary.status));
            EXPECT_EQ(printed.summary.status, symmetric.summary.status) << printed.summary.message;
            ASSERT_EQ(printed.iterates.size(), symmetric.iterates.size());
            EXPECT_NE(plain.iterates.at(1), symmetric.iterates.at(1))
                << "no constraint matters here: nothing is tested";
            for (std::size_t k = 0; k < symmetric.iterates.size(); ++k)
                EXPECT_LT(testing::distance(printed.iterates[k], symmetric.iterates[k]),
                          1e-9 * testing::norm(symmetric.iterates[k]))
                    << k;
        }
    }
}

// By single unknowns it is the diagonal of SCS + s(I - S): Jacobi, if no particle is partly held.
TEST(Published, TheConstrainedBlockBySingleUnknownsIsItsDiagonal) {
    auto system = testing::randomSystem(60, 62, 0.0);
    for (const Index i : {3, 20, 41}) system.constraints.set({.particle = i, .ndof = 0, .z = Vec3(1, 0, 2)});
    system.constraints.sort();
    const SolverSettings settings{.kind = SolverKind::Mpcg, .tolerance = 1e-8};
    const Observed point =
        observe(system.view(), settings, {.kind = PreconditionerKind::ConstrainedBlock, .variant = Variant::Point});
    const Observed jacobi = observe(system.view(), settings, {.kind = PreconditionerKind::Jacobi});
    ASSERT_EQ(point.iterates.size(), jacobi.iterates.size());
    EXPECT_LT(testing::distance(point.deltaV, jacobi.deltaV), 1e-9 * testing::norm(jacobi.deltaV));
}

// [B] 5.3.1: tol = c h^2. Powers of two, so that the products are exact.
TEST(Published, AToleranceOfTheSquareOfTheStepIsThatTolerance) {
    const auto system = testing::islands({40, 30, 20, 1, 2}, 63);
    linalg::LinearSystem view = system.view();
    view.dt = 1.0 / 128;
    const double c = 1.0 / 64, tolerance = c / (128.0 * 128);
    for (const SolverKind kind : {SolverKind::Mpcg, SolverKind::ReducedPcg})
        for (const Stopping stopping : {Stopping::Residual, Stopping::PNorm})
            for (const bool decompose : {false, true}) {
                SolverSettings fixed{
                    .kind = kind, .tolerance = tolerance, .stopping = stopping, .decompose = decompose};
                SolverSettings scaled = fixed;
                scaled.tolerance = c;
                scaled.toleranceRule = ToleranceRule::StepSquared;
                const Observed one = observe(view, fixed, {}), other = observe(view, scaled, {});
                EXPECT_TRUE(converged(other.summary.status));
                EXPECT_EQ(one.deltaV, other.deltaV);
                EXPECT_EQ(one.summary.iterations, other.summary.iterations);
                fixed.tolerance = c;
                EXPECT_LT(observe(view, fixed, {}).summary.iterations, one.summary.iterations);
            }
    EXPECT_EQ(computeTolerance({.tolerance = 0.01, .toleranceRule = ToleranceRule::StepSquared}, 0.0),
              0.01);  // without a step
}

}  // namespace
}  // namespace clothlab::solvers
