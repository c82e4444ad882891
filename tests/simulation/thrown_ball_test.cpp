#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.hpp"
#include "simulation/branch.hpp"

/// A ball that is thrown into a motion.
namespace clothlab::simulation {
namespace {

using integrators::ThrownBall;
using testing::simulate;

std::unique_ptr<Simulation> sheet(const std::vector<const char*>& more = {}) {
    std::vector<const char*> sets{"cloth.rows=13", "cloth.columns=13"};
    sets.insert(sets.end(), more.begin(), more.end());
    return simulate("hang", sets);
}

Vec3 ballPlace(const Simulation& simulation) {
    return contact::poseAt(simulation.colliders().back(), simulation.state().time).position;
}

/// The middle of the cloth.
Vec3 computeCentroid(const Simulation& simulation) {
    Vec3 sum = Vec3::Zero();
    const auto& x = simulation.state().x;
    for (Index i = 0; i < x.size(); ++i) sum += x[i];
    return sum / double(x.size());
}

Vec3 computeMomentum(const Simulation& simulation) {
    Vec3 sum = Vec3::Zero();
    const integrators::SimulationState& state = simulation.state();
    for (Index i = 0; i < state.v.size(); ++i) sum += simulation.model().mass[i] * state.v[i];
    for (const ThrownBall& ball : state.balls) sum += ball.mass * ball.velocity;
    return sum;
}

TEST(ThrownBall, FliesByItsWeight) {
    const auto simulation = sheet();
    const Vec3 from(5, 2, 5), velocity(1, 3, -2), g = simulation->settings().gravity;
    simulation->throwBall(from, {.radius = 0.1, .mass = 0.3, .velocity = velocity});
    ASSERT_EQ(simulation->colliders().size(), 1u);
    EXPECT_NEAR((ballPlace(*simulation) - from).norm(), 0, 1e-15);
    const double dt = simulation->step().dt;
    for (int n = 2; n <= 40; ++n) simulation->step();
    const Vec3 wanted = from + 40 * dt * velocity + dt * dt * (40 * 41 / 2) * g;  // symplectic Euler
    EXPECT_NEAR((ballPlace(*simulation) - wanted).norm(), 0, 1e-12);
}

/// Without gravity, pins and air, the cloth gains the momentum that the ball loses, within the accuracy of contact.
TEST(ThrownBall, MomentumGoesFromTheBallToTheCloth) {
    const auto simulation = sheet({"gravity=0,0,0", "wind.drag_coefficient=0", "solver.tolerance=1e-10"});
    const std::vector<integrators::Pin> pins = simulation->state().pins;
    for (const integrators::Pin& pin : pins) simulation->setPin(pin.particle, {});
    const Vec3 middle = computeCentroid(*simulation), velocity(0, 0, -2);
    simulation->throwBall(middle + Vec3(0, 0, 0.3), {.radius = 0.1, .mass = 0.5, .velocity = velocity});
    const Vec3 before = computeMomentum(*simulation);
    EXPECT_NEAR(before.z(), -1, 1e-12);
    std::size_t touched = 0;
    for (int n = 0; n < 60; ++n) {
        simulation->step();
        touched = std::max(touched, simulation->state().contacts.contacts.size());
    }
    EXPECT_GT(touched, 3u);
    const Vec3 ball = simulation->state().balls[0].velocity;
    EXPECT_GT(ball.z(), -1.9) << "the cloth has slowed it";
    EXPECT_LT(ball.z(), 0) << "a sheet that hangs freely does not throw it back";
    EXPECT_NEAR((computeMomentum(*simulation) - before).norm(), 0, 0.02);
}

/// A level sheet held at its corners is a trampoline, but returns no more energy than it received.
TEST(ThrownBall, BouncesOnAHeldSheet) {
    const auto simulation = simulate("pinned-four", {"cloth.rows=15", "cloth.columns=15"});
    for (int n = 0; n < 60; ++n) simulation->step();
    const double sheetHeight = computeCentroid(*simulation).y(), dropped = sheetHeight + 0.4;
    simulation->throwBall(computeCentroid(*simulation) + Vec3(0, 0.4, 0), {.radius = 0.12, .mass = 0.1});
    double lowest = dropped, back = lowest;
    for (int n = 0; n < 300; ++n) {
        ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << n;
        const double now = ballPlace(*simulation).y();
        back = now < lowest ? now : std::max(back, now);
        lowest = std::min(lowest, now);
    }
    EXPECT_GT(lowest, sheetHeight - 0.6) << "it does not fall through";
    EXPECT_GT(back, sheetHeight + 0.2) << "it comes up again";
    EXPECT_LT(back, dropped);
}

TEST(ThrownBall, BouncesOffSolids) {
    const auto simulation = simulate("drape-sphere", {"cloth.rows=11", "cloth.columns=11"});
    const auto* plane = std::get_if<geometry::Plane>(&simulation->colliders()[1].shape);
    ASSERT_TRUE(plane);
    const double ground = contact::poseAt(simulation->colliders()[1], 0).position.y();
    simulation->throwBall({3, ground + 1, 3}, {.radius = 0.1});
    double lowest = 1e9, back = 0;
    for (int n = 0; n < 200; ++n) {
        simulation->step();
        lowest = std::min(lowest, ballPlace(*simulation).y());
        if (lowest < ground + 0.15) back = std::max(back, ballPlace(*simulation).y());
    }
    EXPECT_GT(lowest, ground + 0.1 - 1e-9);
    EXPECT_GT(back, ground + 0.2) << "it comes up again";
    EXPECT_LT(back, ground + 0.6) << "to a quarter of its height";
}

TEST(ThrownBall, IsPartOfTheState) {
    const auto simulation = sheet();
    const std::uint64_t start = simulation->lastReport().stateHash;
    for (int n = 0; n < 5; ++n) simulation->step();
    const integrators::SimulationState before = simulation->state();
    simulation->throwBall(computeCentroid(*simulation) + Vec3(0, 0, 0.4), {.velocity = {0, 1, -3}});
    std::vector<std::uint64_t> hashes;
    for (int n = 0; n < 30; ++n) hashes.push_back(simulation->step().stateHash);
    ASSERT_TRUE(simulation->seek(20));
    EXPECT_EQ(simulation->colliders().size(), 1u);
    for (int n = 15; n < 30; ++n) EXPECT_EQ(simulation->step().stateHash, hashes[n]) << n;
    ASSERT_TRUE(simulation->seek(4));
    EXPECT_TRUE(simulation->colliders().empty()) << "it was not there yet";
    simulation->setState(before);
    EXPECT_TRUE(simulation->colliders().empty());
    simulation->throwBall(computeCentroid(*simulation) + Vec3(0, 0, 0.4), {.velocity = {0, 1, -3}});
    EXPECT_EQ(simulation->step().stateHash, hashes[0]);
    simulation->restart();
    EXPECT_TRUE(simulation->colliders().empty()) << "a restart takes it away";
    EXPECT_EQ(simulation->lastReport().stateHash, start);
}

TEST(ThrownBall, TheSameBitsOnTwoThreadsAndForAGhost) {
    const auto one = sheet(), two = simulate("hang", {"cloth.rows=13", "cloth.columns=13"}, 2, 16);
    for (const auto& s : {one.get(), two.get()})
        s->throwBall(computeCentroid(*s) + Vec3(0, 0, 0.4), {.velocity = {0, 1, -3}});
    for (int n = 0; n < 5; ++n) EXPECT_EQ(one->step().stateHash, two->step().stateHash) << n;
    auto branch = Branch::start(*one, one->settings(), 1);
    ASSERT_TRUE(branch);
    for (int n = 0; n < 25; ++n) {
        EXPECT_EQ(one->step().stateHash, two->step().stateHash) << n;
        (*branch)->follow(*one);
    }
    EXPECT_EQ((*branch)->largestDistance(), 0) << "the ghost has met the same ball";
}

TEST(ThrownBall, CanBeTakenAndLetGo) {
    const auto simulation = sheet({"grab.solid_max_speed=1"});
    simulation->throwBall({3, 0, 3}, {});
    simulation->setColliderGrab({.active = true, .collider = 0, .target = {4, 0, 3}});
    const double dt = simulation->step().dt;
    for (int n = 1; n < 10; ++n) simulation->step();
    EXPECT_NEAR((ballPlace(*simulation) - Vec3(3 + 10 * dt, 0, 3)).norm(), 0, 1e-12);
    simulation->setColliderGrab({});
    simulation->step();
    EXPECT_NEAR(simulation->state().balls[0].velocity.x(), 1, 1e-12) << "it flies on";
    EXPECT_LT(simulation->state().balls[0].velocity.y(), 0);
}

TEST(ThrownBall, NonsenseIsNotThrown) {
    const auto simulation = sheet();
    simulation->throwBall(Vec3::Constant(std::nan("")), {});
    simulation->throwBall({0, 0, 1}, {.radius = 0});
    simulation->throwBall({0, 0, 1}, {.mass = -1});
    EXPECT_TRUE(simulation->colliders().empty());
}

}  // namespace
}  // namespace clothlab::simulation
