// Particles that rest on solids, are caught and let go: oracles 31, 32 and 32b.
#include <gtest/gtest.h>

#include "world.hpp"

namespace clothlab::contact {
namespace {

constexpr double kMass = 1e-3;
constexpr double kGravity = 9.81;

struct Rest {
    const char* name;
    Collider collider;
    Vec3 top;  // a point of the surface with an upward normal
};

std::vector<Rest> restingPlaces() {
    const Eigen::Quaterniond lying(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
    Collider sphere{.name = "sphere", .shape = geometry::Sphere{0.2}}, box{.name = "box", .shape = geometry::Box{}},
        cylinder{.name = "cylinder", .shape = geometry::Cylinder{0.2, 0.3}},
        capsule{.name = "capsule", .shape = geometry::Capsule{0.2, 0.3}},
        plane{.name = "plane", .shape = geometry::Plane{}};
    sphere.position = {0.3, -1, 0.1};
    Collider roll = cylinder, lyingCapsule = capsule;
    roll.orientation = lyingCapsule.orientation = lying;
    return {{"sphere", sphere, {0.3, -0.8, 0.1}},
            {"box", box, {0.1, 0.3, -0.1}},
            {"cylinder", cylinder, {0.1, 0.3, 0}},
            {"cylinder lying", roll, {0.1, 0.2, 0}},
            {"capsule", capsule, {0, 0.5, 0}},
            {"capsule lying", lyingCapsule, {-0.1, 0.2, 0}},
            {"plane", plane, {5, 0, 2}}};
}

World onTop(const Rest& rest, double depth) {
    World world({rest.top - Vec3(0, depth, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {rest.collider};
    return world;
}

TEST(Resting, ForceIsTheWeight) {
    for (const Rest& rest : restingPlaces()) {
        World world = onTop(rest, 1e-4);
        for (int k = 0; k < 50; ++k) {
            world.step();
            ASSERT_EQ(world.ndof(0), 0) << rest.name << " step " << k;
            EXPECT_LT((world.findContact(0)->force - Vec3(0, kMass * kGravity, 0)).norm(), 1e-10 * kMass * kGravity)
                << rest.name;
        }
        EXPECT_LT((Vec3(world.x[0]) - rest.top).norm(), 1e-12) << rest.name;
    }
}

TEST(Resting, ForceInMassDividedForm) {  // f_c = m lambda / h where lambda = dv - b / m
    World world = onTop(restingPlaces().back(), 1e-4);
    world.steps(3);
    linalg::BlockVector divided(1);
    divided[0] = world.lambda[0] / kMass;
    world.takeForces(divided, kMass / world.dt);
    EXPECT_LT((world.findContact(0)->force - Vec3(0, kMass * kGravity, 0)).norm(), 1e-10 * kMass * kGravity);
}

TEST(Resting, PenetrationShrinksTenfoldAStep) {
    for (const Rest& rest : restingPlaces()) {
        World world = onTop(rest, 1e-2);
        for (int k = 0; k < 6; ++k) {
            const double expected = 1e-2 * std::pow(0.1, k);
            EXPECT_NEAR((rest.top - Vec3(world.x[0])).y(), expected, 1e-12) << rest.name;
            world.step();
            EXPECT_NEAR(world.findContact(0)->depth, expected, 1e-12) << rest.name;
        }
        EXPECT_EQ(world.v[0].norm(), 0) << rest.name;  // the push-out gives no velocity
    }
}

TEST(Resting, DoesNotChatter) {
    for (const Rest& rest : restingPlaces()) {
        World world = onTop(rest, 0);
        world.x[0].y() += 0.05;  // falls, lands, stays
        int landed = -1;
        for (int k = 0; k < 600; ++k) {
            world.step();
            const bool touches = world.findContact(0) != nullptr;
            if (touches && landed < 0) landed = k;
            if (landed >= 0) {
                ASSERT_TRUE(touches) << rest.name << " lost at step " << k << ", landed at " << landed;
            }
        }
        ASSERT_GE(landed, 5) << rest.name;
        EXPECT_EQ(world.v[0].norm(), 0) << rest.name;
        EXPECT_NEAR(world.x[0].y(), rest.top.y(), 1e-9) << rest.name;
    }
}

TEST(Resting, WhatWouldSinkWithinTheStepIsCapturedAtTheSurface) {
    // Rounding must not decide which particles of a sheet that is laid down touch.
    for (const double gap : {0.0, 1e-17, 1e-9, 1e-6, 9e-4})
        for (const Rest& rest : restingPlaces()) {
            World world = onTop(rest, -gap);
            world.step();
            EXPECT_EQ(world.ndof(0), 0) << rest.name << " " << gap;
            EXPECT_LT((Vec3(world.x[0]) - rest.top).norm(), 1e-12) << rest.name << " " << gap;
            world.steps(20);
            EXPECT_EQ(world.ndof(0), 0) << rest.name << " " << gap;
            EXPECT_LT((Vec3(world.x[0]) - rest.top).norm(), 1e-12) << rest.name << " " << gap;
        }
}

/// A particle is tested along its way, from the side that it comes from.
TEST(Capture, WhatIsShotAtAThinPlateStopsAtIt) {
    for (const double speed : {1.0, 50.0, 300.0})
        for (const double half : {1e-3, 5e-6})
            for (const bool plateMoves : {false, true}) {
                World world({Vec3(0.1, 0.02 * speed, 0.05)}, {plateMoves ? Vec3(0, 0, 0) : Vec3(0, -speed, 0)}, kMass,
                            0.01);
                world.gravity.setZero();
                world.colliders = {Collider{.name = "plate", .shape = geometry::Box{Vec3(1, half, 1)}}};
                if (plateMoves) world.colliders[0].velocity = Vec3(0, speed, 0);
                for (int k = 0; k < 10; ++k) {
                    world.step();
                    EXPECT_GE(world.x[0].y(), poseAt(world.colliders[0], world.time).position.y() + half - 1e-9)
                        << speed << " " << half << " " << plateMoves << " step " << k;
                }
                EXPECT_NEAR(world.v[0].y(), plateMoves ? speed : 0, 1e-9);
            }
}

TEST(Release, PulledOffParticleIsFreeAfterOneStep) {
    for (double degrees : {0.0, 20.0}) {
        const Vec3 n = uphillNormal(degrees);
        World world({-1e-6 * n}, {Vec3::Zero()}, kMass, 0.01);
        world.colliders = {incline(degrees)};
        world.steps(5);
        ASSERT_EQ(world.ndof(0), 0);
        world.push = [&](Index) -> Vec3 { return 3 * kMass * kGravity * n; };
        world.step();
        ASSERT_NE(world.findContact(0), nullptr);
        EXPECT_LT(world.findContact(0)->force.dot(n), 0);
        world.step();
        EXPECT_EQ(world.ndof(0), 3);
        EXPECT_GT(world.v[0].dot(n), 0.1);
        world.steps(20);
        EXPECT_EQ(world.ndof(0), 3);
    }
}

/// The contact rule in one dimension, written again, with and without the test of the approach.
std::vector<bool> pulledOff(bool asksForApproach) {
    double x = -2e-3, v = 0, force = kMass * kGravity;
    bool inContact = true;
    std::vector<bool> sequence;
    for (int k = 0; k < 12; ++k) {
        const double depth = -x, dt = 0.01, b = dt * 0.02 * kMass * kGravity;
        if (!inContact) {
            inContact = depth > 0 && (!asksForApproach || v <= 0);
        } else if (force < 0) {
            inContact = false;
        }
        const double dv = inContact ? -v : b / kMass;
        force = (kMass * dv - b) / dt;
        v += dv;
        x += dt * v;
        if (inContact) x += 0.9 * std::max(depth, 0.0);
        sequence.push_back(inContact);
    }
    return sequence;
}

TEST(Release, AReleasedParticleStillInsideIsNotCaughtAgain) {
    World world({Vec3(0, -2e-3, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {Collider{.name = "plane", .shape = geometry::Plane{}}};
    world.gravity.setZero();
    world.push = [](Index) -> Vec3 { return {0, 0.02 * kMass * kGravity, 0}; };
    world.state.contacts = {{.particle = 0, .collider = 0, .force = Vec3(0, kMass * kGravity, 0)}};

    std::vector<bool> sequence;
    for (int k = 0; k < 12; ++k) {
        world.step();
        sequence.push_back(world.findContact(0) != nullptr);
    }
    EXPECT_EQ(sequence, pulledOff(true));
    EXPECT_EQ(std::count(sequence.begin(), sequence.end(), true), 1);  // held for one step, then released for good
    // As a check of the test, the two rules differ in this scene.
    const std::vector<bool> withoutTest = pulledOff(false);
    EXPECT_GT(std::count(withoutTest.begin(), withoutTest.end(), true), 1);
}

TEST(Capture, AParticleThatLeavesIsNotCaught) {
    World world({Vec3(0, -0.01, 0)}, {Vec3(0, 2, 0)}, kMass, 0.01);
    world.colliders = {Collider{.name = "plane", .shape = geometry::Plane{}}};
    world.step();
    EXPECT_EQ(world.ndof(0), 3);
}

TEST(Capture, ExemptParticlesTakeNoContact) {
    World world({Vec3(0, -0.01, 0), Vec3(1, -0.01, 0), Vec3(2, -0.01, 0)}, std::vector<Vec3>(3, Vec3::Zero()), kMass,
                0.01);
    world.colliders = {Collider{.name = "plane", .shape = geometry::Plane{}}};
    world.step();
    ASSERT_EQ(world.state.contacts.size(), 3u);
    world.exempt = {0, 2};
    world.step();
    ASSERT_EQ(world.state.contacts.size(), 1u);
    EXPECT_EQ(world.state.contacts[0].particle, 1);
    ASSERT_EQ(world.prescribed.size(), 1u);
    EXPECT_EQ(world.prescribed[0].particle, 1);
    EXPECT_EQ(world.prescribed[0].source, mechanics::PrescribedBy::Contact);
}

TEST(Capture, WithoutCollidersNothingIsRemembered) {
    World world = onTop(restingPlaces().back(), 1e-4);
    world.steps(2);
    ASSERT_FALSE(world.state.contacts.empty());
    world.colliders.clear();
    world.step();
    EXPECT_TRUE(world.state.contacts.empty());
    EXPECT_TRUE(world.prescribed.empty());
}

TEST(Capture, ValuesThatAreNotFiniteDoNoHarm) {
    const double nan = std::nan("");
    for (const Rest& rest : restingPlaces()) {
        World world = onTop(rest, 1e-4);
        world.steps(2);
        world.x[0].setConstant(nan);
        world.v[0].setConstant(nan);
        world.steps(2);
        EXPECT_EQ(world.ndof(0), 3) << rest.name;
    }
}

}  // namespace
}  // namespace clothlab::contact
