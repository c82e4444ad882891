#include "contact/robust/edge_walls.hpp"

#include <gtest/gtest.h>

#include "contact/random_points.hpp"
#include "contact/robust/solid_walls.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::contact {
namespace {

/// The smallest distance of many points of a shifted edge.
double deepest(const geometry::Shape& shape, const std::array<Vec3, 2>& ends, const Vec3& shift) {
    double least = 1e300;
    for (int k = 0; k <= 400; ++k) {
        const Vec3 point = ends[0] + k / 400.0 * (ends[1] - ends[0]) + shift;
        least = std::min(least, geometry::signedDistance(shape, point).distance);
    }
    return least;
}

class EdgeTouches : public ::testing::TestWithParam<geometry::Shape> {};

// At many points of the edge: moved by its gap it is outside, moved by nine tenths of the gap it is not.
TEST_P(EdgeTouches, TheGapIsTheWayOut) {
    const geometry::Shape& shape = GetParam();
    RandomPoints random;
    int through = 0;
    for (int n = 0; n < (testing::kSanitized ? 8000 : 40000); ++n) {
        const Vec3 a = random.point(0.45), b = a + random.point(0.2);
        const auto atA = geometry::signedDistance(shape, a), atB = geometry::signedDistance(shape, b);
        const double length = (b - a).norm();
        if (atA.distance < 0 || atB.distance < 0 || atA.normal.dot(atB.normal) < -0.5) continue;
        const double depth = -deepest(shape, {a, b}, Vec3::Zero());
        const auto touch = findTouch(shape, {a, b}, {atA.normal, atB.normal}, 0);
        if (depth <= 0.01 * length) {
            EXPECT_TRUE(!touch || touch->gap > -0.05 * length);
            continue;
        }
        ++through;
        ASSERT_TRUE(touch) << "deep by " << depth / length;
        EXPECT_NEAR(touch->normal.norm(), 1, 1e-12);
        EXPECT_NEAR(touch->normal.dot(b - a), 0, 1e-12);
        EXPECT_LT(touch->gap, 0);
        EXPECT_GT(deepest(shape, {a, b}, -touch->gap * touch->normal), -0.015 * length);
        EXPECT_LT(deepest(shape, {a, b}, -0.9 * touch->gap * touch->normal), 0);
        const Vec3 point = a + touch->share * (b - a) - touch->gap * touch->normal;
        EXPECT_NEAR(geometry::signedDistance(shape, point).distance, 0, 0.02 * length);
    }
    EXPECT_GT(through, testing::kSanitized ? 5 : 50);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EdgeTouches,
                         ::testing::Values(geometry::Shape(geometry::Box{Vec3(0.3, 0.2, 0.25)}),
                                           geometry::Shape(geometry::Cylinder{0.25, 0.2}),
                                           geometry::Shape(geometry::Capsule{0.1, 0.2}),
                                           geometry::Shape(geometry::Sphere{0.12})));

// At a rim the direction turns smoothly, although the distance has a crease: the edge slides over it in small steps.
TEST(EdgeWalls, TheNormalTurnsSmoothlyOverARim) {
    const geometry::Shape box = geometry::Box{Vec3(1, 1, 1)};
    Vec3 before = Vec3::Zero();
    for (int k = 1; k < 100; ++k) {
        // From the top face at x = 1 - s to the side face below the rim, at constant length.
        const double s = 0.1 * k / 100;
        const std::array<Vec3, 2> ends{Vec3(1 - s, 1 + 1e-6, 0), Vec3(1 + 1e-6, 1 - std::sqrt(0.01 - s * s), 0)};
        const auto touch = findTouch(box, ends, {Vec3::UnitY(), Vec3::UnitX()}, 0.01);
        ASSERT_TRUE(touch);
        EXPECT_TRUE(k == 1 || touch->normal.dot(before) > 0.98) << k;
        before = touch->normal;
    }
}

// Methods: a push along the normal, friction against the slip, J and V positive semidefinite; one term per particle.
TEST(EdgeTerms, PushOutAndResistSlip) {
    const std::vector<double> stiffness{100, 200, 300};
    linalg::BlockVector v(3);
    for (Index i = 0; i < 3; ++i) v[i] = Vec3(0.5, -0.2, 0.1 * double(i));
    FeatureWall wall{.corners = {0, 1, 0},
                     .weights = {0.75, 0.25, 0},
                     .collider = 0,
                     .normal = Vec3::UnitY(),
                     .gap = -0.01,
                     .bound = 0,
                     .drift = Vec3(0.002, 0, 0),
                     .mu = 0.4,
                     .length = 0.1};
    FeatureWall other = wall, away = wall;
    other.corners = {1, 2, 1};
    away.corners = {0, 2, 0};
    away.gap = -0.5 * kFreeDepth * away.length;
    const std::vector<FeatureWall> walls{wall, away, other};
    std::vector<mechanics::PairTerm> terms{{.i = 0, .j = 2}, {.i = 1, .j = 2}};
    featureTerms(walls, stiffness, v, 0.01, {}, terms);
    ASSERT_EQ(terms.size(), 5u);
    EXPECT_TRUE(std::ranges::is_sorted(terms, {}, [](const auto& t) { return std::pair{t.i, t.j}; }));
    RandomPoints random;
    Vec3 total = Vec3::Zero();
    double slopes = 0;
    for (const mechanics::PairTerm& term : terms) {
        if (!term.outside()) continue;
        total += term.force;
        slopes += term.stiffness(1, 1);
        for (const Mat3& m : {term.stiffness, term.damping}) {
            EXPECT_EQ(m, m.transpose());
            for (int n = 0; n < 20; ++n) {
                const Vec3 w = random.point(1);
                EXPECT_GE(w.dot(m * w), -1e-12);
            }
        }
        EXPECT_LT(term.force.x(), 0) << "the solid moves at 0.2 m/s, the cloth at 0.5";
    }
    const double depth = 0.01 - kFreeDepth * 0.1;
    EXPECT_NEAR(total.y(), depth * 100 + depth * 200, 1e-12);
    EXPECT_NEAR(slopes, 100 + 200, 1e-12);
    EXPECT_NEAR(Vec3(total.x(), 0, total.z()).norm(), 0.4 * total.y(), 0.02) << "Coulomb";
}

// A triangle is pushed at all three corners, as the weights say.
TEST(EdgeTerms, OfATriangleGoToItsCorners) {
    const std::vector<double> stiffness{100, 50, 300};
    linalg::BlockVector v(3);
    for (Index i = 0; i < 3; ++i) v[i] = Vec3(0.2, 0, 0);
    const FeatureWall wall{.corners = {0, 1, 2},
                           .weights = {0.2, 0.3, 0.5},
                           .collider = 0,
                           .normal = Vec3::UnitY(),
                           .gap = -0.01,
                           .bound = 0,
                           .drift = Vec3::Zero(),
                           .mu = 0.4,
                           .length = 0.1};
    std::vector<mechanics::PairTerm> terms;
    featureTerms({&wall, 1}, stiffness, v, 0.01, {}, terms);
    ASSERT_EQ(terms.size(), 3u);
    const double push = 50 * (0.01 - kFreeDepth * 0.1);
    for (const mechanics::PairTerm& term : terms) {
        EXPECT_TRUE(term.outside());
        EXPECT_NEAR(term.force.y(), wall.weights[term.i] * push, 1e-12);
        EXPECT_NEAR(term.force.x(), -wall.weights[term.i] * 0.4 * push, 1e-12);
        EXPECT_NEAR(term.stiffness(1, 1), wall.weights[term.i] * 50, 1e-12);
    }
    EXPECT_NEAR((wall.mean(v) - Vec3(0.2, 0, 0)).norm(), 0, 1e-15);
}

// Friction of an explicit method removes at most a quarter of the slip.
TEST(EdgeTerms, DoNotTakeMoreThanTheSlipHas) {
    const std::vector<double> stiffness{100, 100}, mass{1e-4, 2e-4};
    linalg::BlockVector v(2);
    v[0] = v[1] = Vec3(0.5, 0, 0);
    const FeatureWall wall{.corners = {0, 1, 0},
                           .weights = {0.5, 0.5, 0},
                           .collider = 0,
                           .normal = Vec3::UnitY(),
                           .gap = -0.05,
                           .bound = 0,
                           .drift = Vec3::Zero(),
                           .mu = 0.4,
                           .length = 0.1};
    std::vector<mechanics::PairTerm> terms;
    featureTerms({&wall, 1}, stiffness, v, 0.01, mass, terms);
    ASSERT_EQ(terms.size(), 2u);
    for (const mechanics::PairTerm& term : terms) EXPECT_NEAR(term.force.x() * 0.01, -0.25 * mass[term.i] * 0.5, 1e-12);
}

/// Two particles on either side of the rim of a turning box, and the edge between them.
TEST(SolidWalls, FindEdgesThatCutARim) {
    std::vector<Collider> box{{.name = "box", .shape = geometry::Box{Vec3(1, 1, 1)}, .velocity = Vec3(0, 0, 0.5)}};
    box.push_back({.name = "floor", .shape = geometry::Plane{}, .position = Vec3(0, -5, 0)});
    linalg::BlockVector x(3), u(3);
    x[0] = Vec3(0.95, 1.001, 0);
    x[1] = Vec3(1.001, 0.95, 0);
    x[2] = Vec3(0.88, 1.001, 0);
    for (Index i = 0; i < 3; ++i) u[i].setZero();
    SolidWalls solids;
    WorkerPool pool(1);
    solids.place({.colliders = box, .time = 0.01, .dt = 0.01, .depth = 0, .reach = 0.1, .muK = 0.3});
    solids.look(x, u, pool);
    const std::vector<std::array<Index, 2>> edges{{0, 1}, {0, 2}};
    std::vector<FeatureWall> walls;
    solids.findFeatures(x, u, {edges, {}}, walls, pool);
    ASSERT_EQ(walls.size(), 1u) << "the other edge lies on the top face";
    EXPECT_EQ(walls[0].corners, (std::array<Index, 3>{0, 1, 0}));
    EXPECT_NEAR(walls[0].weights[1], 0.5, 0.02);
    EXPECT_NEAR((walls[0].normal - Vec3(1, 1, 0).normalized()).norm(), 0, 1e-6);
    EXPECT_NEAR((walls[0].drift - Vec3(0, 0, 0.005)).norm(), 0, 1e-12);
    const double behind = -walls[0].gap - SolidWalls::kEdgeDepth * walls[0].length;
    const double atOnce = SolidWalls::kOutAtOnce * walls[0].length;
    EXPECT_NEAR(walls[0].bound, atOnce + SolidWalls::kOutShare * (behind - atOnce), 1e-12) << "the step begins there";
    EXPECT_EQ(walls[0].mu, 0.3);
}

// A particle in front of a board that moves up over its rim starts the step behind the plane of the top. A wall that
// moved it above that plane at once threw it at 22 m/s, together with the walls of its edges.
TEST(SolidWalls, ThrowNothingThatGoesOverARim) {
    const std::vector<Collider> board{{.name = "board", .shape = geometry::Box{Vec3(0.2, 0.01, 0.2)}}};
    linalg::BlockVector x(2), u(2);
    x[0] = Vec3(0, -0.0003, -0.204);
    u[0] = Vec3(0, 0.038, 0.004);  // ends above the top
    x[1] = Vec3(0.02, -0.012, -0.17);
    u[1].setZero();
    SolidWalls solids;
    WorkerPool pool(1);
    solids.place({.colliders = board, .time = 0.01, .dt = 0.01, .depth = 0, .reach = 0.03, .muK = 0.3});
    solids.look(x, u, pool);
    std::vector<Wall> walls;
    solids.find(x, u, walls, pool);
    ASSERT_FALSE(walls.empty());
    for (const Wall& wall : walls) EXPECT_LT(wall.bound, 0.004) << wall.normal.transpose();
    std::vector<FeatureWall> edges;
    const std::vector<std::array<Index, 2>> edge{{0, 1}};
    solids.findFeatures(x, u, {edge, {}}, edges, pool);
    ASSERT_EQ(edges.size(), 1u);
    EXPECT_LT(edges[0].bound, 0.01) << "the step begins 35 mm behind the plane";
}

// A ball has no rim: a particle that slides fast along it starts the step far behind its last plane, but outside.
TEST(SolidWalls, HoldAParticleThatSlidesAlongABall) {
    const std::vector<Collider> ball{{.name = "ball", .shape = geometry::Sphere{0.045}}};
    linalg::BlockVector x(1), u(1);
    x[0] = Vec3(0, 0.04499, 0);
    u[0] = 0.04499 * Vec3(std::sin(0.4), std::cos(0.4), 0) - x[0];
    SolidWalls solids;
    WorkerPool pool(1);
    solids.place({.colliders = ball, .time = 0.01, .dt = 0.01, .depth = 5e-5, .reach = 0.02, .muK = 0.3});
    solids.look(x, u, pool);
    std::vector<Wall> walls;
    solids.find(x, u, walls, pool);
    ASSERT_EQ(walls.size(), 1u);
    EXPECT_NEAR((x[0] + walls[0].bound * walls[0].normal).dot(walls[0].normal), 0.045 - 5e-5, 1e-9);
}

}  // namespace
}  // namespace clothlab::contact
