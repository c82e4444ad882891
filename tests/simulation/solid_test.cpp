#include <gtest/gtest.h>

#include "integrators/kind.hpp"
#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "scenes.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"

namespace clothlab::simulation {
namespace {

/// The hippo of the scene with some 1300 particles, slightly above the ground.
std::unique_ptr<Simulation> small(std::vector<const char*> overrides = {}, int threads = 1,
                                  Index inlineRows = WorkerPool::kDefaultInlineRows) {
    for (const char* set : {"cloth.spacing=0.07", "cloth.surface_spacing=0", "cloth.origin=0,0.02,0"})
        overrides.push_back(set);
    return testing::simulate("liu-hippo", overrides, threads, inlineRows);
}

/// A system of the body while it stands on the ground, with sliding and sticking contacts.
linalg::FrozenSystem frozenBody() {
    const auto simulation = small({"integrator.kind=linearized-backward-euler", "integrator.dt=0.01",
                                   "preconditioner.kind=incomplete-cholesky", "solver.kind=reduced-pcg"});
    for (int n = 1; n < 20; ++n) simulation->step();
    simulation->step({.keepSystem = true});
    return *simulation->systemOfLastStep();
}

TEST(Solid, EverySolverAndPreconditionerAgreesWithTheDirectSolution) {
    if (testing::kSanitized) GTEST_SKIP() << "fifty tight solves of 3900 unknowns";
    const linalg::FrozenSystem system = frozenBody();
    EXPECT_GT(system.constraints.constrained().size(), 6u) << "it stands on the ground";
    linalg::BlockVector expected;
    using enum solvers::SolverKind;
    const auto direct = testing::solveFrozen(system, {.kind = Cholesky}, {}, expected);
    ASSERT_EQ(direct.status, solvers::SolveStatus::Converged) << direct.message;
    ASSERT_LT(direct.trueRelativeResidual, 1e-10);
    testing::solveByEveryMethod(system, 1e-12, [&](const std::string& words, const linalg::BlockVector& dv) {
        EXPECT_LT((dv.flat() - expected.flat()).norm(), 1e-8 * expected.flat().norm()) << words;
    });
}

TEST(Solid, AllItsSpringsAreInTheCore) {
    const auto simulation = small({"integrator.kind=linearized-backward-euler"});
    simulation->step({.keepSystem = true});
    for (const std::uint8_t bits : simulation->systemOfLastStep()->core.offDiagonal)
        EXPECT_NE(bits & linalg::CoreMask::kCore, 0);
}

TEST(Solid, EveryIntegratorTakesIt) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& kind : enumTable(integrators::IntegratorKind{})) {
        const std::string set = "integrator.kind=" + std::string(kind.key);
        const auto simulation = small({set.c_str(), "integrator.dt=0.0005", "material.stretch_stiffness=20"});
        StepReport report;
        for (int n = 0; n < 5; ++n) report = simulation->step();
        EXPECT_FALSE(integrators::hasFailed(report.status)) << kind.key << ": " << report.message;
        EXPECT_TRUE(simulation->state().x.flat().allFinite()) << kind.key;
        EXPECT_LT(simulation->state().v.flat().norm(), 1e3) << kind.key;
    }
}

// While the body stands on its feet, few solves per pass are needed, and the limit is that of Newton's method.
TEST(Solid, WhatSticksToTheGroundJoinsWhatTheFactorLeavesOut) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation =
        small({"integrator.kind=fast-mass-spring", "fast_mass_spring.velocity_kept=1", "newton.tolerance=1e-10"});
    for (int n = 0; n < 60; ++n) simulation->step();
    const integrators::SimulationState state = simulation->state();
    const auto sticks = [](const contact::ParticleContact& c) { return c.ndof == 0; };
    ASSERT_GT(std::ranges::count_if(state.contacts.contacts, sticks), 4);
    scene::Settings settings = simulation->settings();
    settings.integrator.fastMassSpring.iterations = 300;
    settings.integrator.fastMassSpring.acceleration = integrators::Acceleration::Anderson;
    simulation->apply(settings);
    const StepReport report = simulation->step();
    EXPECT_LT(report.linearIterations, 5 * report.outerIterations) << "nearly ten if the factor leaves out all contact";
    const linalg::BlockVector limit = simulation->state().x;
    settings.integrator.kind = integrators::IntegratorKind::NewtonBackwardEuler;
    settings.solver.kind = solvers::SolverKind::Cholesky;
    simulation->setState(state);
    simulation->apply(settings);
    ASSERT_FALSE(integrators::hasFailed(simulation->step().status));
    EXPECT_LT((limit.flat() - simulation->state().x.flat()).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST(Solid, TheSameBitsOnAnyNumberOfThreads) {
    for (const char* kind : {"integrator.kind=fast-mass-spring", "integrator.kind=linearized-backward-euler"}) {
        const auto one = small({kind}, 1, 0), four = small({kind}, 4, 0);
        for (int n = 0; n < 8; ++n) {
            one->step();
            four->step();
        }
        EXPECT_EQ(integrators::stateHash(one->state()), integrators::stateHash(four->state())) << kind;
    }
}

TEST(Solid, ByComponentsItMovesAsInOnePiece) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    // Soft enough that its springs are explicit: components are single particles, or what the matrix still couples.
    const std::vector<const char*> common{"integrator.kind=adaptive-imex", "integrator.dt=0.002",
                                          "solver.tolerance=1e-10", "material.stretch_stiffness=40"};
    std::vector<const char*> parts = common;
    parts.push_back("solver.decompose=true");
    const auto whole = small(common), decomposed = small(parts);
    for (int n = 0; n < 30; ++n) {
        ASSERT_FALSE(integrators::hasFailed(whole->step().status));
        ASSERT_FALSE(integrators::hasFailed(decomposed->step().status));
    }
    EXPECT_LT((whole->state().x.flat() - decomposed->state().x.flat()).norm(), 1e-6 * whole->state().x.flat().norm());
}

/// The lowest and highest point.
std::pair<double, double> heights(const Simulation& simulation) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (Index i = 0; i < simulation.state().x.size(); ++i) {
        low = std::min(low, simulation.state().x[i].y());
        high = std::max(high, simulation.state().x[i].y());
    }
    return {low, high};
}

TEST(Solid, LandsOnItsFeetAndStaysUp) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = small();
    const double tall = heights(*simulation).second - heights(*simulation).first;
    for (int n = 0; n < 90; ++n) ASSERT_FALSE(integrators::hasFailed(simulation->step().status));
    const auto [low, high] = heights(*simulation);
    EXPECT_GT(low, -0.01);
    EXPECT_LT(low, 0.01);
    EXPECT_GT(high - low, 0.9 * tall);
    EXPECT_GT(simulation->lastReport().contacts, 4);
}

}  // namespace
}  // namespace clothlab::simulation
