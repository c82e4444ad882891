#include "simulation/branch.hpp"

#include "integrators/kind.hpp"
#include "simulation/scenes.hpp"

namespace clothlab::simulation {
namespace {

std::unique_ptr<Branch> branchOf(const Simulation& simulation, const std::function<void(scene::Settings&)>& change) {
    scene::Settings settings = simulation.settings();
    change(settings);
    auto branch = Branch::start(simulation, settings, 1);
    EXPECT_TRUE(branch);
    return std::move(*branch);
}

const std::vector<const char*> kSmall{"cloth.rows=9", "cloth.columns=9"};

TEST(Branch, TheSameSettingsStayTogetherToTheLastBit) {
    const auto simulation = testing::simulate("hang", kSmall);
    for (int k = 0; k < 10; ++k) simulation->step();
    const auto branch = branchOf(*simulation, [](scene::Settings&) {});
    EXPECT_EQ(branch->startStep(), 10);
    for (int k = 0; k < 20; ++k) {
        if (k == 5) simulation->setPin(40, integrators::PinHold::point());
        if (k == 10) simulation->setGrab({.active = true, .particle = 20, .target = Vec3(0.1, 0.2, 0.3)});
        if (k == 15) simulation->setPin(40, {});
        simulation->step();
        ASSERT_TRUE(branch->follow(*simulation));
        EXPECT_EQ(branch->largestDistance(), 0.0) << k;
    }
    EXPECT_EQ(integrators::stateHash(branch->ghost().state()), integrators::stateHash(simulation->state()));
}

TEST(Branch, AnotherStiffnessTakesThemApartAndLeavesTheSimulationAlone) {
    const auto simulation = testing::simulate("hang", kSmall), alone = testing::simulate("hang", kSmall);
    const auto branch = branchOf(*simulation, [](scene::Settings& s) { s.material.stretchStiffness *= 0.1; });
    double before = 0;
    for (int k = 0; k < 15; ++k) {
        simulation->step();
        alone->step();
        ASSERT_TRUE(branch->follow(*simulation));
        EXPECT_GE(branch->largestDistance(), branch->rmsDistance());
        if (k == 2) before = branch->largestDistance();
    }
    EXPECT_GT(before, 0);
    EXPECT_GT(branch->largestDistance(), 2 * before);
    EXPECT_EQ(integrators::stateHash(alone->state()), integrators::stateHash(simulation->state()));
}

// Without forces the particles move on straight lines, so that their positions between two steps are known.
TEST(Branch, OtherStepLengthsAreComparedAtTheSameTime) {
    for (const double factor : {0.25, 0.3, 1.7}) {
        const auto simulation =
            testing::simulate("hang", {"cloth.rows=6", "cloth.columns=6", "cloth.noise=0", "gravity=0,0,0",
                                       "wind.linear_drag=0", "wind.drag_coefficient=0"});
        integrators::SimulationState flying = simulation->state();
        flying.pins.clear();
        for (Index i = 0; i < flying.v.size(); ++i) flying.v[i] = Vec3(1, 2, -0.5);
        simulation->setState(flying);
        const auto branch = branchOf(*simulation, [factor](scene::Settings& s) { s.integrator.dt *= factor; });
        for (int k = 0; k < 12; ++k) {
            simulation->step();
            ASSERT_TRUE(branch->follow(*simulation));
            EXPECT_LT(branch->largestDistance(), 1e-12) << factor << " " << k;
        }
        EXPECT_NE(branch->ghost().state().step, simulation->state().step);
    }
}

TEST(Branch, AGhostThatDivergesSaysSoAndTheOtherGoesOn) {
    const auto simulation = testing::simulate("hang", kSmall);
    const auto branch = branchOf(*simulation, [](scene::Settings& s) {
        s.integrator.kind = integrators::IntegratorKind::SymplecticEuler;
        s.integrator.substeps = 1;
        s.integrator.dt = 0.02;
        s.material.stretchStiffness = 1e5;
    });
    for (int k = 0; k < 60; ++k) {
        ASSERT_EQ(simulation->step().status, integrators::StepStatus::Ok);
        ASSERT_TRUE(branch->follow(*simulation));
    }
    EXPECT_FALSE(branch->problem().empty());
    EXPECT_LT(branch->largestDistance(), 0);
}

TEST(Branch, EndsWhenTheSimulationJumpsBack) {
    const auto simulation = testing::simulate("hang", kSmall);
    for (int k = 0; k < 5; ++k) simulation->step();
    const auto branch = branchOf(*simulation, [](scene::Settings&) {});
    for (int k = 0; k < 5; ++k) {
        simulation->step();
        ASSERT_TRUE(branch->follow(*simulation));
    }
    ASSERT_TRUE(simulation->seek(7));
    EXPECT_FALSE(branch->follow(*simulation));
}

}  // namespace
}  // namespace clothlab::simulation
