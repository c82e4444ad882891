#include <cmath>

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"
#include "support/dense_matrix.hpp"
#include "test_world.hpp"

/// Methods of two steps: bdf2, sbdf2.
namespace clothlab::integrators {
namespace {

using testing::DenseMatrix;
using testing::TestWorld;

/// |g| of the physical pair of roots of an undamped oscillator with z^2 = h^2 k. The parasitic roots are near 1/3: gone
/// after 40 steps.
double amplification(IntegratorKind kind, double z2) {
    const double h = 0.01;
    TestWorld world;
    world.material = {.stretchStiffness = z2 / (h * h), .stretchDamping = 0, .tensionOnly = false};
    world.integrator.splitStretch = SplitTerms::Explicit;  // for SBDF2: all explicit
    world.oscillator(1.0, 1.01);
    Eigen::Vector2d s[3];
    for (int n = 0; n < 43; ++n) {
        if (n >= 40) s[n - 40] = {world.state.x[1][0] - 1.0, world.state.v[1][0]};
        world.step(kind, h);
    }
    const auto det = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; };
    return std::sqrt(det(s[1], s[2]) / det(s[0], s[1]));
}

TEST(TwoSteps, Bdf2DampsLittleAndExplicitSbdf2Grows) {
    const double z2[] = {0.01, 0.05, 0.1, 0.2, 0.4, 0.8, 1.2};
    const double bdf2[] = {0.999976, 0.999444, 0.997999, 0.993336, 0.980184, 0.949052, 0.918018};
    const double sbdf2[] = {1.000025, 1.000592, 1.002231, 1.007827, 1.023917, 1.059820, 1.092937};
    for (int i = 0; i < 7; ++i) {
        EXPECT_NEAR(amplification(IntegratorKind::Bdf2, z2[i]), bdf2[i], 1e-5) << z2[i];
        EXPECT_NEAR(amplification(IntegratorKind::Sbdf2, z2[i]), sbdf2[i], 1e-5) << z2[i];
    }
}

/// Sets the past: x and v one step before the start.
void rememberPast(TestWorld& world, double h, const linalg::BlockVector& x, const linalg::BlockVector& v) {
    world.state.xPrevious = x;
    world.state.vPrevious = v;
    world.state.dtPrevious = h;
    world.state.previousValid = true;
}

// With exact start values a constant force is integrated exactly.
TEST(TwoSteps, FreeFallIsExactFromAnExactStart) {
    for (const auto kind : {IntegratorKind::Bdf2, IntegratorKind::Sbdf2, IntegratorKind::AdaptiveSbdf2}) {
        constexpr double h = 0.01;
        TestWorld world;
        world.environment.gravity = Vec3(0, -9.81, 0);
        world.grid(3, 3, 0.1);
        linalg::BlockVector x = world.state.x, v = world.state.v;
        for (Index i = 0; i < 9; ++i) {
            x[i][1] += -9.81 * h * h / 2;
            v[i][1] = 9.81 * h;
        }
        rememberPast(world, h, x, v);
        for (int n = 0; n < 100; ++n) ASSERT_EQ(world.step(kind, h), StepStatus::Ok);
        for (Index i = 0; i < 9; ++i) EXPECT_NEAR(world.state.x[i][1], -4.905, 1e-12) << enumKey(kind);
    }
}

/// A 4x4 sheet stretched beyond rest, pinned at two corners, damped.
void stretchedSheet(TestWorld& world) {
    world.material = {.stretchStiffness = 50,
                      .shearStiffness = 20,
                      .bendStiffness = 1,
                      .stretchDamping = 0.05,
                      .shearDamping = 0.02,
                      .tensionOnly = false,
                      .bendModel = cloth::BendModel::Linear,
                      .dampGate = cloth::DampGate::Always,
                      .density = 0.5};
    world.environment.gravity = Vec3(0, -9.81, 0);
    world.solver.kind = solvers::SolverKind::Cholesky;
    world.grid(4, 4, 0.25);
    for (Index i = 0; i < 16; ++i) world.state.x[i] *= 1.1;
    world.pin(0);
    world.pin(3);
}

// The dx form of Choi and Ko, solved densely, takes the same step.
TEST(TwoSteps, Bdf2IsItsDisplacementForm) {
    TestWorld world;
    stretchedSheet(world);
    world.state.pins.clear();
    constexpr double h = 0.005;
    for (int n = 0; n < 5; ++n) world.step(IntegratorKind::Bdf2, h);
    const SimulationState before = world.state;
    const Index n = before.x.size();
    const auto assembled = [&](const cloth::AssemblyCoefficients& c, DenseMatrix* b) {
        linalg::BlockMatrix A;
        linalg::BlockVector rhs;
        world.forces.assemble(world.environment, {before.x, before.v, before.v}, c, {A, rhs}, world.pool);
        if (b) *b = rhs;
        return DenseMatrix(A);
    };
    DenseMatrix f;
    const DenseMatrix M = assembled({.force = 1}, &f), D = M - assembled({.damping = 1}, nullptr),
                      K = M - assembled({.stiffness = 1}, nullptr);
    const DenseMatrix x = before.x, v = before.v, vp = before.vPrevious, dxp = x - before.xPrevious;
    const DenseMatrix A2 = M - 2 * h / 3 * D - 4 * h * h / 9 * K;
    const DenseMatrix dx = A2.solveSymmetric(M * dxp / 3 + h / 9 * M * (8 * v - 2 * vp) + 4 * h * h / 9 * (f - D * v) -
                                             2 * h / 9 * D * dxp);
    world.step(IntegratorKind::Bdf2, h);
    EXPECT_LT((world.state.x - x - dx).norm(), 1e-12 * dx.norm());
    EXPECT_LT((world.state.v - (3 * dx - dxp) / (2 * h)).norm(), 1e-11 * v.norm());
    ASSERT_EQ(n, 16);
}

// A step of another length or method discards the past.
TEST(TwoSteps, StartAnewAfterAChange) {
    TestWorld world, fresh;
    for (TestWorld* w : {&world, &fresh}) stretchedSheet(*w);
    for (int n = 0; n < 3; ++n) world.step(IntegratorKind::Bdf2, 0.005);
    EXPECT_TRUE(world.state.previousValid);
    fresh.state.x = world.state.x;
    fresh.state.v = world.state.v;
    world.step(IntegratorKind::Bdf2, 0.004);
    fresh.step(IntegratorKind::LinearizedBackwardEuler, 0.004);
    EXPECT_TRUE(world.state.x == fresh.state.x);
    EXPECT_FALSE(fresh.state.previousValid);
    EXPECT_EQ(fresh.state.bytes(), world.state.bytes() - std::size_t{2} * 24 * 16);
    world.step(IntegratorKind::SymplecticEuler, 0.004);
    EXPECT_FALSE(world.state.previousValid);
}

// Pins stand still, and a grabbed particle is where the pointer is, whatever the particle did before.
TEST(TwoSteps, HeldParticlesReachTheirPositions) {
    TestWorld world;
    stretchedSheet(world);
    for (int n = 0; n < 20; ++n) world.step(IntegratorKind::Bdf2, 0.01);
    const Vec3 target = world.state.x[10] + Vec3(0.01, 0.02, 0);
    world.state.grab = {true, 10, target};
    world.state.pins.push_back({.particle = 15, .place = world.state.x[15]});
    const Vec3 pinned = world.state.x[15];
    for (int n = 0; n < 3; ++n) {
        world.step(IntegratorKind::Bdf2, 0.01);
        EXPECT_LT((world.state.x[10] - target).norm(), 1e-12);
        EXPECT_LT((world.state.x[15] - pinned).norm(), 1e-12);
        EXPECT_LT((world.state.x[0] - world.state.pins[0].place).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace clothlab::integrators
