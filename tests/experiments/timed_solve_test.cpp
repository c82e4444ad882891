#include "experiments/systems/timed_solve.hpp"

#include "experiments/systems/freeze.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::experiments {
namespace {

using preconditioners::PreconditionerKind;

class TimedSolveTest : public ::testing::Test {
protected:
    TimedSolveTest() {
        const auto simulation = testing::simulate("hang", {"cloth.rows=13", "cloth.columns=13", "integrator.dt=0.001"});
        frozen = *freezeStep(*simulation, 10);
    }
    std::unique_ptr<solvers::Solver> solver(PreconditionerKind kind) const {
        return solvers::makeSolver({.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-6}, {.kind = kind});
    }

    FrozenStep frozen;
    WorkerPool pool{1};
};

TEST_F(TimedSolveTest, OnlyWhatIsCountedHasATime) {
    const auto jacobi = solver(PreconditionerKind::Jacobi);
    TimedSolve timed(*jacobi, fromZero(frozen.system), nullptr, pool);
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(timed.bringFactor({}), 0);
        EXPECT_TRUE(solvers::converged(timed.solve({}).status));
        if (k > 0) timed.count();
    }
    for (const std::vector<double>* stage :
         {&timed.times.total, &timed.times.loop, &timed.times.setUp, &timed.times.multiply, &timed.times.apply})
        EXPECT_EQ(stage->size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(timed.times.loop[k], timed.times.total[k]);
    EXPECT_LE(solvers::trueRelativeResidual(frozen.system.view(), timed.deltaV), 1e-6);
}

TEST_F(TimedSolveTest, EachRunBringsTheFactorOfTheSystemBefore) {
    const linalg::LinearSystem system = fromZero(frozen.system), earlier = fromZero(*frozen.earlier);
    const auto once = solver(PreconditionerKind::LaggedCholesky), again = solver(PreconditionerKind::LaggedCholesky);
    linalg::BlockVector deltaV;
    solvers::SolveSummary summary;
    once->solve(earlier, deltaV, summary, {}, pool);
    once->solve(system, deltaV, summary, {}, pool);
    ASSERT_EQ(summary.factorAge, 1) << "a factor of its own: the systems are too far apart";
    const Timing timing = timeSolve(*again, system, 3, pool, {}, &earlier);
    EXPECT_EQ(timing.factorAge, 1);
    EXPECT_EQ(timing.iterations, summary.iterations);
    EXPECT_EQ(timing.deltaV, deltaV);
    EXPECT_EQ(timing.trueRelativeResidual, solvers::trueRelativeResidual(system, deltaV));
}

TEST_F(TimedSolveTest, WhatIsStoppedBeforeItBeginsHasNotRun) {
    std::stop_source stop;
    stop.request_stop();
    const auto jacobi = solver(PreconditionerKind::Jacobi);
    const Timing timing = timeSolve(*jacobi, frozen.system.view(), 3, pool, stop.get_token());
    EXPECT_EQ(timing.status, solvers::SolveStatus::NotRun);
    EXPECT_EQ(timing.solveMs, 0);
    EXPECT_EQ(timing.trueRelativeResidual, -1);
}

}  // namespace
}  // namespace clothlab::experiments
