#include "solvers/decomposed.hpp"

#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"
#include "support/random_systems.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;

struct ByComponents {
    linalg::BlockVector dv;
    SolveSummary summary;
};

ByComponents solveWith(const testing::RandomSystem& system, SolverSettings settings, PreconditionerKind with,
                       bool decompose, int threads = 1) {
    WorkerPool pool(threads, threads > 1 ? 0 : WorkerPool::kDefaultInlineRows);
    ByComponents out;
    settings.decompose = decompose;
    makeSolver(settings, {.kind = with})->solve(system.view(), out.dv, out.summary, {}, pool);
    return out;
}

/// Each case of the class comment: components solved as copies, dense and single ones; one that is nearly everything;
/// only one.
std::vector<testing::RandomSystem> waysOfFallingApart() {
    std::vector<testing::RandomSystem> systems;
    systems.push_back(testing::islands({40, 1, 60, 2, 1, 3, 8, 30, 1}, 5, 0.4));
    systems.push_back(testing::islands({150, 1, 2, 4, 1, 3}, 6, 0.1));
    systems.push_back(testing::islands({80}, 7, 0.0));
    systems.push_back(testing::islands(std::vector<Index>(30, 1), 8, 0.5));
    return systems;
}

// By components and as a whole, the solution is the same.
TEST(Decomposed, EqualsTheWholeForEverySolver) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const auto& system : waysOfFallingApart())
        for (const auto& [method, name] : testing::allMethods()) {
            const ByComponents parts =
                solveWith(system, {.kind = method.solver.kind, .tolerance = 1e-13}, method.preconditioner.kind, true);
            ASSERT_EQ(parts.summary.status, SolveStatus::Converged) << name << parts.summary.message;
            const testing::DenseMatrix expected = system.denseSolution();
            EXPECT_LT((parts.dv - expected).maxAbs(), 1e-10 * expected.maxAbs()) << name;
            EXPECT_LT(trueRelativeResidual(system.view(), parts.dv), 1e-11);
        }
}

TEST(Decomposed, TakesFewerRowIterationsAndCountsThem) {
    const auto system = testing::islands({200, 1, 150, 2, 1, 3, 8, 30, 1}, 9, 0.2);
    const SolverSettings settings{.kind = SolverKind::Mpcg, .tolerance = 1e-8};
    const ByComponents parts = solveWith(system, settings, PreconditionerKind::BlockJacobi, true);
    const ByComponents whole = solveWith(system, settings, PreconditionerKind::BlockJacobi, false);
    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components);
    ASSERT_EQ(Index(parts.summary.components.size()), components.count());
    double sum = 0;
    int most = 0;
    for (Index c = 1; c <= components.count(); ++c) {
        const ComponentSolve& one = parts.summary.components[c - 1];
        EXPECT_EQ(one.rows, components.size(c));
        sum += double(one.rows) * one.iterations;
        most = std::max(most, one.iterations);
    }
    EXPECT_EQ(parts.summary.rowIterations, sum);
    EXPECT_EQ(parts.summary.iterations, most);
    EXPECT_LT(sum, 0.9 * whole.summary.iterations * system.A.rows());
    EXPECT_TRUE(whole.summary.components.empty());
}

// The joined curve begins at 1 and ends at the true residual of the whole system.
TEST(Decomposed, JoinsTheResidualsOfItsParts) {
    const auto system = testing::islands({90, 1, 60, 5, 1, 30}, 10, 0.3);
    const ByComponents parts =
        solveWith(system, {.tolerance = 1e-6, .warmStart = false}, PreconditionerKind::BlockJacobi, true);
    const auto& history = parts.summary.history;
    ASSERT_EQ(history.size(), std::size_t(parts.summary.iterations) + 1);
    EXPECT_LE(history.front(), 1.0f);
    EXPECT_GT(history.front(), 0.9f);  // single particles are solved before the first iteration
    EXPECT_NEAR(parts.summary.trueRelativeResidual, trueRelativeResidual(system.view(), parts.dv), 1e-9);
    EXPECT_LT(parts.summary.trueRelativeResidual, 1e-6);
}

TEST(Decomposed, SameBitsAtAnyNumberOfThreads) {
    const auto system = testing::islands({2500, 900, 700, 1, 30, 2, 3, 40, 1200, 1, 1}, 11, 0.1);
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg, SolverKind::Cholesky}) {
        const ByComponents one = solveWith(system, {.kind = kind}, PreconditionerKind::IncompleteCholesky, true, 1);
        for (const int threads : {2, 4})
            EXPECT_TRUE(one.dv ==
                        solveWith(system, {.kind = kind}, PreconditionerKind::IncompleteCholesky, true, threads).dv);
    }
}

// Data kept between solves must not change a result when components stay, vanish or appear.
TEST(Decomposed, KeepsNothingThatChangesAResult) {
    const auto first = testing::islands({60, 1, 40, 3, 30}, 12, 0.1);
    auto second = first;
    second.constraints.set({.particle = 5, .ndof = 0, .z = Vec3(0.3, -1, 0.2)});
    second.constraints.set({.particle = 77, .ndof = 0, .z = Vec3(0, 1, 0)});
    second.constraints.sort();
    WorkerPool pool(1);
    for (const auto kind : {SolverKind::ReducedPcg, SolverKind::Cholesky}) {
        const SolverSettings settings{.kind = kind, .decompose = true};
        const auto solver = makeSolver(settings, {.kind = PreconditionerKind::IncompleteCholesky});
        for (const auto* system :
             std::initializer_list<const testing::RandomSystem*>{&first, &first, &second, &first}) {
            ByComponents again;
            solver->solve(system->view(), again.dv, again.summary, {}, pool);
            EXPECT_TRUE(again.dv == solveWith(*system, settings, PreconditionerKind::IncompleteCholesky, true).dv);
        }
    }
}

// Cut pairs use the velocity change of the previous step. If that equals the solution it is a fixed point; otherwise
// the summary has the residual of the whole system.
TEST(Decomposed, CutsWhereParticlesMoveAlikeAndSaysWhatItCosts) {
    const Index side = 14;
    const auto system = testing::gridSystem(side, 14, 0.1);
    const Index n = system.A.rows();
    std::mt19937 rng(3);
    linalg::BlockVector velocity(n);
    for (Index i = 0; i < n; ++i)  // four rows in the middle move together: no pair may cross them
        velocity[i] = i / side >= 5 && i / side <= 8 ? Vec3(1, 0, 0) : testing::randomVec3(rng);
    const SolverSettings settings{.kind = SolverKind::Mpcg, .tolerance = 1e-12, .decompose = true, .cutSpeed = 0.05};
    const ByComponents whole = solveWith(system, {.kind = SolverKind::Cholesky}, PreconditionerKind::Identity, false);
    const auto cut = [&](const linalg::BlockVector* previous, double speed) {
        linalg::LinearSystem view = system.view();
        view.velocity = &velocity;
        view.previous = previous;
        SolverSettings with = settings;
        with.cutSpeed = speed;
        ByComponents out;
        WorkerPool pool;
        makeSolver(with, {.kind = PreconditionerKind::BlockJacobi})->solve(view, out.dv, out.summary, {}, pool);
        return out;
    };
    const ByComponents fromNothing = cut(nullptr, 0.05), fixedPoint = cut(&whole.dv, 0.05), uncut = cut(nullptr, 0);
    EXPECT_EQ(uncut.summary.cutPairs, 0);
    EXPECT_LT(testing::distance(uncut.dv, whole.dv), 1e-9 * testing::norm(whole.dv));

    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components, {&velocity, 0.05});
    EXPECT_GT(components.count(), Index(uncut.summary.components.size()));
    int expected = 0;
    const testing::DenseMatrix dense(system.A);
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j) {
            const Index a = components.of[i], b = components.of[j];
            expected += a > 0 && b > 0 && a != b && !dense.block(i, j).isZero(0);
        }
    EXPECT_GT(expected, 0);
    EXPECT_EQ(fromNothing.summary.cutPairs, expected);
    EXPECT_EQ(fromNothing.summary.status, SolveStatus::Stalled);
    EXPECT_GT(fromNothing.summary.trueRelativeResidual, 1e-3);
    EXPECT_NEAR(fromNothing.summary.trueRelativeResidual, trueRelativeResidual(system.view(), fromNothing.dv), 1e-12);
    EXPECT_LT(testing::distance(fixedPoint.dv, whole.dv), 1e-9 * testing::norm(whole.dv));
}

TEST(Decomposed, SaysWhichPartCannotBeSolved) {
    auto system = testing::islands({20, 1, 1, 10}, 13);
    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components);
    for (Index c = 1; c <= components.count(); ++c) {
        auto broken = system;
        broken.A.diagonal(components.rowsIn(c).front()) *= -1;
        for (const auto kind : {SolverKind::Mpcg, SolverKind::Cholesky}) {
            const ByComponents parts = solveWith(broken, {.kind = kind}, PreconditionerKind::Identity, true);
            EXPECT_FALSE(acceptable(parts.summary.status)) << c;
            EXPECT_FALSE(parts.summary.message.empty()) << c;
        }
    }
}

}  // namespace
}  // namespace clothlab::solvers
