#include <cmath>

#include "integrators/kind.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::TestWorld;

/// |g| of a linear one-dimensional oscillator from three states: det G = det[s1 s2] / det[s0 s1] = |g|^2.
double amplification(IntegratorKind kind, double k, double d, double h) {
    TestWorld world;
    world.material = {
        .stretchStiffness = k, .stretchDamping = d, .tensionOnly = false, .dampGate = cloth::DampGate::Always};
    world.oscillator(1.0, 1.01);
    Eigen::Vector2d s[3];
    for (int n = 0; n < 3; ++n) {
        s[n] = {world.state.x[1][0] - 1.0, world.state.v[1][0]};
        world.step(kind, h);
    }
    const auto det = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; };
    return std::sqrt(det(s[1], s[2]) / det(s[0], s[1]));
}

// h = 0.01, k_s = 900, k_d = 3.
TEST(Oscillator, AmplificationOfADampedMode) {
    EXPECT_NEAR(amplification(IntegratorKind::ForwardEuler, 900, 3, 0.01), 1.029563, 1e-6);
    EXPECT_NEAR(amplification(IntegratorKind::SymplecticEuler, 900, 3, 0.01), 0.984886, 1e-6);
    EXPECT_NEAR(amplification(IntegratorKind::LinearizedBackwardEuler, 900, 3, 0.01), 0.944911, 1e-6);
}

// Backward Euler has |g| = 1 / sqrt(1 + h^2 k / m), symplectic Euler |g| = 1.
TEST(Oscillator, NumericalDampingOfAnUndampedMode) {
    const double z2[] = {0.01, 0.05, 0.1, 0.2, 0.4, 0.8, 1.2};
    const double backward[] = {0.99504, 0.97590, 0.95346, 0.91287, 0.84515, 0.74536, 0.67420};
    for (int i = 0; i < 7; ++i) {
        EXPECT_NEAR(amplification(IntegratorKind::LinearizedBackwardEuler, z2[i] / 1e-4, 0, 0.01), backward[i], 1e-5);
        EXPECT_NEAR(amplification(IntegratorKind::SymplecticEuler, z2[i] / 1e-4, 0, 0.01), 1.0, 1e-9);
    }
}

// Methods §5.1: |g| ~ 1 - (h w)^6 / 144.
TEST(Oscillator, RungeKuttaLosesTheSixthPower) {
    for (const double hw : {0.2, 0.4}) {
        const double loss = 1.0 - amplification(IntegratorKind::Rk4, hw * hw / 1e-4, 0, 0.01);
        EXPECT_NEAR(loss / (std::pow(hw, 6) / 144), 1.0, 0.05) << hw;
    }
}

// z_n = g h^2 n (n+1) / 2.
TEST(FreeFall, FollowsTheDiscreteParabola) {
    for (const auto kind : {IntegratorKind::SymplecticEuler, IntegratorKind::LinearizedBackwardEuler,
                            IntegratorKind::ImexEuler, IntegratorKind::AdaptiveImex}) {
        TestWorld world;
        world.environment.gravity = Vec3(0, -9.81, 0);
        world.grid(3, 3, 0.1);
        for (int n = 0; n < 100; ++n) ASSERT_EQ(world.step(kind, 0.01), StepStatus::Ok);
        for (Index i = 0; i < 9; ++i) EXPECT_NEAR(world.state.x[i][1], -4.95405, 1e-12) << enumKey(kind);
    }
}

TEST(FreeFall, RungeKuttaIsExact) {
    TestWorld world;
    world.environment.gravity = Vec3(0, -9.81, 0);
    world.grid(3, 3, 0.1);
    for (int n = 0; n < 100; ++n) world.step(IntegratorKind::Rk4, 0.01);
    EXPECT_NEAR(world.state.x[4][1], -4.905, 1e-12);
}

}  // namespace
}  // namespace clothlab::integrators
