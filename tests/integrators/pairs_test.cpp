#include "test_world.hpp"

#include "integrators/kind.hpp"

/// Repulsion under every integrator: two bars of two particles, one above the other.
namespace clothlab::testing {
namespace {

using integrators::IntegratorKind;
using integrators::StepStatus;

constexpr double kStiffness = 1000, kClosest = 0.6;

/// Particles 0 and 1 at y = 0 and, `gap` above them, 2 and 3: 1 kg each, spacing 1 m.
struct Bars : TestWorld {
    Bars(double gap, double damping) {
        material.stretchStiffness = kStiffness;
        contact.selfCollision = contact::SelfCollision::Repulsion;
        contact.repulsionDamping = damping;
        linalg::BlockVector x(4);
        x[1] = Vec3(1, 0, 0);
        x[2] = Vec3(0, gap, 0);
        x[3] = Vec3(1, gap, 0);
        for (const Index first : {0, 2})
            model.patches.push_back({.firstParticle = first, .particles = 2, .spacing = 1.0});
        model.mass.assign(4, 1.0);
        model.restArea.assign(4, 0.0);
        model.rest = x;
        model.springs = {{0, 1, 1.0, cloth::SpringFamily::Stretch, 0}, {2, 3, 1.0, cloth::SpringFamily::Stretch, 1}};
        begin(x);
    }
};

TEST(Pairs, ABarHoversWhereItsWeightIsBorne) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& entry : enumTable(IntegratorKind{})) {
        const auto kind = static_cast<IntegratorKind>(entry.value);
        if (kind == IntegratorKind::ForwardEuler) continue;  // gains energy
        Bars w(0.65, 20);
        w.environment.gravity = Vec3(0, -9.81, 0);
        w.pin(0);
        w.pin(1);
        for (int n = 0; n < 800; ++n) ASSERT_EQ(w.step(kind, 5e-3), StepStatus::Ok) << entry.key;
        EXPECT_EQ(w.outcome.repulsionPairs, 2) << entry.key;
        for (const Index i : {2, 3}) {
            EXPECT_NEAR(w.state.x[i].y(), kClosest - 9.81 / kStiffness, 1e-9) << entry.key;
            EXPECT_LT(w.state.v[i].norm(), 1e-9) << entry.key;
        }
    }
}

TEST(Pairs, TwoBarsBounceAndKeepTheirMomentum) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& entry : enumTable(IntegratorKind{})) {
        const auto kind = static_cast<IntegratorKind>(entry.value);
        Bars w(0.7, 0);
        w.state.v[2] = w.state.v[3] = Vec3(0, -1, 0);
        double closest = 1;
        for (int n = 0; n < 600; ++n) {
            ASSERT_EQ(w.step(kind, 5e-4), StepStatus::Ok) << entry.key;
            closest = std::min(closest, w.state.x[2].y() - w.state.x[0].y());
        }
        EXPECT_LT((w.momentum() - Vec3(0, -2, 0)).norm(), 3e-11) << entry.key;
        // Half a swing of the pair: depth v sqrt(m / 2k), and the velocities are exchanged, except for the method's own
        // loss or gain.
        EXPECT_NEAR(closest, kClosest - std::sqrt(1.0 / (2 * kStiffness)), 1e-3) << entry.key;
        EXPECT_NEAR(w.state.v[2].y() - w.state.v[0].y(), 1, 0.05) << entry.key;
        EXPECT_EQ(w.outcome.repulsionPairs, 0) << entry.key;
    }
}

TEST(Pairs, AdaptiveImexTakesTheSoftOnesExplicitly) {
    for (const auto rule : {integrators::AimexRule::Safe, integrators::AimexRule::Paper})
        for (const double h : {1e-3, 2e-2}) {  // h^2 k / m = 0.001 and 0.4
            Bars w(0.5, 0);
            w.integrator.aimexRule = rule;
            w.step(IntegratorKind::AdaptiveImex, h);
            EXPECT_EQ(w.forces.pairs().size(), 2u);
            EXPECT_EQ(w.forces.implicitPairs(), h > 0.01 ? 2 : 0);
            for (const auto kind : {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::Bdf2,
                                    IntegratorKind::ImexEuler, IntegratorKind::Sbdf2, IntegratorKind::AdaptiveSbdf2}) {
                Bars other(0.5, 0);
                other.step(kind, h);
                EXPECT_EQ(other.forces.implicitPairs(), 2) << enumKey(kind);
            }
        }
}

// The rule 'safe' sums the explicit terms at a particle: of twenty pairs at one spot, each below the threshold, some
// are implicit.
TEST(Pairs, TheSafeRuleAddsThemUp) {
    for (const auto rule : {integrators::AimexRule::Safe, integrators::AimexRule::Paper}) {
        Bars w(0.5, 0);
        for (int n = 0; n < 20; ++n) {
            w.model.mass.push_back(1);
            w.model.restArea.push_back(0);
        }
        linalg::BlockVector x(24);
        for (Index i = 0; i < 4; ++i) x[i] = w.state.x[i];
        for (Index i = 4; i < 24; ++i) x[i] = Vec3(5 + 0.001 * i, 0, 0);
        w.model.rest = x;
        for (Index i = 4; i < 24; i += 2) {
            w.model.patches.push_back({.firstParticle = i, .particles = 2, .spacing = 1.0});
            w.model.springs.push_back({i, i + 1, 1.0, cloth::SpringFamily::Stretch, std::uint16_t(i / 2)});
        }
        w.begin(x);
        w.integrator.aimexRule = rule;
        w.material.tensionOnly = true;
        w.step(IntegratorKind::AdaptiveImex, 0.0141);  // h^2 k / m = 0.199
        const Index pairs = 2 + 20 * 19 / 2;
        EXPECT_EQ(Index(w.forces.pairs().size()), pairs);
        if (rule == integrators::AimexRule::Paper)
            EXPECT_EQ(w.forces.implicitPairs(), 0);
        else
            EXPECT_GT(w.forces.implicitPairs(), pairs / 3);
        EXPECT_EQ(w.forces.explicitStabilitySum(0.0141, cloth::ForceModel::Terms::Explicit) <= 2 * (1 + 1e-12),
                  rule == integrators::AimexRule::Safe);
    }
}

// Pairs that are explicit at the start of a step count for its number of substeps.
TEST(Pairs, SubstepsSeeThem) {
    Bars w(0.5, 0);
    w.substeps = 0;
    w.material.stretchStiffness = 5000;
    w.step(IntegratorKind::SymplecticEuler, 0.019);  // h^2 k / m = 1.8 from the spring, twice that with the pair
    EXPECT_EQ(w.outcome.substeps, 2);
    Bars apart(2, 0);
    apart.substeps = 0;
    apart.material.stretchStiffness = 5000;
    apart.step(IntegratorKind::SymplecticEuler, 0.019);
    EXPECT_EQ(apart.outcome.substeps, 1);
}

}  // namespace
}  // namespace clothlab::testing
