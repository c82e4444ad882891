#include "cloth/membrane.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <random>

#include "samples.hpp"

namespace clothlab::cloth {
namespace {

using samples::crumpled;
using samples::evenMaterial;
using samples::Sample;
using Matrix32 = Eigen::Matrix<double, 3, 2>;

MaterialSettings shell(bool tensionOnly) {
    MaterialSettings m = evenMaterial();
    m.membrane = MembraneModel::Triangles;
    m.tensionOnly = tensionOnly;
    m.bendStiffness = 0;
    return m;
}

ForceModel modelOf(const Sample& s, const MaterialSettings& material) {
    ForceModel forces;
    forces.configure(s.model, std::vector{material}, {});
    return forces;
}

Membrane membraneOf(const Sample& s, const MaterialSettings& material, std::vector<std::uint8_t> broken = {}) {
    Membrane membrane;
    membrane.configure(s.model, std::vector{material}, broken);
    return membrane;
}

TEST(PrincipalStretches, AreTheSingularValuesAndVectors) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-2, 2);
    for (int n = 0; n < 200; ++n) {
        Matrix32 F;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 2; ++c) F(r, c) = number(random);
        if (n % 4 == 1) F.col(1) = 1e-7 * F.col(1) + 0.5 * F.col(0);
        if (n % 4 == 2) F.col(0) = F.col(0).squaredNorm() > 0 ? Vec3(F.col(0).cross(F.col(1))) : Vec3(1, 0, 0);
        const PrincipalStretches p = principalStretches(F.col(0), F.col(1));
        const Eigen::JacobiSVD<Eigen::MatrixXd> svd(F);
        for (int m = 0; m < 2; ++m) EXPECT_NEAR(p.s[m], svd.singularValues()[m], 1e-14 * svd.singularValues()[0]);
        const Matrix32 back = p.s[0] * p.u[0] * p.v[0].transpose() + p.s[1] * p.u[1] * p.v[1].transpose();
        EXPECT_LT((back - F).norm(), 1e-13 * F.norm()) << F;
        Mat3 frame;
        frame << p.u[0], p.u[1], p.normal;
        EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-8) << F;
    }
    const PrincipalStretches line = principalStretches({0, 3, 0}, {0, 4, 0});
    EXPECT_NEAR(line.s[0], 5, 1e-14);
    EXPECT_EQ(line.s[1], 0);
    EXPECT_EQ(line.u[1], Vec3::Zero());
    EXPECT_EQ(principalStretches(Vec3::Zero(), Vec3::Zero()).s[0], 0);
}

TEST(Membrane, AStripResistsAsItsStretchSpringsWould) {
    const Sample s = crumpled(5, 9, Topology::Provot12, 0);
    const MaterialSettings material = shell(false);
    const Membrane membrane = membraneOf(s, material);
    ASSERT_EQ(membrane.triangles().size(), 2 * s.model.triangles.size()) << "both diagonals";
    WorkerPool pool(1);
    EXPECT_NEAR(membrane.energy(s.model.rest, pool), 0, 1e-20);
    // Stretched along the columns by 2 %: k A eps^2 / 2, and k w eps across each line of particles.
    linalg::BlockVector x = s.model.rest, f(s.model.particles());
    const Vec3 along = (s.model.rest[1] - s.model.rest[0]).normalized();
    const double eps = 0.02, area = s.model.patches[0].area;
    for (Index i = 0; i < x.size(); ++i) x[i] += eps * along.dot(x[i] - x[0]) * along;
    EXPECT_NEAR(membrane.energy(x, pool), material.stretchStiffness * area * eps * eps / 2, 1e-12);
    f.setZero();
    membrane.addForces(x, 1, f, pool);
    const double width = (s.model.rest[4 * 9] - s.model.rest[0]).norm();
    double pull = 0;
    for (Index r = 0; r < 5; ++r) pull += f[9 * r].dot(along);
    EXPECT_NEAR(pull, material.stretchStiffness * width * eps, 1e-9);
    // Compressed: no energy if the membrane is for tension only.
    for (Index i = 0; i < x.size(); ++i) x[i] = s.model.rest[i] - eps * along.dot(s.model.rest[i]) * along;
    EXPECT_NEAR(membraneOf(s, shell(true)).energy(x, pool), 0, 1e-15);
    EXPECT_GT(membrane.energy(x, pool), 0.9 * material.stretchStiffness * area * eps * eps / 2);
}

linalg::BlockVector forceAt(const Membrane& membrane, const linalg::BlockVector& x) {
    WorkerPool pool(1);
    linalg::BlockVector f(x.size());
    f.setZero();
    membrane.addForces(x, 1, f, pool);
    return f;
}

/// Both parts of the Hessian, dense.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> hessiansAt(const Membrane& membrane, const Sample& s) {
    WorkerPool pool(1);
    linalg::BlockMatrix positive, negative;
    positive.reset(springPattern(s.model));
    negative.reset(springPattern(s.model));
    membrane.addHessian(s.x, 1, Membrane::Part::Positive, positive, pool);
    membrane.addHessian(s.x, 1, Membrane::Part::Negative, negative, pool);
    return {linalg::toDense(positive), linalg::toDense(negative)};
}

TEST(Membrane, OneDiagonalBearsWhatBothDo) {
    const Sample both = crumpled(5, 9, Topology::ChoiKo16, 0), one = crumpled(5, 9, Topology::Liu, 0);
    linalg::BlockVector x = both.model.rest;
    for (Index i = 0; i < x.size(); ++i) x[i] += Vec3(0.1 * x[i].x() + 0.05 * x[i].z(), 0, -0.2 * x[i].z());
    WorkerPool pool(1);
    const double energy = membraneOf(both, shell(false)).energy(x, pool);
    EXPECT_NEAR(membraneOf(one, shell(false)).energy(x, pool), energy, 1e-12 * energy);
    EXPECT_EQ(membraneOf(one, shell(false)).triangles().size(), one.model.triangles.size());
}

class MembraneLaw : public ::testing::TestWithParam<std::tuple<bool, Topology>> {
protected:
    bool tensionOnly() const { return std::get<0>(GetParam()); }
    Topology topology() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(All, MembraneLaw,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(Topology::Provot12, Topology::ChoiKo16, Topology::Liu)));

TEST_P(MembraneLaw, ForceIsTheSlopeOfTheEnergyAndTheHessianThatOfTheForce) {
    const Sample s = crumpled(4, 5, topology(), 0.2);
    const Membrane membrane = membraneOf(s, shell(tensionOnly()));
    WorkerPool pool(1);
    const linalg::BlockVector f = forceAt(membrane, s.x);
    const auto [positive, negative] = hessiansAt(membrane, s);
    const Eigen::MatrixXd H = positive + negative;
    EXPECT_EQ((positive - positive.transpose()).norm(), 0) << "to the last bit";
    const double eps = 1e-6, scale = H.norm();
    for (int k = 0; k < 3 * s.model.particles(); ++k) {
        linalg::BlockVector up = s.x, down = s.x;
        up.flat()[k] += eps;
        down.flat()[k] -= eps;
        const double slope = (membrane.energy(up, pool) - membrane.energy(down, pool)) / (2 * eps);
        EXPECT_NEAR(-slope, f.flat()[k], 1e-6 * f.flat().norm());
        const Eigen::VectorXd column = (forceAt(membrane, down).flat() - forceAt(membrane, up).flat()) / (2 * eps);
        EXPECT_LT((column - H.col(k)).norm(), 1e-6 * scale) << k;
    }
}

TEST_P(MembraneLaw, PartsHaveTheirSignAndTheGlobalMatrixBoundsThem) {
    const Sample s = crumpled(4, 5, topology(), 0.3);
    const Membrane membrane = membraneOf(s, shell(tensionOnly()));
    const auto [positive, negative] = hessiansAt(membrane, s);
    const auto least = [](const Eigen::MatrixXd& A) {
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues()[0];
    };
    const double scale = positive.norm();
    EXPECT_GE(least(positive), -1e-12 * scale);
    EXPECT_GE(least(-negative), -1e-12 * scale);
    EXPECT_EQ(negative.norm() > 1e-3 * scale, !tensionOnly()) << "for tension only it is convex";
    Eigen::MatrixXd bound = Eigen::MatrixXd::Zero(positive.rows(), positive.cols());
    for (const Membrane::Triangle& t : membrane.triangles())
        for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d)
                bound.block<3, 3>(Eigen::Index{3} * t.corners[c], Eigen::Index{3} * t.corners[d]) +=
                    t.measure * t.gradient[c].dot(t.gradient[d]) * Mat3::Identity();
    EXPECT_GE(least(bound - positive), -1e-12 * scale);
    std::vector<double> sums(s.model.mass.size(), 0.0);
    membrane.addStiffness(sums);
    const double largest = -least(-bound);
    EXPECT_LE(largest, 2 * *std::ranges::max_element(sums) * (1 + 1e-12));
}

TEST_P(MembraneLaw, WhatAParticleSeesAloneIsItsShareOfTheWhole) {
    const Sample s = crumpled(4, 5, topology(), 0.2);
    const Membrane membrane = membraneOf(s, shell(tensionOnly()));
    WorkerPool pool(1);
    const linalg::BlockVector f = forceAt(membrane, s.x);
    const auto [positive, negative] = hessiansAt(membrane, s);
    const double whole = membrane.energy(s.x, pool);
    for (Index i = 0; i < s.model.particles(); ++i) {
        Vec3 force = Vec3::Zero();
        Mat3 H = Mat3::Zero();
        membrane.addLocal(s.x, i, force, H);
        EXPECT_LT((force - f[i]).norm(), 1e-12 * f.flat().norm());
        EXPECT_LT((H - positive.block<3, 3>(Eigen::Index{3} * i, Eigen::Index{3} * i)).norm(), 1e-12 * positive.norm());
        linalg::BlockVector moved = s.x;
        moved[i] += Vec3(0.01, -0.02, 0.015);
        EXPECT_NEAR(membrane.energyAt(s.x, i, moved[i]) - membrane.energyAt(s.x, i, s.x[i]),
                    membrane.energy(moved, pool) - whole, 1e-12 * whole);
    }
    linalg::BlockVector d = s.x, product(s.x.size());
    for (Index i = 0; i < d.size(); ++i) d[i] = Vec3(0.3 * i, 1, -0.1 * i * i);
    EXPECT_NEAR(membrane.curvature(s.x, d, pool), d.flat().dot(positive * d.flat()),
                1e-12 * positive.norm() * d.flat().squaredNorm());
    product.setZero();
    membrane.subtractProduct(s.x, d, 2, Membrane::Part::Positive, product, pool);
    EXPECT_LT((product.flat() + 2 * (positive * d.flat())).norm(), 1e-12 * positive.norm() * d.flat().norm());
}

TEST(Membrane, TakesThePlaceOfTheSpringsInForcesMatrixAndEnergy) {
    const Sample s = crumpled(6, 7, Topology::ChoiKo16, 0.2);
    MaterialSettings material = shell(true);
    material.bendStiffness = 3;
    MaterialSettings bendAlone = material;
    bendAlone.membrane = MembraneModel::Springs;
    bendAlone.stretchStiffness = bendAlone.shearStiffness = 0;
    const Environment quiet;
    WorkerPool pool(1);
    ForceModel with = modelOf(s, material), without = modelOf(s, bendAlone);
    const Membrane membrane = membraneOf(s, material);
    const linalg::BlockVector v(s.x.size());
    linalg::BlockVector f, expected;
    with.forces(quiet, s.x, v, f, pool);
    without.forces(quiet, s.x, v, expected, pool);
    membrane.addForces(s.x, 1, expected, pool);
    EXPECT_EQ((f.flat() - expected.flat()).norm(), 0);
    EXPECT_NEAR(with.energies(quiet, s.x, v, pool).stretch, membrane.energy(s.x, pool), 1e-15);
    EXPECT_EQ(with.energies(quiet, s.x, v, pool).shear, 0);

    linalg::BlockMatrix A, B;
    linalg::BlockVector a, b;
    for (int n = 0; n < 2; ++n) {  // the second time into used matrices
        with.assemble(quiet, {s.x, v, s.x}, {.stiffness = 0.3, .force = 0.5, .stiffnessVector = 0.7}, {A, a}, pool);
        without.assemble(quiet, {s.x, v, s.x}, {.stiffness = 0.3, .force = 0.5, .stiffnessVector = 0.7}, {B, b}, pool);
        membrane.addHessian(s.x, 0.3, Membrane::Part::Positive, B, pool);
        membrane.addForces(s.x, 0.5, b, pool);
        membrane.subtractProduct(s.x, s.x, 0.7, Membrane::Part::Positive, b, pool);
        EXPECT_LT((linalg::toDense(A) - linalg::toDense(B)).norm(), 1e-13 * linalg::toDense(A).norm());
        EXPECT_LT((a.flat() - b.flat()).norm(), 1e-13 * a.flat().norm());
    }
    EXPECT_FALSE(A.symmetricBlocks());
}

TEST(Membrane, ExplicitStretchKeepsItOutOfTheMatrix) {
    const Sample s = crumpled(6, 7, Topology::Liu, 0.2);
    const MaterialSettings material = shell(true);
    WorkerPool pool(1);
    ForceModel forces;
    ImplicitSplit split;
    split.elastic[0] = split.elastic[1] = false;
    forces.configure(s.model, std::vector{material}, split);
    linalg::BlockMatrix A;
    linalg::BlockVector b, phi, expected(s.x.size());
    forces.assemble({}, {s.x, linalg::BlockVector(s.x.size()), s.x}, {.stiffness = 0.3, .stiffnessVector = 1}, {A, b},
                    pool);
    EXPECT_EQ((linalg::toDense(A) - Eigen::MatrixXd(linalg::toDense(A).diagonal().asDiagonal())).norm(), 0);
    EXPECT_EQ(b.flat().norm(), 0);
    expected.setZero();
    forces.membrane().addForces(s.x, 1, expected, pool);
    forces.explicitForces({}, s.x, linalg::BlockVector(s.x.size()), phi, pool);
    EXPECT_EQ((phi.flat() - expected.flat()).norm(), 0);
    EXPECT_LT(forces.explicitLimit(ForceModel::Terms::Explicit), INFINITY);
}

TEST(Membrane, ATornTriangleBearsNothing) {
    const Sample s = crumpled(6, 7, Topology::Provot12, 0.2);
    std::vector<std::uint8_t> broken(s.model.springs.size(), 0);
    broken[0] = 1;  // between particles 0 and 1: an edge at the border
    EXPECT_EQ(membraneOf(s, shell(true), broken).triangles().size(), s.model.facets.size() - 2);
    std::ranges::fill(broken, 1);
    EXPECT_TRUE(membraneOf(s, shell(true), broken).empty());
}

// The blocks stay in the pattern while the whole membrane is torn, because mending needs them again.
TEST(Membrane, MendedItFindsItsBlocks) {
    const Sample s = crumpled(6, 7, Topology::Provot12, 0.2);
    MaterialSettings material = shell(true);
    ImplicitSplit split;
    split.elastic[1] = split.damping[0] = split.damping[1] = false;
    WorkerPool pool(1);
    ForceModel forces, never;
    forces.configure(s.model, std::vector{material}, split);
    forces.setBroken(std::vector<std::uint8_t>(s.model.springs.size(), 1));
    material.density *= 2;
    for (ForceModel* each : {&forces, &never}) each->configure(s.model, std::vector{material}, split);
    forces.setBroken({});
    linalg::BlockMatrix A, B;
    linalg::BlockVector a, b;
    const linalg::BlockVector v(s.x.size());
    forces.assemble({}, {s.x, v, v}, {.stiffness = 1, .force = 1}, {A, a}, pool);
    never.assemble({}, {s.x, v, v}, {.stiffness = 1, .force = 1}, {B, b}, pool);
    EXPECT_EQ((linalg::toDense(A) - linalg::toDense(B)).norm(), 0);
    EXPECT_TRUE(a.flat() == b.flat());
}

TEST(Membrane, SameBitsAtAnyNumberOfThreads) {
    const Sample s = crumpled(40, 50, Topology::Provot12, 0.2);
    ForceModel one = modelOf(s, shell(true)), four = modelOf(s, shell(true));
    WorkerPool alone(1), many(4, 1);
    linalg::BlockMatrix A, B;
    linalg::BlockVector a, b;
    one.assemble({}, {s.x, linalg::BlockVector(s.x.size()), s.x}, {.stiffness = 1, .force = 1, .stiffnessVector = 1},
                 {A, a}, alone);
    four.assemble({}, {s.x, linalg::BlockVector(s.x.size()), s.x}, {.stiffness = 1, .force = 1, .stiffnessVector = 1},
                  {B, b}, many);
    EXPECT_TRUE(a.flat() == b.flat());
    for (Index k = 0; k < A.pattern().blocks(); ++k) ASSERT_TRUE(A.block(k) == B.block(k)) << k;
    EXPECT_EQ(one.energies({}, s.x, linalg::BlockVector(s.x.size()), alone).stretch,
              four.energies({}, s.x, linalg::BlockVector(s.x.size()), many).stretch);
}

}  // namespace
}  // namespace clothlab::cloth
