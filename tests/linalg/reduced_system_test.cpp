#include "linalg/reduced_system.hpp"

#include <gtest/gtest.h>

#include "linalg/constrained_matrix.hpp"
#include "random_systems.hpp"

namespace clothlab::linalg {
namespace {

/// Dense U with only the real columns, from the closed form.
Eigen::MatrixXd denseU(const testing::RandomSystem& s) {
    Eigen::MatrixXd U(3 * s.A.rows(), 0);
    Index next = 0;
    const auto append = [&](Index particle, const Mat3& basis, int columns) {
        U.conservativeResize(Eigen::NoChange, U.cols() + columns);
        U.rightCols(columns).setZero();
        U.block(3 * particle, U.cols() - columns, 3, columns) = basis.leftCols(columns);
    };
    const auto list = s.constraints.constrained();
    for (Index i = 0; i < s.A.rows(); ++i) {
        if (next < static_cast<Index>(list.size()) && list[next].particle == i) {
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
        const Eigen::MatrixXd U = denseU(system);
        const Eigen::MatrixXd expected = U.transpose() * toDense(system.A) * U;
        // Padding shows as eigenvalues s of its own: compare through the solution and the spectrum's product.
        const Eigen::VectorXd y = toDense(reduced.matrix()).ldlt().solve(Eigen::VectorXd(reduced.rhs().flat()));
        BlockVector yBlocks(reduced.rows()), dv;
        yBlocks.flat() = y;
        reduced.expand(yBlocks, dv);
        const Eigen::VectorXd z = system.denseZ();
        const Eigen::VectorXd direct =
            U * expected.ldlt().solve(U.transpose() * (system.b.flat() - toDense(system.A) * z)) + z;
        EXPECT_LT((dv.flat() - direct).norm(), 1e-11 * direct.norm());
        EXPECT_LT((dv.flat() - system.denseSolution()).norm(), 1e-11 * direct.norm());
        const Eigen::MatrixXd dense = toDense(reduced.matrix());
        EXPECT_LT((dense - dense.transpose()).norm(), 1e-13 * dense.norm());
    }
}

/// Every number of a matrix, those of unoccupied blocks too.
std::vector<double> allOf(const BlockMatrix& A) { return {A.blockData(0), A.blockData(A.pattern().blocks())}; }

// They copy only what is occupied now or was before: nothing of an earlier step may remain.
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
                if (const Index j = full.pattern().column[k]; j != i && (i + j) % static_cast<Index>(step + 1) == 0)
                    system.A.takeBlock(k, nullptr, false);
        // Other particles are constrained every other step: the reduced pattern stays as often as it changes.
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
        const Eigen::MatrixXd S = system.denseS(), expected = S * toDense(system.A) * S;
        const Eigen::MatrixXd projected = S * toDense(keptConstrained) * S;
        EXPECT_LT((projected - expected).norm(), 1e-13 * expected.norm());
    }
}

// Eq. (10) of Ye, unsymmetric, and SAS + I - S give the reduced solution (E-10).
TEST(ReducedSystem, TheCombinedSystemIsEquivalent) {
    const auto system = testing::randomSystem(40, 12, 0.7);
    const Eigen::MatrixXd A = toDense(system.A), S = system.denseS(), I = Eigen::MatrixXd::Identity(A.rows(), A.cols());
    const Eigen::VectorXd combined = (S * A + I - S).partialPivLu().solve(S * system.b.flat() + system.denseZ());
    const Eigen::VectorXd reference = system.denseSolution();
    EXPECT_LT((combined - reference).norm(), 1e-12 * reference.norm());
}

// The eigenvalues of U^T A U are those of any basis, so its condition number is (E-12); its diagonal is not.
TEST(ReducedSystem, ConditionNumberDoesNotDependOnTheBasis) {
    const auto system = testing::randomSystem(40, 13, 0.7);
    WorkerPool pool(1);
    const auto conditions = [&](Basis basis) {
        ReducedSystem reduced;
        EXPECT_EQ(reduced.build(system.view(), pool, basis), "");
        const Eigen::MatrixXd A = toDense(reduced.matrix());
        const auto condition = [](const Eigen::MatrixXd& matrix) {
            const Eigen::VectorXd e = matrix.selfadjointView<Eigen::Lower>().eigenvalues();
            return e.maxCoeff() / e.minCoeff();
        };
        const Eigen::VectorXd scale = A.diagonal().cwiseSqrt().cwiseInverse();
        return std::pair(condition(A), condition(scale.asDiagonal() * A * scale.asDiagonal()));
    };
    const auto robust = conditions(Basis::Robust), printed = conditions(Basis::Printed),
               random = conditions(Basis::Random);
    EXPECT_NEAR(printed.first, robust.first, 1e-10 * robust.first);
    EXPECT_NEAR(random.first, robust.first, 1e-10 * robust.first);
    EXPECT_NEAR(printed.second, robust.second, 1e-10 * robust.second) << "signs alone differ";
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
    EXPECT_LT((back.flat() - y.flat()).norm(), 1e-13 * y.flat().norm());
}

}  // namespace
}  // namespace clothlab::linalg
