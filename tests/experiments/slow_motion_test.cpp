#include "experiments/race/slow_motion.hpp"

#include <algorithm>

#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"
#include "support/random_systems.hpp"

namespace clothlab::experiments {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

struct Recorded {
    linalg::FrozenSystem system, earlier;
    SlowMotion slow;
    std::vector<float> after;  ///< positions of the step itself
};

Recorded record(const std::vector<Contestant>& methods, std::size_t mostFrames,
                const char* integrator = "integrator.kind=linearized-backward-euler") {
    const auto simulation =
        testing::simulate("drape-sphere", {"cloth.rows=13", "cloth.columns=13", "solver.kind=cholesky", integrator});
    for (int k = 1; k < 59; ++k) simulation->step();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem earlier = *simulation->systemOfLastStep();
    simulation->step({.keepSystem = true});
    Recorded out{.system = *simulation->systemOfLastStep(), .earlier = earlier, .slow = {}, .after = {}};
    WorkerPool pool;
    const linalg::BlockVector& after = simulation->state().x;
    out.slow = recordSlowMotion({out.system, &out.earlier, after}, methods, mostFrames, {}, pool);
    for (const double x : after.flat()) out.after.push_back(float(x));
    return out;
}

template <class... More>
Recorded record(std::initializer_list<solvers::Method> methods, std::size_t mostFrames, More... more) {
    std::vector<Contestant> all;
    for (const solvers::Method& method : methods) all.push_back({method});
    return record(all, mostFrames, more...);
}

/// (dv_k - dv)' A (dv_k - dv)
double energyOfError(const Recorded& r, std::size_t method, std::size_t frame) {
    linalg::BlockVector e(r.system.A.rows()), Ae(r.system.A.rows());
    for (Eigen::Index i = 0; i < e.flat().size(); ++i)
        e.flat()[i] = r.slow.methods[method].deltaV[frame][i] - r.slow.solution[i];
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
    system.deltaV = zero;
    const std::vector<Contestant> methods{
        {{{.tolerance = 1e-6, .decompose = true}, {.kind = PreconditionerKind::BlockJacobi}}}};
    WorkerPool pool;
    const SlowMotion slow = recordSlowMotion({system, nullptr, zero}, methods, 400, {}, pool);
    ASSERT_EQ(slow.methods.front().status, solvers::SolveStatus::Converged);
    EXPECT_GT(slow.methods.front().frames(), 4u);
}

// The waves add up to the whole error. For errors from which they were made, the rest is zero.
TEST(SlowMotion, TheWavesOfAnErrorAddUpToIt) {
    const Recorded r =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-4}, {.kind = PreconditionerKind::Jacobi}}}, 400);
    ASSERT_EQ(r.slow.waves->kind(), ErrorWaves::Kind::RitzVectors) << "the system does not say that it is a grid";
    const auto particles = double(r.system.A.rows());
    for (const std::size_t frame : {std::size_t(0), r.slow.methods[0].frames() / 2}) {
        double whole = 0;
        for (const double e : r.slow.computeError(0, frame)) whole += e * e / particles;
        std::vector<double> amplitudes = r.slow.amplitudes(0, frame);
        EXPECT_LT(amplitudes.back(), 1e-4 * std::sqrt(whole)) << frame;
        double sum = 0;
        for (const double a : amplitudes) sum += a * a;
        EXPECT_NEAR(sum, whole, 1e-9 * whole) << frame;
    }
}

// Conjugate gradients minimise the energy of the error over a growing space: it falls in every iteration, even if the
// residual does not. Both CG solvers, with constrained particles, in full velocities.
TEST(SlowMotion, TheEnergyOfTheErrorFallsInEveryIteration) {
    const Recorded r =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-4}, {.kind = PreconditionerKind::BlockJacobi}},
                {{.kind = SolverKind::Mpcg, .tolerance = 1e-4}, {.kind = PreconditionerKind::IncompleteCholesky}}},
               400);
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

/// Each CG solver with each preconditioner that it accepts, and a lagged factor that is given up at once.
std::vector<Contestant> everyMethod(double tolerance) {
    std::vector<Contestant> all;
    for (const testing::NamedMethod& each : testing::allMethods())
        if (each.iterates()) all.push_back({each.method});
    for (const SolverKind solver : {SolverKind::Mpcg, SolverKind::ReducedPcg})
        all.push_back({{{.kind = solver}, {.kind = PreconditionerKind::LaggedCholesky, .patience = 1}}});
    for (Contestant& each : all) each.method.solver.tolerance = tolerance;
    return all;
}

// The recording is the solve of that solver: its last frame has the same bits, and its count is that of a race.
TEST(SlowMotion, TheLastIterateIsTheResultOfTheSolverAndTheCountsAreThoseOfARace) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const std::vector<Contestant> methods = everyMethod(1e-5);
    const Recorded r = record(methods, 4000);
    WorkerPool pool;
    const RaceResult raced =
        race(r.system, &r.earlier, methods, {.tolerances = {1e-5}, .runs = 1, .slowFactor = 1e6}, {}, pool);
    ASSERT_EQ(raced.rows.size(), methods.size());
    for (std::size_t m = 0; m < methods.size(); ++m) {
        const auto& method = r.slow.methods[m];
        SCOPED_TRACE(methods[m].fullLabel());
        ASSERT_EQ(method.status, solvers::SolveStatus::Converged) << method.message;
        EXPECT_EQ(method.iteration.back(), raced.rows[m].iterations);
        EXPECT_EQ(method.frames(), std::size_t(method.iteration.back()) + 1) << "each iterate once, from the start on";
        solvers::SolverSettings cold = methods[m].method.solver;
        cold.warmStart = false;
        const auto solver = solvers::makeSolver(cold, methods[m].method.preconditioner);
        linalg::BlockVector dv;
        solvers::SolveSummary summary;
        const auto fromZero = [](const linalg::FrozenSystem& system) {
            linalg::LinearSystem view = system.view();
            view.previous = nullptr;
            return view;
        };
        if (methods[m].isLagged()) solver->solve(fromZero(r.earlier), dv, summary, {}, pool);
        solver->solve(fromZero(r.system), dv, summary, {}, pool);
        const std::vector<double>& last = method.deltaV.back();
        EXPECT_TRUE(std::equal(last.begin(), last.end(), dv.flat().begin(), dv.flat().end()));
    }
}

// MPCG and reduced PCG on one scale: where the two have the same iterates, they are shown alike, in error and in
// residual.
TEST(SlowMotion, BothSystemsAreMeasuredAlike) {
    const Recorded r =
        record({{{.kind = SolverKind::Mpcg, .tolerance = 1e-6}, {.kind = PreconditionerKind::ConstrainedBlock}},
                {{.kind = SolverKind::ReducedPcg, .tolerance = 1e-6}, {.kind = PreconditionerKind::BlockJacobi}}},
               400);
    const auto &mpcg = r.slow.methods[0], &reduced = r.slow.methods[1];
    ASSERT_GT(std::min(mpcg.frames(), reduced.frames()), 15u);
    std::vector<float> one, other;
    r.slow.errors(0, 0, one);
    const double largest = *std::ranges::max_element(one);
    constexpr std::size_t kBeforeRoundOff = 15;  // later they differ by the order of summation
    for (std::size_t k = 0; k < kBeforeRoundOff; ++k) {
        EXPECT_NEAR(mpcg.residuals[k], reduced.residuals[k], 1e-6) << k;
        double square = 0;
        for (const float u : mpcg.undone[k]) square += double(u) * u;
        EXPECT_NEAR(std::sqrt(square / double(mpcg.undone[k].size())), mpcg.residuals[k], 1e-5 * mpcg.residuals[k])
            << k;
        for (std::size_t i = 0; i < mpcg.undone[k].size(); ++i)
            ASSERT_NEAR(mpcg.undone[k][i], reduced.undone[k][i], 1e-5) << k << " " << i;
        r.slow.errors(0, k, one);
        r.slow.errors(1, k, other);
        for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], 1e-6 * largest) << k << " " << i;
    }
    EXPECT_NEAR(mpcg.residuals.front(), 1, 1e-12) << "both start at zero";
    EXPECT_LT(reduced.residuals.back(), 1e-6);
}

// BDF2 moves a particle by 2/3 h dv plus a part of the step before; the recording still ends where the step ends.
TEST(SlowMotion, EndsWhereAStepOfBdf2Ends) {
    const Recorded r =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-10}, {}}}, 400, "integrator.kind=bdf2");
    EXPECT_DOUBLE_EQ(r.slow.reach, 2 * r.system.dt / 3);
    std::vector<float> at;
    r.slow.positions(0, r.slow.methods[0].frames() - 1, 1, at);
    ASSERT_EQ(at.size(), r.after.size());
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], r.after[i], 1e-6);
}

TEST(SlowMotion, EndsWhereTheStepEndsAndExaggeratesTheError) {
    const Recorded r =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-9}, {}}, {{.kind = SolverKind::Cholesky}, {}}}, 400);
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
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_NEAR(ten[i] - solution[i], 10 * (plain[i] - solution[i]), 1e-4);
}

TEST(SlowMotion, ALongSolveKeepsItsBeginningAndItsEnd) {
    const Recorded r =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-10}, {.kind = PreconditionerKind::Identity}}}, 40);
    const auto& method = r.slow.methods[0];
    EXPECT_LE(method.frames(), 40u);
    EXPECT_TRUE(std::is_sorted(method.iteration.begin(), method.iteration.end()));
    for (int k = 0; k <= 20; ++k) EXPECT_EQ(method.iteration[k], k);
    EXPECT_GT(method.iteration.back(), 100);
    EXPECT_LT(method.residuals.back(), 1e-9f);

    // At most as many frames as requested, evenly over the logarithm: no frame is at more than twice the iteration of
    // the one before.
    const Recorded few =
        record({{{.kind = SolverKind::ReducedPcg, .tolerance = 1e-10}, {.kind = PreconditionerKind::Identity}}}, 20);
    const auto& at = few.slow.methods[0].iteration;
    EXPECT_LE(at.size(), 20u);
    for (std::size_t f = 11; f + 1 < at.size(); ++f) EXPECT_LE(at[f], 2 * at[f - 1] + 1);
    EXPECT_LE(at.back(), 2 * at[at.size() - 2] + 1);
}

}  // namespace
}  // namespace clothlab::experiments
