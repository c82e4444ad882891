#include "contact/robust/self_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/intersections.hpp"
#include "support/sanitizers.hpp"
#include "world.hpp"

namespace clothlab::contact {
namespace {

linalg::BlockVector vectorOf(const std::vector<Vec3>& rows) {
    linalg::BlockVector v(Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) v[Index(i)] = rows[i];
    return v;
}

struct RandomRows {
    std::mt19937 random{17};
    std::uniform_real_distribution<double> unit{-1, 1};

    Vec3 row() { return Vec3(unit(random), unit(random), unit(random)); }
    linalg::BlockVector rows(Index count, double size) {
        linalg::BlockVector v(count);
        for (Index i = 0; i < count; ++i) v[i] = size * row();
        return v;
    }
};

// Methods, oracles 57 and 57a.
TEST(PairImpulse, StopsThePairAndKeepsMomentum) {
    RandomRows random;
    const std::vector<double> mass{1, 2.5, 0.3, 4};
    const std::vector<Index> all{0, 1, 2, 3};
    Mobility mobility;
    mobility.reset(mass);
    for (int k = 0; k < 500; ++k) {
        const linalg::BlockVector x = random.rows(4, 1);
        linalg::BlockVector u = random.rows(4, 0.5);
        const auto kind = k % 2 ? geometry::PairKind::EdgeEdge : geometry::PairKind::VertexTriangle;
        const auto closest = geometry::closestPoints(kind, {x[0], x[1], x[2], x[3]});
        PairImpulse impulse(kind, {0, 1, 2, 3}, closest, 0, mobility);
        if (impulse.missing(u) < 0) u.flat() *= -1;
        const Momentum before = computeMomentum(all, mass, x, u, 0.01);
        apply(impulse, 0, mobility, u);
        const Momentum after = computeMomentum(all, mass, x, u, 0.01);
        EXPECT_NEAR(impulse.missing(u), 0, 1e-13);
        EXPECT_GT(impulse.lambda, 0);
        EXPECT_LE((after.linear - before.linear).norm(), 1e-11);
        EXPECT_LE((after.angular - before.angular).norm(), 1e-10) << "along the gap";
        impulse.bound = -10;  // met without a push: it is taken back
        apply(impulse, 0, mobility, u);
        EXPECT_EQ(impulse.lambda, 0);
    }
}

TEST(PairImpulse, FrictionStaysInTheConeAndKeepsLinearMomentum) {
    const linalg::BlockVector x = vectorOf({{0.2, 0.1, 0.2}, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}});
    const std::vector<double> mass{1, 1, 1, 1};
    Mobility mobility;
    mobility.reset(mass);
    const auto kind = geometry::PairKind::VertexTriangle;
    const auto closest = geometry::closestPoints(kind, {x[0], x[1], x[2], x[3]});
    for (const double mu : {0.1, 10.0}) {
        linalg::BlockVector u = vectorOf({{0.5, -1, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
        PairImpulse impulse(kind, {0, 1, 2, 3}, closest, 0, mobility);
        apply(impulse, mu, mobility, u);
        const double slip = impulse.apart(u).x();
        EXPECT_NEAR(impulse.lambda, impulse.resistance, 1e-14);
        if (mu > 1)
            EXPECT_NEAR(slip, 0, 1e-14);
        else
            EXPECT_NEAR(slip, 0.5 - mu, 1e-14);
        EXPECT_LE(impulse.friction.norm(), mu * impulse.lambda * (1 + 1e-14));
        Vec3 sum = Vec3::Zero();
        for (Index i = 0; i < 4; ++i) sum += u[i];
        EXPECT_LE((sum - Vec3(0.5, -1, 0)).norm(), 1e-14);
    }
}

double kineticEnergy(const std::vector<double>& mass, const linalg::BlockVector& v) {
    double sum = 0;
    for (Index i = 0; i < v.size(); ++i) sum += 0.5 * mass[i] * v[i].squaredNorm();
    return sum;
}

// Methods, oracle 58.
TEST(ImpactZones, ARigidMotionKeepsMomentaAndDistancesAndGivesNoEnergy) {
    RandomRows random;
    constexpr double h = 0.01;
    for (int k = 0; k < 100; ++k) {
        const Index n = 2 + k % 7;
        linalg::BlockVector x = random.rows(n, 1);
        if (k % 5 == 0)
            for (Index i = 0; i < n; ++i) x[i] = Vec3(0.3, 0.1, 0.2) + double(i) * Vec3(0.2, -0.1, 0.4);  // on a line
        const linalg::BlockVector u = random.rows(n, 0.02);
        std::vector<double> mass;
        std::vector<Index> members;
        for (Index i = 0; i < n; ++i) {
            mass.push_back(1.5 + random.row().x());
            members.push_back(i);
        }
        Mobility mobility;
        mobility.reset(mass);
        const RigidMotion rigid = rigidMotion(members, mass, mobility, x, u, h);
        linalg::BlockVector end(n), velocity(n), before = u;
        before.flat() /= h;
        Momentum after;
        for (Index i = 0; i < n; ++i) {
            end[i] = x[i] + rigid.displacements[i];
            velocity[i] = rigid.velocities[i];
            after.linear += mass[i] * velocity[i];
            after.angular += Vec3(end[i]).cross(Vec3(mass[i] * velocity[i]));
        }
        const Momentum start = computeMomentum(members, mass, x, u, h);
        EXPECT_LE((after.linear - start.linear).norm(), 1e-12 * 100);
        EXPECT_LE((after.angular - start.angular).norm(), 1e-12 * 100);
        EXPECT_LE(kineticEnergy(mass, velocity), kineticEnergy(mass, before) * (1 + 1e-12));
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < i; ++j)
                EXPECT_NEAR((end[i] - end[j]).norm(), (Vec3(x[i]) - Vec3(x[j])).norm(), 1e-14);
    }
}

TEST(ImpactZones, JoinWhatMeets) {
    ImpactZones zones;
    zones.reset(10);
    EXPECT_TRUE(zones.empty());
    EXPECT_TRUE(zones.join({7, 8, 9, 6}));
    EXPECT_TRUE(zones.join({0, 1, 2, 3}));
    EXPECT_EQ(zones.zones().size(), 2u);
    EXPECT_FALSE(zones.together(3, 6));
    EXPECT_TRUE(zones.join({3, 6, 6, 6}));
    ASSERT_EQ(zones.zones().size(), 1u);
    EXPECT_EQ(zones.zones().front(), (std::vector<Index>{0, 1, 2, 3, 6, 7, 8, 9}));
    EXPECT_FALSE(zones.join({0, 9, 1, 2}));
}

/// Two sheets face to face, thrown at each other with disorder, or a whole heap of them.
struct Sheets {
    static constexpr int kSide = 8;
    std::vector<Vec3> places;
    std::vector<geometry::Triangle> triangles;
    std::vector<double> mass;

    explicit Sheets(int count) {
        const geometry::GridPatch grid{kSide, kSide};
        for (int s = 0; s < count; ++s) {
            for (const geometry::Triangle& t : geometry::gridTriangles(grid)) {
                const Index first = Index(s) * grid.vertices();
                triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
            }
            for (int r = 0; r < kSide; ++r)
                for (int c = 0; c < kSide; ++c) places.push_back(Vec3(c + 0.3 * s, 0.4 * s, r + 0.2 * s));
        }
        mass.assign(places.size(), 0.5);
    }
    /// Input without solids.
    SelfContactInput inputAt(const linalg::BlockVector& x, const ContactSettings& settings,
                             std::span<const mechanics::Prescribed> held = {}) const {
        return {.x = x,
                .mass = mass,
                .held = held,
                .walls = {},
                .carried = {},
                .dt = 0.01,
                .thickness = 0.1,
                .stiffness = 1e4,
                .settings = settings};
    }
};

class NothingGoesThrough : public ::testing::TestWithParam<LastResort> {};

TEST_P(NothingGoesThrough, HoweverSheetsAreThrown) {
    for (const double speed : {0.5, 3.0, 20.0}) {
        if (testing::kSanitized && speed < 20) continue;
        const Sheets sheets(4);
        RandomRows random;
        linalg::BlockVector x = vectorOf(sheets.places);
        ContactSettings settings;
        settings.lastResort = GetParam();
        std::vector<linalg::BlockVector> ends;
        for (const int threads : {1, 2}) {
            WorkerPool pool(threads, 1);
            SelfContact contact;
            contact.setSurface(sheets.places, sheets.triangles,
                               geometry::collectEdges(sheets.triangles, Index(sheets.places.size())));
            linalg::BlockVector now = x;
            random.random.seed(5);
            for (int step = 0; step < 5; ++step) {
                linalg::BlockVector u = random.rows(now.size(), speed * 0.3);
                for (Index i = 0; i < u.size(); ++i)
                    u[i].y() += speed * (1.5 - double(i / (Sheets::kSide * Sheets::kSide)));
                const auto counts = contact.resolve(sheets.inputAt(now, settings), u, pool);
                EXPECT_GT(counts.impacts, 0);
                EXPECT_EQ(counts.unresolved, 0);
                now.flat() += u.flat();
                std::vector<Vec3> points;
                for (Index i = 0; i < now.size(); ++i) points.push_back(now[i]);
                EXPECT_TRUE(geometry::findIntersections(points, sheets.triangles).empty()) << speed << " " << step;
            }
            ends.push_back(now);
        }
        EXPECT_TRUE(ends[0].flat() == ends[1].flat()) << "depends on the number of threads";
    }
}

/// Pins drive two sheets through each other, step after step: each step leaves a gap that the next one can work with.
TEST(Bounds, DoNotLetTheGapShrinkToNothing) {
    const Sheets sheets(2);
    const Index half = Index(sheets.places.size() / 2);
    linalg::BlockVector x = vectorOf(sheets.places);
    std::vector<mechanics::Prescribed> held;
    for (Index i = 0; i < 2 * half; ++i) held.push_back({.particle = i, .source = mechanics::PrescribedBy::Pin});
    WorkerPool pool(1, 1);
    SelfContact contact;
    contact.setSurface(sheets.places, sheets.triangles, geometry::collectEdges(sheets.triangles, 2 * half));
    for (const auto last : {LastResort::Zones, LastResort::Bounds}) {
        ContactSettings settings;
        settings.lastResort = last;
        for (int step = 0; step < 40; ++step) {
            linalg::BlockVector u(x.size());
            for (Index i = 0; i < u.size(); ++i) u[i] = Vec3(0, i < half ? 0.3 : -0.3, 0);
            const auto counts = contact.resolve(sheets.inputAt(x, settings, held), u, pool);
            ASSERT_EQ(counts.unresolved, 0) << step;
            EXPECT_GT(counts.bounded, 0);
            EXPECT_GE(counts.smallestDistance, 0.99e-4);
            x.flat() += u.flat();
        }
    }
}

/// Two sheets fall onto a floor, in one step further than their height above it.
TEST(SolidWalls, ParticlesEndAboveAFloorAndLayersAboveEachOther) {
    const Sheets sheets(2);
    const linalg::BlockVector x = vectorOf(sheets.places);
    const std::vector<Collider> floor{{.name = "floor", .shape = geometry::Plane{}, .position = Vec3(0, -0.5, 0)}};
    SolidWalls solids;
    solids.place({.colliders = floor, .time = 0.01, .dt = 0.01, .depth = 0.005, .reach = 0.5, .muK = 0});
    WorkerPool pool(2, 1);
    SelfContact contact;
    contact.setSurface(sheets.places, sheets.triangles,
                       geometry::collectEdges(sheets.triangles, Index(sheets.places.size())));
    ContactSettings settings;
    RandomRows random;
    linalg::BlockVector u = random.rows(x.size(), 0.1);
    for (Index i = 0; i < u.size(); ++i) u[i].y() -= 1.5;
    std::vector<Wall> walls;
    solids.look(x, u, pool);
    solids.find(x, u, walls, pool);
    EXPECT_EQ(walls.size(), sheets.places.size());
    const auto counts = contact.resolve({.x = x,
                                         .mass = sheets.mass,
                                         .held = {},
                                         .walls = walls,
                                         .carried = {},
                                         .dt = 0.01,
                                         .thickness = 0.1,
                                         .stiffness = 1e4,
                                         .settings = settings},
                                        u, pool);
    EXPECT_EQ(counts.unresolved + counts.pinched, 0);
    std::vector<Vec3> points;
    for (Index i = 0; i < x.size(); ++i) {
        points.push_back(x[i] + u[i]);
        EXPECT_GE(points.back().y(), -0.5 - 0.005 - 0.04 * 0.1);
    }
    EXPECT_TRUE(geometry::findIntersections(points, sheets.triangles).empty());
}

INSTANTIATE_TEST_SUITE_P(LastResorts, NothingGoesThrough, ::testing::Values(LastResort::Zones, LastResort::Bounds));

}  // namespace
}  // namespace clothlab::contact
