#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/reduced_system.hpp"
#include "solvers/interface_pcg.hpp"
#include "solvers/kind.hpp"
#include "solvers/yardstick.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

using testing::DenseMatrix;

SolveSummary solveCut(const testing::RandomSystem& system, const SolverSettings& settings, linalg::BlockVector& dv,
                      int threads = 1) {
    WorkerPool pool(threads, 0);
    SolveSummary summary;
    makeSolver(settings, {})->solve(system.view(), dv, summary, {}, pool);
    return summary;
}

/// The domains of a matrix, and their factors.
struct Cut {
    Substructures parts;
    NeumannNeumann preconditioner{parts};
    linalg::BlockMatrix A;
    WorkerPool pool;
    preconditioners::Outcome outcome;

    Cut(const linalg::BlockMatrix& of, Index domains) : A(of) {
        parts.analyze(A, domains, pool);
        preconditioner.analyze(A, nullptr, pool);
        EXPECT_EQ(parts.factorize(A, pool), "");
        outcome = preconditioner.update({.matrix = A}, pool);
    }

    Index rows() const { return Index(parts.interfaceRows().size()); }

    /// The matrix of a linear function on the interface, column by column.
    template <class F>
    DenseMatrix denseMatrix(F&& apply) const {
        DenseMatrix out = DenseMatrix::zero(3 * rows(), 3 * rows());
        for (Index j = 0; j < 3 * rows(); ++j) {
            linalg::BlockVector unit(rows()), image(rows());
            unit.data()[j] = 1;
            apply(unit, image);
            out.setColumn(j, image);
        }
        return out;
    }
    DenseMatrix schur() {
        return denseMatrix([&](const auto& p, auto& q) { parts.multiplyDot(p, q, pool); });
    }
    DenseMatrix inverse() {
        return denseMatrix([&](const auto& r, auto& z) { preconditioner.applyDot(r, z, pool); });
    }
};

/// Some block rows and columns of a matrix, three scalars per row.
DenseMatrix submatrix(const DenseMatrix& A, std::span<const Index> rows, std::span<const Index> columns) {
    DenseMatrix out = DenseMatrix::zero(3 * Eigen::Index(rows.size()), 3 * Eigen::Index(columns.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
            out.setBlock(Eigen::Index(i), Eigen::Index(j), A.block(rows[i], columns[j]));
    return out;
}

/// A_KK - A_KE A_EE^-1 A_EK, with the kept rows K and all others E.
DenseMatrix schurOf(const linalg::BlockMatrix& matrix, std::span<const Index> kept) {
    const DenseMatrix A(matrix);
    std::vector<Index> others;
    for (Index row = 0; row < matrix.rows(); ++row)
        if (std::ranges::find(kept, row) == kept.end()) others.push_back(row);
    const DenseMatrix rectangle = submatrix(A, others, kept);
    return submatrix(A, kept, kept) - rectangle.transpose() * submatrix(A, others, others).solve(rectangle);
}

TEST(Interface, AppliesTheSchurComplement) {
    for (const bool asymmetric : {false, true}) {
        Cut cut(testing::randomSystem(120, 5, 0.0, asymmetric, 4).A, 4);
        ASSERT_EQ(cut.parts.domains().size(), 4u);
        ASSERT_GT(cut.rows(), 5);
        const DenseMatrix expected = schurOf(cut.A, cut.parts.interfaceRows());
        EXPECT_LT((cut.schur() - expected).norm(), 1e-11 * expected.norm());
    }
}

TEST(Interface, ThePreconditionerIsItsFormula) {
    for (const bool asymmetric : {false, true}) {
        Cut cut(testing::randomSystem(120, 6, 0.0, asymmetric, 4).A, 4);
        ASSERT_TRUE(cut.outcome.usable);
        DenseMatrix expected = DenseMatrix::zero(3 * cut.rows(), 3 * cut.rows());
        const auto weight = [&](Index row) { return 1.0 / double(cut.parts.touches(row).size()); };
        for (std::size_t d = 0; d < cut.parts.domains().size(); ++d) {
            const Substructures::Domain& domain = cut.parts.domains()[d];
            std::vector<Index> boundary;
            for (std::size_t k = 0; k < domain.boundary.size(); ++k) boundary.push_back(Index(domain.inner.size() + k));
            const DenseMatrix own = schurOf(cut.preconditioner.domainMatrix(Index(d)), boundary).inverse();
            for (std::size_t i = 0; i < boundary.size(); ++i)
                for (std::size_t j = 0; j < boundary.size(); ++j)
                    expected.addBlock(domain.boundary[i], domain.boundary[j],
                                      weight(domain.boundary[i]) * weight(domain.boundary[j]) *
                                          own.block(Eigen::Index(i), Eigen::Index(j)));
        }
        const DenseMatrix found = cut.inverse();
        EXPECT_LT((found - expected).norm(), 1e-5 * expected.norm()) << "factors in single precision";
        EXPECT_LT((found - found.transpose()).norm(), 1e-6 * found.norm());
        EXPECT_GT(found.symmetricEigenvalues().minCoeff(), 0);
    }
}

// A cloth's A^(d) add up to A: a coupling's share of the diagonal is in the domain of the coupling, and the rest is
// divided equally.
TEST(Interface, TheMatricesOfTheDomainsAddUpToThatOfTheCloth) {
    Cut cut(testing::randomSystem(120, 7, 0.0, false, 4).A, 4);
    ASSERT_EQ(cut.parts.domains().size(), 4u);
    EXPECT_EQ(cut.preconditioner.indefiniteDomains(), 0);
    const DenseMatrix A(cut.A);
    DenseMatrix sum = DenseMatrix::zero(A.rows(), A.rows());
    for (std::size_t d = 0; d < 4; ++d) {
        const Substructures::Domain& domain = cut.parts.domains()[d];
        std::vector<Index> rows = domain.inner;
        for (const Index k : domain.boundary) rows.push_back(cut.parts.interfaceRows()[k]);
        const DenseMatrix own(cut.preconditioner.domainMatrix(Index(d)));
        EXPECT_GT(own.symmetricEigenvalues().minCoeff(), 0);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < rows.size(); ++j)
                sum.addBlock(rows[i], rows[j], own.block(Eigen::Index(i), Eigen::Index(j)));
    }
    EXPECT_LT((sum - A).norm(), 1e-12 * A.norm());
}

TEST(Interface, EqualsTheDirectSolution) {
    const std::vector<testing::RandomSystem> systems = {
        testing::gridSystem(12, 11),          testing::gridSystem(12, 12, 0.5),
        testing::randomSystem(150, 13, 0.6),  testing::randomSystem(150, 14, 0.6, true),
        testing::islands({70, 50, 9, 1}, 15), testing::islands({70, 50, 9, 1}, 16, 0.5)};
    for (std::size_t s = 0; s < systems.size(); ++s) {
        const DenseMatrix expected = systems[s].denseSolution();
        for (const int domains : {0, 1, 2, 3, 5, 8}) {
            SCOPED_TRACE(::testing::Message() << "system " << s << ", " << domains << " domains");
            linalg::BlockVector dv;
            const SolveSummary summary =
                solveCut(systems[s], {.kind = SolverKind::Interface, .tolerance = 1e-10, .domains = domains}, dv);
            ASSERT_EQ(summary.status, SolveStatus::Converged) << summary.message;
            EXPECT_GE(summary.domains, 1);
            EXPECT_LE(summary.domains, domains > 0 ? domains : 2);
            EXPECT_EQ(summary.interfaceRows > 0, summary.iterations > 0);
            EXPECT_LT((dv - expected).norm(), 1e-7 * expected.norm());
            EXPECT_NEAR(summary.trueRelativeResidual, trueRelativeResidual(systems[s].view(), dv), 1e-12);
        }
    }
}

// Unconnected pieces need no interface, and a system of few particles is not cut.
TEST(Interface, WithoutAnInterfaceItIsADirectSolver) {
    const testing::RandomSystem systems[] = {testing::islands({60, 60}, 21), testing::randomSystem(3, 22, 0.0),
                                             testing::randomSystem(1, 23, 0.0)};
    for (const testing::RandomSystem& system : systems) {
        linalg::BlockVector dv;
        const SolveSummary summary =
            solveCut(system, {.kind = SolverKind::Interface, .tolerance = 1e-12, .domains = 2}, dv);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << summary.message;
        EXPECT_EQ(summary.interfaceRows, 0);
        EXPECT_EQ(summary.iterations, 0);
        const DenseMatrix expected = system.denseSolution();
        EXPECT_LT((dv - expected).norm(), 1e-11 * expected.norm());
    }
}

TEST(Interface, SameBitsAtAnyNumberOfThreads) {
    const auto system = testing::randomSystem(1500, 24, 0.2);
    linalg::BlockVector one, two, four;
    const SolverSettings settings{.kind = SolverKind::Interface, .tolerance = 1e-8, .domains = 7};
    EXPECT_EQ(solveCut(system, settings, one, 1).domains, 7);
    solveCut(system, settings, two, 2);
    solveCut(system, settings, four, 4);
    EXPECT_TRUE(one == two);
    EXPECT_TRUE(one == four);
}

TEST(Interface, AnIndefiniteMatrixIsABreakdownInWords) {
    auto system = testing::gridSystem(20, 25);
    system.A.diagonal(12) = -system.A.diagonal(12);
    linalg::BlockVector dv;
    const SolveSummary summary = solveCut(system, {.kind = SolverKind::Interface, .domains = 4}, dv);
    EXPECT_EQ(summary.status, SolveStatus::Breakdown);
    EXPECT_NE(summary.message.find("not positive definite"), std::string::npos) << summary.message;
}

// With each stopping rule a converged solve is within the tolerance, with and without a warm start. A start from the
// solution needs no iteration.
TEST(Interface, KeepsTheRulesOfStoppingAndTheWarmStart) {
    const auto system = testing::randomSystem(150, 26, 0.3);
    const DenseMatrix expected = system.denseSolution();
    const linalg::BlockVector solution = expected.blocks();
    WorkerPool pool;
    for (const Stopping stopping : {Stopping::Residual, Stopping::PNorm, Stopping::Absolute}) {
        const SolverSettings settings{
            .kind = SolverKind::Interface, .tolerance = 1e-7, .stopping = stopping, .domains = 4};
        InterfacePcg solver(settings);
        SolveSummary cold, warm;
        linalg::BlockVector dv;
        solver.solve(system.view(), dv, cold, {}, pool);
        EXPECT_EQ(cold.status, SolveStatus::Converged) << cold.message;
        EXPECT_GT(cold.iterations, 2);
        EXPECT_LT((dv - expected).norm(), 1e-4 * expected.norm());
        linalg::LinearSystem from = system.view();
        from.previous = &solution;
        from.sameMatrix = true;
        solver.solve(from, dv, warm, {}, pool);
        EXPECT_EQ(warm.status, SolveStatus::Converged) << warm.message;
        EXPECT_LE(warm.iterations, 1);
    }
}

TEST(Interface, AnIterateIsWhatTheSolveWouldEndWith) {
    const auto system = testing::randomSystem(150, 27, 0.3);
    InterfacePcg solver({.kind = SolverKind::Interface, .tolerance = 1e-6, .domains = 4});
    WorkerPool pool;
    linalg::BlockVector dv, last;
    SolveSummary summary;
    int seen = 0;
    solver.solve(system.view(), dv, summary,
                 {.observer =
                      [&](const Iterate& it) {
                          solver.toDeltaV(it.x, last);
                          EXPECT_NEAR(trueRelativeResidual(system.view(), last), it.relativeResidual, 1e-10) << it.k;
                          ++seen;
                      }},
                 pool);
    EXPECT_EQ(seen, summary.iterations + 1);
    EXPECT_TRUE(last == dv);
}

}  // namespace
}  // namespace clothlab::solvers
