#include <fmt/format.h>
#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using solvers::Stopping;

/// The system of one step of a cloth that a ball hits, stepped by a direct solver.
linalg::FrozenSystem hit(const char* stretch, const char* shear, int step) {
    const auto simulation =
        testing::simulate("ball-hit", {"cloth.rows=15", "cloth.columns=15", "solver.kind=cholesky", stretch, shear});
    for (int k = 1; k <= step; ++k) simulation->step({.keepSystem = k == step, .hash = false});
    return *simulation->systemOfLastStep();
}

struct SolvedStep {
    solvers::SolveSummary summary;
    linalg::BlockVector deltaV;
};

SolvedStep solve(const linalg::FrozenSystem& system, solvers::SolverSettings settings, PreconditionerKind with,
                 int threads = 1) {
    settings.maxIterations = 50000;
    WorkerPool pool(threads, 32);
    SolvedStep out;
    solvers::makeSolver(settings, {.kind = with})->solve(system.view(), out.deltaV, out.summary, {}, pool);
    return out;
}

class SinglePrecision : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

// A matrix rounded to single precision is a different matrix: below a relative residual of about 1e-8 its solution is
// another one.
TEST_P(SinglePrecision, ReachesWhatDoubleReaches) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const linalg::FrozenSystem system = hit(GetParam().first, GetParam().second, 43);
    ASSERT_GT(system.constraints.constrained().size(), 0u);
    for (const SolverKind kind : {SolverKind::ReducedPcg, SolverKind::Mpcg})
        for (const EnumEntry& with : enumTable(preconditioners::PreconditionerKind{}))
            for (const double tolerance : {1e-3, 1e-8, 1e-10, 1e-12})
                for (const bool decompose : {false, true}) {
                    if (testing::kSanitized && tolerance != 1e-8) continue;
                    const PreconditionerKind preconditioner = PreconditionerKind(with.value);
                    if (!solvers::refusal(kind, {.kind = preconditioner}).empty()) continue;
                    const auto name = fmt::format("{} {} {:g}{}", enumKey(kind), with.key, tolerance,
                                                  decompose ? " by components" : "");
                    const SolvedStep exact =
                        solve(system, {.kind = kind, .tolerance = tolerance, .decompose = decompose}, preconditioner);
                    const SolvedStep single = solve(system,
                                                    {.kind = kind,
                                                     .tolerance = tolerance,
                                                     .matrixPrecision = linalg::Precision::Single,
                                                     .decompose = decompose},
                                                    preconditioner);
                    ASSERT_TRUE(solvers::converged(exact.summary.status)) << name << exact.summary.message;
                    EXPECT_TRUE(solvers::converged(single.summary.status)) << name << ": " << single.summary.message;
                    EXPECT_LE(solvers::trueRelativeResidual(system.view(), single.deltaV), 1.001 * tolerance) << name;
                    EXPECT_EQ(exact.summary.doubleIterations, 0) << name;
                    if (tolerance == 1e-3) {
                        EXPECT_EQ(single.summary.doubleIterations, 0) << name;
                        // Without a preconditioner, more than a hundred iterations differ by rounding.
                        const double share = preconditioner == PreconditionerKind::Identity ? 0.05 : 0.02;
                        EXPECT_NEAR(single.summary.iterations, exact.summary.iterations,
                                    1 + share * exact.summary.iterations)
                            << name;
                    }
                    EXPECT_LT(single.summary.doubleIterations, std::max(single.summary.iterations, 1)) << name;
                    EXPECT_LE(single.summary.iterations, 2 * exact.summary.iterations + 20) << name;
                }
}

TEST_P(SinglePrecision, GivesTheSameBitsAtAnyNumberOfThreads) {
    const linalg::FrozenSystem system = hit(GetParam().first, GetParam().second, 43);
    for (const SolverKind kind : {SolverKind::ReducedPcg, SolverKind::Mpcg}) {
        const solvers::SolverSettings settings{
            .kind = kind, .tolerance = 1e-12, .matrixPrecision = linalg::Precision::Single};
        const SolvedStep one = solve(system, settings, enumNamed<PreconditionerKind>("block-jacobi"));
        EXPECT_GT(one.summary.doubleIterations, 0);
        for (const int threads : {2, 4}) {
            const SolvedStep several = solve(system, settings, enumNamed<PreconditionerKind>("block-jacobi"), threads);
            EXPECT_EQ(several.deltaV, one.deltaV) << threads;
            EXPECT_EQ(several.summary.iterations, one.summary.iterations) << threads;
        }
    }
}

// The papers' stopping rules do not use the true residual; where they stop, it is still as small as in double.
TEST_P(SinglePrecision, TheOtherRulesEndWhereDoubleEnds) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const linalg::FrozenSystem system = hit(GetParam().first, GetParam().second, 43);
    for (const SolverKind kind : {SolverKind::ReducedPcg, SolverKind::Mpcg})
        for (const Stopping stopping : {Stopping::PNorm, Stopping::Absolute}) {
            const solvers::SolverSettings exact{.kind = kind, .tolerance = 1e-11, .stopping = stopping};
            solvers::SolverSettings single = exact;
            single.matrixPrecision = linalg::Precision::Single;
            const auto left = [&](const solvers::SolverSettings& settings) {
                const SolvedStep run = solve(system, settings, enumNamed<PreconditionerKind>("block-jacobi"));
                EXPECT_TRUE(solvers::converged(run.summary.status)) << run.summary.message;
                return solvers::trueRelativeResidual(system.view(), run.deltaV);
            };
            EXPECT_LT(left(single), 10 * left(exact)) << enumKey(kind) << enumKey(stopping);
        }
}

INSTANTIATE_TEST_SUITE_P(Stiffness, SinglePrecision,
                         ::testing::Values(std::pair{"material.stretch_stiffness=600", "material.shear_stiffness=30"},
                                           std::pair{"material.stretch_stiffness=6000",
                                                     "material.shear_stiffness=300"}));

}  // namespace
}  // namespace clothlab::simulation
