// Moving solids, edges, curved surfaces, several solids at once, threads.
#include <gtest/gtest.h>

#include <random>

#include "world.hpp"

namespace clothlab::contact {
namespace {

constexpr double kMass = 1e-3;
constexpr double kGravity = 9.81;

Collider named(const char* name, const geometry::Shape& shape, const Vec3& position = Vec3::Zero()) {
    Collider c{.name = name, .shape = shape};
    c.position = position;
    return c;
}

TEST(MovingSolid, ALiftCarriesTheParticleUp) {
    World world({Vec3(0.2, -1e-5, 0.1)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {named("lift", geometry::Plane{})};
    world.colliders[0].velocity = {0, 0.5, 0};
    world.colliders[0].startTime = 0.103;  // within a step
    world.colliders[0].stopTime = 0.498;
    for (int k = 0; k < 49; ++k) {
        world.step();
        ASSERT_NE(world.findContact(0), nullptr) << k;
        EXPECT_NEAR(world.x[0].y(), poseAt(world.colliders[0], world.time).position.y(), 2e-5) << k;
    }
    EXPECT_NEAR(world.v[0].y(), 0.5, 1e-14);
    world.steps(60);
    EXPECT_EQ(world.ndof(0), 0);
    EXPECT_NEAR(world.x[0].y(), 0.5 * 0.395, 1e-6);
    EXPECT_EQ(world.v[0].norm(), 0);
}

TEST(MovingSolid, AFloorThatFallsAwayLetsGo) {
    World world({Vec3(0, -1e-6, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {named("floor", geometry::Plane{})};
    world.colliders[0].velocity = {0, -3, 0};
    world.colliders[0].startTime = 0.1;
    world.steps(10);
    EXPECT_EQ(world.ndof(0), 0);
    world.steps(2);
    EXPECT_EQ(world.ndof(0), 3);
}

TEST(MovingSolid, AFastBallDrivesParticlesBeforeItAndNeverSwallowsThem) {
    // 2.5 m/s at 6.67 ms: 17 mm per step into free particles, from a frontal hit to a grazing one.
    const double dt = 1.0 / 150, radius = 0.2, speed = 2.5;
    for (double offset : {0.0, 0.02, 0.08, 0.15, 0.19}) {
        World world({Vec3(0.3, offset, 0)}, {Vec3::Zero()}, kMass, dt);
        world.gravity.setZero();
        world.colliders = {named("ball", geometry::Sphere{radius}, {-0.05, 0, 0})};
        world.colliders[0].velocity = {speed, 0, 0};
        world.settings = {.muS = 0, .muK = 0};
        int held = 0;
        for (int k = 0; k < 120; ++k) {
            world.step();
            const ParticleContact* contact = world.findContact(0);
            const double distance = (Vec3(world.x[0]) - poseAt(world.colliders[0], world.time).position).norm();
            EXPECT_GE(distance, radius - 1e-9) << offset << " " << k;  // met along its way, and never inside
            held += contact != nullptr;
        }
        EXPECT_GT(held, 0) << offset;
        const ColliderPose ball = poseAt(world.colliders[0], world.time);
        EXPECT_GT((Vec3(world.x[0]) - ball.position).norm(), radius - 1e-6) << offset;
        if (offset == 0.0) {
            EXPECT_NEAR(world.v[0].x(), speed, 1e-12);
        }
        EXPECT_LE(world.v[0].norm(), 1.1 * speed) << offset;
    }
}

TEST(Edge, SlidesOffABoxAndFallsFreely) {
    for (double speed : {0.02, 0.1, 0.5, 1.0, 3.0})
        for (double dt : {0.01, 0.003}) {
            World world({Vec3(0.25, 0.3 - 1e-6, 0)}, {Vec3(speed, 0, 0)}, kMass, dt);
            world.colliders = {named("box", geometry::Box{})};
            world.settings = {.muS = 0, .muK = 0};
            int released = -1;
            double fall = 0;
            for (int k = 0; k < int(0.05 / speed / dt) + 20; ++k) {
                const bool touched = world.findContact(0) != nullptr;
                world.step();
                EXPECT_NEAR(world.v[0].x(), speed, 1e-12) << speed << " " << dt;  // no edge stops it
                if (touched && world.findContact(0) == nullptr) released = k;
                if (released >= 0) {
                    ASSERT_EQ(world.findContact(0), nullptr) << speed << " " << dt;
                    fall += dt * kGravity;
                    EXPECT_NEAR(world.v[0].y(), -fall, 1e-10);
                } else if (k > 0) {
                    EXPECT_EQ(world.v[0].y(), 0);
                }
            }
            ASSERT_GE(released, 0) << speed << " " << dt;
            EXPECT_NEAR(released * dt, 0.05 / speed, 2 * dt) << speed << " " << dt;
        }
}

TEST(Edge, PushedWhereItHasLeftTheFaceItIsLetGo) {
    // A downward force does not hold a particle on a box that it has passed.
    World world({Vec3(0.295, 0.3 - 1e-6, 0)}, {Vec3(1, 0, 0)}, kMass, 0.01);
    world.colliders = {named("box", geometry::Box{})};
    world.settings = {.muS = 0, .muK = 0};
    world.push = [](Index) -> Vec3 { return {0, -5 * kMass * kGravity, 0}; };
    world.steps(3);
    EXPECT_EQ(world.ndof(0), 3);
    EXPECT_LT(world.v[0].y(), -0.5);
}

TEST(Curve, WithoutFrictionItLeavesASphereAtTwoThirdsOfItsHeight) {
    const double radius = 0.5, start = radians(10);
    for (double dt : {0.002, 0.0005}) {
        World world({(radius - 1e-6) * Vec3(std::sin(start), std::cos(start), 0)}, {Vec3::Zero()}, kMass, dt);
        world.colliders = {named("sphere", geometry::Sphere{radius})};
        world.settings = {.muS = 0, .muK = 0};
        double lastHeight = 0, largestGap = 0;
        for (int k = 0; k < int(1.0 / dt); ++k) {
            world.step();
            if (world.findContact(0) == nullptr) continue;
            lastHeight = world.x[0].y() / world.x[0].norm();
            largestGap = std::max(largestGap, -world.findContact(0)->depth);
        }
        EXPECT_NEAR(lastHeight, 2.0 / 3.0 * std::cos(start), dt < 0.001 ? 0.01 : 0.03);
        EXPECT_LE(largestGap, ContactSolver::kLeaveGap);
    }
}

TEST(Curve, TooFastForTheCurveItFliesOffUnbraked) {
    // v^2 / R = 20 m/s^2 > g: ballistic from the top on; the constraint must not bend its path for a single step.
    World world({Vec3(0, 0.05 - 1e-7, 0)}, {Vec3(1, 0, 0)}, kMass, 0.002);
    world.colliders = {named("sphere", geometry::Sphere{0.05})};
    world.settings = {.muS = 0, .muK = 0};
    for (int k = 0; k < 50; ++k) {
        world.step();
        EXPECT_EQ(world.v[0].x(), 1) << k;
        EXPECT_NEAR(world.v[0].y(), -k * 0.002 * kGravity, 1e-12) << k;
    }
}

TEST(Curve, AGapEndsTheContactWhateverPushes) {
    // Pressed with 50 times its weight it slides over a roll, so fast that a step takes it 2 mm off the surface.
    Collider roll = named("roll", geometry::Cylinder{0.2, 0.5});
    roll.orientation = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX());
    World world({Vec3(0, 0.2 - 1e-6, 0)}, {Vec3(3, 0, 0)}, kMass, 0.01);
    world.colliders = {roll};
    world.settings = {.muS = 0, .muK = 0};
    world.push = [](Index) -> Vec3 { return {0, -50 * kMass * kGravity, 0}; };
    world.step();
    ASSERT_NE(world.findContact(0), nullptr);
    ASSERT_GT(std::hypot(world.x[0].x(), world.x[0].y()) - 0.2, ContactSolver::kLeaveGap);
    // The roll does not pull the particle back, but the applied force does, and the surface stops it within the step.
    world.step();
    ASSERT_NE(world.findContact(0), nullptr);
    EXPECT_GE(std::hypot(world.x[0].x(), world.x[0].y()), 0.2 - 1e-9);
    world.push = [](Index) -> Vec3 { return {0, 0, 0}; };
    world.x[0] *= 1.01;  // 2 mm off, and nothing presses
    world.step();
    EXPECT_EQ(world.findContact(0), nullptr);
}

TEST(Curve, StaysOnALyingCylinderWhereFrictionHoldsIt) {
    Collider roll = named("roll", geometry::Cylinder{0.2, 0.5});
    roll.orientation = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX());
    const double limit = std::atan(0.5);
    for (double offset : {-0.1, 0.1}) {
        const double a = limit + offset;
        World world({(0.2 - 1e-6) * Vec3(std::sin(a), std::cos(a), 0) + Vec3(0, 0, 0.1)}, {Vec3::Zero()}, kMass, 0.005);
        world.colliders = {roll};
        world.settings = {.muS = 0.5, .muK = 0.4};
        world.steps(200);
        EXPECT_EQ(world.ndof(0), offset < 0 ? 0 : 3);
    }
}

TEST(SeveralSolids, ACornerLeavesOneDirection) {
    World world({Vec3(-1e-4, -1e-4, 0)}, {Vec3(-0.2, -0.1, 0.7)}, kMass, 0.01);
    world.colliders = {wall(Vec3::UnitY()), wall(Vec3::UnitX())};
    world.settings = {.muS = 0, .muK = 0};
    world.push = [](Index) -> Vec3 { return {-2e-3, 0, 0}; };
    for (int k = 0; k < 20; ++k) {
        world.step();
        ASSERT_EQ(world.ndof(0), 1);
        EXPECT_LT((Vec3(world.v[0]) - Vec3(0, 0, 0.7)).norm(), 1e-12);
        const mechanics::Prescribed& p = world.prescribed[0];
        EXPECT_NEAR(p.p.dot(p.q), 0, 1e-14);
        EXPECT_NEAR(p.p.norm(), 1, 1e-14);
        EXPECT_NEAR(p.q.norm(), 1, 1e-14);
    }
    EXPECT_LT((world.findContact(0)->force - Vec3(2e-3, kMass * kGravity, 0)).norm(), 1e-12);
    EXPECT_NEAR(world.x[0].x(), 0, 1e-12);
    EXPECT_NEAR(world.x[0].y(), 0, 1e-12);

    // Pulled off one wall, it leaves only that one.
    world.push = [](Index) -> Vec3 { return {5e-3, 0, 0}; };
    world.steps(2);
    EXPECT_EQ(world.ndof(0), 2);
    EXPECT_EQ(world.findContact(0)->collider, 0);
    EXPECT_EQ(world.findContact(0)->secondCollider, -1);
    EXPECT_GT(world.v[0].x(), 0.04);
}

TEST(SeveralSolids, EachMovesItAlongItsOwnNormal) {
    const double a = radians(20);
    const Vec3 slanted(std::cos(a), std::sin(a), 0);
    World world({Vec3(-1e-4, -1e-4, 0)}, {Vec3(-0.1, -0.1, 0.7)}, kMass, 0.01);
    world.colliders = {wall(Vec3::UnitY()), wall(slanted)};
    world.colliders[0].velocity = {9, 0.2, 0};  // along its own plane it does not matter
    world.colliders[1].velocity = 0.3 * slanted;
    world.settings = {.muS = 0, .muK = 0};
    world.step();
    ASSERT_EQ(world.ndof(0), 1);
    EXPECT_NEAR(world.v[0].y(), 0.2, 1e-12);
    EXPECT_NEAR(world.v[0].dot(slanted), 0.3, 1e-12);
    EXPECT_NEAR(world.v[0].z(), 0.7, 1e-12);
}

TEST(SeveralSolids, FrictionInACornerCountsBothForces) {
    // f_N = m g + F; deceleration along the corner mu_k (g + F/m); then it sticks.
    World world({Vec3(-1e-4, -1e-4, 0)}, {Vec3(0, 0, 1)}, kMass, 0.01);
    world.colliders = {wall(Vec3::UnitY()), wall(Vec3::UnitX())};
    world.settings = {.muS = 0.3, .muK = 0.2};
    world.push = [](Index) -> Vec3 { return {-kMass * kGravity, 0, 0}; };
    world.steps(10);
    EXPECT_NEAR(world.v[0].z(), 1 - 0.1 * 0.2 * 2 * kGravity, 1e-9);
    world.steps(40);
    EXPECT_EQ(world.v[0].norm(), 0);
    EXPECT_EQ(world.ndof(0), 0);
}

TEST(SeveralSolids, AnObtuseWedgePushesOutTheShortestWay) {
    const double a = radians(35);
    const Vec3 left(std::sin(a), std::cos(a), 0), right(-std::sin(a), std::cos(a), 0);
    World world({Vec3(0, -0.01, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {wall(left), wall(right)};
    world.step();
    ASSERT_NE(world.findContact(0), nullptr);
    EXPECT_EQ(world.findContact(0)->secondCollider, 1);
    EXPECT_LT((Vec3(world.x[0]) - Vec3(0, -0.001, 0)).norm(), 1e-12);
    world.steps(30);
    EXPECT_LT(world.x[0].norm(), 1e-12);
    EXPECT_EQ(world.v[0].norm(), 0);
    EXPECT_LT((world.findContact(0)->force - Vec3(0, kMass * kGravity, 0)).norm(), 1e-12);
}

TEST(SeveralSolids, ThreeHoldItAndMoveItTogether) {
    const Vec3 drift(0.1, 0.2, -0.3);
    World world({Vec3(-1e-4, -2e-4, -3e-4)}, {Vec3(-0.5, -0.5, -0.5)}, kMass, 0.01);
    world.colliders = {wall(Vec3::UnitX()), wall(Vec3::UnitY()), wall(Vec3::UnitZ())};
    for (Collider& c : world.colliders) c.velocity = drift;
    world.settings = {.muS = 0, .muK = 0};
    world.push = [](Index) -> Vec3 { return {-1e-3, 0, -1e-3}; };
    for (int k = 0; k < 10; ++k) {
        world.step();
        ASSERT_EQ(world.ndof(0), 0);
        EXPECT_NE(world.findContact(0)->thirdCollider, -1);
        EXPECT_LT((Vec3(world.v[0]) - drift).norm(), 1e-12);
    }
    EXPECT_LT((Vec3(world.x[0]) - world.time * drift).norm(), 1e-9);
    world.push = [](Index) -> Vec3 { return {4e-3, 0, -1e-3}; };  // off one of the three
    world.steps(3);
    EXPECT_EQ(world.ndof(0), 1);
    EXPECT_GT(world.v[0].x(), 0.11);
}

TEST(SeveralSolids, NearlyParallelFacesAreOneContact) {
    const double a = radians(5);
    World world({Vec3(0, -1e-3, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {wall(Vec3(std::sin(a), std::cos(a), 0)), wall(Vec3::UnitY())};
    world.settings = {.muS = 0, .muK = 0};
    world.step();
    ASSERT_NE(world.findContact(0), nullptr);
    EXPECT_EQ(world.findContact(0)->collider, 1);  // the deeper one
    EXPECT_EQ(world.findContact(0)->secondCollider, -1);
}

TEST(Threads, AnyNumberGivesTheSameBits) {
    const auto run = [](int threads) {
        std::mt19937_64 generator(3);
        std::uniform_real_distribution<double> uniform(-1, 1);
        std::vector<Vec3> x, v;
        for (int i = 0; i < 6000; ++i) {
            x.emplace_back(uniform(generator), 0.4 + 0.4 * uniform(generator), uniform(generator));
            v.emplace_back(uniform(generator), uniform(generator), uniform(generator));
        }
        World world(x, v, kMass, 0.01, threads, 1);
        world.colliders = {named("floor", geometry::Plane{}), named("ball", geometry::Sphere{0.3}, {0.4, 0.1, 0}),
                           named("box", geometry::Box{}, {-0.4, 0.1, 0})};
        world.colliders[1].velocity = {-0.5, 0, 0};
        world.colliders[2].angularVelocity = {0, 1, 0};
        world.exempt = {17, 600, 5999};
        world.steps(40);
        return world;
    };
    const World one = run(1);
    EXPECT_GT(one.state.contacts.size(), 3000u);
    EXPECT_TRUE(std::ranges::is_sorted(one.state.contacts, {}, &ParticleContact::particle));
    for (int threads : {2, 4}) {
        const World many = run(threads);
        EXPECT_EQ(many.x, one.x);
        EXPECT_EQ(many.v, one.v);
        EXPECT_EQ(many.state, one.state);
    }
}

}  // namespace
}  // namespace clothlab::contact
