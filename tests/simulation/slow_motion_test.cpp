#include "simulation/slow_motion.hpp"

#include "random_systems.hpp"
#include "simulation/scenes.hpp"

namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

struct Recorded {
    linalg::FrozenSystem system;
    SlowMotion slow;
    std::vector<float> after;  ///< positions of the step itself
};

Recorded record(std::vector<Contestant> methods, std::size_t mostFrames) {
    const auto simulation = testing::simulate("drape-sphere", {"cloth.rows=13", "cloth.columns=13", "solver.kind=cholesky"});
    for (int k = 1; k < 60; ++k) simulation->step();
    const integrators::SimulationState before = simulation->state();
    simulation->step({.keepSystem = true});
    Recorded out{.system = *simulation->systemOfLastStep(), .slow = {}, .after = {}};
    WorkerPool pool;
    out.slow = recordSlowMotion(out.system, before.x, before.v, methods, mostFrames, {}, pool);
    for (Index i = 0; i < before.x.size(); ++i)
        for (int c = 0; c < 3; ++c)
            out.after.push_back(static_cast<float>(before.x[i][c] + out.slow.dt * (before.v[i][c] + out.system.deltaV[i][c])));
    return out;
}

/// (dv_k - dv)' A (dv_k - dv)
double energyOfError(const Recorded& r, std::size_t method, std::size_t frame) {
    linalg::BlockVector e(r.system.A.rows()), Ae(r.system.A.rows());
    for (Eigen::Index i = 0; i < e.flat().size(); ++i)
        e.flat()[i] = r.slow.methods[method].deltaV[frame][static_cast<std::size_t>(i)] - r.slow.solution[static_cast<std::size_t>(i)];
    linalg::multiply(r.system.A, e, Ae);
    return e.flat().dot(Ae.flat());
}

// A cloth in pieces has iterates as well: those of the whole system.
TEST(SlowMotion, ShowsTheWholeSystemWhereTheSolverTakesItApart) {
    auto pieces = testing::islands({60, 40, 1, 30}, 3, 0.1);
    linalg::FrozenSystem system;
    system.A = pieces.A;
    system.b = pieces.b;
    system.constraints = pieces.constraints;
    const linalg::BlockVector zero(system.A.rows());
    const std::vector<Contestant> methods{{{.tolerance = 1e-6, .decompose = true}, {.kind = PreconditionerKind::BlockJacobi}}};
    WorkerPool pool;
    const SlowMotion slow = recordSlowMotion(system, zero, zero, methods, 400, {}, pool);
    ASSERT_EQ(slow.methods.front().status, solvers::SolveStatus::Converged);
    EXPECT_GT(slow.methods.front().frames(), 4u);
}

// What conjugate gradients minimise is the energy of the error over a growing space: it falls in every iteration, whatever
// the residual does. Both CG solvers, with constrained particles, seen in full velocities.
TEST(SlowMotion, TheEnergyOfTheErrorFallsInEveryIteration) {
    const Recorded r = record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-4}, {.kind = PreconditionerKind::BlockJacobi}},
                               {{.kind = SolverKind::Mpcg, .tolerance = 1e-4}, {.kind = PreconditionerKind::IncompleteCholesky}}}, 400);
    ASSERT_GT(r.system.constraints.constrained().size(), 3u);
    for (std::size_t m = 0; m < 2; ++m) {
        const auto& method = r.slow.methods[m];
        EXPECT_EQ(method.status, solvers::SolveStatus::Converged);
        ASSERT_GT(method.frames(), 4u);
        EXPECT_EQ(method.iteration.front(), 0);
        double before = energyOfError(r, m, 0);
        for (std::size_t k = 1; k < method.frames(); ++k) {
            const double now = energyOfError(r, m, k);
            EXPECT_LT(now, before * (1 + 1e-4)) << m << " " << k;
            before = now;
        }
        EXPECT_LT(before, 1e-4 * energyOfError(r, m, 0));
    }
    EXPECT_GT(r.slow.methods[0].frames(), r.slow.methods[1].frames());
}

TEST(SlowMotion, EndsWhereTheStepEndsAndExaggeratesTheError) {
    const Recorded r = record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-9}, {}}, {{.kind = SolverKind::Cholesky}, {}}}, 400);
    const std::size_t last = r.slow.methods[0].frames() - 1;
    std::vector<float> at, errors;
    r.slow.positions(0, last, 1, at);
    ASSERT_EQ(at.size(), r.after.size());
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], r.after[i], 1e-5);
    // A direct solver has one frame, the solution.
    ASSERT_EQ(r.slow.methods[1].frames(), 1u);
    r.slow.errors(1, 0, errors);
    EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 1e-5f);
    // Ten times the error is ten times as far from the solution.
    std::vector<float> plain, ten, solution;
    r.slow.positions(0, 0, 1, plain);
    r.slow.positions(0, 0, 10, ten);
    r.slow.positions(0, 0, 0, solution);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(ten[i] - solution[i], 10 * (plain[i] - solution[i]), 1e-4);
    r.slow.errors(0, 0, errors);
    EXPECT_FLOAT_EQ(static_cast<float>(r.slow.largestError), *std::max_element(errors.begin(), errors.end()));
}

TEST(SlowMotion, ALongSolveKeepsItsBeginningAndItsEnd) {
    const Recorded r = record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-10}, {.kind = PreconditionerKind::Identity}}}, 40);
    const auto& method = r.slow.methods[0];
    EXPECT_LE(method.frames(), 41u);
    EXPECT_TRUE(std::is_sorted(method.iteration.begin(), method.iteration.end()));
    for (int k = 0; k <= 20; ++k) EXPECT_EQ(method.iteration[static_cast<std::size_t>(k)], k);
    EXPECT_GT(method.iteration.back(), 100);
    EXPECT_LT(method.residuals.back(), 1e-9f);
}

}  // namespace
}  // namespace clothlab::simulation
