#include "contact/robust/layer_pairs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace clothlab::contact {
namespace {

using geometry::PairKind;
using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

/// One pair of random features that are 1 mm apart or so, with its multipliers.
struct OnePair {
    std::mt19937 random{7};
    linalg::BlockVector x{4}, v{4};
    std::vector<double> mass{0.1, 0.2, 0.3, 0.4};
    LayerLaw law{.dt = 0.01, .thickness = 3, .repulsion = 50, .friction = 0.3, .stiffness = 2};
    LayerPairs pairs;

    double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
    Vec3 vector() { return {number(), number(), number()}; }
    void begin(const std::array<Index, 4>& corners, PairKind kind) {
        for (Index i = 0; i < 4; ++i) {
            x[i] = vector();
            v[i] = vector();
        }
        pairs.begin(law, std::vector<LayerForce>{{corners, kind, 3, (2 * vector()).cast<float>()}}, x, v, mass);
    }
};

// The terms between two particles add up to w w^T (k n n^T + K) and to the force w F.
TEST(LayerPairs, TermsAreThoseOfTheWholePair) {
    OnePair one;
    for (int n = 0; n < 200; ++n) {
        one.begin(n % 3 ? std::array<Index, 4>{0, 1, 2, 3} : std::array<Index, 4>{2, 0, 3, 1},
                  n % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle);
        ASSERT_EQ(one.pairs.all().size(), 1u);
        const LayerPair pair = one.pairs.all()[0];
        std::vector<mechanics::PairTerm> terms;
        one.pairs.addTerms(terms);
        Matrix12 stiffness = Matrix12::Zero(), expected = Matrix12::Zero();
        Vector12 force = Vector12::Zero(), forceExpected = Vector12::Zero();
        for (const mechanics::PairTerm& t : terms) {
            ASSERT_LT(t.i, t.j);
            EXPECT_EQ(t.stiffness, Mat3(t.stiffness.transpose())) << "to the last bit";
            stiffness.block<3, 3>(3 * t.i, 3 * t.i) += t.stiffness;
            stiffness.block<3, 3>(3 * t.j, 3 * t.j) += t.stiffness;
            stiffness.block<3, 3>(3 * t.i, 3 * t.j) -= t.stiffness;
            stiffness.block<3, 3>(3 * t.j, 3 * t.i) -= t.stiffness;
            force.segment<3>(3 * t.i) += t.force;
            force.segment<3>(3 * t.j) -= t.force;
        }
        const Mat3 J = pair.stiffness * pair.normal * pair.normal.transpose() + pair.hold;
        const Vec3 F = (pair.push + pair.stiffness * pair.bound) * pair.normal + pair.steady;
        for (int a = 0; a < 4; ++a) {
            forceExpected.segment<3>(3 * pair.corners[a]) += pair.weights[a] * F;
            for (int b = 0; b < 4; ++b)
                expected.block<3, 3>(3 * pair.corners[a], 3 * pair.corners[b]) += pair.weights[a] * pair.weights[b] * J;
        }
        EXPECT_LT((stiffness - expected).norm(), 1e-12 * expected.norm());
        EXPECT_LT((force - forceExpected).norm(), 1e-12 * forceExpected.norm());
        EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix12>(stiffness).eigenvalues()[0], -1e-12 * expected.norm());
    }
}

TEST(LayerPairs, MultipliersTakeWhatTheSpringHeld) {
    OnePair one;
    int slid = 0, stuck = 0, pulled = 0;
    for (int n = 0; n < 200; ++n) {
        one.begin({0, 1, 2, 3}, n % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle);
        const LayerPair before = one.pairs.all()[0];
        linalg::BlockVector u(4);
        for (Index i = 0; i < 4; ++i) u[i] = (n % 5 ? 0.01 : 1) * one.vector();
        one.pairs.update(u);
        const Vec3 moved = before.apart(u);
        const double along = before.normal.dot(moved);
        const double push = before.push + before.stiffness * (before.bound - along);
        ASSERT_EQ(one.pairs.all().size(), 1u);
        const LayerPair& after = one.pairs.all()[0];
        const Vec3 slip = moved - along * before.normal;
        const Vec3 acted = push * before.normal + before.steady - before.hold * slip;
        EXPECT_LT((after.push * after.normal + after.friction + after.excess - acted).norm(), 1e-9 * acted.norm());
        if (!(push > 0)) {
            EXPECT_EQ(after.push, 0) << "it lets go";
            EXPECT_TRUE(after.friction.isZero(0.0));
            EXPECT_TRUE(one.pairs.nearForces().empty());
            ++pulled;
            continue;
        }
        EXPECT_NEAR(after.push, push, 1e-12 * push);
        const Vec3 held = before.friction - before.stiffness * slip;
        EXPECT_NEAR(after.friction.norm(), std::min(held.norm(), 0.3 * push), 1e-9 * push);
        EXPECT_LT(after.friction.cross(held).norm(), 1e-9 * push * held.norm());
        EXPECT_LT((after.slip - slip).norm(), 1e-12);
        slid += held.norm() > 0.3 * push;
        stuck += held.norm() < 0.3 * push;
    }
    EXPECT_GT(slid, 10);
    EXPECT_GT(stuck, 10);
    EXPECT_GT(pulled, 10);
}

// Within the cone the springs of the next solve hold the pair where it is. Beyond it they give, for the slip that is
// expected, the force on the rim of the cone, and are a fifth as stiff against the slip as across it.
TEST(LayerPairs, FrictionOfTheNextSolveIsThatOfTheExpectedSlip) {
    OnePair one;
    int slid = 0, stuck = 0;
    for (int n = 0; n < 200; ++n) {
        if (n % 2) one.law.friction = 2;
        one.begin({0, 1, 2, 3}, PairKind::VertexTriangle);
        one.law.friction = 0.3;
        const LayerPair& pair = one.pairs.all()[0];
        EXPECT_LT((pair.slip - one.law.dt * pair.alongPlane(pair.apart(one.v))).norm(), 1e-12);
        const double mu = n % 2 ? 2 : 0.3;
        const Vec3 wanted = pair.friction - pair.stiffness * pair.slip;
        const Vec3 force = pair.steady - pair.hold * pair.slip;
        EXPECT_LT((force - pair.cone(wanted, mu)).norm(), 1e-12 * wanted.norm());
        EXPECT_LT((pair.hold * pair.normal).norm(), 1e-12 * pair.stiffness);
        const Vec3 t = wanted.normalized(), across = pair.normal.cross(t);
        EXPECT_EQ(pair.slides, wanted.norm() > mu * pair.push);
        const double share = pair.slides ? mu * pair.push / wanted.norm() : 1;
        EXPECT_NEAR(across.dot(pair.hold * across), share * pair.stiffness, 1e-9 * pair.stiffness);
        EXPECT_NEAR(t.dot(pair.hold * t), (pair.slides ? 0.2 : 1) * share * pair.stiffness, 1e-9 * pair.stiffness);
        (pair.slides ? slid : stuck) += 1;
    }
    EXPECT_GT(slid, 10);
    EXPECT_GT(stuck, 10);
}

TEST(LayerPairs, SoftenUntilOnlyInertiaIsLeft) {
    OnePair one;
    one.begin({0, 1, 2, 3}, PairKind::VertexTriangle);
    const LayerPair first = one.pairs.all()[0];
    double compliance = 0;
    for (int k = 0; k < 4; ++k) compliance += first.weights[k] * first.weights[k] / one.mass[first.corners[k]];
    const double inertia = one.law.stiffness / (compliance * one.law.dt * one.law.dt);
    EXPECT_NEAR(first.stiffness, inertia + one.law.stiffness * one.law.repulsion, 1e-9 * inertia);
    one.pairs.soften(one.mass);
    EXPECT_NEAR(one.pairs.all()[0].stiffness, inertia + 0.3 * one.law.stiffness * one.law.repulsion, 1e-9 * inertia);
    for (int n = 0; n < 30; ++n) one.pairs.soften(one.mass);
    EXPECT_NEAR(one.pairs.all()[0].stiffness, inertia, 1e-9 * inertia);
    one.begin({0, 1, 2, 3}, PairKind::VertexTriangle);
    EXPECT_GT(one.pairs.all()[0].stiffness, inertia) << "a new step begins with the full stiffness";
}

TEST(LayerPairs, WhatIsApartIsNoPair) {
    OnePair one;
    one.begin({0, 1, 2, 3}, PairKind::VertexTriangle);
    const LayerForce force{{0, 1, 2, 3}, PairKind::VertexTriangle, 3};
    one.x[0] = Vec3(0, 100, 0);
    one.pairs.begin(one.law, std::vector{force}, one.x, one.v, one.mass);
    EXPECT_TRUE(one.pairs.all().empty());
    std::vector<mechanics::PairTerm> terms;
    one.pairs.addTerms(terms);
    EXPECT_TRUE(terms.empty());
}

}  // namespace
}  // namespace clothlab::contact
