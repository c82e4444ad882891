#include "contact/collider.hpp"

#include <gtest/gtest.h>

#include "contact/settings.hpp"

namespace clothlab::contact {
namespace {

Collider mover() {
    Collider c{.name = "mover", .shape = geometry::Box{}};
    c.position = {1, 2, 3};
    c.orientation = Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized());
    c.velocity = {0.5, 0, -1};
    c.angularVelocity = {0, 2, 1};
    c.startTime = 0.5;
    c.stopTime = 2;
    return c;
}

TEST(ColliderPose, RestsBeforeItStartsAndAfterItStops) {
    const Collider c = mover();
    for (double t : {-1.0, 0.0, 0.49}) {
        const ColliderPose pose = poseAt(c, t);
        EXPECT_EQ(pose.position, c.position);
        EXPECT_EQ(pose.orientation.coeffs(), c.orientation.coeffs());
        EXPECT_EQ(pose.velocityAt(Vec3(9, 9, 9)), Vec3::Zero());
    }
    EXPECT_EQ(poseAt(c, 0.5).velocity, c.velocity);
    EXPECT_EQ(poseAt(c, 2.0).velocity, Vec3::Zero());
    EXPECT_EQ(poseAt(c, 2.0).angularVelocity, Vec3::Zero());
    EXPECT_LT((poseAt(c, 7).position - (c.position + 1.5 * c.velocity)).norm(), 1e-15);
    EXPECT_EQ(poseAt(c, 7).orientation.coeffs(), poseAt(c, 2).orientation.coeffs());
}

TEST(ColliderPose, VelocityIsTheDerivativeOfAMaterialPoint) {
    const Collider c = mover();
    const Vec3 local(0.2, -0.1, 0.3);
    const auto at = [&](double t) -> Vec3 { return poseAt(c, t).position + poseAt(c, t).orientation * local; };
    for (double t : {0.6, 1.0, 1.9}) {
        const Vec3 slope = (at(t + 1e-6) - at(t - 1e-6)) / 2e-6;
        EXPECT_LT((slope - poseAt(c, t).velocityAt(at(t))).norm(), 1e-8);
        EXPECT_NEAR(poseAt(c, t).orientation.norm(), 1, 1e-14);
    }
}

TEST(ColliderPose, ADragAddsItsWay) {
    Collider c = mover();
    c.drag = {.since = 0.9, .from = Vec3(0.1, 0, 0), .velocity = Vec3(0, 1, 0.5)};
    const ColliderPose plain = poseAt(mover(), 1.0), dragged = poseAt(c, 1.0);
    EXPECT_LT((dragged.position - plain.position - Vec3(0.1, 0.1, 0.05)).norm(), 1e-15);
    EXPECT_EQ(dragged.velocity, Vec3(plain.velocity + c.drag.velocity));
    const Vec3 mean = (poseAt(c, 1.01).position - dragged.position) / 0.01;
    EXPECT_LT((meanVelocity(c, 1.0, 0.01) - mean).norm(), 1e-12);
    EXPECT_FALSE(c == mover());
}

TEST(ColliderPose, KeyframesAddTheirDisplacement) {
    Collider c = mover();
    c.keyframes = {{1, Vec3(0, 0, 0)}, {1.5, Vec3(0, 0.3, 0)}, {3.5, Vec3(0.1, 0.3, 0)}};
    const Collider plain = mover();
    const auto displacementAt = [&](double t) -> Vec3 {
        return mechanics::KeyframedPlace::at(c.keyframes, t).displacement;
    };
    for (double t : {0.0, 0.9, 1.25, 2.5, 4.0}) {
        EXPECT_LT((poseAt(c, t).position - poseAt(plain, t).position - displacementAt(t)).norm(), 1e-15);
        const Vec3 slope = (poseAt(c, t + 1e-6).position - poseAt(c, t - 1e-6).position) / 2e-6;
        EXPECT_LT((slope - poseAt(c, t).velocity).norm(), 1e-8) << t;
    }
    EXPECT_LT((displacementAt(2.5) - Vec3(0.05, 0.3, 0)).norm(), 1e-15);
    for (double t : {0.3, 0.9, 1.4, 1.95, 3.4})  // exact across corners of the motion, too
        EXPECT_LT((meanVelocity(c, t, 0.2) - (poseAt(c, t + 0.2).position - poseAt(c, t).position) / 0.2).norm(), 1e-14)
            << t;
}

TEST(ColliderPose, AStopBeforeTheStartNeverMoves) {
    Collider c = mover();
    c.stopTime = 0.2;
    for (double t : {0.0, 0.3, 0.5, 1.0}) {
        EXPECT_EQ(poseAt(c, t).position, c.position);
        EXPECT_EQ(poseAt(c, t).velocity, Vec3::Zero());
        EXPECT_EQ(movingSeconds(c, t, 0.1), 0);
    }
}

TEST(ColliderPose, MovingSecondsAddUp) {
    const Collider c = mover();
    EXPECT_EQ(movingSeconds(c, 0.1, 0.1), 0);
    EXPECT_EQ(movingSeconds(c, 1.0, 0.1), 0.1);  // exactly: no rounding of time + dt
    EXPECT_NEAR(movingSeconds(c, 0.45, 0.1), 0.05, 1e-15);
    EXPECT_NEAR(movingSeconds(c, 1.93, 0.1), 0.07, 1e-15);
    EXPECT_EQ(movingSeconds(c, 2.0, 0.1), 0);
    EXPECT_NEAR(movingSeconds(c, 0, 5), 1.5, 1e-15);
}

TEST(Collider, EqualityLooksAtEveryMember) {
    const Collider a = mover();
    EXPECT_EQ(a, mover());
    const auto differs = [&](auto change) {
        Collider b = mover();
        change(b);
        return !(a == b);
    };
    EXPECT_TRUE(differs([](Collider& c) { c.name = "other"; }));
    EXPECT_TRUE(differs([](Collider& c) { c.shape = geometry::Box{Vec3(1, 1, 1)}; }));
    EXPECT_TRUE(differs([](Collider& c) { c.shape = geometry::Sphere{}; }));
    EXPECT_TRUE(differs([](Collider& c) { c.position.x() += 1; }));
    EXPECT_TRUE(differs([](Collider& c) { c.orientation = Eigen::Quaterniond::Identity(); }));
    EXPECT_TRUE(differs([](Collider& c) { c.velocity.x() += 1; }));
    EXPECT_TRUE(differs([](Collider& c) { c.angularVelocity.x() += 1; }));
    EXPECT_TRUE(differs([](Collider& c) { c.startTime = 0; }));
    EXPECT_TRUE(differs([](Collider& c) { c.stopTime = 3; }));
    EXPECT_TRUE(differs([](Collider& c) { c.keyframes = {{1, Vec3::Zero()}}; }));
    EXPECT_TRUE(differs([](Collider& c) { c.muS = 0.5; }));
    EXPECT_TRUE(differs([](Collider& c) { c.muK = 0.5; }));
    EXPECT_TRUE(differs([](Collider& c) { c.shape = geometry::MeshSolid{.path = "a.obj"}; }));
}

TEST(ContactSettings, AreDescribed) {
    ContactSettings settings;
    FieldList list;
    describe(settings, list);
    EXPECT_EQ(list.keys(), (std::vector<std::string>{"mu_s",
                                                     "mu_k",
                                                     "active_set",
                                                     "sticking",
                                                     "sticking_speed",
                                                     "solids",
                                                     "push_out",
                                                     "self_collision",
                                                     "repulsion_distance",
                                                     "repulsion_stiffness",
                                                     "repulsion_damping",
                                                     "thickness",
                                                     "cloth_friction",
                                                     "carry_forces",
                                                     "solve",
                                                     "solve_repeats",
                                                     "solve_tolerance",
                                                     "solve_stiffness",
                                                     "untangle",
                                                     "last_resort"}));
    for (const Field& field : list.fields()) {
        EXPECT_FALSE(field.meta.label.empty()) << field.key;
        EXPECT_FALSE(field.meta.help.empty()) << field.key;
    }
    ASSERT_TRUE(assignText(*list.find("mu_k"), "0.25"));
    EXPECT_EQ(settings.muK, 0.25);
    EXPECT_FALSE(assignText(*list.find("push_out"), "1.5"));
    EXPECT_FALSE(assignText(*list.find("mu_s"), "-0.1"));
}

}  // namespace
}  // namespace clothlab::contact
