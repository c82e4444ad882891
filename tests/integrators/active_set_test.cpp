#include <random>

#include "integrators/kind.hpp"
#include "solvers/yardstick.hpp"
#include "test_world.hpp"

/// integrator.active_set repeats a linear step, linearized at its candidate.
namespace clothlab::integrators {
namespace {

using testing::TestWorld;

constexpr double kStep = 0.01, kMass = 0.1, kStiffness = 1e5;  // h^2 k / m = 100
constexpr IntegratorKind kRepeating[] = {IntegratorKind::LinearizedBackwardEuler,
                                         IntegratorKind::Bdf2,
                                         IntegratorKind::ImexEuler,
                                         IntegratorKind::AdaptiveImex,
                                         IntegratorKind::Sbdf2,
                                         IntegratorKind::AdaptiveSbdf2};

/// One particle on a slack spring to a pin, on its way to jerk it taut.
void slackSpring(TestWorld& world, double velocity) {
    world.material = {.stretchStiffness = kStiffness};
    world.oscillator(kMass, 0.99);
    world.state.v[1] = Vec3(velocity, 0, 0);
    world.integrator.activeSet = 5;
}

// Taut at the candidate, 4 cm too long: the repeat is the two-sided step, m dv = -h k (l' - L).
TEST(ActiveSet, ASlackSpringThatIsJerkedTautEndsAsATwoSidedOne) {
    for (const auto kind : kRepeating) {
        TestWorld world;
        slackSpring(world, 5);
        ASSERT_EQ(world.step(kind, kStep), StepStatus::Ok) << enumKey(kind);
        const double dv = -kStep * kStiffness * 0.04 / (kMass + kStep * kStep * kStiffness);
        EXPECT_NEAR(world.state.v[1][0], 5 + dv, 1e-9) << enumKey(kind);
        EXPECT_NEAR(world.state.x[1][0], 1 + 0.04 / (1 + kStep * kStep * kStiffness / kMass), 1e-11) << enumKey(kind);
        ASSERT_EQ(world.outcome.outer.size(), 1u) << enumKey(kind);
        EXPECT_EQ(world.outcome.outer.front().merit, 1) << "relative to that of the first candidate";
    }
}

TEST(ActiveSet, WithTwoStepsItEndsWhereTheTwoStepFormulaSays) {
    for (const auto kind : {IntegratorKind::Bdf2, IntegratorKind::Sbdf2}) {
        TestWorld world;
        slackSpring(world, 5);
        world.state.xPrevious = world.state.x;
        world.state.xPrevious[1][0] -= kStep * 5;
        world.state.vPrevious = world.state.v;
        world.state.dtPrevious = kStep;
        world.state.previousValid = true;
        ASSERT_EQ(world.step(kind, kStep), StepStatus::Ok);
        const double a = 2 * kStep / 3, dv = -a * kStiffness * 0.04 / (kMass + a * a * kStiffness);
        EXPECT_NEAR(world.state.v[1][0], 5 + dv, 1e-9) << enumKey(kind);
        EXPECT_NEAR(world.state.x[1][0], 1.04 + a * dv, 1e-11) << enumKey(kind);
    }
}

// Explicit forces stay those of the start, although the rest is linearized elsewhere.
TEST(ActiveSet, ExplicitForcesStayThoseOfTheStart) {
    TestWorld world;
    slackSpring(world, 5);
    world.material.shearStiffness = 20;
    linalg::BlockVector x(3);
    x[1] = Vec3(0.99, 0, 0);
    x[2] = Vec3(2.2, 0, 0);
    world.model.patches.front().particles = 3;
    world.model.mass.assign(3, kMass);
    world.model.restArea.assign(3, 0);
    world.model.rest = x;
    world.model.springs.push_back({1, 2, 1.0, cloth::SpringFamily::Shear, 0});
    ++world.model.revision;
    const Vec3 velocity = world.state.v[1];
    world.begin(x);
    world.state.v[1] = velocity;
    world.pin(2);
    ASSERT_EQ(world.step(IntegratorKind::ImexEuler, kStep), StepStatus::Ok);
    const double pull = 20 * 0.21, e = 0.99 + kStep * 5 - 1;
    const double dv = kStep * (pull - kStiffness * e) / (kMass + kStep * kStep * kStiffness);
    EXPECT_NEAR(world.state.v[1][0], 5 + dv, 1e-9);
    EXPECT_EQ(world.outcome.outer.size(), 1u);
}

/// A sheet of tension-only springs in disorder, which one step jerks taut in many places.
void jerkedSheet(TestWorld& world) {
    world.material = {.stretchStiffness = 1e4, .shearStiffness = 10};
    world.grid(40, 40, 0.025);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index i = 0; i < world.state.x.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            world.state.x[i][k] += 2e-3 * uniform(random);
            world.state.v[i][k] = uniform(random);
        }
}

TEST(ActiveSet, WhereNoSpringChangesTheStepIsTheSameToTheBit) {
    for (const auto kind : kRepeating) {
        TestWorld with, without;
        for (TestWorld* world : {&with, &without}) slackSpring(*world, 0.5);
        without.integrator.activeSet = 0;
        for (TestWorld* world : {&with, &without}) ASSERT_EQ(world->step(kind, kStep), StepStatus::Ok);
        EXPECT_TRUE(with.outcome.outer.empty());
        EXPECT_EQ(stateHash(with.state), stateHash(without.state)) << enumKey(kind);
    }
}

TEST(ActiveSet, TheSameBitsAtAnyNumberOfThreads) {
    for (const auto kind : kRepeating) {
        std::uint64_t hashes[3];
        for (int t = 0; t < 3; ++t) {
            TestWorld world(1 << t);
            jerkedSheet(world);
            world.integrator.activeSet = 2;
            for (int step = 0; step < 2; ++step) ASSERT_EQ(world.step(kind, kStep), StepStatus::Ok);
            EXPECT_FALSE(world.outcome.outer.empty());
            hashes[t] = stateHash(world.state);
        }
        EXPECT_EQ(hashes[0], hashes[1]) << enumKey(kind);
        EXPECT_EQ(hashes[0], hashes[2]) << enumKey(kind);
    }
}

TEST(ActiveSet, RepeatsEndAtTheirLimitAndBringTheStepNearerToItsEquation) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const auto kind : kRepeating) {
        TestWorld world;
        jerkedSheet(world);
        world.integrator.activeSet = 6;
        ASSERT_EQ(world.step(kind, kStep), StepStatus::Ok);
        ASSERT_EQ(world.outcome.outer.size(), 6u) << "a sheet in disorder needs all repeats";
        EXPECT_EQ(world.outcome.outer.front().merit, 1);
        EXPECT_LT(world.outcome.outer.back().merit, 0.05) << enumKey(kind);
    }
}

// g = sum m/2 |dv|^2 + E(x'), without other forces, is what backward Euler minimizes.
TEST(ActiveSet, TheEnergyOfTheStepNeverRises) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of passes";
    double before = INFINITY;
    for (const int most : {0, 1, 2, 3, 4, 5, 6, 9, 14}) {
        TestWorld world;
        jerkedSheet(world);
        world.integrator.activeSet = most;
        const linalg::BlockVector v = world.state.v;
        ASSERT_FALSE(hasFailed(world.step(IntegratorKind::LinearizedBackwardEuler, kStep)));
        linalg::BlockVector dv = world.state.v;
        dv.flat() -= v.flat();
        const auto e = world.forces.energies({}, world.state.x, dv, world.pool);
        const double g = e.kinetic + e.elastic();
        EXPECT_LT(g, before) << most;
        before = g;
    }
}

TEST(ActiveSet, RepeatsKeepTheMomentumAndTakeTheStrain) {
    double strain[2];
    for (const int most : {0, 4}) {
        TestWorld world;
        jerkedSheet(world);
        world.integrator.activeSet = most;
        const Vec3 before = world.momentum();
        ASSERT_EQ(world.step(IntegratorKind::LinearizedBackwardEuler, kStep), StepStatus::Ok);
        EXPECT_LT((world.momentum() - before).norm(), 1e-9);
        strain[most > 0] = world.energies().maxStrain;
    }
    EXPECT_LT(strain[1], 0.5 * strain[0]);
}

}  // namespace
}  // namespace clothlab::integrators
