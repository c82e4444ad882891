#include <gtest/gtest.h>

#include <algorithm>

#include "samples.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockVector;

MaterialSettings dampersOnly(DampingModel model) {
    MaterialSettings m = samples::evenMaterial();
    m.stretchStiffness = m.shearStiffness = m.bendStiffness = 0;
    m.dampingModel = model;
    m.dampGate = DampGate::Always;
    return m;
}

BlockVector rigidMotion(const BlockVector& x) {
    BlockVector v(x.size());
    for (Index i = 0; i < x.size(); ++i) v[i] = Vec3(0.3, -0.1, 0.2) + Vec3(1.1, -0.4, 0.7).cross(Vec3(x[i]));
    return v;
}

double largest(const BlockVector& f) { return f.flat().lpNorm<Eigen::Infinity>(); }

TEST(Forces, ProjectedDamperLeavesRigidMotionAlone) {
    const samples::Sample s = samples::crumpled(6, 7, Topology::ChoiKo16);
    ForceModel model;
    const BlockVector rigid = rigidMotion(s.x);
    const MaterialSettings projected = dampersOnly(DampingModel::Projected);
    model.configure(s.model, {&projected, 1}, {});
    EXPECT_LE(largest(samples::forcesOf(model, samples::still(), s.x, rigid)), 1e-12);
    const BlockVector f = samples::forcesOf(model, samples::still(), s.x, s.v);
    EXPECT_GT(largest(f), 0.01);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Index i = 0; i < f.size(); ++i) {
        force += f[i];
        torque += Vec3(s.x[i]).cross(Vec3(f[i]));
    }
    EXPECT_LE(force.norm(), 1e-13);
    EXPECT_LE(torque.norm(), 1e-13);
    EXPECT_LT(f.flat().dot(s.v.flat()), 0);  // it dissipates

    const MaterialSettings unprojected = dampersOnly(DampingModel::Unprojected);
    model.configure(s.model, {&unprojected, 1}, {});
    EXPECT_GT(largest(samples::forcesOf(model, samples::still(), s.x, rigid)), 0.01);
    BlockVector drift(s.x.size());
    for (Index i = 0; i < drift.size(); ++i) drift[i] = Vec3(1, 2, 3);
    EXPECT_LE(largest(samples::forcesOf(model, samples::still(), s.x, drift)), 1e-13);
}

TEST(Forces, VelocityJacobianAgainstDifferences) {  // A - M = -D for damping = 1, all else 0
    const samples::Sample s = samples::crumpled(4, 5, Topology::Provot12);
    for (const DampingModel damping : {DampingModel::Projected, DampingModel::Unprojected, DampingModel::Absolute}) {
        MaterialSettings m = dampersOnly(damping);
        ForceModel model;
        model.configure(s.model, {&m, 1}, {});
        Environment env = samples::still();
        env.wind.linearDrag = 0.05;
        WorkerPool pool(1);
        linalg::BlockMatrix A;
        BlockVector b, v = s.v;
        model.assemble(env, {s.x, s.v, s.v}, {1, 0, 0, 0}, {A, b}, pool);
        const testing::DenseMatrix dense(A);
        constexpr double step = 1e-4;  // the forces are linear in v
        for (Eigen::Index column = 0; column < dense.cols(); ++column) {
            double& entry = v.data()[column];
            const double kept = entry;
            entry = kept + step;
            const testing::DenseMatrix plus = samples::forcesOf(model, env, s.x, v);
            entry = kept - step;
            const testing::DenseMatrix minus = samples::forcesOf(model, env, s.x, v);
            entry = kept;
            testing::DenseMatrix expected = -(plus - minus) / (2 * step);
            expected[column] += s.model.mass[column / 3];
            EXPECT_LE((dense.column(column) - expected).norm(), 1e-6 * std::max(expected.norm(), 0.1));
        }
    }
}

TEST(Forces, SpringsConserveMomentum) {
    const samples::Sample s = samples::crumpled(9, 8, Topology::ChoiKo16, 0.6);
    for (const BendModel bend : {BendModel::ChoiKoPolynomial, BendModel::ChoiKoExact, BendModel::LinearCompression,
                                 BendModel::LinearTension, BendModel::Linear}) {
        MaterialSettings m = samples::evenMaterial();
        m.bendModel = bend;
        ForceModel model;
        model.configure(s.model, {&m, 1}, {});
        const BlockVector f = samples::forcesOf(model, samples::still(), s.x, s.v);
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        for (Index i = 0; i < f.size(); ++i) {
            force += f[i];
            torque += Vec3(s.x[i]).cross(Vec3(f[i]));
        }
        EXPECT_GT(largest(f), 0.1);
        EXPECT_LE(force.norm(), 1e-11);
        EXPECT_LE(torque.norm(), 1e-11);
    }
}

TEST(Forces, GravityPointForcesAndAnchors) {
    samples::Sample s = samples::crumpled(3, 3, Topology::Provot12, 0.0);
    MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    const PointForce points[] = {{4, {0, 0, -2}}, {4, {1, 0, 0}}};
    const AnchorSpring anchors[] = {{2, Vec3(s.x[2]) + Vec3(0.1, 0, 0), {0, 0.5, 0}, 30, 2}};
    Environment env;
    env.pointForces = points;
    env.anchors = anchors;
    const BlockVector zero(s.x.size());
    const BlockVector f = samples::forcesOf(model, env, s.x, zero);
    for (Index i = 0; i < f.size(); ++i) {
        Vec3 expected = s.model.mass[i] * env.gravity;
        if (i == 4) expected += Vec3(1, 0, -2);
        if (i == 2) expected += Vec3(3, 1, 0);
        EXPECT_NEAR((Vec3(f[i]) - expected).norm(), 0, 1e-12) << i;
    }
}

TEST(Forces, StabilitySumOfAnInteriorParticle) {
    const geometry::GridPatch grid{9, 9};
    MaterialSettings m = samples::evenMaterial();
    ClothModel cloth;
    appendGrid(cloth, grid, Topology::ChoiKo16, 0.1, samples::flat(grid, 0.1), m);
    constexpr double h = 0.003;
    const double mass = cloth.mass[0];
    const auto sum = [&](double ke) {
        return h / mass * (h * (4 * 50 + 4 * 30 + 8 * ke) + 2 * (4 * 0.3 + 4 * 0.2 + 8 * 0.1));
    };
    const auto expectSum = [&](BendModel bend, double gamma, double ke) {
        m.bendModel = bend;
        m.bendLinearBranch = gamma;
        ForceModel model;
        model.configure(cloth, {&m, 1}, {});
        EXPECT_NEAR(model.explicitStabilitySum(h), sum(ke), 1e-12 * sum(ke));
    };
    expectSum(BendModel::LinearCompression, 50, 20);
    expectSum(BendModel::ChoiKoPolynomial, 50, 20 * 50);
    expectSum(BendModel::ChoiKoPolynomial, 20, 20 * 23.116);
    expectSum(BendModel::ChoiKoExact, 25, 20 * 29.608813203268074);
}

TEST(Forces, StatesAndStrainsOfSprings) {
    samples::Sample s = samples::crumpled(5, 5, Topology::Provot12, 0.0);
    for (Index i = 0; i < s.x.size(); ++i) s.x[i].x() *= 1.1, s.x[i].z() *= 0.9;
    MaterialSettings m;
    ImplicitSplit split;
    split.elastic[int(SpringFamily::Shear)] = false;
    ForceModel model;
    model.configure(s.model, {&m, 1}, split);
    std::vector<std::uint8_t> states;
    std::vector<float> strains;
    model.springStates(s.x, s.v, states);
    model.springStrains(s.x, strains);
    for (std::size_t e = 0; e < states.size(); ++e) {
        const Spring& spring = s.model.springs[e];
        EXPECT_EQ((states[e] & kSpringImplicit) != 0, spring.family != SpringFamily::Shear);
        if (spring.family == SpringFamily::Shear) continue;
        const bool alongX = spring.j - spring.i < 5;
        EXPECT_NEAR(strains[e], alongX ? 0.1f : -0.1f, 1e-6f);
        const bool bend = spring.family == SpringFamily::Bend;
        EXPECT_EQ((states[e] & kSpringActive) != 0, bend != alongX);
    }
}

}  // namespace
}  // namespace clothlab::cloth
