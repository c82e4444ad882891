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
    linalg::BlockVector x{4};
    std::vector<double> mass{0.1, 0.2, 0.3, 0.4};
    LayerLaw law{.dt = 0.01, .thickness = 3, .repulsion = 50, .friction = 0.3, .stiffness = 2};
    LayerPairs pairs;

    double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
    Vec3 vector() { return {number(), number(), number()}; }
    void begin(const std::array<Index, 4>& corners, PairKind kind) {
        for (Index i = 0; i < 4; ++i) x[i] = vector();
        pairs.begin(law, std::vector<LayerForce>{{corners, kind, 3, (2 * vector()).cast<float>()}}, x, mass);
    }
};

// The terms between two particles add up to w w^T (k n n^T + k_t (I - n n^T)) and to the force w F.
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
            stiffness.block<3, 3>(3 * t.i, 3 * t.i) += t.stiffness;
            stiffness.block<3, 3>(3 * t.j, 3 * t.j) += t.stiffness;
            stiffness.block<3, 3>(3 * t.i, 3 * t.j) -= t.stiffness;
            stiffness.block<3, 3>(3 * t.j, 3 * t.i) -= t.stiffness;
            force.segment<3>(3 * t.i) += t.force;
            force.segment<3>(3 * t.j) -= t.force;
        }
        const Mat3 along = pair.normal * pair.normal.transpose();
        const Mat3 J = pair.stiffness * along + (pair.slides ? 0 : pair.stiffness) * (Mat3::Identity() - along);
        const Vec3 F = (pair.push + pair.stiffness * pair.bound) * pair.normal + pair.friction;
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
    int slid = 0, pulled = 0;
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
        const Vec3 acted = push * before.normal + before.friction - (before.slides ? 0 : before.stiffness) * slip;
        EXPECT_LT((after.push * after.normal + after.friction + after.excess - acted).norm(), 1e-9 * acted.norm());
        if (!(push > 0)) {
            EXPECT_EQ(after.push, 0) << "it lets go";
            EXPECT_TRUE(after.friction.isZero(0.0));
            EXPECT_TRUE(one.pairs.nearForces().empty());
            ++pulled;
            continue;
        }
        EXPECT_NEAR(after.push, push, 1e-12 * push);
        slid += before.slides;
        const Vec3 held = before.friction - (before.slides ? before.inertia : before.stiffness) * slip;
        EXPECT_NEAR(after.friction.norm(), std::min(held.norm(), 0.3 * push), 1e-9 * push);
        EXPECT_LT(after.friction.cross(held).norm(), 1e-9 * push * held.norm());
        EXPECT_EQ(after.slides, held.norm() > 0.999 * 0.3 * push) << "beyond the cone it slides";
    }
    EXPECT_GT(slid, 10);
    EXPECT_GT(pulled, 10);
}

TEST(LayerPairs, WhatIsApartIsNoPair) {
    OnePair one;
    one.begin({0, 1, 2, 3}, PairKind::VertexTriangle);
    const LayerForce force{{0, 1, 2, 3}, PairKind::VertexTriangle, 3};
    one.x[0] = Vec3(0, 100, 0);
    one.pairs.begin(one.law, std::vector{force}, one.x, one.mass);
    EXPECT_TRUE(one.pairs.all().empty());
    std::vector<mechanics::PairTerm> terms;
    one.pairs.addTerms(terms);
    EXPECT_TRUE(terms.empty());
}

}  // namespace
}  // namespace clothlab::contact
