#include "linalg/reduced_system.hpp"

#include <gtest/gtest.h>

#include "linalg/constrained_matrix.hpp"
#include "support/random_systems.hpp"

namespace clothlab::linalg {
namespace {

using testing::DenseMatrix;

/// Dense U without padding, from the closed form.
DenseMatrix denseU(const testing::RandomSystem& s) {
    Index ndof[4], next = 0, column = 0;
    s.constraints.counts(ndof);
    DenseMatrix U = DenseMatrix::zero(3 * Eigen::Index(s.A.rows()), ndof[1] + 2 * ndof[2] + 3 * ndof[3]);
    const auto append = [&](Index particle, const Mat3& basis, int columns) {
        for (int c = 0; c < columns; ++c, ++column)
            for (int k = 0; k < 3; ++k) U(3 * particle + k, column) = basis(k, c);
    };
    const auto list = s.constraints.constrained();
    for (Index i = 0; i < s.A.rows(); ++i) {
        if (next < Index(list.size()) && list[next].particle == i) {
            append(i, freeBasis(list[next]), list[next].ndof);
            ++next;
        } else {
            append(i, Mat3::Identity(), 3);
        }
    }
    return U;
}

TEST(ReducedSystem, EqualsTheDenseReduction) {
    for (const bool asymmetric : {false, true}) {
        const auto system = testing::randomSystem(60, 11, 0.6, asymmetric);
        WorkerPool pool(1);
        ReducedSystem reduced;
        reduced.build(system.view(), pool);
        const DenseMatrix U = denseU(system), A(system.A), dense(reduced.matrix());
        const DenseMatrix expected = U.transpose() * A * U;
        // Padding adds eigenvalues s, so the solution is compared.
        const DenseMatrix y = dense.solveSymmetric(reduced.rhs());
        BlockVector dv;
        reduced.expand(y.blocks(), dv);
        const DenseMatrix z = system.denseZ();
        const DenseMatrix direct = U * expected.solveSymmetric(U.transpose() * (system.b - A * z)) + z;
        EXPECT_LT((dv - direct).norm(), 1e-11 * direct.norm());
        EXPECT_LT((dv - system.denseSolution()).norm(), 1e-11 * direct.norm());
        EXPECT_LT((dense - dense.transpose()).norm(), 1e-13 * dense.norm());
    }
}

/// Every number of a matrix, including unoccupied blocks.
std::vector<double> allOf(const BlockMatrix& A) { return {A.blockData(0), A.blockData(A.pattern().blocks())}; }

// Kept matrices copy only blocks that are or were occupied: nothing of an earlier step may remain.
TEST(ReducedSystem, KeptMatricesAreThoseOfAFreshStart) {
    WorkerPool pool(2, 1);
    ReducedSystem kept;
    BlockMatrix keptConstrained;
    ConstrainedView keptView;
    auto system = testing::randomSystem(60, 19, 0.0);
    const BlockMatrix full = system.A;
    for (unsigned step = 1; step <= 8; ++step) {
        system.A = full;
        for (Index i = 0; i < full.rows(); ++i)
            for (Index k = full.pattern().rowStart[i]; k < full.pattern().rowStart[i + 1]; ++k)
                if (const Index j = full.pattern().column[k]; j != i && (i + j) % Index(step + 1) == 0)
                    system.A.copyBlockFrom(k, nullptr, false);
        // Other particles are constrained every other step, so the reduced pattern changes in half of the steps.
        system.constraints = testing::randomSystem(60, 40 + step / 2, 0.5).constraints;
        kept.build(system.view(), pool);
        constrainedMatrix(system.A, system.constraints, keptConstrained, pool);
        ReducedSystem fresh;
        BlockMatrix freshConstrained;
        fresh.build(system.view(), pool);
        constrainedMatrix(system.A, system.constraints, freshConstrained, pool);
        ASSERT_EQ(kept.matrix().pattern().column, fresh.matrix().pattern().column);
        EXPECT_EQ(allOf(kept.matrix()), allOf(fresh.matrix())) << step;
        EXPECT_EQ(allOf(keptConstrained), allOf(freshConstrained)) << step;
        keptView.build(system.A, system.constraints, pool);
        for (Index k = 0; k < full.pattern().blocks(); ++k) {
            ASSERT_EQ(keptView.occupied(k), freshConstrained.occupied(k)) << k;
            if (!keptView.occupied(k)) continue;
            EXPECT_EQ(Mat3(keptView.block(k)), Mat3(freshConstrained.block(k))) << k;
        }
        EXPECT_EQ(kept.matrix().occupiedBlocks(), fresh.matrix().occupiedBlocks());
        EXPECT_EQ(keptConstrained.occupiedBlocks(), freshConstrained.occupiedBlocks());
        const DenseMatrix S = system.denseS(), expected = S * DenseMatrix(system.A) * S;
        const DenseMatrix projected = S * DenseMatrix(keptConstrained) * S;
        EXPECT_LT((projected - expected).norm(), 1e-13 * expected.norm());
    }
}

// Eq. (10) of Ye, unsymmetric, and SAS + I - S give the reduced solution (E-10).
TEST(ReducedSystem, TheCombinedSystemIsEquivalent) {
    const auto system = testing::randomSystem(40, 12, 0.7);
    const DenseMatrix A(system.A), S = system.denseS(), I = DenseMatrix::identity(A.rows());
    const DenseMatrix combined = (S * A + I - S).solve(S * system.b + system.denseZ());
    const DenseMatrix reference = system.denseSolution();
    EXPECT_LT((combined - reference).norm(), 1e-12 * reference.norm());
}

// The eigenvalues and condition number of U^T A U do not depend on the basis (E-12); its diagonal does.
TEST(ReducedSystem, ConditionNumberDoesNotDependOnTheBasis) {
    const auto system = testing::randomSystem(40, 13, 0.7);
    WorkerPool pool(1);
    const auto conditions = [&](Basis basis) {
        ReducedSystem reduced;
        EXPECT_EQ(reduced.build(system.view(), pool, basis), "");
        const DenseMatrix A(reduced.matrix());
        const auto condition = [](const DenseMatrix& matrix) {
            const DenseMatrix e = matrix.symmetricEigenvalues();
            return e.maxCoeff() / e.minCoeff();
        };
        const DenseMatrix scale = DenseMatrix::diagonalOf(A.diagonal().cwiseSqrt().cwiseInverse());
        return std::pair(condition(A), condition(scale * A * scale));
    };
    const auto robust = conditions(Basis::Robust), printed = conditions(Basis::Printed),
               random = conditions(Basis::Random);
    EXPECT_NEAR(printed.first, robust.first, 1e-10 * robust.first);
    EXPECT_NEAR(random.first, robust.first, 1e-10 * robust.first);
    EXPECT_NEAR(printed.second, robust.second, 1e-10 * robust.second) << "only signs differ";
    EXPECT_GT(std::abs(random.second - robust.second), 1e-3 * robust.second);
}

TEST(ReducedSystem, PatternLastsWhileTheSetOfFixedParticlesDoes) {
    auto system = testing::randomSystem(50, 14, 0.4);
    WorkerPool pool(1);
    ReducedSystem reduced;
    reduced.build(system.view(), pool);
    const auto revision = reduced.matrix().pattern().revision;
    system.A.diagonal(0) += Mat3::Identity();
    reduced.build(system.view(), pool);
    EXPECT_EQ(reduced.matrix().pattern().revision, revision);
    for (Index i = 0; i < 50; ++i)
        if (system.constraints.ndof(i) == 3) {
            system.constraints.set({.particle = i, .ndof = 0});
            break;
        }
    system.constraints.sort();
    reduced.build(system.view(), pool);
    EXPECT_NE(reduced.matrix().pattern().revision, revision);
}

TEST(ReducedSystem, RestrictUndoesExpandOnFreeDirections) {
    const auto system = testing::randomSystem(50, 15, 0.6);
    WorkerPool pool(1);
    ReducedSystem reduced;
    reduced.build(system.view(), pool);
    BlockVector y(reduced.rows()), dv, back;
    reduced.restrict(system.b, y);
    reduced.expand(y, dv);
    reduced.restrict(dv, back);
    EXPECT_LT(testing::distance(back, y), 1e-13 * testing::norm(y));
}

}  // namespace
}  // namespace clothlab::linalg
