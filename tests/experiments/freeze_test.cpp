#include "experiments/systems/freeze.hpp"

#include "simulation/scenes.hpp"

namespace clothlab::experiments {
namespace {

using Why = NotFrozen::Why;

const std::vector<const char*> kSmall{"cloth.rows=9", "cloth.columns=9"};

std::vector<const char*> smallWith(const char* more) {
    std::vector<const char*> all = kSmall;
    all.push_back(more);
    return all;
}

void expectSameSystem(const linalg::FrozenSystem& a, const linalg::FrozenSystem& b) {
    EXPECT_EQ(a.step, b.step);
    EXPECT_EQ(linalg::toDense(a.A), linalg::toDense(b.A));
    EXPECT_EQ(a.b, b.b);
    EXPECT_EQ(a.deltaV, b.deltaV);
}

TEST(Freeze, KeepsTheSystemsOfTheLastTwoStepsAndWhereTheLastBegins) {
    const auto simulation = testing::simulate("hang", kSmall), twin = testing::simulate("hang", kSmall);
    const auto frozen = freezeStep(*simulation, 4);
    ASSERT_TRUE(frozen);
    for (int k = 1; k <= 2; ++k) twin->step();
    twin->step({.keepSystem = true});
    ASSERT_TRUE(frozen->earlier);
    expectSameSystem(*frozen->earlier, *twin->systemOfLastStep());
    EXPECT_EQ(frozen->origin.x, twin->state().x);
    EXPECT_EQ(frozen->origin.v, twin->state().v);
    EXPECT_EQ(frozen->origin.time, twin->state().time);
    twin->step({.keepSystem = true});
    expectSameSystem(frozen->system, *twin->systemOfLastStep());
    EXPECT_EQ(frozen->report.step, 4);
    EXPECT_EQ(frozen->origin.solve.iterations, twin->lastSolve().iterations);
    EXPECT_EQ(simulation->state().x, twin->state().x);
}

TEST(Freeze, TheFirstStepHasNoneBefore) {
    const auto frozen = freezeStep(*testing::simulate("hang", kSmall), 1);
    ASSERT_TRUE(frozen);
    EXPECT_FALSE(frozen->earlier);
    EXPECT_EQ(frozen->system.step, 1);
}

TEST(Freeze, BeforeEachStepSettingsMayChangeAndItMayEnd) {
    const auto simulation = testing::simulate("hang", kSmall);
    std::vector<int> seen;
    const auto shorter = [&](int step) {
        seen.push_back(step);
        if (step < 3) return true;
        scene::Settings settings = simulation->settings();
        settings.integrator.dt = 1e-3;
        simulation->apply(settings);
        return true;
    };
    const auto frozen = freezeStep(*simulation, 3, {.before = shorter});
    ASSERT_TRUE(frozen);
    EXPECT_EQ(seen, (std::vector{1, 2, 3}));
    EXPECT_EQ(frozen->system.dt, 1e-3);
    EXPECT_NE(frozen->earlier->dt, 1e-3);

    const auto ended = freezeStep(*simulation, 5, {.before = [](int step) { return step < 3; }});
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().why, Why::Ended);
    EXPECT_EQ(ended.error().step, 3);
    EXPECT_EQ(simulation->state().step, 5);
}

TEST(Freeze, AnExplicitMethodHasNoSystem) {
    const auto frozen = freezeStep(*testing::simulate("hang", smallWith("integrator.kind=symplectic-euler")), 3);
    ASSERT_FALSE(frozen);
    EXPECT_EQ(frozen.error().why, Why::NoSystem);
    EXPECT_EQ(frozen.error().message, "Symplectic Euler solves no linear system");
}

// The guard refuses so fast a cloth after the solve; a caller who needs only the system still gets it.
TEST(Freeze, AStepThatFailsHasASystemForWhoWantsNoMore) {
    const auto simulation = testing::simulate("hang", kSmall);
    integrators::SimulationState fast = simulation->state();
    fast.v[80] = Vec3(0, 0, 1e6);
    simulation->setState(fast);
    const auto refused = freezeStep(*simulation, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().why, Why::StepFailed);
    EXPECT_EQ(refused.error().step, 1);
    EXPECT_FALSE(refused.error().message.empty());
    const auto taken = freezeStep(*simulation, 1, {.evenIfFailed = true});
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->system.A.rows(), 81);
    EXPECT_EQ(taken->origin.v[80], Vec3(0, 0, 1e6));
}

}  // namespace
}  // namespace clothlab::experiments
