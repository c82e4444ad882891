#include <gtest/gtest.h>

#include "linalg/constrained_matrix.hpp"
#include "linalg/free_basis.hpp"
#include "support/random_systems.hpp"

namespace clothlab::linalg {
namespace {

double distanceToOrthonormal(const Mat3& U, const Vec3& p) {
    const double columns =
        (U.leftCols<2>().transpose() * U.leftCols<2>() - Eigen::Matrix2d::Identity()).cwiseAbs().maxCoeff();
    return std::max(columns, (U * U.transpose() - (Mat3::Identity() - p * p.transpose())).cwiseAbs().maxCoeff());
}

// U^T U = I and U U^T = I - p p^T to 1e-14.
TEST(FreeBasis, IsOrthonormalForAnyNormal) {
    std::mt19937 rng(2);
    std::vector<Vec3> normals{Vec3::UnitX(), -Vec3::UnitX(), Vec3(0.6, 0.8, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    for (const double e : {1e-4, 1e-8, 1e-12, 1e-160})
        for (const double sign : {1.0, -1.0}) normals.push_back(Vec3(sign, 0.6 * e, 0.8 * e).normalized());
    for (int k = 0; k < 2000; ++k) normals.push_back(testing::randomVec3(rng).normalized());
    for (const Vec3& p : normals) {
        for (const Basis basis : {Basis::Robust, Basis::Random}) {
            const DofConstraint c{.particle = 17, .ndof = 2, .p = p};
            const Mat3 U = freeBasis(c, basis);
            EXPECT_LT(distanceToOrthonormal(U, p), 1e-14) << p;
            EXPECT_TRUE(U.col(2).isZero(0.0));
            EXPECT_EQ(basisProblem(c, U), "");
        }
    }
}

// [Y] (13): away from the x axis, the columns of the robust form up to their sign. At -x it divides by zero, and near
// -x it loses digits (E-18).
TEST(FreeBasis, AsPrintedFailsNextToTheAxis) {
    std::mt19937 rng(3);
    for (int k = 0; k < 500; ++k) {
        Vec3 p = testing::randomVec3(rng).normalized();
        if (k % 5 == 0) p = Vec3(p[0], p[1], 0).normalized();  // the branch of p3 = 0
        const DofConstraint c{.particle = 0, .ndof = 2, .p = p};
        const Mat3 U = freeBasis(c, Basis::Printed), ours = freeBasis(c);
        for (int column = 0; column < 2; ++column)
            EXPECT_LT(std::min((U.col(column) - ours.col(column)).norm(), (U.col(column) + ours.col(column)).norm()),
                      1e-11)
                << p;
        EXPECT_EQ(basisProblem(c, U), "");
    }
    const auto problem = [](const Vec3& p) {
        const DofConstraint c{.particle = 5, .ndof = 2, .p = p};
        return basisProblem(c, freeBasis(c, Basis::Printed));
    };
    EXPECT_EQ(problem(Vec3::UnitX()), "");
    EXPECT_NE(problem(-Vec3::UnitX()).find("particle 5"), std::string::npos);
    for (const double e : {1e-6, 1e-7, 1e-8}) {
        const Vec3 p = Vec3(-1, 0.6 * e, 0.8 * e).normalized();
        EXPECT_NE(problem(p), "") << e;
        if (e < 1e-7) continue;  // not a number
        EXPECT_GT(distanceToOrthonormal(freeBasis({.particle = 0, .ndof = 2, .p = p}, Basis::Printed), p),
                  e < 5e-7 ? 1e-3 : 1e-5)
            << e;
    }
    EXPECT_EQ(problem(Vec3(-1, 6e-4, 8e-4).normalized()), "");
}

TEST(DofConstraints, ProjectAndPrescribe) {
    DofConstraints constraints(4);
    constraints.set({.particle = 2, .ndof = 1, .p = Vec3(2, 0, 0), .q = Vec3(1, 3, 0), .z = Vec3(1, 2, 5)});
    constraints.set({.particle = 0, .ndof = 0, .z = Vec3(1, 2, 3)});
    constraints.set({.particle = 3, .ndof = 2, .p = Vec3(0, 0, -4), .z = Vec3(7, 8, 9)});
    constraints.sort();
    Index counts[4];
    constraints.counts(counts);
    EXPECT_EQ(counts[0], 1);
    EXPECT_EQ(counts[1], 1);
    EXPECT_EQ(counts[2], 1);
    EXPECT_EQ(counts[3], 1);
    EXPECT_EQ(constraints.constrained()[1].particle, 2);

    BlockVector x(4);
    x.flat().setOnes();
    constraints.filterAndPrescribe(x);
    EXPECT_EQ(x[0], Vec3(1, 2, 3));
    EXPECT_EQ(x[1], Vec3(1, 1, 1));
    EXPECT_LT((x[2] - Vec3(1, 2, 1)).norm(), 1e-15);  // free along z only; z is projected
    EXPECT_LT((x[3] - Vec3(1, 1, 9)).norm(), 1e-15);
}

TEST(ConstrainedDiagonal, IsSymmetricAndKeepsFreeBlocks) {
    const auto system = testing::randomSystem(30, 4);
    BlockMatrix out;
    WorkerPool pool(1);
    constrainedDiagonal(system.A, system.constraints, out, pool);
    for (const auto& c : system.constraints.constrained()) {
        const Mat3 block = out.diagonal(c.particle), S = c.S();
        EXPECT_LT((block - block.transpose()).norm(), 1e-14);
        EXPECT_LT((S * block - S * system.A.diagonal(c.particle) * S).norm(), 1e-12);
    }
    for (Index i = 0; i < 30; ++i)
        if (system.constraints.ndof(i) == 3) {
            EXPECT_TRUE(out.diagonal(i) == system.A.diagonal(i));
        }
}

}  // namespace
}  // namespace clothlab::linalg
