#include <cmath>
#include <random>

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::TestWorld;

/// Smooth motion of a 4x4 bilateral sheet held at its edges; returns the positions at t = 0.1 s. The damping is linear,
/// because the position derivative of projected damping is left out, which costs second-order methods their order.
Eigen::VectorXd smoothSheet(IntegratorKind kind, double h, const cloth::WindSettings& wind = {}) {
    TestWorld world;
    world.material = {.stretchStiffness = 50,
                      .shearStiffness = 20,
                      .bendStiffness = 1,
                      .stretchDamping = 0.01,
                      .tensionOnly = false,
                      .bendModel = cloth::BendModel::Linear,
                      .dampingModel = cloth::DampingModel::Unprojected,
                      .dampGate = cloth::DampGate::Always,
                      .density = 0.5};
    world.environment.gravity = Vec3(0, -9.81, 0);
    world.environment.wind = wind;
    world.grid(4, 4, 0.25);
    // The sheet is stretched, because the clamped Jacobian of a compressed spring costs second order, too.
    for (Index i = 0; i < 16; ++i) world.state.x[i] *= 1.3;
    for (Index i = 0; i < 16; ++i)
        if (i % 4 == 0 || i % 4 == 3 || i / 4 == 0 || i / 4 == 3) world.pin(i);
    world.state.x[5] += Vec3(0.05, 0.1, 0);
    const int steps = int(std::lround(0.1 / h));
    for (int n = 0; n < steps; ++n) world.step(kind, h);
    return world.state.x.flat();
}

/// Orders from the steps h and h / 2, against RK4 with a fine step.
struct Orders {
    explicit Orders(const cloth::WindSettings& w = {})
        : wind(w), reference(smoothSheet(IntegratorKind::Rk4, 0.05e-3, w)) {}
    double operator()(IntegratorKind kind, double h) const {
        const double coarse = (smoothSheet(kind, h, wind) - reference).norm(),
                     fine = (smoothSheet(kind, h / 2, wind) - reference).norm();
        return std::log2(coarse / fine);
    }
    cloth::WindSettings wind;
    Eigen::VectorXd reference;
};

TEST(Sheet, ConvergenceOrders) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const Orders order;
    EXPECT_NEAR(order(IntegratorKind::SymplecticEuler, 0.625e-3), 1.0, 0.1);
    EXPECT_NEAR(order(IntegratorKind::ForwardEuler, 0.3125e-3), 1.0, 0.15);
    EXPECT_NEAR(order(IntegratorKind::LinearizedBackwardEuler, 0.625e-3), 1.0, 0.15);
    EXPECT_NEAR(order(IntegratorKind::Rk4, 5e-3), 4.0, 0.3);
    EXPECT_NEAR(order(IntegratorKind::ImexEuler, 0.625e-3), 1.0, 0.1);
    EXPECT_NEAR(order(IntegratorKind::AdaptiveImex, 0.625e-3), 1.0, 0.1);
    EXPECT_NEAR(order(IntegratorKind::Bdf2, 1.25e-3), 1.975, 0.125);
    EXPECT_NEAR(order(IntegratorKind::Sbdf2, 1.25e-3), 2.0, 0.1);
    EXPECT_NEAR(order(IntegratorKind::AdaptiveSbdf2, 1.25e-3), 1.975, 0.125);
}

// Gusts are those of the time at which a method evaluates its forces: at each stage, or at the end of a two-step
// method's step.
TEST(Sheet, GustsLeaveTheOrders) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    cloth::WindSettings wind;
    wind.velocity = Vec3(1, 6, 0);
    wind.gust = 0.9;
    wind.linearDrag = 0.05;
    const Orders linear(wind);
    EXPECT_NEAR(linear(IntegratorKind::Rk4, 5e-3), 4.0, 0.3);
    EXPECT_NEAR(linear(IntegratorKind::Bdf2, 1.25e-3), 2.0, 0.15);
    EXPECT_NEAR(linear(IntegratorKind::Sbdf2, 1.25e-3), 2.0, 0.15);
    EXPECT_NEAR(linear(IntegratorKind::AdaptiveSbdf2, 1.25e-3), 2.0, 0.15);

    wind.linearDrag = 0;
    wind.dragCoefficient = 1;
    const Orders pressure(wind);
    EXPECT_NEAR(pressure(IntegratorKind::Rk4, 5e-3), 4.0, 0.3);
    EXPECT_NEAR(pressure(IntegratorKind::Sbdf2, 1.25e-3), 2.0, 0.15);
    EXPECT_NEAR(pressure(IntegratorKind::AdaptiveSbdf2, 1.25e-3), 2.0, 0.15);
    // Pressure is explicit, and only SBDF2 extrapolates explicit forces.
    EXPECT_NEAR(pressure(IntegratorKind::Bdf2, 0.3125e-3), 1.0, 0.15);
    wind.gust = 0;
    EXPECT_NEAR(Orders(wind)(IntegratorKind::Bdf2, 0.3125e-3), 1.0, 0.15);
}

// Flat 8x8 stretch-only sheet, small oscillations: critical a = h^2 k / m and its damped values.
TEST(Sheet, SymplecticEulerIsStableUpToItsCriticalStiffness) {
    const auto grows = [](double a, double b) {
        TestWorld world;
        const double h = 0.01, mass = 0.01;
        world.material = {.stretchStiffness = a * mass / (h * h),
                          .shearStiffness = 0,
                          .bendStiffness = 0,
                          .stretchDamping = b * mass / h,
                          .tensionOnly = false,
                          .bendModel = cloth::BendModel::Linear,
                          .dampGate = cloth::DampGate::Always,
                          .density = 0,
                          .particleMass = mass};
        world.grid(8, 8, 1.0);
        std::mt19937 rng(4);
        std::uniform_real_distribution<double> noise(-1e-9, 1e-9);
        for (Index i = 0; i < 64; ++i) world.state.x[i] += Vec3(noise(rng), 0, noise(rng));
        for (int n = 0; n < 600; ++n) world.step(IntegratorKind::SymplecticEuler, h);
        // Not-a-number counts as growth.
        return !((world.state.x.flat() - world.model.rest.flat()).cwiseAbs().maxCoeff() < 1e-6);
    };
    for (const auto& [b, critical] :
         std::initializer_list<std::pair<double, double>>{{0.0, 1.039}, {0.05, 0.940}, {0.2, 0.639}}) {
        EXPECT_FALSE(grows(critical - 0.004, b)) << b;
        EXPECT_TRUE(grows(critical + 0.004, b)) << b;
    }
}

/// Largest total energy (start: 0) of the 40x40 sheet over the given time.
double largestEnergy(double restLengthFactor, double seconds) {
    TestWorld world;
    world.material = {.stretchStiffness = 1000, .shearStiffness = 1000, .bendStiffness = 0.01, .density = 0.5};
    world.environment.gravity = Vec3(0, -9.81, 0);
    world.solver = {.kind = solvers::SolverKind::Mpcg, .tolerance = 1e-6};
    world.grid(40, 40, 0.025);
    world.pin(0);
    world.pin(39);
    for (cloth::Spring& spring : world.model.springs)
        if (spring.family != cloth::SpringFamily::Bend) spring.restLength *= restLengthFactor;
    world.model.revision += 1000;
    double largest = -1e300;
    for (int n = 0; n < int(seconds / 0.01); ++n) {
        world.step(IntegratorKind::LinearizedBackwardEuler, 0.01);
        largest = std::max(largest, world.energies().total());
    }
    return largest;
}

// Springs that are minimally slack at the start (as with a strict l > L) explode.
TEST(Sheet, AFlatRestStartDoesNotExplode) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    EXPECT_LE(largestEnergy(1.0, 0.5), 1e-3);
    EXPECT_GT(largestEnergy(1.0 + 1e-8, 0.35), 1e3);
}

}  // namespace
}  // namespace clothlab::integrators
