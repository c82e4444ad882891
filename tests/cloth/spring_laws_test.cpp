#include <gtest/gtest.h>

#include <limits>

#include "cloth/springs.hpp"
#include "samples.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::cloth {
namespace {

SpringLaw stretchLaw(bool tensionOnly, double k = 40) {
    MaterialSettings m;
    m.stretchStiffness = k;
    m.tensionOnly = tensionOnly;
    return makeLaw(m, SpringFamily::Stretch);
}

SpringLaw bendLaw(BendModel model, double kappa = 40) {
    MaterialSettings m;
    m.bendModel = model;
    m.bendStiffness = kappa;
    return makeLaw(m, SpringFamily::Bend);
}

Mat3 jacobian(const ElasticTerms& t, const Vec3& d) {
    return t.isotropic * Mat3::Identity() + t.axial * d * d.transpose();
}

Vec3 force(const SpringLaw& law, double L, const Vec3& d) { return elasticTerms(law, L, d.squaredNorm()).tension * d; }

Mat3 differences(const SpringLaw& law, double L, const Vec3& d) {
    constexpr double step = 1e-6;
    Mat3 J;
    for (int k = 0; k < 3; ++k) {
        const Vec3 e = step * Vec3::Unit(k);
        J.col(k) = (force(law, L, d + e) - force(law, L, d - e)) / (2 * step);
    }
    return J;
}

TEST(SpringLaws, JacobianAgainstDifferences) {
    std::mt19937 random(3);
    constexpr double L = 1.0;
    for (int sample = 0; sample < 50; ++sample) {
        const Vec3 n = samples::randomVector(random, 1).normalized();
        for (const double ratio : {0.4, 0.7, 0.93, 0.99, 1.02, 1.3, 2.0})
            for (const SpringLaw& law : {stretchLaw(true), stretchLaw(false), bendLaw(BendModel::ChoiKoPolynomial),
                                         bendLaw(BendModel::ChoiKoExact), bendLaw(BendModel::LinearCompression),
                                         bendLaw(BendModel::LinearTension), bendLaw(BendModel::Linear)}) {
                const Vec3 d = ratio * L * n;
                const ElasticTerms t = elasticTerms(law, L, d.squaredNorm());
                // Assembly deliberately leaves out the transverse term of a compressed spring.
                const Mat3 dropped = std::min(t.tension, 0.0) * (Mat3::Identity() - n * n.transpose());
                const Mat3 exact = differences(law, L, d);
                EXPECT_LE((jacobian(t, d) + dropped - exact).norm(), 1e-6 * std::max(exact.norm(), 1.0))
                    << int(law.kind) << " at " << ratio;
                EXPECT_LE((jacobian(withCompression(t, d.squaredNorm()), d) - exact).norm(),
                          1e-6 * std::max(exact.norm(), 1.0))
                    << int(law.kind) << " at " << ratio << ", with the negative transverse term";
            }
    }
}

TEST(SpringLaws, EigenvaluesOfHooke) {
    const double ratio[] = {0.5, 0.9, 1, 1.1, 2}, transverse[] = {-1, -0.111111, 0, 0.090909, 0.5};
    const SpringLaw law = stretchLaw(false);
    for (int k = 0; k < 5; ++k) {
        const Vec3 d = ratio[k] * Vec3(1, 2, -2) / 3;
        const ElasticTerms t = elasticTerms(law, 1, d.squaredNorm());
        EXPECT_NEAR(t.tension / law.stiffness, transverse[k], 1e-6);  // the unclamped transverse eigenvalue
        const Vec3 eigenvalues = testing::symmetricEigenvalues(jacobian(t, d) / law.stiffness);
        const double clamped = std::max(transverse[k], 0.0);
        EXPECT_NEAR((eigenvalues - Vec3(clamped, clamped, 1)).norm(), 0, 2e-6);
    }
}

TEST(SpringLaws, SlackSpringDoesNothing) {
    MaterialSettings m = samples::evenMaterial();
    const SpringLaw law = makeLaw(m, SpringFamily::Stretch);
    constexpr double L = 0.3;
    const auto at = [&](double l) { return elasticTerms(law, L, l * l); };
    for (const double l : {0.1, 0.2999, L * (1 - 2e-9)}) {
        EXPECT_FALSE(at(l).active);
        EXPECT_EQ(at(l).tension, 0);
        EXPECT_EQ(at(l).isotropic, 0);
        EXPECT_EQ(at(l).axial, 0);
        const DamperTerms damper = damperTerms(law, at(l).active, l * l, 1);
        EXPECT_EQ(damper.alongD, 0);
        EXPECT_EQ(damper.axial, 0);
    }
    EXPECT_TRUE(at(L).active);
    EXPECT_NEAR(at(L).axial * L * L, law.stiffness, 1e-10);
    EXPECT_GT(damperTerms(law, true, L * L, 1).axial, 0);
    m.jacSlack = true;
    const ElasticTerms kept = elasticTerms(makeLaw(m, SpringFamily::Stretch), L, 0.04);
    EXPECT_EQ(kept.tension, 0);
    EXPECT_NEAR(kept.axial * 0.04, m.stretchStiffness, 1e-12);
}

TEST(SpringLaws, LinearCompression) {
    const SpringLaw law = bendLaw(BendModel::LinearCompression);
    constexpr double L = 0.3;
    const Vec3 n = Vec3(2, -1, 2) / 3, d = 0.8 * L * n;
    const ElasticTerms t = elasticTerms(law, L, d.squaredNorm());
    EXPECT_NEAR((t.tension * d - 40 * (0.8 * L - L) * n).norm(), 0, 1e-14);
    const Vec3 eigenvalues = testing::symmetricEigenvalues(jacobian(t, d));
    EXPECT_NEAR((eigenvalues - Vec3(0, 0, 40)).norm(), 0, 1e-12);
    for (const double l : {L, 1.01 * L, 2 * L}) {
        const ElasticTerms slack = elasticTerms(law, L, l * l);
        EXPECT_EQ(slack.tension, 0);
        EXPECT_EQ(slack.axial, 0);
        EXPECT_EQ(slack.isotropic, 0);
    }
}

TEST(SpringLaws, PointLengthAndNonsenseAreLeftOut) {
    for (const SpringLaw& law : {stretchLaw(true), stretchLaw(false), bendLaw(BendModel::ChoiKoExact)})
        for (const double squared : {0.0, 1e-26, std::numeric_limits<double>::quiet_NaN()}) {
            const ElasticTerms t = elasticTerms(law, 0.1, squared);
            EXPECT_EQ(t.tension, 0);
            EXPECT_EQ(t.axial, 0);
            EXPECT_FALSE(t.active);
        }
}

TEST(SpringLaws, DampGates) {
    MaterialSettings m = samples::evenMaterial();
    const auto acts = [&](DampGate gate, bool active, double dv) {
        m.dampGate = gate;
        return damperTerms(makeLaw(m, SpringFamily::Stretch), active, 0.01, dv).axial > 0;
    };
    EXPECT_TRUE(acts(DampGate::Always, false, -1));
    EXPECT_FALSE(acts(DampGate::SpringActive, false, 1));
    EXPECT_TRUE(acts(DampGate::SpringActive, true, -1));
    EXPECT_FALSE(acts(DampGate::Elongating, true, -1));
    EXPECT_TRUE(acts(DampGate::Elongating, false, 1));
}

}  // namespace
}  // namespace clothlab::cloth
