#include <gtest/gtest.h>

#include "samples.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockVector;

struct Case {
    BendModel bend;
    double gamma;
    bool tensionOnly;
};

class EnergyGradient : public ::testing::TestWithParam<Case> {};

/// Plots and overlays show the same strain: the largest of the springs of a family.
TEST(EnergyStrain, IsTheLargestOfTheSpringsOfEachFamily) {
    const samples::Sample s = samples::crumpled(5, 6, Topology::ChoiKo16, 0.5, 11);
    const MaterialSettings m = samples::evenMaterial();
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    WorkerPool pool(1);
    const ForceModel::Energies e = model.energies({}, s.x, s.v, pool);
    std::vector<float> strains;
    model.springStrains(s.x, strains);
    double largest[kFamilies] = {};
    for (std::size_t k = 0; k < strains.size(); ++k) {
        double& most = largest[int(s.model.springs[k].family)];
        most = std::max(most, double(strains[k]));
    }
    EXPECT_NEAR(e.maxStrain, largest[0], 1e-6 * largest[0]);
    EXPECT_NEAR(e.maxShearStrain, largest[1], 1e-6 * largest[1]);
    EXPECT_GT(std::abs(e.maxStrain - e.maxShearStrain), 1e-3);
}

/// -dE/dx = f for all families and gravity together; each family contributes.
TEST_P(EnergyGradient, IsMinusTheForce) {
    const samples::Sample s = samples::crumpled(5, 6, Topology::ChoiKo16, 0.5, 11);
    MaterialSettings m = samples::evenMaterial();
    m.stretchDamping = m.shearDamping = m.bendDamping = 0;
    m.bendModel = GetParam().bend;
    m.bendLinearBranch = GetParam().gamma;
    m.tensionOnly = GetParam().tensionOnly;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    Environment env;
    env.gravity = Vec3(1, -9.81, 2);
    WorkerPool pool(1);
    const BlockVector f = samples::forcesOf(model, env, s.x, s.v);
    const ForceModel::Energies e = model.energies(env, s.x, s.v, pool);
    EXPECT_GT(e.stretch, 1e-3);
    EXPECT_GT(e.shear, 1e-3);
    EXPECT_GT(e.bend, 1e-3);

    BlockVector x = s.x;
    constexpr double step = 1e-7;
    for (Index k = 0; k < 3 * x.size(); ++k) {
        const double kept = x.data()[k];
        const auto potential = [&](double at) {
            x.data()[k] = at;
            const ForceModel::Energies p = model.energies(env, x, s.v, pool);
            return p.gravity + p.elastic();
        };
        const double slope = (potential(kept + step) - potential(kept - step)) / (2 * step);
        x.data()[k] = kept;
        EXPECT_NEAR(f.data()[k], -slope, 1e-6 * std::max(1.0, std::abs(slope))) << k;
    }
}

INSTANTIATE_TEST_SUITE_P(
    AllModels, EnergyGradient,
    ::testing::Values(Case{BendModel::ChoiKoPolynomial, 50, true}, Case{BendModel::ChoiKoPolynomial, 20, false},
                      Case{BendModel::ChoiKoPolynomial, 8.4, true}, Case{BendModel::ChoiKoPolynomial, 3, true},
                      Case{BendModel::ChoiKoExact, 50, true}, Case{BendModel::ChoiKoExact, 8.4, true},
                      Case{BendModel::LinearCompression, 50, true}, Case{BendModel::LinearTension, 50, true},
                      Case{BendModel::Linear, 50, false}));

TEST(Energies, KineticGravityAndStrain) {
    samples::Sample s = samples::crumpled(4, 4, Topology::Provot12, 0.0);
    MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    Environment env;
    WorkerPool pool(1);
    double kinetic = 0, mass = 0;
    for (Index i = 0; i < s.x.size(); ++i) {
        kinetic += 0.5 * s.model.mass[i] * s.v[i].squaredNorm();
        mass += s.model.mass[i];
        s.x[i].y() = 2;
    }
    ForceModel::Energies e = model.energies(env, s.x, s.v, pool);
    EXPECT_NEAR(e.kinetic, kinetic, 1e-14);
    EXPECT_NEAR(e.gravity, mass * 9.81 * 2, 1e-12);
    EXPECT_LE(e.maxStrain, 1e-15);
    EXPECT_NEAR(e.total(), kinetic + e.gravity, 1e-12);
    for (Index i = 0; i < s.x.size(); ++i) s.x[i].x() *= 1.25, s.x[i].z() *= 0.5;
    e = model.energies(env, s.x, s.v, pool);
    EXPECT_NEAR(e.maxStrain, 0.25, 1e-12);
    EXPECT_NEAR(e.stretch, 12 * 0.5 * m.stretchStiffness * 0.025 * 0.025, 1e-12);
    for (Index i = 0; i < s.x.size(); ++i) s.x[i] *= 0.5;
    EXPECT_EQ(model.energies(env, s.x, s.v, pool).maxStrain, 0);
}

}  // namespace
}  // namespace clothlab::cloth
