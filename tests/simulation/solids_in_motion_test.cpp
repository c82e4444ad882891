#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "scenes.hpp"
#include "simulation/cure.hpp"
#include "solvers/kind.hpp"

/// Cloth on slopes, with moving solids and with other cloth, compared with textbook results.
namespace clothlab::simulation {
namespace {

using integrators::IntegratorKind;
using integrators::StepStatus;

std::unique_ptr<Simulation> startSimulation(const std::string& text) {
    auto scene = scene::readSceneText(text, "case.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

constexpr double kGravity = 9.81;

struct Slope {
    double degrees, muS, muK, gap = 0, speed = 0, stiffness = 500, dt = 0.01;
    const char* integrator = "linearized-backward-euler";

    Vec3 down() const {
        const double a = degrees * std::numbers::pi / 180;
        return {std::cos(a), -std::sin(a), 0};
    }
    /// A sheet of 13 x 13 that is laid on the plane, `gap` above it.
    std::unique_ptr<Simulation> simulation() const {
        const Vec3 t = down(), n(-t[1], t[0], 0), origin = gap * n - 0.2 * t - Vec3(0, 0, 0.2);
        return startSimulation(fmt::format(
            "[cloth]\nrows = 13\ncolumns = 13\nside = 0.4\norigin = [{}, {}, {}]\ncolumn_axis = [{}, {}, 0]\n"
            "row_axis = [0, 0, 1]\nvelocity = [{}, {}, 0]\n[material]\ndensity = 0.2\nstretch_stiffness = {}\n"
            "[integrator]\ndt = {}\nkind = \"{}\"\n[contact]\nmu_s = {}\nmu_k = {}\n[[collider]]\nshape = \"plane\"\n"
            "axis = [{}, {}, 0]\n",
            origin[0], origin[1], origin[2], t[0], t[1], speed * t[0], speed * t[1], stiffness, dt, integrator, muS,
            muK, n[0], n[1]));
    }
};

/// Mean displacement down the slope, m.
double slid(const Simulation& simulation, const linalg::BlockVector& start, const Vec3& down) {
    double sum = 0;
    for (Index i = 0; i < start.size(); ++i) sum += (simulation.state().x[i] - start[i]).dot(down);
    return sum / start.size();
}

TEST(Slope, WithoutFrictionEveryMethodSlidesWithGSinTheta) {
    if (testing::kSanitized) GTEST_SKIP() << "the next test takes the same steps";
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        if (entry.kind == IntegratorKind::ForwardEuler) continue;
        const std::string key(entry.key);
        const Slope slope{.degrees = 20, .muS = 0, .muK = 0, .integrator = key.c_str()};
        const auto simulation = slope.simulation();
        const linalg::BlockVector start = simulation->state().x;
        for (int n = 0; n < 100; ++n) ASSERT_EQ(simulation->step().status, StepStatus::Ok) << key;
        const double exact = kGravity * std::sin(20 * std::numbers::pi / 180) / 2;
        EXPECT_NEAR(slid(*simulation, start, slope.down()) / exact, 1, 0.02) << key;
    }
}

TEST(Slope, ItHoldsWhereFrictionHoldsHoweverItIsLaidDown) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        if (entry.kind == IntegratorKind::ForwardEuler) continue;
        const std::string key(entry.key);
        for (const double gap : {0.0, 1e-4, -2e-3}) {
            const Slope slope{.degrees = 20, .muS = 0.5, .muK = 0.4, .gap = gap, .integrator = key.c_str()};
            const auto simulation = slope.simulation();
            const linalg::BlockVector start = simulation->state().x;
            double strain = 0;
            for (int n = 0; n < (testing::kSanitized ? 10 : 200); ++n)
                strain = std::max(strain, simulation->step().maxStrain);
            EXPECT_LT(std::abs(slid(*simulation, start, slope.down())), 1e-3) << key << " " << gap;
            EXPECT_LT(strain, 0.01) << key << " " << gap;
        }
    }
}

TEST(Slope, WhatIsThrownStopsWhereCoulombSays) {
    if (testing::kSanitized) GTEST_SKIP() << "the test above takes the same steps";
    for (const char* key : {"linearized-backward-euler", "bdf2", "newton-bdf2", "vbd", "xpbd", "fast-mass-spring"}) {
        const Slope slope{.degrees = 10, .muS = 0.5, .muK = 0.4, .speed = 0.5, .stiffness = 5000, .integrator = key};
        const double a = 10 * std::numbers::pi / 180, braking = kGravity * (0.4 * std::cos(a) - std::sin(a));
        const auto simulation = slope.simulation();
        const linalg::BlockVector start = simulation->state().x;
        for (int n = 0; n < 100; ++n) simulation->step();
        const double there = slid(*simulation, start, slope.down());
        EXPECT_NEAR(there / (0.25 / (2 * braking)), 1, std::max(0.05, slope.dt * braking / 0.5)) << key;
        for (int n = 0; n < 100; ++n) simulation->step();
        EXPECT_LT(std::abs(slid(*simulation, start, slope.down()) - there), 1e-3) << key;
    }
}

/// Contact between sheets keeps the total momentum in two-step methods too.
TEST(TwoSteps, SheetsThatCollideKeepTheirMomentum) {
    for (const IntegratorKind kind : {IntegratorKind::Bdf2, IntegratorKind::NewtonBdf2}) {
        const auto simulation = testing::threeSheets();
        scene::Settings settings = simulation->settings();
        settings.integrator.kind = kind;
        settings.solver.kind = solvers::SolverKind::Cholesky;
        settings.integrator.newton.tolerance = 1e-12;
        settings.gravity.setZero();
        simulation->apply(settings);
        integrators::SimulationState state = simulation->state();
        for (Index i = 2 * testing::kSheet; i < 3 * testing::kSheet; ++i) state.v[i] = Vec3(0.2, -4, 0.1);
        simulation->setState(state);
        const std::vector<double>& mass = simulation->model().mass;
        const auto momentum = [&] {
            Vec3 sum = Vec3::Zero();
            for (std::size_t i = 0; i < mass.size(); ++i) sum += mass[i] * simulation->state().v[Index(i)];
            return sum;
        };
        const Vec3 before = momentum();
        Index impacts = 0;
        for (int n = 0; n < 20; ++n) {
            const StepReport& report = simulation->step();
            ASSERT_FALSE(hasFailed(report.status)) << report.message;
            impacts += report.selfContact.impacts;
            if (!simulation->state().zones.ends.empty()) break;  // the next solve holds the zones
            EXPECT_LT((momentum() - before).norm(), 1e-10 * before.norm()) << enumKey(kind) << " step " << n + 1;
        }
        EXPECT_GT(impacts, 0);
    }
}

/// A particle that starts to slide loses most of its normal force. Friction from the old force would throw it.
TEST(Friction, GivesNoEnergyToASheetOnABall) {
    if (testing::kSanitized) GTEST_SKIP() << "hundreds of solves of 1681 particles";
    for (const int mu : {3, 10}) {
        const auto simulation = startSimulation(fmt::format(
            "[cloth]\nrows = 41\ncolumns = 41\nside = 1.0\norigin = [-0.5, 0.92, -0.5]\ncolumn_axis = [1, 0, 0]\n"
            "row_axis = [0, 0, 1]\nnoise = 0.0001\n[integrator]\ndt = 0.00367\n[solver]\nkind = \"mpcg\"\n"
            "[preconditioner]\nkind = \"jacobi\"\n[material]\nstretch_stiffness = 600\nshear_stiffness = 0.3\n"
            "bend_stiffness = 0.05\nbend_model = \"linear-compression\"\nparticle_mass = 9.5e-6\n[contact]\n"
            "mu_s = {0}\nmu_k = {0}\n[[collider]]\nshape = \"sphere\"\nradius = 0.4\nposition = [0, 0.5, 0]\n",
            mu));
        const double start = simulation->lastReport().totalJ();
        for (int n = 0; n < 90; ++n) {
            const StepReport& report = simulation->step({.hash = false});
            ASSERT_FALSE(hasFailed(report.status)) << report.message;
            ASSERT_LT(report.totalJ(), 1.1 * start) << mu << " step " << report.step;
        }
    }
}

TEST(MovingBoard, AThinBoardDoesNotTearWhatItPushes) {
    for (const char* mode : {"off", "robust"}) {
        const auto simulation = startSimulation(fmt::format(
            "[cloth]\nrows = 31\ncolumns = 31\nside = 1.0\norigin = [-0.5, 1.5, 0.0013]\n[integrator]\ndt = 0.01\n"
            "[contact]\nself_collision = \"{}\"\n[[pins]]\nrow = 0\ncolumns = \"all\"\n[[collider]]\nshape = \"box\"\n"
            "half_size = [0.2, 0.2, 0.01]\nposition = [0, 1, -0.3]\nvelocity = [0, 0, 1]\nstop_time = 0.4\n",
            mode));
        double strain = 0;
        for (int n = 0; n < 45; ++n) {
            const StepReport& report = simulation->step();
            ASSERT_EQ(report.status, StepStatus::Ok) << mode << " " << report.message;
            strain = std::max(strain, report.maxStrain);
        }
        EXPECT_LT(strain, 0.42) << mode;
    }
}

TEST(Frog, LandsWithoutInventingEnergy) {
    if (testing::kSanitized) GTEST_SKIP() << "hundreds of solves of 7000 particles";
    const auto simulation = testing::simulate("liu-frog");
    double first = 0, most = 0;
    for (int n = 0; n < 12; ++n) {
        const StepReport& report = simulation->step();
        ASSERT_EQ(report.status, StepStatus::Ok) << report.message;
        if (n == 0) first = report.totalJ();
        most = std::max(most, report.totalJ());
    }
    EXPECT_GT(simulation->lastReport().contacts, 0);
    EXPECT_LE(most, 1.2 * first);
}

TEST(Cure, NamesWhatBeginsInsideAndTriesWhatHelps) {
    const auto inside = startSimulation(
        "[cloth]\nrows = 9\ncolumns = 9\nside = 0.2\norigin = [0, 0, 0]\n[[collider]]\nname = \"ball\"\n"
        "shape = \"sphere\"\nradius = 1\n");
    const auto warnings = findWarnings(inside->model(), inside->colliders(), inside->state());
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("81 particles begin inside \"ball\""), std::string::npos) << warnings[0];

    const auto wild = testing::simulate(
        "hang", {"cloth.rows=15", "cloth.columns=15", "integrator.kind=forward-euler", "integrator.substeps=1"});
    StepReport report;
    for (int n = 0; n < 500 && !hasFailed(report.status); ++n) report = wild->step();
    ASSERT_TRUE(hasFailed(report.status));
    const std::uint64_t hash = integrators::stateHash(wild->state());
    const Cure cure = findCure(*wild);
    ASSERT_TRUE(cure.settings) << cure.words;
    EXPECT_NE(withCure(report, cure).find(cure.assignment), std::string::npos);
    EXPECT_EQ(integrators::stateHash(wild->state()), hash) << "tried on a copy";
    wild->apply(*cure.settings);
    EXPECT_FALSE(hasFailed(wild->step().status)) << "the cure works on the original, too";
}

TEST(Strain, WhatStaysOverstretchedIsSaidOnce) {
    const auto simulation = testing::simulate("hang", {"material.stretch_stiffness=1", "material.shear_stiffness=0.1"});
    int said = 0;
    for (int n = 0; n < 120; ++n) {
        const StepReport report = simulation->step();
        if (report.warning.empty()) continue;
        ++said;
        // The window shows the warning for a while, so that it has to stay true in later steps.
        EXPECT_TRUE(report.warning.starts_with(fmt::format("Steps {} to {} stretched", report.step - 3, report.step)))
            << report.warning;
    }
    EXPECT_EQ(said, 1) << simulation->lastReport().maxStrain;
}

/// A particle at 20 m/s stretches its springs more than the linear system of one step can describe.
TEST(Strain, AStepThatTearsAtTheClothIsUnconverged) {
    const auto simulation = testing::simulate("hang");
    integrators::SimulationState state = simulation->state();
    const Index middle = state.v.size() / 2;
    state.v[middle].y() = -20;
    simulation->setState(state);
    EXPECT_EQ(simulation->step().status, StepStatus::Unconverged);
    EXPECT_NE(simulation->lastReport().message.find("strain rose from "), std::string::npos)
        << simulation->lastReport().message;
}

}  // namespace
}  // namespace clothlab::simulation
