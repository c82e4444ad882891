#include "geometry/fillings/body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace clothlab::geometry {
namespace {

/// All bodies, with the width over which their pieces blend at the coarsest.
std::vector<std::pair<Body, double>> bodies() {
    std::vector<std::pair<Body, double>> all{{makeTorso(), 0.06}};
    for (const BodyKind kind : {BodyKind::Hippo, BodyKind::Frog, BodyKind::Dog})
        all.push_back({makeBody(kind), coarsestSpacing(kind)});
    return all;
}

/// Points in the box around a body, the same each time.
std::vector<Vec3> pointsAround(const Body& body, int count) {
    std::mt19937 random(7);
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k) {
        Vec3 share;
        for (double& x : share) x = double(random()) / 4294967296.0;
        points.push_back(body.low() + share.cwiseProduct(body.high() - body.low()));
    }
    return points;
}

TEST(Body, ATaperedCapsuleIsAsFarAsTheNearestOfItsBalls) {
    const TaperedCapsule capsule{{0.1, 1.0, -0.2}, {0.6, 1.4, 0.1}, 0.2, 0.05};
    const Body body({{capsule, 0.01}});
    for (const Vec3& p : pointsAround(body, 200)) {
        double nearest = INFINITY;
        for (int k = 0; k <= 20'000; ++k) {
            const double t = k / 20'000.0;
            const Vec3 center = capsule.a + t * (capsule.b - capsule.a);
            nearest = std::min(nearest, (p - center).norm() - capsule.first - t * (capsule.second - capsule.first));
        }
        EXPECT_NEAR(body.sample(p).distance, nearest, 1e-6) << p.transpose();
    }
    const Body swallowed({{TaperedCapsule{{0, 1, 0}, {0.1, 1, 0}, 0.3, 0.05}, 0.01}});
    EXPECT_NEAR(swallowed.sample({1, 1, 0}).distance, 0.7, 1e-15) << "one ball holds the other";
}

TEST(Body, AnEllipsoidVanishesOnItsSurface) {
    const Body body({{Ellipsoid{{0, 2, 0}, {0.3, 0.5, 0.2}}, 0.01}});
    for (const Vec3& p : pointsAround(body, 100)) {
        const Vec3 at = body.onSurface(p) - Vec3(0, 2, 0);
        EXPECT_NEAR(at.cwiseQuotient(Vec3(0.3, 0.5, 0.2)).norm(), 1, 1e-9);
    }
    EXPECT_NEAR(body.sample({0, 2, 0}).distance, -0.2, 1e-15) << "the centre, where there is no gradient";
}

// Where ellipsoids blend, the gradient combines those on their own surfaces, and is therefore slightly off.
TEST(Body, TheGradientIsAboutThatOfTheFunctionAtTheSurface) {
    constexpr double kStep = 1e-6;
    for (const auto& [body, coarsest] : bodies()) {
        for (const Vec3& p : pointsAround(body, 300)) {
            const Vec3 at = body.onSurface(p);
            const DistanceSample here = body.sample(at);
            ASSERT_LT(std::abs(here.distance), 1e-9) << p.transpose();
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 step = kStep * Vec3::Unit(axis);
                const double slope = (body.sample(at + step).distance - body.sample(at - step).distance) / (2 * kStep);
                EXPECT_NEAR(here.normal[axis], slope, 0.06) << at.transpose();
            }
        }
    }
}

TEST(Body, StandsOnTheGroundAndIsItsOwnMirrorImage) {
    for (const auto& [body, coarsest] : bodies()) {
        EXPECT_GT(body.sample({0, -0.01, 0}).distance, 0);
        double lowest = INFINITY, inside = 0;
        for (const Vec3& p : pointsAround(body, 20'000)) {
            const double distance = body.sample(p).distance;
            EXPECT_NEAR(distance, body.sample({p.x(), p.y(), -p.z()}).distance, 0.01) << p.transpose();
            if (distance < 0) lowest = std::min(lowest, p.y());
            inside += distance < 0;
        }
        EXPECT_LT(lowest, 0.03) << "its feet are on the ground";
        EXPECT_GT(inside, 1000);
    }
}

TEST(Body, ABoxHoldsAllOfIt) {
    for (const auto& [plain, coarsest] : bodies()) {
        const Body body = plain.blended(coarsest);
        const Vec3 size = body.high() - body.low();
        for (const Vec3& p : pointsAround(body, 5000)) {
            // Onto the faces of the box.
            for (int axis = 0; axis < 3; ++axis)
                for (const double face : {body.low()[axis], body.high()[axis]}) {
                    Vec3 q = p;
                    q[axis] = face;
                    EXPECT_GE(body.sample(q).distance, axis == 1 && face == 0 ? -1e-15 : 0) << q.transpose();
                }
        }
        EXPECT_LT(size.maxCoeff(), 1.6);
    }
}

}  // namespace
}  // namespace clothlab::geometry
