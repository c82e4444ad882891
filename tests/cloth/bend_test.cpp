#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cloth/bend.hpp"
#include "cloth/springs.hpp"

namespace clothlab::cloth {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Bend, ArcFromChordInvertsSinc) {
    for (int k = 1; k < 2000; ++k) {
        const double u = kPi * k / 2000, s = std::sin(u) / u;
        // ds/dw is 1/6 to 1/(2 pi^2): an error in s of one unit in the last place is 2e-15 in w.
        EXPECT_NEAR(arcFromChord(s), u * u, 1e-14 * (1 + u * u)) << u;
    }
    EXPECT_EQ(arcFromChord(1), 0);
    EXPECT_NEAR(arcFromChord(0), kPi * kPi, 1e-14);
    EXPECT_NEAR(arcFromChord(1 - 1e-9), 6e-9, 1e-15);  // 1 - 1e-9 itself is rounded
}

TEST(Bend, ArcFromChordSurvivesNonsense) {
    EXPECT_EQ(arcFromChord(2), 0);
    EXPECT_NEAR(arcFromChord(-1), kPi * kPi, 1e-14);
    EXPECT_TRUE(std::isfinite(arcFromChord(std::nan(""))));
}

TEST(Bend, TableOfPhi) {
    const double s[] = {1, 0.99, 0.9, 0.6, 0.3, 0.05, 0};
    const double phi[] = {-3.0000, -3.0181, -3.1933, -3.9989, -5.5127, -8.6150, -9.8696};
    const double p[] = {-3.0280, -3.0422, -3.2112, -4.0233, -5.4659, -8.6507, -9.7130};
    const double phiSlope[] = {1.800, 1.825, 2.077, 3.486, 7.368, 21.308, 29.609};
    const double pSlope[] = {1.365, 1.476, 2.202, 3.173, 7.652, 19.458, 23.116};
    for (int k = 0; k < 7; ++k) {
        EXPECT_NEAR(buckledExact(s[k]).phi, phi[k], 1e-4) << s[k];
        EXPECT_NEAR(buckledPolynomial(s[k]).phi, p[k], 1e-4) << s[k];
        EXPECT_NEAR(buckledExact(s[k]).slope, phiSlope[k], 1e-3) << s[k];
        EXPECT_NEAR(buckledPolynomial(s[k]).slope, pSlope[k], 1.01e-3) << s[k];
    }
}

TEST(Bend, ExactPhiIsTheClosedForm) {
    for (int k = 20; k < 2000; ++k) {
        const double u = kPi * k / 2000, s = std::sin(u) / u, d = std::cos(u) - s;
        const BuckledForce f = buckledExact(s);
        EXPECT_NEAR(f.phi, u * u / d, 1e-10);
        const double dSlope = -std::sin(u) - d / u;
        EXPECT_NEAR(f.slope, u * (2 * u * d - u * u * dSlope) / (d * d * d), 1e-7);
    }
}

TEST(Bend, FitStaysNearPhi) {
    for (int k = 0; k <= 1000; ++k) {
        const double s = k / 1000.0;
        EXPECT_LE(std::abs(buckledPolynomial(s).phi - buckledExact(s).phi), 0.158);
        EXPECT_GE(buckledPolynomial(s).slope, 1.364);
        EXPECT_LE(buckledPolynomial(s).slope, steepestBuckledSlope(BendModel::ChoiKoPolynomial) + 1e-12);
        EXPECT_LE(buckledExact(s).slope, steepestBuckledSlope(BendModel::ChoiKoExact) + 1e-12);
    }
}

TEST(Bend, SwitchBetweenBranches) {  // 1 - s* for gamma = 12, 20, 50, 100, 500
    const double gamma[] = {12, 20, 50, 100, 500}, gap[] = {0.309, 0.167, 0.0623, 0.0306, 0.00602};
    for (int k = 0; k < 5; ++k) {
        const BendEnergy e(BendModel::ChoiKoExact, gamma[k]);
        EXPECT_NEAR(1 - e.upperSwitch(), gap[k], 6e-3 * gap[k]) << gamma[k];
        EXPECT_EQ(e.lowerSwitch(), 0);
    }
    EXPECT_EQ(BendEnergy(BendModel::ChoiKoExact, 7.8).upperSwitch(), 0);
    const BendEnergy two(BendModel::ChoiKoExact, 8.5);
    EXPECT_GT(two.lowerSwitch(), 0);
    EXPECT_GT(two.upperSwitch(), two.lowerSwitch());
}

TEST(Bend, EnergyOfAClosedLoop) {  // E_b(0) L / k_b = 2 pi^2, or 19.770 for the fit; k_b = kappa_b L^3 / 4
    // With a very steep linear branch only the energy of the arc is left.
    EXPECT_NEAR(BendEnergy(BendModel::ChoiKoExact, 1e9)(0) * 4, 2 * kPi * kPi, 1e-6);
    EXPECT_NEAR(BendEnergy(BendModel::ChoiKoPolynomial, 1e9)(0) * 4, 19.770, 5e-4);
}

SpringLaw choiKo(BendModel model, double gamma) {
    MaterialSettings m;
    m.bendModel = model;
    m.bendStiffness = 0.7;
    m.bendLinearBranch = gamma;
    return makeLaw(m, SpringFamily::Bend);
}

/// Signed force along n, N.
double force(const SpringLaw& law, double L, double l) { return elasticTerms(law, L, l * l).tension * l; }

TEST(Bend, ForceIsTheWeakerBranch) {
    constexpr double L = 0.2;
    for (const BendModel model : {BendModel::ChoiKoExact, BendModel::ChoiKoPolynomial})
        for (const double gamma : {5.0, 8.5, 12.0, 50.0}) {
            const SpringLaw law = choiKo(model, gamma);
            EXPECT_EQ(force(law, L, L), 0);
            EXPECT_EQ(elasticTerms(law, L, L * L * 1.3).axial, 0);
            EXPECT_NEAR(force(law, L, L * (1 - 1e-9)), 0, 1e-8);
            for (int k = 1; k < 1000; ++k) {
                const double s = k / 1000.0;
                const double phi = model == BendModel::ChoiKoExact ? buckledExact(s).phi : buckledPolynomial(s).phi;
                EXPECT_NEAR(force(law, L, s * L), 0.7 * L * std::max(phi, gamma * (s - 1)), 1e-13);
            }
            const double at = BendEnergy(model, gamma).upperSwitch() * L;
            if (at > 0) {
                EXPECT_NEAR(force(law, L, at + 1e-9), force(law, L, at - 1e-9), 1e-7);
            }
        }
}

TEST(Bend, PhysicalScale) {  // f_b = (4 k_b / L^2) phi, f_b' = (4 k_b / L^3) phi' with k_b = kappa_b L^3 / 4
    constexpr double L = 0.2, s = 0.5, kb = 0.7 * L * L * L / 4;
    const ElasticTerms t = elasticTerms(choiKo(BendModel::ChoiKoExact, 1e9), L, s * L * s * L);
    EXPECT_NEAR(t.tension * s * L, 4 * kb / (L * L) * buckledExact(s).phi, 1e-14);
    EXPECT_NEAR(t.axial * s * L * s * L, 4 * kb / (L * L * L) * buckledExact(s).slope, 1e-12);
    EXPECT_EQ(t.isotropic, 0);
}

}  // namespace
}  // namespace clothlab::cloth
