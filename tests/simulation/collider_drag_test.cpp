#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.hpp"

/// Solids that the pointer moves.
namespace clothlab::simulation {
namespace {

using integrators::ColliderGrab;
using testing::simulate;

constexpr double kLimit = 1;  ///< m/s, the setting's default

std::unique_ptr<Simulation> ball() {
    return simulate("drape-sphere", {"cloth.rows=15", "cloth.columns=15", "grab.solid_max_speed=1"});
}

Vec3 solidPlace(const Simulation& simulation) {
    return contact::poseAt(simulation.colliders()[0], simulation.state().time).position;
}

TEST(ColliderDrag, FollowsThePointerNoFasterThanItMay) {
    const auto simulation = ball();
    const Vec3 start = solidPlace(*simulation), target = start + Vec3(0.05, 0.02, 0);
    simulation->setColliderGrab({.active = true, .collider = 0, .target = target});
    const double way = (target - start).norm();
    double time = 0;
    while (time * kLimit < way - 1e-9) {
        const Vec3 before = solidPlace(*simulation);
        const double dt = simulation->step().dt;
        time += dt;
        const double moved = (solidPlace(*simulation) - before).norm();
        EXPECT_NEAR(moved, std::min(kLimit * dt, (target - before).norm()), 1e-12);
    }
    EXPECT_NEAR((solidPlace(*simulation) - target).norm(), 0, 1e-12);
    for (int n = 0; n < 3; ++n) simulation->step();
    EXPECT_NEAR((solidPlace(*simulation) - target).norm(), 0, 1e-12) << "it stays with the pointer";
    simulation->setColliderGrab({});
    simulation->step();
    EXPECT_NEAR((solidPlace(*simulation) - target).norm(), 0, 1e-12) << "and where it was let go";
}

TEST(ColliderDrag, MovesTheClothThatLiesOnIt) {
    const auto rests = ball(), moves = ball();
    const Vec3 start = solidPlace(*moves);
    for (int n = 0; n < 120; ++n) {
        rests->step();
        if (n >= 40) moves->setColliderGrab({.active = true, .collider = 0, .target = start + Vec3(0, 0.3, 0)});
        moves->step();
    }
    const auto computeHeight = [](const Simulation& s) {
        double sum = 0;
        for (Index i = 0; i < s.state().x.size(); ++i) sum += s.state().x[i].y();
        return sum / s.state().x.size();
    };
    EXPECT_GT(computeHeight(*moves), computeHeight(*rests) + 0.2);
}

TEST(ColliderDrag, IsPartOfTheState) {
    const auto one = ball();
    for (int n = 0; n < 10; ++n) one->step();
    const integrators::SimulationState before = one->state();
    const std::uint64_t hash = one->lastReport().stateHash;
    one->setColliderGrab({.active = true, .collider = 0, .target = solidPlace(*one) + Vec3(0.2, 0, 0.1)});
    std::vector<std::uint64_t> hashes;
    for (int n = 0; n < 20; ++n) hashes.push_back(one->step().stateHash);
    const Vec3 there = solidPlace(*one);
    // The same drag again from an earlier step gives the same bits and the same place.
    ASSERT_TRUE(one->seek(20));
    EXPECT_FALSE(one->state().colliderGrab.active) << "a jump in time lets go of the solid";
    EXPECT_GT((there - solidPlace(*one)).norm(), 0.03);
    one->setColliderGrab({.active = true, .collider = 0, .target = there});
    EXPECT_NE(integrators::stateHash(one->state()), hash);
    ASSERT_TRUE(one->seek(10));
    EXPECT_EQ(one->lastReport().stateHash, hash);
    one->setColliderGrab({.active = true, .collider = 0, .target = solidPlace(*one) + Vec3(0.2, 0, 0.1)});
    for (int n = 0; n < 20; ++n) EXPECT_EQ(one->step().stateHash, hashes[n]);
    EXPECT_EQ(solidPlace(*one), there);
    one->restart();
    EXPECT_EQ(solidPlace(*one), solidPlace(*ball())) << "a restart puts it back";
}

/// A ball that is dragged down and sideways stops a little above a table and keeps moving sideways.
TEST(ColliderDrag, StopsAtOtherSolidsAndSlidesAlongThem) {
    const auto simulation = simulate("tablecloth", {"cloth.rows=9", "cloth.columns=9", "contact.self_collision=off"});
    const auto colliders = simulation->colliders();
    const auto named = [&](const char* name) {
        return std::find_if(colliders.begin(), colliders.end(), [&](const auto& c) { return c.name == name; });
    };
    const Index ball = Index(named("ball") - colliders.begin());
    const auto place = [&] {
        return contact::poseAt(simulation->colliders()[ball], simulation->state().time).position;
    };
    const Vec3 start = place();
    simulation->setColliderGrab({.active = true, .collider = ball, .target = start + Vec3(0, 0.2, 0)});
    for (int n = 0; n < 30; ++n) simulation->step();
    EXPECT_GT(place().y(), start.y() + 0.05);
    simulation->setColliderGrab({.active = true, .collider = ball, .target = start + Vec3(0.1, -0.3, 0.05)});
    for (int n = 0; n < 120; ++n) {
        simulation->step();
        ASSERT_GE(place().y(), 0.4 + 0.07 + integrators::kRoomForCloth - 1e-6)
            << "height of the table's top plus the ball's radius";
    }
    EXPECT_NEAR((place() - start - Vec3(0.1, 0, 0.05)).norm(), 0, 1e-4);
    // It stops at the jug beside it, too.
    simulation->setColliderGrab({.active = true, .collider = ball, .target = start + Vec3(-0.5, 0, -0.1)});
    for (int n = 0; n < 160; ++n) simulation->step();
    const Vec3 jug = named("jug")->position;
    EXPECT_GE((place() - jug).cwiseProduct(Vec3(1, 0, 1)).norm(), 0.07 + 0.07 + integrators::kRoomForCloth - 1e-3);
}

TEST(ColliderDrag, StopsAtPins) {
    const auto simulation = simulate("sideris-curtain", {"cloth.rows=9", "cloth.columns=9"});
    const auto colliders = simulation->colliders();
    Index ball = 0;
    while (!std::holds_alternative<geometry::Sphere>(colliders[ball].shape)) ++ball;
    const double radius = std::get<geometry::Sphere>(colliders[ball].shape).radius;
    const Vec3 pin = simulation->state().x[simulation->state().pins[4].particle];
    simulation->setColliderGrab({.active = true, .collider = ball, .target = pin});
    double nearest = 1e300;
    for (int n = 0; n < 60; ++n) {
        simulation->step();
        const Vec3 center = contact::poseAt(simulation->colliders()[ball], simulation->state().time).position;
        for (const auto& held : simulation->state().pins)
            nearest = std::min(nearest, (simulation->state().x[held.particle] - center).norm() - radius);
    }
    EXPECT_NEAR(nearest, integrators::kRoomForCloth, 1e-3);
}

// The pointer does not drag the cloth into a solid, either.
TEST(ColliderDrag, AGrabbedParticleGoesAroundSolids) {
    const auto simulation = ball();
    const Index middle = simulation->state().x.size() / 2;
    for (int n = 0; n < 60; ++n) {
        simulation->setGrab({.active = true, .particle = middle, .target = solidPlace(*simulation)});
        simulation->step();
        const double radius = std::get<geometry::Sphere>(simulation->colliders()[0].shape).radius;
        EXPECT_GE((simulation->state().x[middle] - solidPlace(*simulation)).norm(), radius * (1 - 1e-9)) << n;
    }
}

TEST(ColliderDrag, TakesNeitherPlanesNorWhatIsNotThere) {
    const auto simulation = simulate("drape-ring", {"cloth.rows=9", "cloth.columns=9"});
    const std::size_t count = simulation->colliders().size();
    for (std::size_t k = 0; k < count; ++k) {
        const contact::Collider collider = simulation->colliders()[k];
        const Vec3 before = contact::poseAt(collider, 0).position;
        simulation->setColliderGrab({.active = true, .collider = Index(k), .target = before + Vec3(0, 0.1, 0)});
        simulation->step();
        const Vec3 after = contact::poseAt(simulation->colliders()[k], simulation->state().time).position;
        EXPECT_EQ((after - before).norm() > 0, !std::holds_alternative<geometry::Plane>(collider.shape));
        simulation->restart();
    }
    for (const Index wild : {Index(-1), Index(count), Index(1000)}) {
        simulation->setColliderGrab({.active = true, .collider = wild, .target = Vec3(1, 1, 1)});
        EXPECT_FALSE(simulation->state().colliderGrab.active);
    }
    simulation->setColliderGrab({.active = true, .collider = 0, .target = Vec3(NAN, 0, 0)});
    EXPECT_FALSE(simulation->state().colliderGrab.active);
}

}  // namespace
}  // namespace clothlab::simulation
