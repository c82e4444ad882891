// Coulomb friction on inclines and belts: oracles 32 and 32a, numbers of methods §6.3.
#include <gtest/gtest.h>

#include "world.hpp"

namespace clothlab::contact {
namespace {

constexpr double kMass = 1e-3;
constexpr double kGravity = 9.81;
constexpr double kMuS = 0.5, kMuK = 0.4;
constexpr double kSpacing = 0.02;

/// A row of particles up the incline, tied by springs, that slides down at `speed`.
World row(double degrees, double speed, int count = 1, double stiffness = 0, double dt = 0.01) {
    std::vector<Vec3> x, v;
    for (int i = 0; i < count; ++i) {
        x.push_back(-i * kSpacing * downhill(degrees) - 1e-9 * uphillNormal(degrees));
        v.push_back(speed * downhill(degrees));
    }
    World world(x, v, kMass, dt);
    for (Index i = 0; i + 1 < count; ++i) world.springs.push_back({i, i + 1, stiffness, kSpacing});
    world.colliders = {incline(degrees)};
    world.settings = {.muS = kMuS, .muK = kMuK};
    return world;
}

double stoppingDistance(double degrees, double speed) {
    const double a = radians(degrees);
    return speed * speed / (2 * kGravity * (kMuK * std::cos(a) - std::sin(a)));
}

TEST(Friction, LaidDownAtRestSticksUpToTheStaticAngle) {
    const double limit = std::atan(kMuS) * 180 / std::numbers::pi;
    for (double offset : {-26.0, -5.0, -0.5, -0.01, 0.01, 0.5, 5.0}) {
        const double degrees = limit + offset;
        World world = row(degrees, 0);
        world.steps(200);
        const bool sticks = world.v[0].norm() < 1e-9 && world.ndof(0) == 0;
        EXPECT_EQ(sticks, offset < 0) << degrees;
        if (offset > 0) {
            EXPECT_GT(world.x[0].dot(downhill(degrees)), 0.5) << degrees;
        }
    }
}

/// The friction of a solid overrides that of the settings.
TEST(Friction, OfASolidWinsOverThatOfTheSettings) {
    for (const bool rough : {false, true}) {
        World world = row(20, 0);  // sticks from 0.364 on
        world.settings = {.muS = rough ? 0.1 : 0.9, .muK = 0.05};
        world.colliders[0].muS = rough ? 0.9 : 0.1;
        world.steps(50);
        EXPECT_EQ(world.ndof(0), rough ? 0 : 2);
    }
}

/// On a turntable the centrifugal force takes the place of the slope: friction holds within mu g / omega^2.
TEST(Friction, OnATurntableItSticksUpToTheRadiusThatCoulombSays) {
    const double omega = 3, limit = kMuS * kGravity / (omega * omega);
    for (const double share : {0.5, 0.98, 1.02, 1.3}) {
        const Vec3 place(share * limit, -1e-9, 0);
        World world({place}, {Vec3(0, omega, 0).cross(place)}, kMass, 0.002);
        world.colliders = {incline(0)};
        world.colliders[0].angularVelocity = {0, omega, 0};
        world.settings = {.muS = kMuS, .muK = kMuK};
        world.steps(500);
        const double radius = std::hypot(world.x[0].x(), world.x[0].z());
        if (share < 1)
            EXPECT_NEAR(radius, share * limit, 1e-6) << share;
        else
            EXPECT_GT(radius, 1.1 * limit) << share;
    }
}

TEST(Friction, SlidingStartComesToRestWhereCoulombSays) {
    struct Expected {
        double degrees, millimetres, ratio;
    };
    for (const Expected& e : {Expected{5, 40.93, 0.940}, {11.5, 66.16, 0.9626}, {20, 376.35, 0.993}}) {
        const double analytic = stoppingDistance(e.degrees, 0.5);
        EXPECT_NEAR(1e3 * analytic, e.millimetres, 0.006);
        World world = row(e.degrees, 0.5);
        world.steps(400);
        EXPECT_EQ(world.v[0].norm(), 0) << e.degrees;
        EXPECT_EQ(world.ndof(0), 0) << e.degrees;
        EXPECT_NEAR(world.x[0].dot(downhill(e.degrees)) / analytic, e.ratio, 0.0006) << e.degrees;
    }
    World fine = row(11.5, 0.5, 1, 0, 0.001);
    fine.steps(1000);
    EXPECT_NEAR(fine.x[0].dot(downhill(11.5)) / stoppingDistance(11.5, 0.5), 0.996, 0.0006);
}

TEST(Friction, AboveTheKineticAngleItSlidesWithCoulombsAcceleration) {
    for (double degrees : {22.0, 22.5, 26.0, 30.0}) {
        World world = row(degrees, 0.5);
        world.steps(100);
        const double a = radians(degrees), expected = kGravity * (std::sin(a) - kMuK * std::cos(a));
        EXPECT_NEAR((world.v[0].dot(downhill(degrees)) - 0.5) / expected, 1, 1e-4) << degrees;
        EXPECT_EQ(world.ndof(0), 2);
    }
    World frictionless = row(22, 0.5);
    frictionless.settings = {.muS = 0, .muK = 0};
    frictionless.steps(100);
    EXPECT_NEAR(frictionless.v[0].norm(), 0.5 + kGravity * std::sin(radians(22)), 1e-10);
}

TEST(Friction, FrictionOpposesEveryDirectionOfSliding) {
    // Across and up the incline too; until it stops the path is straight on level ground.
    for (double angle : {0.0, 1.0, 2.5, 4.0}) {
        const Vec3 direction(std::cos(angle), 0, std::sin(angle));
        World world({Vec3(0, -1e-9, 0)}, {0.5 * direction}, kMass, 0.01);
        world.colliders = {incline(0)};
        world.settings = {.muS = kMuS, .muK = kMuK};
        world.steps(5);
        EXPECT_LT((Vec3(world.v[0]) - (0.5 - 0.05 * kMuK * kGravity) * direction).norm(), 1e-12);
        world.steps(60);
        EXPECT_EQ(world.v[0].norm(), 0);
        EXPECT_LT(world.x[0].cross(direction).norm(), 1e-8);
    }
}

TEST(Friction, NeverReversesTheMotion) {
    World world = row(5, 0.5);
    world.settings.muK = 5;     // far more than needed to stop within a step
    world.settings.muS = 1e-3;  // and no sticking that would hide it
    double speed = 0.5;
    for (int k = 0; k < 40; ++k) {
        world.step();
        const double now = world.v[0].dot(downhill(5));
        EXPECT_GE(now, -1e-12);
        EXPECT_LE(now, speed + 1e-12);
        speed = now;
    }
}

TEST(Friction, AContactThatWouldPullIsNone) {
    // The particle is inside and moves further in, but is lifted: the solve would have to pull, so that it is released.
    World world({Vec3(0, -1e-3, 0)}, {Vec3(0.5, -1e-3, 0)}, kMass, 0.01);
    world.colliders = {incline(0)};
    world.settings = {.muS = kMuS, .muK = kMuK};
    world.push = [](Index) -> Vec3 { return {0, 3 * kMass * kGravity, 0}; };
    world.step();
    EXPECT_EQ(world.ndof(0), 3);
    EXPECT_LT((Vec3(world.v[0]) - Vec3(0.5, -1e-3 + 0.01 * 2 * kGravity, 0)).norm(), 1e-12);
}

TEST(Friction, OfOneThatIsPressedAndDraggedIsThatOfThePress) {
    // The particle is pressed by far more than its weight. Without the active set, friction is limited to its momentum
    // and weight, because neighbours may balance the pull of a stiff spring.
    for (const int activeSet : {8, 0}) {
        World world({Vec3(0, -1e-9, 0)}, {Vec3(0.5, 0, 0)}, kMass, 0.01);
        world.colliders = {incline(0)};
        world.settings = {.muS = kMuS, .muK = kMuK, .activeSet = activeSet};
        const double drag = 2000 * kMass * kGravity;
        world.push = [&](Index) -> Vec3 { return {drag, -1000 * kMass * kGravity, 0}; };
        world.step();
        ASSERT_EQ(world.ndof(0), 2);
        const double friction = activeSet > 0 ? kMuK * 1001 * kGravity : 0.5 / 0.01 + kGravity;  // m/s^2
        EXPECT_NEAR(world.v[0].x(), 0.5 + 0.01 * (drag / kMass - friction), 1e-9);
    }
}

/// Whether a particle sticks follows from its force after the solve. Two particles tied by a stiff spring both stay
/// within their own cone, whichever touches first.
TEST(Friction, ATiedPairSticksByTheForceThatHoldsIt) {
    const double degrees = 20;  // tan 0.364, between 0.2 and 0.5
    for (const double stiffness : {1.0, 100.0, 1e4, 1e6})
        for (const bool firstTouches : {true, false}) {
            World world({Vec3(-1e-9 * uphillNormal(degrees)),
                         Vec3(-kSpacing * downhill(degrees) + (firstTouches ? 1e-4 : -1e-9) * uphillNormal(degrees))},
                        {Vec3::Zero(), Vec3::Zero()}, kMass, 0.01);
            world.springs = {{0, 1, stiffness, kSpacing}};
            world.colliders = {incline(degrees)};
            world.settings = {.muS = kMuS, .muK = kMuK};
            world.steps(200);
            for (Index i = 0; i < 2; ++i) EXPECT_EQ(world.ndof(i), 0) << stiffness << " " << firstTouches;
            EXPECT_LT(world.x[0].dot(downhill(degrees)), 2e-4) << stiffness << " " << firstTouches;
            const Vec3 force = world.findContact(0)->force;
            const Vec3 normal = force.dot(uphillNormal(degrees)) * uphillNormal(degrees);
            EXPECT_LE((force - normal).norm(), kMuS * normal.norm() * (1 + 1e-6));
        }
}

TEST(Friction, StiffRowsStopAsAWhole) {  // h^2 k / m = 3 .. 28 000
    for (int count : {2, 8})
        for (double stiffness : {28.1, 281.0, 2810.0, 28100.0, 281000.0}) {
            World world = row(11.5, 0.5, count, stiffness);
            world.steps(400);
            for (Index i = 0; i < count; ++i) EXPECT_EQ(world.ndof(i), 0) << count << " " << stiffness;
            EXPECT_LT(world.v.flat().cwiseAbs().maxCoeff(), 1e-12) << count << " " << stiffness;
            const double ratio = world.x[0].dot(downhill(11.5)) / stoppingDistance(11.5, 0.5);
            EXPECT_GT(ratio, 0.85) << count << " " << stiffness;
            EXPECT_LT(ratio, 1.15) << count << " " << stiffness;
        }
}

TEST(Friction, ABeltCarriesTheParticleAlong) {  // analytic 76 ms
    World world({Vec3(0, -1e-9, 0)}, {Vec3::Zero()}, kMass, 0.01);
    world.colliders = {incline(0)};
    world.colliders[0].velocity = {0.3, 0, 0};
    world.settings = {.muS = kMuS, .muK = kMuK};
    int stuckAfter = 0;
    for (int k = 1; k <= 100; ++k) {
        world.step();
        if (stuckAfter == 0 && world.ndof(0) == 0) stuckAfter = k;
    }
    EXPECT_GE(stuckAfter, 7);
    EXPECT_LE(stuckAfter, 10);
    EXPECT_EQ(Vec3(world.v[0]), Vec3(0.3, 0, 0));
}

/// The thesis' rule ([B] §3.4.2): a slow particle sticks even where friction cannot hold it; then its force leaves the
/// cone and it slides again. A particle faster than the threshold slides, even if a force within the cone could stop
/// it.
TEST(Friction, ByLowSpeedItSticksWhateverTheForceAndCreepsDownASteepSlope) {
    World steep = row(40, 0);  // tan 40 = 0.84 > mu_s
    steep.settings.sticking = Sticking::Speed;
    steep.settings.stickingSpeed = 0.2;
    int stuck = 0, slid = 0;
    for (int k = 0; k < 60; ++k) {
        steep.step();
        (steep.ndof(0) == 0 ? stuck : slid)++;
    }
    EXPECT_GT(stuck, 5);
    EXPECT_GT(slid, 5);
    EXPECT_GT(steep.x[0].dot(downhill(40)), 0.005);
    World byForce = row(40, 0);
    byForce.steps(60);
    EXPECT_EQ(byForce.ndof(0), 2);
    EXPECT_GT(byForce.x[0].dot(downhill(40)), 3 * steep.x[0].dot(downhill(40))) << "it creeps, and does not slide";

    for (const double speed : {0.05, 0.5}) {  // the threshold is 0.01 m/s
        World flat = row(0, speed);
        flat.settings.sticking = Sticking::Speed;
        flat.settings.stickingSpeed = 0.01;
        flat.step();
        EXPECT_EQ(flat.ndof(0), 2) << speed;
        flat.steps(200);
        EXPECT_EQ(flat.ndof(0), 0) << speed;
        EXPECT_LT(flat.v[0].norm(), 1e-12) << speed;
    }
}

TEST(Friction, ATurntableCarriesItInACircle) {
    // omega^2 r = 2 m/s^2 < mu_s g: it sticks, and neither spirals outwards nor lags behind.
    const double omega = 2, radius = 0.5;
    World world({Vec3(radius, -1e-9, 0)}, {Vec3(0, 0, -omega * radius)}, kMass, 0.01);
    world.colliders = {incline(0)};
    world.colliders[0].angularVelocity = {0, omega, 0};
    world.settings = {.muS = kMuS, .muK = kMuK};
    world.steps(500);
    EXPECT_EQ(world.ndof(0), 0);
    const double angle = omega * world.time;
    EXPECT_LT((Vec3(world.x[0]) - radius * Vec3(std::cos(angle), 0, -std::sin(angle))).norm(), 1e-9);
    const Vec3 tangential = world.findContact(0)->force - Vec3(0, kMass * kGravity, 0);
    EXPECT_NEAR(tangential.norm(), kMass * omega * omega * radius, 1e-3 * kMass * omega * omega * radius);

    World fast({Vec3(radius, -1e-9, 0)}, {Vec3(0, 0, -4 * radius)}, kMass, 0.01);  // 8 m/s^2: thrown off
    fast.colliders = {incline(0)};
    fast.colliders[0].angularVelocity = {0, 4, 0};
    fast.settings = world.settings;
    fast.steps(200);
    EXPECT_GT(fast.x[0].norm(), 1.0);
}

}  // namespace
}  // namespace clothlab::contact
