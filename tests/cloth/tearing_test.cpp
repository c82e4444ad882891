#include "cloth/tearing.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cloth/springs.hpp"
#include "samples.hpp"

namespace clothlab::cloth {
namespace {

using samples::crumpled;
using samples::evenMaterial;
using samples::forcesOf;
using samples::Sample;
using samples::still;

TEST(Blade, CutsWhatItsPartOfThePlaneGoesThrough) {
    const Blade blade{.eye = {0, 0, 5}, .from = {-1, 0, -5}, .to = {2, 0, -5}};
    EXPECT_TRUE(cuts(blade, {0, -1, 0}, {0, 1, 0}));
    EXPECT_TRUE(cuts(blade, {0, 1, 0}, {0, -1, 0}));
    EXPECT_TRUE(cuts(blade, {1.9, -1, 0}, {1.9, 1, 0}));
    EXPECT_FALSE(cuts(blade, {2.1, -1, 0}, {2.1, 1, 0})) << "beside the blade";
    EXPECT_FALSE(cuts(blade, {-1.1, -1, 0}, {-1.1, 1, 0}));
    EXPECT_FALSE(cuts(blade, {0, 0.1, 0}, {0, 1, 0})) << "on one side";
    EXPECT_FALSE(cuts(blade, {0, -1, 9}, {0, 1, 9})) << "behind the eye";
    EXPECT_TRUE(cuts(blade, {3.5, -1, -5}, {3.5, 1, -5})) << "it widens with the distance";
    EXPECT_NE(cuts(blade, {0, -1, 0}, {0, 0, 0}), cuts(blade, {0, 0, 0}, {0, 1, 0}))
        << "one of two springs that meet on the blade";
    EXPECT_FALSE(cuts({.eye = {0, 0, 5}, .from = {1, 0, -5}, .to = {1, 0, -5}}, {0, -1, 0}, {0, 1, 0}));
}

/// Number of particles that unbroken springs connect to the first one.
std::size_t joinedToTheFirst(const ClothModel& model, const std::vector<std::uint8_t>& broken) {
    std::set<Index> joined{0};
    for (std::size_t before = 0; before != joined.size();) {
        before = joined.size();
        for (std::size_t e = 0; e < model.springs.size(); ++e) {
            const Spring& s = model.springs[e];
            if (!broken[e] && joined.contains(s.i) != joined.contains(s.j)) joined.insert({s.i, s.j});
        }
    }
    return joined.size();
}

TEST(Tearing, AStrokeAcrossASheetLeavesTwoPieces) {
    for (const Topology topology : {Topology::Provot12, Topology::ChoiKo16, Topology::Liu}) {
        const Sample s = crumpled(9, 7, topology, 0.1);
        std::vector<std::uint8_t> broken;
        const Vec3 middle = 0.5 * (s.model.rest[4 * 7] + s.model.rest[5 * 7]);
        const Vec3 across = s.model.rest[4 * 7 + 6] - s.model.rest[4 * 7], eye = middle + Vec3(0, 3, 0);
        const Vec3 from = middle - across - eye, to = middle + 2 * across - eye;
        const Index count = breakCut(s.model, {eye, from, to}, s.x, broken);
        EXPECT_EQ(count, std::ranges::count(broken, 1));
        EXPECT_EQ(breakCut(s.model, {eye, from, to}, s.x, broken), 0) << "nothing is left to cut";
        const std::size_t piece = joinedToTheFirst(s.model, broken);
        EXPECT_GE(piece, 4u * 7u);
        EXPECT_LE(piece, 6u * 7u);
        const auto torn = tornTriangles(s.model, s.model.triangles, broken);
        EXPECT_GE(std::ranges::count(torn, 1), 2 * 6);
        EXPECT_EQ(wholeTriangles(s.model, broken).size(), std::size_t(std::ranges::count(torn, 0)));
    }
}

// Two strokes that end a row apart tear every triangle between the pieces, and leave springs around their ends.
TEST(Tearing, NoSpringHoldsPiecesThatNoTriangleJoins) {
    const Sample s = crumpled(9, 9, Topology::ChoiKo16, 0);
    const auto at = [&](double row, double column) {
        const Vec3 down = s.model.rest[9] - s.model.rest[0], right = s.model.rest[1] - s.model.rest[0];
        return Vec3(s.model.rest[0] + row * down + column * right);
    };
    const Vec3 normal = (s.model.rest[9] - s.model.rest[0]).cross(s.model.rest[1] - s.model.rest[0]).normalized(),
               eye = at(4, 4) + 3 * normal;
    std::vector<std::uint8_t> broken;
    breakCut(s.model, {eye, at(3.5, -1) - eye, at(3.5, 4.2) - eye}, s.x, broken);
    EXPECT_EQ(joinedToTheFirst(s.model, broken), 81u) << "a slit";
    breakCut(s.model, {eye, at(4.5, 3.4) - eye, at(4.5, 9) - eye}, s.x, broken);
    EXPECT_LT(joinedToTheFirst(s.model, broken), 50u);
}

/// Particles that whole triangles connect to this one.
std::set<Index> pieceOf(Index particle, const std::vector<geometry::Triangle>& whole) {
    std::set<Index> piece{particle};
    for (std::size_t before = 0; before != piece.size();) {
        before = piece.size();
        for (const geometry::Triangle& t : whole)
            if (std::ranges::any_of(t, [&](Index corner) { return piece.contains(corner); }))
                piece.insert(t.begin(), t.end());
    }
    return piece;
}

// Along a row of a sheet that is not quite flat, particles lie on both sides of the stroke, close to it.
TEST(Tearing, AStrokeAlongARowLeavesNoParticleByItself) {
    for (const Topology topology : {Topology::Provot12, Topology::ChoiKo16, Topology::Liu})
        for (const double tilt : {-1.1, -0.3, 0.0, 0.4, 1.7}) {
            const Sample s = crumpled(15, 15, topology, 0.01);
            const Vec3 right = s.model.rest[1] - s.model.rest[0], down = s.model.rest[15] - s.model.rest[0];
            const Vec3 middle = s.model.rest[7 * 15 + 7], eye = middle + 30 * right.cross(down).normalized();
            const Vec3 left = middle - 8 * right - tilt * down, end = middle + 8 * right + tilt * down;
            std::vector<std::uint8_t> broken;
            breakCut(s.model, {eye, left - eye, middle - eye}, s.x, broken);
            breakCut(s.model, {eye, middle - eye, end - eye}, s.x, broken);
            EXPECT_EQ(std::ranges::count(looseParticles(s.model, broken), 1), 0) << tilt;
            const auto whole = wholeTriangles(s.model, broken);
            EXPECT_EQ(pieceOf(0, whole).size() + pieceOf(224, whole).size(), 225u) << tilt;
            EXPECT_FALSE(pieceOf(0, whole).contains(224)) << tilt;
        }
}

TEST(Tearing, WhatIsStretchedTooFarBreaksByTheLimitOfItsCloth) {
    const Sample s = crumpled(6, 6, Topology::Provot12, 0.35);
    for (const double limit : {0.0, 0.05, 0.3}) {
        std::vector<std::uint8_t> broken;
        const Index count = breakOverstretched(s.model, std::vector<double>{limit}, s.x, broken);
        EXPECT_EQ(count, std::ranges::count(broken, 1));
        EXPECT_EQ(count > 0, limit > 0);
        // Expected: springs over the limit break, and springs between pieces that no whole triangle connects.
        std::vector<std::uint8_t> over(s.model.springs.size(), 0);
        for (std::size_t e = 0; e < over.size(); ++e) {
            const Spring& spring = s.model.springs[e];
            over[e] = limit > 0 && (s.x[spring.j] - s.x[spring.i]).norm() / spring.restLength - 1 > limit;
        }
        const std::vector<geometry::Triangle> whole = wholeTriangles(s.model, over);
        for (std::size_t e = 0; e < over.size(); ++e) {
            const bool apart = count > 0 && !pieceOf(s.model.springs[e].i, whole).contains(s.model.springs[e].j);
            EXPECT_EQ(!broken.empty() && broken[e] != 0, over[e] != 0 || apart) << e;
        }
    }
}

/// Compared with a model that never had the broken springs.
TEST(Tearing, ABrokenSpringIsAsIfItHadNeverBeenThere) {
    Sample s = crumpled(8, 8, Topology::ChoiKo16);
    std::vector<std::uint8_t> broken(s.model.springs.size(), 0);
    for (std::size_t e = 0; e < broken.size(); e += 5) broken[e] = 1;
    ClothModel without = s.model;
    without.springs.clear();
    for (std::size_t e = 0; e < broken.size(); ++e)
        if (!broken[e]) without.springs.push_back(s.model.springs[e]);
    without.revision += 1'000'000;

    MaterialSettings material = evenMaterial();
    const std::vector<MaterialSettings> materials{material};
    ForceModel torn, twin;
    torn.configure(s.model, materials, {});
    twin.configure(without, materials, {});
    const std::uint64_t laws = torn.lawRevision();
    torn.setBroken(broken);
    EXPECT_NE(torn.lawRevision(), laws);
    EXPECT_EQ(torn.brokenSprings(), std::ranges::count(broken, 1));
    EXPECT_EQ(torn.implicitSprings(), twin.implicitSprings());

    const auto f = forcesOf(torn, still(), s.x, s.v), g = forcesOf(twin, still(), s.x, s.v);
    EXPECT_LT((f.flat() - g.flat()).norm(), 1e-13 * g.flat().norm());
    WorkerPool pool;
    const auto ours = torn.energies(still(), s.x, s.v, pool), its = twin.energies(still(), s.x, s.v, pool);
    EXPECT_NEAR(ours.total(), its.total(), 1e-12 * std::abs(its.total()));
    EXPECT_EQ(ours.maxStrain, its.maxStrain);
    EXPECT_NEAR(torn.explicitLimit(ForceModel::Terms::All), twin.explicitLimit(ForceModel::Terms::All), 1e-15);

    linalg::BlockMatrix A, B;
    linalg::BlockVector b(s.x.size()), c(s.x.size());
    torn.assemble(still(), {s.x, s.v, s.u}, samples::backwardEuler(0.01), {A, b}, pool);
    twin.assemble(still(), {s.x, s.v, s.u}, samples::backwardEuler(0.01), {B, c}, pool);
    EXPECT_LT((b.flat() - c.flat()).norm(), 1e-13 * c.flat().norm());
    linalg::BlockVector Au(s.x.size()), Bu(s.x.size());
    multiply(A, s.u, Au, pool);
    multiply(B, s.u, Bu, pool);
    EXPECT_LT((Au.flat() - Bu.flat()).norm(), 1e-13 * Bu.flat().norm());

    torn.setBroken({});
    const auto whole = forcesOf(torn, still(), s.x, s.v);
    EXPECT_GT((whole.flat() - f.flat()).norm(), 0.01 * f.flat().norm()) << "whole again";
}

TEST(Tearing, ATornFacetCatchesNoWind) {
    Sample s = crumpled(4, 4, Topology::Provot12, 0);
    const std::vector<MaterialSettings> materials{evenMaterial()};
    ForceModel forces;
    forces.configure(s.model, materials, {});
    Environment air = still();
    air.gravity.setZero();
    air.wind.velocity = {0, 3, 0};
    air.wind.dragCoefficient = 1;
    const linalg::BlockVector v(s.x.size());
    const auto sum = [&] {
        Vec3 total = Vec3::Zero();
        const auto f = forcesOf(forces, air, s.model.rest, v);
        for (Index i = 0; i < f.size(); ++i) total += f[i];
        return total.y();
    };
    const double whole = sum();
    std::vector<std::uint8_t> broken(s.model.springs.size(), 0);
    broken[0] = 1;  // an edge on the rim: a facet of each diagonal, of half weight
    ASSERT_EQ(s.model.springs[0].family, SpringFamily::Stretch);
    forces.setBroken(broken);
    EXPECT_NEAR(sum() / whole, 17.0 / 18, 1e-12) << "nine cells, one of which has lost a half";
    broken.assign(broken.size(), 1);
    forces.setBroken(broken);
    EXPECT_EQ(sum(), 0);
}

}  // namespace
}  // namespace clothlab::cloth
