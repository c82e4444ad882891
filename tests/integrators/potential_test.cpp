#include "integrators/descent/potential.hpp"

#include "base/splitmix.hpp"
#include "cloth/springs.hpp"
#include "support/dense_matrix.hpp"
#include "test_world.hpp"

namespace clothlab::testing {
namespace {

using integrators::Potential;
using linalg::BlockVector;
using Curvature = Potential::Curvature;
using enum cloth::BendModel;

/// A small sheet that is stretched in places and pressed together in others, with everything that has a potential.
struct Crumpled : TestWorld {
    std::vector<cloth::AnchorSpring> anchors;
    std::vector<cloth::PointForce> points;

    explicit Crumpled(cloth::BendModel bend, bool tensionOnly) {
        material.stretchStiffness = 50;
        material.shearStiffness = 20;
        material.bendStiffness = 3;
        material.bendModel = bend;
        material.bendLinearBranch = 8.5;  // both branches of the law
        material.tensionOnly = tensionOnly;
        grid(5, 4, 0.25, cloth::Topology::ChoiKo16);
        for (Index k = 0; k < 3 * state.x.size(); ++k)
            state.x.data()[k] += 0.16 * (splitmixUnit(std::uint64_t(k)) - 0.5);
        anchors = {{3, Vec3(1, 2, 3), Vec3::Zero(), 40, 5}};
        points = {{7, Vec3(2, -1, 4)}};
        environment.gravity = Vec3(1, -9.81, 2);
        environment.anchors = anchors;
        environment.pointForces = points;
        environment.wind.dragCoefficient = 1;  // left out of the potential
        environment.wind.velocity = Vec3(5, 0, 0);
        forces.configure(model, {&material, 1}, {});
    }
    Potential potential() const { return {model, forces, environment}; }
};

class Laws : public ::testing::TestWithParam<std::pair<cloth::BendModel, bool>> {};

TEST_P(Laws, GradientIsTheSlopeOfTheValue) {
    Crumpled w(GetParam().first, GetParam().second);
    Potential g = w.potential();
    BlockVector gradient, x = w.state.x;
    g.gradient(x, gradient, w.pool);
    constexpr double step = 1e-6;
    for (Index k = 0; k < 3 * x.size(); ++k) {
        const double kept = x.data()[k];
        x.data()[k] = kept + step;
        const double above = g.value(x, w.pool);
        x.data()[k] = kept - step;
        const double below = g.value(x, w.pool);
        x.data()[k] = kept;
        EXPECT_NEAR((above - below) / (2 * step), gradient.data()[k], 1e-6 * gradient.flat().norm()) << k;
    }
}

TEST_P(Laws, HessianIsTheSlopeOfTheGradient) {
    Crumpled w(GetParam().first, GetParam().second);
    Potential g = w.potential();
    linalg::BlockMatrix H;
    g.hessian(w.state.x, Curvature::Exact, H);
    const DenseMatrix dense(H);
    BlockVector above, below, x = w.state.x;
    constexpr double step = 1e-7;
    double largest = 0, error = 0;
    for (Index k = 0; k < 3 * x.size(); ++k) {
        const double kept = x.data()[k];
        x.data()[k] = kept + step;
        g.gradient(x, above, w.pool);
        x.data()[k] = kept - step;
        g.gradient(x, below, w.pool);
        x.data()[k] = kept;
        for (Index i = 0; i < 3 * x.size(); ++i) {
            const double slope = (above.data()[i] - below.data()[i]) / (2 * step);
            largest = std::max(largest, std::abs(slope));
            error = std::max(error, std::abs(slope - dense(i, k)));
        }
    }
    EXPECT_LT(error, 1e-6 * largest);
}

TEST_P(Laws, TheDefinitePartHasNoNegativeEigenvalueAndTheExactOneHas) {
    Crumpled w(GetParam().first, GetParam().second);
    Potential g = w.potential();
    linalg::BlockMatrix exact, definite;
    g.hessian(w.state.x, Curvature::Exact, exact);
    g.hessian(w.state.x, Curvature::Definite, definite);
    const auto lowest = [](const linalg::BlockMatrix& H) { return DenseMatrix(H).symmetricEigenvalues()(0, 0); };
    // Springs that are only stretched have no such part.
    if (GetParam().first == LinearTension)
        EXPECT_EQ(lowest(exact), lowest(definite));
    else
        EXPECT_LT(lowest(exact), lowest(definite) - 0.1);
    EXPECT_GT(lowest(definite), -1e-10);
}

INSTANTIATE_TEST_SUITE_P(All, Laws,
                         ::testing::Values(std::pair{ChoiKoPolynomial, true}, std::pair{ChoiKoExact, true},
                                           std::pair{LinearCompression, true}, std::pair{LinearTension, true},
                                           std::pair{Linear, false}));

TEST(Potential, SaysWhyThereIsNone) {
    cloth::MaterialSettings calm, damped;
    calm.stretchDamping = calm.shearDamping = calm.bendDamping = 0;
    damped = calm;
    damped.bendDamping = 0.1;
    const contact::ContactSettings rough;
    contact::ContactSettings smooth, repelling;
    smooth.muS = smooth.muK = 0;
    repelling.selfCollision = contact::SelfCollision::Repulsion;
    cloth::WindSettings air;
    air.dragCoefficient = 0.3;
    const std::vector all{calm, calm}, one{calm, damped};
    using integrators::whyNoPotential;
    EXPECT_EQ(whyNoPotential(all, {}, rough, false), "");
    EXPECT_EQ(whyNoPotential(all, {}, smooth, true), "");
    EXPECT_NE(whyNoPotential(one, {}, rough, false).find("damping"), std::string::npos);
    EXPECT_NE(whyNoPotential(all, air, rough, false).find("drag"), std::string::npos);
    EXPECT_NE(whyNoPotential(all, {}, rough, true).find("friction"), std::string::npos);
    EXPECT_NE(whyNoPotential(all, {}, repelling, false).find("repulsion"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::testing
