#include <cmath>
#include <random>

#include "cloth/springs.hpp"
#include "integrators/kind.hpp"
#include "integrators/traits.hpp"
#include "solvers/kind.hpp"
#include "support/dense_matrix.hpp"
#include "test_world.hpp"

/// Implicit-explicit methods: the split, the criterion, and that it keeps steps stable.
namespace clothlab::integrators {
namespace {

using testing::DenseMatrix;
using testing::TestWorld;

constexpr Index kLength = 9;

/// A chain on the x axis, held at both ends, at rest: springs to the next three particles, one family each, of random
/// stiffness and damping; random masses. Along x it is linear, and nothing else moves.
struct Chain : TestWorld {
    explicit Chain(std::mt19937& rng, double undamped = 0.0) {
        const auto uniform = [&rng](double a, double b) { return std::uniform_real_distribution<double>(a, b)(rng); };
        const auto any = [&](double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); };
        material = {.stretchStiffness = any(1, 1000),
                    .shearStiffness = any(1, 1000),
                    .bendStiffness = any(1, 1000),
                    .stretchDamping = any(0.001, 1),
                    .shearDamping = any(0.001, 1),
                    .bendDamping = any(0.001, 1),
                    .tensionOnly = false,
                    .bendModel = cloth::BendModel::Linear,
                    .dampGate = cloth::DampGate::Always};
        if (uniform(0, 1) < undamped) material.stretchDamping = material.shearDamping = material.bendDamping = 0;
        linalg::BlockVector x(kLength);
        for (Index i = 0; i < kLength; ++i) x[i] = Vec3(i, 0, 0);
        model.patches.push_back({.particles = Index(kLength), .spacing = 1.0});
        for (Index i = 0; i < kLength; ++i) model.mass.push_back(uniform(0.005, 0.02));
        model.restArea.assign(kLength, 0.0);
        model.rest = x;
        for (Index i = 0; i < kLength; ++i)
            for (Index d = 1; d <= 3 && i + d < kLength; ++d)
                model.springs.push_back({i, i + d, double(d), static_cast<cloth::SpringFamily>(d - 1), 0});
        solver.kind = solvers::SolverKind::Cholesky;
        begin(x);
        pin(0);
        pin(kLength - 1);
    }

    /// Largest eigenvalue, in absolute value, of the step as a linear map of its start state.
    double spectralRadius(IntegratorKind kind, double h) {
        const bool two = traitsFor(kind).steps() == 2;
        const Index free = kLength - 2;
        const int size = int((two ? 4 : 2) * free);
        const SimulationState rest = state;
        constexpr double kNudge = 1e-4;
        const auto entry = [&](SimulationState& s, int k) -> double& {
            linalg::BlockVector* const part[] = {&s.x, &s.v, &s.xPrevious, &s.vPrevious};
            return part[k / free]->data()[std::size_t{3} * (1 + k % free)];
        };
        DenseMatrix map = DenseMatrix::zero(size, size);
        for (int column = 0; column < size; ++column) {
            for (const double sign : {1.0, -1.0}) {
                state = rest;
                if (two) {
                    state.xPrevious = rest.x;
                    state.vPrevious = rest.v;
                    state.dtPrevious = h;
                    state.previousValid = true;
                }
                entry(state, column) += sign * kNudge;
                step(kind, h);
                for (int row = 0; row < size; ++row) {
                    const double value = entry(state, row) / (2 * kNudge);
                    map(row, column) = sign > 0 ? value : map(row, column) - value;
                }
            }
        }
        state = rest;
        return map.spectralRadius();
    }

    void allExplicit() {
        integrator.splitStretch = integrator.splitShear = integrator.splitBend = SplitTerms::Explicit;
    }

    /// lambda_max of M^-1 (h^2 K + 2 h D) over all springs, from its definition.
    double explicitEigenvalue(double h) {
        const Index n = kLength - 2;
        DenseMatrix sum = DenseMatrix::zero(n, n), root = sum;  // root: M^-1/2
        const double k[] = {material.stretchStiffness, material.shearStiffness, material.bendStiffness};
        const double d[] = {material.stretchDamping, material.shearDamping, material.bendDamping};
        for (const cloth::Spring& s : model.springs) {
            const double c = h * h * k[int(s.family)] + 2 * h * d[int(s.family)];
            const Index i = s.i - 1, j = s.j - 1;
            if (i >= 0) sum(i, i) += c;
            if (j < n) sum(j, j) += c;
            if (i >= 0 && j < n) sum(i, j) -= c, sum(j, i) -= c;
        }
        for (Index i = 0; i < n; ++i) root(i, i) = 1 / std::sqrt(model.mass[i + 1]);
        return (root * sum * root).symmetricEigenvalues().maxCoeff();
    }
};

// Steps in which the safe rule leaves springs explicit are stable, as the theorem says; all-explicit steps 1 % beyond
// its limit grow.
TEST(Imex, TheSafeRuleIsStableAndTheLimitSharp) {
    std::mt19937 rng(11);
    int mixed = 0;
    for (int set = 0; set < 40; ++set) {
        Chain chain(rng, 0.3);
        const double h = std::exp(std::uniform_real_distribution<double>(std::log(1e-3), std::log(2e-2))(rng));
        chain.integrator.aimexRule = AimexRule::Safe;
        chain.integrator.aimexThreshold = 1;  // the sum decides
        EXPECT_LE(chain.spectralRadius(IntegratorKind::AdaptiveImex, h), 1 + 1e-6) << set;
        mixed += chain.outcome.explicitSprings > 0 && chain.outcome.implicitSprings > 0;

        double low = 1e-6, high = 1;
        while (high / low > 1 + 1e-12)
            (chain.explicitEigenvalue(std::sqrt(low * high)) > 4 ? high : low) = std::sqrt(low * high);
        chain.allExplicit();
        EXPECT_LE(chain.spectralRadius(IntegratorKind::ImexEuler, 0.99 * low), 1 + 1e-6) << set;
        EXPECT_GT(chain.spectralRadius(IntegratorKind::ImexEuler, 1.01 * low), 1 + 1e-6) << set;
        EXPECT_EQ(chain.outcome.implicitSprings, 0);
    }
    EXPECT_GE(mixed, 10);
}

// Methods §5.6: Bridson's split is stable for the sum of h^2 k / m up to 2, whatever the damping.
TEST(Imex, DampingImplicitIsLimitedByStiffnessAlone) {
    std::mt19937 rng(12);
    Chain chain(rng);
    chain.material.stretchDamping = chain.material.shearDamping = chain.material.bendDamping = 50;
    for (SplitTerms* terms :
         {&chain.integrator.splitStretch, &chain.integrator.splitShear, &chain.integrator.splitBend})
        *terms = SplitTerms::DampingImplicit;
    chain.step(IntegratorKind::ImexEuler, 1e-6);
    const double h = chain.forces.explicitLimit(cloth::ForceModel::Terms::Explicit);
    EXPECT_LE(chain.spectralRadius(IntegratorKind::ImexEuler, 0.999 * h), 1 + 1e-6);
    EXPECT_NEAR(chain.forces.explicitStabilitySum(h, cloth::ForceModel::Terms::Explicit), 2, 1e-9);
    EXPECT_LT(chain.forces.explicitLimit(cloth::ForceModel::Terms::All), 0.1 * h);
    // With next to no damping the limit is that of symplectic Euler.
    chain.material.stretchDamping = chain.material.shearDamping = chain.material.bendDamping = 1e-6;
    EXPECT_LE(chain.spectralRadius(IntegratorKind::ImexEuler, 0.999 * h), 1 + 1e-6);
    EXPECT_GT(chain.spectralRadius(IntegratorKind::ImexEuler, 2 * h), 1 + 1e-6);
}

// As a check of the test, the same springs without damping grow.
TEST(Imex, AdaptiveSbdf2IsStableAndUndampedSbdf2IsNot) {
    std::mt19937 rng(13);
    int mixed = 0, growing = 0;
    for (int set = 0; set < 40; ++set) {
        Chain chain(rng);
        const double h = std::exp(std::uniform_real_distribution<double>(std::log(1e-3), std::log(1e-2))(rng));
        EXPECT_LE(chain.spectralRadius(IntegratorKind::AdaptiveSbdf2, h), 1 + 1e-6) << set;
        const Index explicitSprings = chain.outcome.explicitSprings;
        mixed += explicitSprings > 0 && chain.outcome.implicitSprings > 0;

        chain.material.stretchDamping = chain.material.shearDamping = chain.material.bendDamping = 0;
        chain.step(IntegratorKind::AdaptiveSbdf2, h);
        EXPECT_EQ(chain.outcome.explicitSprings, 0);
        chain.allExplicit();
        growing += chain.spectralRadius(IntegratorKind::Sbdf2, h) > 1 + 1e-6;
    }
    EXPECT_GE(mixed, 5);
    EXPECT_GE(growing, 36);
}

/// Boxerman's grid of parameters: the shares of sets in which stretch, shear or both are explicit, and in how many of
/// those the safe rule lets bend be explicit.
TEST(AdaptiveImex, BoxermansGridFallsIntoItsClasses) {
    if (testing::kSanitized) GTEST_SKIP() << "needs hundreds of passes";
    TestWorld world;
    world.material.bendModel = cloth::BendModel::ChoiKoPolynomial;
    world.material.bendLinearBranch = 50;
    world.grid(4, 4, 1.0);  // the rule uses no positions
    IntegratorSettings settings{.kind = IntegratorKind::AdaptiveImex, .aimexRule = AimexRule::Safe};
    double sets = 0, classes[4] = {}, bendExplicit[4] = {};
    for (const double spacing : {0.001, 0.01, 0.05, 0.1})
        for (const double density : {0.03, 0.1, 0.3, 1.0})
            for (const double stretch : {10., 100., 1000., 3000.})
                for (const double shear : {10., 100., 1000., 3000.})
                    for (const double bend : {0.001, 0.01, 0.1})
                        for (int damping = 0; damping < 25; ++damping)
                            for (const double h : {1e-4, 1e-3, 5e-3, 1e-2, 2e-2}) {
                                world.material.particleMass = density * spacing * spacing;
                                world.material.stretchStiffness = stretch;
                                world.material.shearStiffness = shear;
                                world.material.bendStiffness = bend;
                                constexpr double kDamping[] = {0, 0.01, 0.1, 1, 10};
                                world.material.stretchDamping = kDamping[damping % 5];
                                world.material.shearDamping = kDamping[damping / 5];
                                cloth::applyMaterials(world.model, {&world.material, 1});
                                world.forces.configure(world.model, std::vector{world.material}, chooseSplit(settings));
                                ExplicitSprings springs(settings);
                                const auto flags = springs.choose(world.model, world.forces, h);
                                bool every[3] = {true, true, true};
                                for (std::size_t e = 0; e < flags.size(); ++e)
                                    every[int(world.model.springs[e].family)] &= flags[e] != 0;
                                const int c = 2 * every[0] + every[1];
                                ++sets;
                                ++classes[c];
                                bendExplicit[c] += every[2];
                            }
    EXPECT_NEAR(classes[0] / sets, 0.8517, 2e-4);
    EXPECT_NEAR(classes[1] / sets, 0.0483, 2e-4);
    EXPECT_NEAR(classes[2] / sets, 0.0483, 2e-4);
    EXPECT_NEAR(classes[3] / sets, 0.0517, 2e-4);
    EXPECT_NEAR((bendExplicit[0] + bendExplicit[1] + bendExplicit[2] + bendExplicit[3]) / sets, 0.5833, 2e-4);
    EXPECT_NEAR(bendExplicit[0] / classes[0], 0.5108, 2e-4);
    EXPECT_EQ(sets, 96000);
    for (int c = 1; c < 4; ++c) EXPECT_EQ(bendExplicit[c], classes[c]) << c;
}

}  // namespace
}  // namespace clothlab::integrators
