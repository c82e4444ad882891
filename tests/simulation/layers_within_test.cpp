#include <cmath>

#include "integrators/kind.hpp"
#include "integrators/traits.hpp"
#include "method_pairs.hpp"
#include "scenes.hpp"

/// Contact between layers within the solve.
namespace clothlab::simulation {
namespace {

using testing::simulate;

std::unique_ptr<Simulation> readLayers(const std::string& text) {
    auto scene = scene::readSceneText(text, "layers.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

/// Change of the total momenta in a step. Angular momentum is about the origin, with positions at the start of the
/// step.
struct MomentumChange {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double largest = 0, lever = 0;  ///< the largest change of a particle, and the sum of all moments

    MomentumChange(const Simulation& simulation, const integrators::SimulationState& before) {
        for (Index i = 0; i < before.v.size(); ++i) {
            const Vec3 momentum = simulation.model().mass[i] * (simulation.state().v[i] - before.v[i]);
            const Vec3 moment = Vec3(before.x[i]).cross(momentum);
            linear += momentum;
            angular += moment;
            largest = std::max(largest, momentum.norm());
            lever += moment.norm();
        }
    }
};

/// Sheets of the stack fly towards each other, without gravity and friction and far from the solids.
TEST(LayersThatMeet, KeepMomentaAndGainNoEnergy) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const char* solve : {"contact.solve=after", "contact.solve=within"}) {
        const auto simulation =
            simulate("stack", {"cloth.rows=9", "cloth.columns=9", "solver.kind=cholesky", "gravity=[0, 0, 0]",
                               "wind.drag_coefficient=0", "integrator.dt=0.01", "contact.cloth_friction=0", solve});
        integrators::SimulationState state = simulation->state();
        constexpr Index kSheet = 81;
        for (Index i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(0.1, (i / kSheet) % 2 == 0 ? 1 : -1, 0);
        for (Index i = 0; i < state.x.size(); ++i) state.x[i].y() += 1;
        simulation->setState(state);
        int repeats = 0;
        Index impacts = 0;
        int compared = 0;
        double energy = simulation->lastReport().totalJ();
        for (int n = 0; n < 8; ++n) {
            const integrators::SimulationState before = simulation->state();
            ASSERT_TRUE(before.zones.ends.empty());
            const StepReport& report = simulation->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << report.message;
            const MomentumChange change(*simulation, before);
            const contact::SelfContactCounts& contact = report.selfContact;
            if (contact.near + contact.impacts > 0) {
                EXPECT_LE(change.linear.norm(), 1e-10 * change.largest) << solve << ", step " << n;
                EXPECT_GE(contact.angular, 0);
                EXPECT_LE(contact.angular, 2e-3 * change.lever) << solve << ", step " << n;
                // Nothing was strained yet, so that only contact between layers moved anything.
                if (impacts == 0 && contact.repeats == 0) {
                    EXPECT_NEAR(change.angular.norm(), contact.angular, 1e-8 * change.lever) << solve;
                    ++compared;
                }
            }
            EXPECT_LE(report.totalJ(), energy * (1 + 1e-9)) << solve << ", step " << n;
            energy = report.totalJ();
            repeats += contact.repeats;
            impacts += contact.impacts;
        }
        EXPECT_GT(impacts, 100) << solve;
        const bool within = std::string(solve) == "contact.solve=within";
        EXPECT_EQ(repeats > 0, within);
        EXPECT_TRUE(within || compared > 0);
    }
}

/// Two sheets that are too near each other, at rest, with nothing else to move them.
TEST(LayersThatMeet, NearOnesKeepTheAngularMomentum) {
    const auto simulation = testing::threeSheets();
    scene::Settings settings = simulation->settings();
    settings.gravity = Vec3::Zero();
    settings.contact.clothFriction = 0;
    simulation->apply(settings);
    const integrators::SimulationState before = simulation->state();
    const StepReport& report = simulation->step();
    ASSERT_GT(report.selfContact.near, 50);
    ASSERT_EQ(report.selfContact.impacts, 0);
    const MomentumChange change(*simulation, before);
    EXPECT_GT(change.lever, 0);
    EXPECT_LE(change.angular.norm(), 1e-10 * change.lever);
    EXPECT_GE(report.selfContact.angular, 0);
    EXPECT_LE(report.selfContact.angular, 1e-10 * change.lever);
}

/// A two-step method uses the step before, and must not continue an impact.
TEST(LayersWithin, WhatFallsDoesNotBounce) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of steps";
    for (const char* method : {"linearized-backward-euler", "bdf2", "newton-bdf2"}) {
        const auto simulation = readLayers(
            fmt::format("[integrator]\nkind = \"{}\"\ndt = 0.005\n[material]\nstretch_stiffness = 2000\n"
                        "[contact]\nself_collision = \"robust\"\nsolve = \"within\"\n"
                        "[[cloth]]\nrows = 13\ncolumns = 13\nside = 0.6\norigin = [0, 0, 0]\ncolumn_axis = [1, 0, 0]\n"
                        "row_axis = [0, 0, 1]\n[[cloth]]\nrows = 9\ncolumns = 9\nside = 0.4\ncolumn_axis = [1, 0, 0]\n"
                        "row_axis = [0, 0, 1]\norigin = [0.113, 0.1, 0.117]\n",
                        method));
        constexpr Index kBelow = 169, kAbove = 81;
        for (Index i = 0; i < kBelow; ++i) simulation->setPin(i, integrators::PinHold::point());
        double fastest = 0, highest = 0;
        for (int n = 0; n < 100; ++n) {
            ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << method;
            double height = 0, speed = 0;
            for (Index i = kBelow; i < kBelow + kAbove; ++i) {
                height += simulation->state().x[i].y() / kAbove;
                speed += simulation->state().v[i].y() / kAbove;
            }
            fastest = std::max(fastest, -speed);
            if (n > 35) highest = std::max(highest, height);
        }
        EXPECT_GT(fastest, 1) << method << ": it fell";
        EXPECT_LT(highest, 0.006) << method << ": it lies within the thickness";
    }
}

/// How far a sheet slides in 0.8 s on a fully pinned one, with gravity turned by the angle whose tangent is `slope`.
double slideAt(double slope, const char* method) {
    const double angle = std::atan(slope);
    const auto simulation = readLayers(
        fmt::format("gravity = [{}, {}, 0]\n[integrator]\nkind = \"{}\"\ndt = 0.01\n[solver]\nkind = \"cholesky\"\n"
                    "[contact]\nself_collision = \"robust\"\ncloth_friction = 0.3\nsolve = \"within\"\n"
                    "[[cloth]]\nrows = 9\ncolumns = 25\nside = 2.4\norigin = [0, 0, 0]\ncolumn_axis = [1, 0, 0]\n"
                    "row_axis = [0, 0, 1]\n[[cloth]]\nrows = 5\ncolumns = 5\nside = 0.3\ncolumn_axis = [1, 0, 0]\n"
                    "row_axis = [0, 0, 1]\norigin = [0.113, 0.0074, 0.117]\n",
                    9.81 * std::sin(angle), -9.81 * std::cos(angle), method));
    constexpr Index kBelow = 9 * 25, kAbove = 25;
    for (Index i = 0; i < kBelow; ++i) simulation->setPin(i, integrators::PinHold::point());
    const auto mean = [&] {
        double sum = 0;
        for (Index i = kBelow; i < kBelow + kAbove; ++i) sum += simulation->state().x[i].x() / kAbove;
        return sum;
    };
    const double start = mean();
    for (int n = 0; n < 80; ++n) EXPECT_FALSE(integrators::hasFailed(simulation->step().status));
    return mean() - start;
}

TEST(LayersWithin, HoldOnAnInclineAsFarAsFrictionDoes) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of steps";
    for (const char* method : {"linearized-backward-euler", "newton-backward-euler"}) {
        EXPECT_LT(std::abs(slideAt(0.28, method)), 0.002) << method;
        // Above the angle of friction it slides with the acceleration g (sin - mu cos).
        const double angle = std::atan(0.4), way = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle)) * 0.8 * 0.8 / 2;
        EXPECT_NEAR(slideAt(0.4, method) / way, 1, 0.05) << method;
    }
}

TEST(LayersWithin, SameBitsAtOneTwoAndFourThreads) {
    std::uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        const auto simulation =
            simulate("stack", {"cloth.rows=9", "cloth.columns=9", "contact.solve=within"}, 1 << k, 0);
        int repeats = 0;
        for (int n = 0; n < (testing::kSanitized ? 34 : 60); ++n) repeats += simulation->step().selfContact.repeats;
        hashes[k] = integrators::stateHash(simulation->state());
        EXPECT_GT(repeats, 0);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

/// Frames during the fall, when most sheets have landed, and at rest; A has contact blocks in all of them.
TEST(LayersWithin, EverySolverAndPreconditionerAgreesWithCholesky) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation =
        simulate("stack", {"cloth.rows=5", "cloth.columns=5", "contact.solve=within", "solver.kind=cholesky"});
    const scene::Settings own = simulation->settings();
    for (const int frame : {40, 70, 100}) {
        if (testing::kSanitized && frame > 40) break;
        simulation->apply(own);
        while (simulation->state().step < frame) ASSERT_FALSE(integrators::hasFailed(simulation->step().status));
        const integrators::SimulationState state = simulation->state();
        ASSERT_GT(state.layerForces.size(), 20u) << frame;
        scene::Settings settings = own;
        settings.contact.solveRepeats = 0;
        simulation->apply(settings);
        simulation->step();
        const linalg::BlockVector reference = simulation->state().deltaV;
        for (const auto& [method, name] : testing::allMethods()) {
            settings.solver = method.solver;
            settings.solver.tolerance = 1e-10;
            settings.solver.maxIterations = 5000;
            settings.preconditioner = method.preconditioner;
            simulation->setState(state);
            simulation->apply(settings);
            const StepReport& report = simulation->step();
            EXPECT_EQ(report.solveStatus, solvers::SolveStatus::Converged) << name << report.message;
            EXPECT_LT((simulation->state().deltaV.flat() - reference.flat()).norm(), 1e-5 * reference.flat().norm())
                << frame << " " << name;
        }
        simulation->setState(state);
    }
}

/// Methods that support contact within the solve take another step than with `after`; the others take the same one.
TEST(LayersWithin, EveryMethodTakesThemOrKeepsContactAfterTheSolve) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{})) {
        if (integrators::IntegratorKind(entry.value) == integrators::IntegratorKind::ForwardEuler) continue;
        std::uint64_t hashes[2];
        int repeats = 0;
        for (const bool within : {false, true}) {
            const auto simulation = testing::threeSheets();
            scene::Settings settings = simulation->settings();
            settings.integrator.kind = integrators::IntegratorKind(entry.value);
            settings.integrator.dt = 1e-3;
            settings.contact.solveTolerance = 1e-3;
            settings.contact.solve = within ? contact::LayerSolve::Within : contact::LayerSolve::After;
            simulation->apply(settings);
            for (int n = 0; n < 8; ++n) {
                const StepReport& report = simulation->step();
                ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << ": " << report.message;
                repeats += report.selfContact.repeats;
            }
            hashes[within] = integrators::stateHash(simulation->state());
        }
        const bool takes = integrators::traitsFor(integrators::IntegratorKind(entry.value)).takesLayers;
        EXPECT_EQ(repeats > 0, takes) << entry.key;
        EXPECT_EQ(hashes[0] != hashes[1], takes) << entry.key;
    }
}

}  // namespace
}  // namespace clothlab::simulation
