#include "geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace clothlab::geometry {
namespace {

struct Case {
    std::string name;
    Shape shape;
    bool (*inside)(const Vec3&);
};

const Box kBox{Vec3(0.3, 0.5, 0.2)};
const Cylinder kCylinder{0.25, 0.4};
const Capsule kCapsule{0.15, 0.35};

/// Membership written down independently of the distance.
std::vector<Case> cases() {
    return {
        {"sphere", Sphere{0.4}, [](const Vec3& p) { return p.squaredNorm() < 0.16; }},
        {"box", kBox,
         [](const Vec3& p) { return std::abs(p.x()) < 0.3 && std::abs(p.y()) < 0.5 && std::abs(p.z()) < 0.2; }},
        {"cylinder", kCylinder,
         [](const Vec3& p) { return p.x() * p.x() + p.z() * p.z() < 0.0625 && std::abs(p.y()) < 0.4; }},
        {"capsule", kCapsule,
         [](const Vec3& p) {
             const double r2 = p.x() * p.x() + p.z() * p.z(), over = std::max(0.0, std::abs(p.y()) - 0.35);
             return r2 + over * over < 0.0225;
         }},
        {"plane", Plane{}, [](const Vec3& p) { return p.y() < 0; }},
    };
}

std::vector<Vec3> randomPoints(int count, double extent) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(-extent, extent);
    std::vector<Vec3> points;
    points.reserve(count);
    for (int i = 0; i < count; ++i) points.emplace_back(uniform(generator), uniform(generator), uniform(generator));
    return points;
}

/// Points on the surface at a spacing of about `step`, from parametrizations (none for the plane).
std::vector<Vec3> surfaceSamples(const Shape& shape, double step) {
    std::vector<Vec3> points;
    const auto ring = [&](double radius, double y) {
        const int count = std::max(1, int(2 * std::numbers::pi * radius / step));
        for (int k = 0; k < count; ++k) {
            const double a = 2 * std::numbers::pi * k / count;
            points.emplace_back(radius * std::cos(a), y, radius * std::sin(a));
        }
    };
    const auto ball = [&](double radius, double half) {
        const int count = int(std::numbers::pi * radius / step);
        for (int k = 0; k <= count; ++k) {
            const double a = std::numbers::pi * k / count - std::numbers::pi / 2;
            ring(radius * std::cos(a), radius * std::sin(a) + (a < 0 ? -half : half));
        }
    };
    const auto wall = [&](double radius, double half) {
        for (double y = -half; y <= half; y += step) ring(radius, y);
    };
    if (const auto* sphere = std::get_if<Sphere>(&shape)) ball(sphere->radius, 0);
    if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        ball(capsule->radius, capsule->halfHeight);
        wall(capsule->radius, capsule->halfHeight);
    }
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        wall(cylinder->radius, cylinder->halfHeight);
        for (double r = 0; r <= cylinder->radius; r += step)
            for (double y : {-cylinder->halfHeight, cylinder->halfHeight}) ring(r, y);
    }
    if (const auto* box = std::get_if<Box>(&shape)) {
        for (int axis = 0; axis < 3; ++axis) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (double side : {-1.0, 1.0})
                for (double a = -box->halfSize[u]; a <= box->halfSize[u]; a += step)
                    for (double b = -box->halfSize[v]; b <= box->halfSize[v]; b += step) {
                        Vec3 p;
                        p[axis] = side * box->halfSize[axis];
                        p[u] = a;
                        p[v] = b;
                        points.push_back(p);
                    }
        }
    }
    return points;
}

TEST(Shapes, DistanceMatchesTheNearestOfManySurfacePoints) {
    constexpr double kStep = 0.005;
    for (const Case& c : cases()) {
        const std::vector<Vec3> surface = surfaceSamples(c.shape, kStep);
        if (surface.empty()) continue;
        for (const Vec3& p : randomPoints(60, 0.8)) {
            double nearest = 1e300;
            for (const Vec3& s : surface) nearest = std::min(nearest, (p - s).norm());
            const double distance = std::abs(signedDistance(c.shape, p).distance);
            EXPECT_LE(distance, nearest + 1e-12) << c.name;  // samples lie on the surface
            EXPECT_GE(distance, nearest - 1.5 * kStep) << c.name;
        }
    }
}

TEST(Shapes, SignIsNegativeInside) {
    for (const Case& c : cases()) {
        int inside = 0;
        for (const Vec3& p : randomPoints(5000, 0.6)) {
            EXPECT_EQ(signedDistance(c.shape, p).distance < 0, c.inside(p)) << c.name << " " << p.transpose();
            inside += c.inside(p);
        }
        EXPECT_GT(inside, 50) << c.name;
    }
}

TEST(Shapes, WalkingTheDistanceAlongTheNormalEndsOnTheSurface) {
    for (const Case& c : cases())
        for (const Vec3& p : randomPoints(3000, 0.9)) {
            const DistanceSample sample = signedDistance(c.shape, p);
            EXPECT_NEAR(sample.normal.norm(), 1, 1e-14) << c.name;
            const Vec3 foot = p - sample.distance * sample.normal;
            EXPECT_NEAR(signedDistance(c.shape, foot).distance, 0, 1e-14) << c.name << " " << p.transpose();
        }
}

TEST(Shapes, NormalIsTheGradient) {
    constexpr double kStep = 1e-6;
    for (const Case& c : cases()) {
        int smooth = 0;
        for (const Vec3& p : randomPoints(3000, 0.9)) {
            Vec3 gradient, reverse;
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 step = kStep * Vec3::Unit(axis);
                const double here = signedDistance(c.shape, p).distance;
                gradient[axis] = (signedDistance(c.shape, p + step).distance - here) / kStep;
                reverse[axis] = (here - signedDistance(c.shape, p - step).distance) / kStep;
            }
            if ((gradient - reverse).norm() > 1e-3) continue;  // next to a ridge of the distance
            ++smooth;
            EXPECT_LT(((gradient + reverse) / 2 - signedDistance(c.shape, p).normal).norm(), 1e-6) << c.name;
        }
        EXPECT_GT(smooth, 2900) << c.name;
    }
}

TEST(Shapes, DistanceChangesNoFasterThanThePoint) {
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> exponent(-12, 0);
    for (const Case& c : cases()) {
        const std::vector<Vec3> from = randomPoints(4000, 0.6), to = randomPoints(4001, 1.0);
        for (std::size_t i = 0; i < from.size(); ++i) {
            const Vec3 step = std::pow(10.0, exponent(generator)) * to[i + 1];
            const double change =
                signedDistance(c.shape, from[i] + step).distance - signedDistance(c.shape, from[i]).distance;
            EXPECT_LE(std::abs(change), step.norm() + 1e-15) << c.name;
        }
    }
}

TEST(Shapes, NormalsAreUnitOnCentresAxesEdgesAndCorners) {
    const std::vector<double> values{-0.5, -0.4,   -0.35, -0.3, -0.25, -0.2, -0.15, -1e-170, -0.0,
                                     0.0,  1e-170, 0.15,  0.2,  0.25,  0.3,  0.35,  0.4,     0.5};
    for (const Case& c : cases())
        for (double x : values)
            for (double y : values)
                for (double z : values) {
                    const DistanceSample sample = signedDistance(c.shape, Vec3(x, y, z));
                    EXPECT_NEAR(sample.normal.norm(), 1, 1e-14) << c.name << " " << x << " " << y << " " << z;
                    EXPECT_TRUE(std::isfinite(sample.distance));
                }
    EXPECT_EQ(signedDistance(Sphere{0.4}, Vec3::Zero()).normal, Vec3::UnitY());
    EXPECT_EQ(signedDistance(Sphere{0.4}, Vec3::Zero()).distance, -0.4);
    EXPECT_EQ(signedDistance(Box{Vec3(1, 1, 1)}, Vec3(0.5, 0.5, 0.5)).normal, Vec3::UnitY());
    EXPECT_EQ(signedDistance(kCapsule, Vec3(0, 0.5, 0)).normal, Vec3::UnitY());
    EXPECT_EQ(signedDistance(kCylinder, Vec3(0, 0.39, 0)).normal, Vec3::UnitY());
}

TEST(Shapes, ValuesByHand) {
    EXPECT_DOUBLE_EQ(signedDistance(Box{Vec3(1, 1, 1)}, Vec3(4, 5, 1)).distance, 5);
    EXPECT_DOUBLE_EQ(signedDistance(Box{Vec3(1, 1, 1)}, Vec3(2, 3, 3)).distance, 3);
    EXPECT_DOUBLE_EQ(signedDistance(Cylinder{1, 1}, Vec3(0, -5, 4)).distance, 5);
    EXPECT_DOUBLE_EQ(signedDistance(Cylinder{1, 1}, Vec3(0.9, 0, 0)).distance, -0.1 + 0.0);
    EXPECT_DOUBLE_EQ(signedDistance(Capsule{1, 1}, Vec3(3, 5, 0)).distance, 4);
    EXPECT_DOUBLE_EQ(signedDistance(Plane{}, Vec3(7, -2, 1)).distance, -2);
    EXPECT_DOUBLE_EQ(boundingRadius(Box{Vec3(2, 3, 6)}), 7);
    EXPECT_DOUBLE_EQ(boundingRadius(Cylinder{3, 4}), 5);
    EXPECT_DOUBLE_EQ(boundingRadius(Capsule{3, 4}), 7);
    EXPECT_TRUE(std::isinf(boundingRadius(Plane{})));
}

TEST(Shapes, BitsDoNotDependOnWhereThePointLies) {
    // Threads have stacks of different alignment; a sum split by address would differ in its last bits.
    alignas(64) double buffer[16] = {};
    for (const Case& c : cases())
        for (const Vec3& p : randomPoints(500, 0.6)) {
            const DistanceSample expected = signedDistance(c.shape, p);
            for (int offset = 0; offset < 8; ++offset) {
                const Vec3& moved = *new (buffer + offset) Vec3(p);
                EXPECT_EQ(signedDistance(c.shape, moved).normal, expected.normal) << c.name;
                EXPECT_EQ(signedDistance(c.shape, moved).distance, expected.distance) << c.name;
            }
        }
}

TEST(Shapes, APointThatIsNotFiniteHasNoFiniteDistance) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Case& c : cases())
        for (const Vec3& p : {Vec3(nan, 0, 0), Vec3(0, nan, 0), Vec3(0, 0, nan), Vec3(nan, nan, nan)})
            EXPECT_FALSE(std::isfinite(signedDistance(c.shape, p).distance)) << c.name;
}

}  // namespace
}  // namespace clothlab::geometry
