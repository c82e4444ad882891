#include <fmt/format.h>

#include <array>
#include <cmath>

#include "integrators/kind.hpp"
#include "scenes.hpp"

/// How the error of a motion along a solid falls with the step.
namespace clothlab::simulation {
namespace {

using integrators::IntegratorKind;

/// A sheet of 4 x 4 slides along a solid and is stretched on the way.
enum class Ground { Slope, Turntable, Sphere };
constexpr std::array kSolids{
    "shape = \"plane\"\naxis = [-0.5, 0.8660254037844386, 0]\n",
    "shape = \"plane\"\naxis = [0, 1, 0]\nangular_velocity = [0, 3, 0]\nmu_s = 0.3\nmu_k = 0.3\n",
    "shape = \"sphere\"\nradius = 1\n",
};
constexpr double kSeconds = 0.04;

/// Lays the flat sheet of the scene on the solid, stretched by a tenth and stretching further, so that no spring is
/// compressed.
void place(Ground ground, integrators::SimulationState& state) {
    for (Index i = 0; i < state.x.size(); ++i) {
        const double s = 1.1 * state.x[i][0], t = 1.1 * state.x[i][2];
        if (ground == Ground::Slope) {
            const Vec3 along(0.8660254037844386, 0.5, 0);
            state.x[i] = s * along + t * Vec3::UnitZ();
            state.v[i] = (2 * s + 0.1 * s * t) * along + 2 * t * Vec3::UnitZ();
        } else if (ground == Ground::Turntable) {
            state.x[i] = Vec3(1 + s, 0, t);
            state.v[i] = Vec3(2 * s, 0, 2 * t + 0.1 * s * t);
        } else {
            const Vec3 up = std::cos(t) * Vec3(std::sin(s + 0.3), std::cos(s + 0.3), 0) + std::sin(t) * Vec3::UnitZ();
            state.x[i] = up;
            state.v[i] = 0.8 * Vec3(up[1], -up[0], 0) + 0.3 * t * (Vec3::UnitZ() - up[2] * up);
        }
    }
}

Eigen::VectorXd moved(Ground ground, IntegratorKind kind, double h) {
    auto scene = scene::readSceneText(
        fmt::format("[cloth]\nrows = 4\ncolumns = 4\nside = 0.3\norigin = [-0.15, 0, -0.15]\ncolumn_axis = [1, 0, 0]\n"
                    "row_axis = [0, 0, 1]\n[material]\nstretch_stiffness = 50\nshear_stiffness = 20\n"
                    "bend_stiffness = 0\nstretch_damping = 0.01\ntension_only = false\n"
                    "damping_model = \"unprojected\"\ndamp_gate = \"always\"\ndensity = 2\n[solver]\n"
                    "kind = \"cholesky\"\n[integrator]\nkind = \"{}\"\ndt = {}\n[newton]\ntolerance = 1e-6\n[contact]\n"
                    "mu_s = 0\nmu_k = 0\n[[collider]]\n{}",
                    enumKey(kind), h, kSolids[int(ground)]),
        "orders.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = std::move(*Simulation::create(*scene, 1));
    integrators::SimulationState state = simulation->state();
    place(ground, state);
    simulation->setState(state);
    Index contacts = 0;
    for (long n = std::lround(kSeconds / h); n > 0; --n) {
        const StepReport& report = simulation->step();
        EXPECT_EQ(report.status, integrators::StepStatus::Ok) << report.message;
        contacts = report.contacts;
    }
    EXPECT_GT(contacts, 8);
    return simulation->state().x.flat();
}

double order(Ground ground, IntegratorKind kind, double h) {
    const Eigen::VectorXd coarse = moved(ground, kind, h), middle = moved(ground, kind, h / 2),
                          fine = moved(ground, kind, h / 4);
    return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

void expectOrders(Ground ground, std::initializer_list<IntegratorKind> kinds, double least, double most) {
    for (const IntegratorKind kind : kinds) {
        const double measured = order(ground, kind, 1e-3);
        EXPECT_GE(measured, least) << enumKey(kind);
        EXPECT_LE(measured, most) << enumKey(kind);
    }
}

using enum IntegratorKind;

constexpr auto kFirstOrder = {SymplecticEuler, ImexEuler, LinearizedBackwardEuler, NewtonBackwardEuler};

// Along a plane the order is that of free flight.
TEST(ContactOrders, OnASlopeTheyAreThoseOfFreeFlight) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    expectOrders(Ground::Slope, kFirstOrder, 0.85, 1.1);
    expectOrders(Ground::Slope, {Bdf2, Sbdf2, NewtonBdf2}, 1.85, 2.1);
    expectOrders(Ground::Slope, {Rk4}, 3.7, 4.3);
}

// Friction has the direction of the slip at the start of the step, which is an error of first order. It is small with
// BDF2, visible with SBDF2 and dominates with RK4, whose stages share the friction of the step.
TEST(ContactOrders, OnATurntableFrictionCostsSomeOfThem) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    expectOrders(Ground::Turntable, kFirstOrder, 0.85, 1.1);
    expectOrders(Ground::Turntable, {Bdf2, NewtonBdf2}, 1.85, 2.1);
    expectOrders(Ground::Turntable, {Sbdf2}, 1.5, 2.1);
    expectOrders(Ground::Turntable, {Rk4}, 0.9, 1.1);
}

// A particle that slides around the sphere leaves it by a micrometre and falls back: an impact every few steps, which
// must not discard its past in the directions along the sphere.
TEST(ContactOrders, AroundASphereTheyAreAtLeastOne) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    expectOrders(Ground::Sphere, kFirstOrder, 0.85, 1.1);
    expectOrders(Ground::Sphere, {Bdf2, Sbdf2, NewtonBdf2}, 1.6, 2.1);
    expectOrders(Ground::Sphere, {Rk4}, 0.85, 1.1);
}

}  // namespace
}  // namespace clothlab::simulation
