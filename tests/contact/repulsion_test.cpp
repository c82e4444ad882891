#include "contact/repulsion.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "support/dense_matrix.hpp"

namespace clothlab::contact {
namespace {

/// Particles at random in a box, with the arrays that an input refers to.
struct Crowd {
    ContactSettings settings{.selfCollision = SelfCollision::Repulsion, .repulsionDamping = 0.3};
    linalg::BlockVector x, v;
    std::vector<double> spacing, stiffness;
    std::vector<std::pair<Index, Index>> exempt;
    std::vector<Index> seam;
    Repulsion repulsion;
    WorkerPool pool{1};

    explicit Crowd(Index count, double box = 0.5)
        : x(count), v(count), spacing(std::size_t(count), 0.1), stiffness(std::size_t(count), 200.0) {
        std::mt19937 random(4);
        std::uniform_real_distribution<double> r(-1, 1);
        for (Index i = 0; i < count; ++i)
            for (int k = 0; k < 3; ++k) {
                x[i][k] = 0.5 * box * r(random);
                v[i][k] = r(random);
            }
    }
    void find() { repulsion.find({x, spacing, stiffness, exempt, seam, settings}, pool); }
    std::vector<mechanics::PairTerm> terms() {
        std::vector<mechanics::PairTerm> out;
        repulsion.terms(x, v, settings.repulsionDamping, out, pool);
        return out;
    }
    double energy() { return repulsion.energy(x, pool); }
};

TEST(RepulsionPairs, AreThoseCloserThanTheirShareOfTheSmallerSpacing) {
    Crowd crowd(300);
    for (std::size_t i = 200; i < 300; ++i) crowd.spacing[i] = 0.2, crowd.stiffness[i] = 70;
    crowd.find();
    auto pair = crowd.repulsion.pairs().begin();
    std::size_t close = 0;
    for (Index i = 0; i < 300; ++i)
        for (Index j = i + 1; j < 300; ++j) {
            const double d = 0.6 * (i < 200 ? 0.1 : 0.2);
            if (!((crowd.x[j] - crowd.x[i]).norm() < d)) continue;
            ASSERT_LT(close++, crowd.repulsion.pairs().size());
            EXPECT_EQ(pair->i, i);
            EXPECT_EQ(pair->j, j);
            EXPECT_DOUBLE_EQ(pair->distance, d);
            EXPECT_DOUBLE_EQ(pair->stiffness, j < 200 ? 200 : 70);
            ++pair;
        }
    EXPECT_EQ(close, crowd.repulsion.pairs().size());
    EXPECT_GT(close, 50u);

    const auto first = crowd.repulsion.pairs()[0], last = crowd.repulsion.pairs()[close - 1];
    crowd.exempt = {{first.i, first.j}, {last.i, last.j}, {299, 300}};
    crowd.find();
    EXPECT_EQ(crowd.repulsion.pairs().size(), close - 2);
    crowd.exempt.clear();
    crowd.seam.resize(crowd.spacing.size());
    std::iota(crowd.seam.begin(), crowd.seam.end(), Index(0));
    crowd.seam[first.j] = first.i;
    crowd.find();
    EXPECT_EQ(crowd.repulsion.pairs().size(), close - 1) << "sewn into one place";
    EXPECT_NE(std::pair(crowd.repulsion.pairs()[0].i, crowd.repulsion.pairs()[0].j), std::pair(first.i, first.j));
    crowd.settings.selfCollision = SelfCollision::Off;
    crowd.find();
    EXPECT_TRUE(crowd.repulsion.pairs().empty());
}

TEST(RepulsionPairs, ForceIsMinusTheGradientOfTheEnergyAndMomentumStays) {
    Crowd crowd(60, 0.2);
    crowd.settings.repulsionDamping = 0;
    crowd.find();
    ASSERT_GT(crowd.repulsion.pairs().size(), 20u);
    linalg::BlockVector force(60);
    Vec3 turn = Vec3::Zero();
    for (const mechanics::PairTerm& t : crowd.terms()) {
        force[t.i] += t.force;
        force[t.j] -= t.force;
        turn += (crowd.x[t.i] - crowd.x[t.j]).cross(t.force);
    }
    EXPECT_LT(turn.norm(), 1e-13);  // along the line between the two: no moment
    for (const Index i : {3, 17, 42})
        for (int k = 0; k < 3; ++k) {
            constexpr double kStep = 1e-7;
            const double at = crowd.x[i][k];
            crowd.x[i][k] = at + kStep;
            const double above = crowd.energy();
            crowd.x[i][k] = at - kStep;
            const double below = crowd.energy();
            crowd.x[i][k] = at;
            EXPECT_NEAR(force[i][k], -(above - below) / (2 * kStep), 1e-5 * force.flat().norm()) << i << " " << k;
        }
}

// J and V by differences. J has only the part along the pair; its transverse part is negative and left out.
TEST(RepulsionPairs, JacobiansByDifferences) {
    Crowd crowd(60, 0.2);
    crowd.find();
    const std::vector<mechanics::PairTerm> terms = crowd.terms();
    constexpr double kStep = 1e-7;
    for (const std::size_t k : {std::size_t{0}, terms.size() / 2, terms.size() - 1}) {
        const Index i = terms[k].i, j = terms[k].j;
        Mat3 byX, byV;
        for (int c = 0; c < 3; ++c) {
            for (auto [moved, jacobian] : {std::pair{&crowd.x, &byX}, {&crowd.v, &byV}}) {
                const double at = (*moved)[j][c];
                (*moved)[j][c] = at + kStep;
                const Vec3 above = crowd.terms()[k].force;
                (*moved)[j][c] = at - kStep;
                const Vec3 below = crowd.terms()[k].force;
                (*moved)[j][c] = at;
                jacobian->col(c) = (above - below) / (2 * kStep);
            }
        }
        const Vec3 n = (crowd.x[j] - crowd.x[i]).normalized();
        EXPECT_LT((terms[k].damping - byV).norm(), 1e-6);
        EXPECT_NEAR(n.dot(terms[k].stiffness * n), n.dot(byX * n), 1e-3);
        EXPECT_LT((terms[k].stiffness - 200 * n * n.transpose()).norm(), 1e-10);
        const Mat3 transverse = byX - terms[k].stiffness;
        EXPECT_LE(testing::symmetricEigenvalues(0.5 * (transverse + transverse.transpose()))[2], 1e-3);
        EXPECT_EQ(terms[k].stiffness, terms[k].stiffness.transpose());  // to the last bit
    }
}

TEST(RepulsionPairs, CoincidentParticlesPartUpAndDown) {
    Crowd crowd(2);
    crowd.x[0] = crowd.x[1] = Vec3(0.3, -0.2, 0.1);
    crowd.v.setZero();
    crowd.find();
    ASSERT_EQ(crowd.repulsion.pairs().size(), 1u);
    const mechanics::PairTerm term = crowd.terms()[0];
    EXPECT_EQ(term.force, Vec3(0, -200 * 0.06, 0));
    EXPECT_DOUBLE_EQ(crowd.energy(), 0.5 * 200 * 0.06 * 0.06);
    EXPECT_DOUBLE_EQ(term.stiffness(1, 1), 200);
}

TEST(RepulsionPairs, SilentWhereTheyHaveParted) {
    Crowd crowd(2);
    crowd.x[0] = Vec3(0, 0, 0);
    crowd.x[1] = Vec3(0.05, 0, 0);
    crowd.find();
    crowd.x[1] = Vec3(0.061, 0, 0);
    const mechanics::PairTerm term = crowd.terms()[0];
    EXPECT_EQ(term.force, Vec3::Zero());
    EXPECT_EQ(term.stiffness, Mat3::Zero());
    EXPECT_EQ(crowd.energy(), 0);
}

}  // namespace
}  // namespace clothlab::contact
