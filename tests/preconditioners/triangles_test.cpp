#include <gtest/gtest.h>

#include "dense_inverse.hpp"
#include "factors/ordering.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/incomplete_poisson.hpp"
#include "preconditioners/kind.hpp"
#include "preconditioners/ssor.hpp"
#include "support/random_systems.hpp"

namespace clothlab::preconditioners {
namespace {

using testing::DenseMatrix;

// r . P^-1 s = s . P^-1 r, and positive: the printed SSOR fails this.
TEST(Preconditioners, AreSymmetricAndPositive) {
    const auto system = testing::randomSystem(60, 41, 0.0, true);
    std::mt19937 rng(2);
    WorkerPool pool;
    linalg::BlockVector r(60), s(60), Pr(60), Ps(60);
    for (Index i = 0; i < 60; ++i) {
        r[i] = testing::randomVec3(rng);
        s[i] = testing::randomVec3(rng);
    }
    for (const EnumEntry& kind : enumTable(PreconditionerKind{}))
        for (const EnumEntry& order : enumTable(factors::Ordering{}))
            for (const EnumEntry& by : enumTable(Variant{})) {
                // Every other ordering also has the other options.
                const auto p = makePreconditioner({.kind = PreconditionerKind(kind.value),
                                                   .variant = Variant(by.value),
                                                   .ordering = factors::Ordering(order.value),
                                                   .omega = 1.3,
                                                   .fillLevel = order.value % 2,
                                                   .dropTolerance = order.value % 3 == 2 ? 0.02 : 0,
                                                   .keepPattern = order.value > 3,
                                                   .breakdown = BreakdownCure(order.value / 2 % 3),
                                                   .precision = linalg::Precision(order.value % 2),
                                                   .degree = 1 + order.value});
                ASSERT_TRUE(prepare(*p, system.A).usable) << kind.key;
                const double rr = p->applyDot(r, Pr, pool);
                p->applyDot(s, Ps, pool);
                EXPECT_GT(rr, 0) << kind.key;
                EXPECT_NEAR(rr, testing::dot(r, Pr), 1e-12 * rr) << kind.key;
                const double one = testing::dot(r, Ps), other = testing::dot(s, Pr);
                EXPECT_NEAR(one, other, 1e-12 * testing::norm(r) * testing::norm(Ps))
                    << kind.key << " " << order.key << " " << by.key;
            }
}

// P = omega / (2 - omega) (D/omega + L) D^-1 (D/omega + L^T), by the block and by the scalar diagonal.
TEST(Ssor, IsItsFormula) {
    const auto system = testing::randomSystem(25, 42, 0.0, true);
    const DenseMatrix A(system.A);
    for (const Variant variant : {Variant::Block, Variant::Point})
        for (const double omega : {0.5, 1.0, 1.4}) {
            const bool block = variant == Variant::Block;
            DenseMatrix D = DenseMatrix::zero(75, 75), L = D;
            for (Index r = 0; r < 75; ++r)
                for (Index c = 0; c < 75; ++c) {
                    const bool diagonal = block ? r / 3 == c / 3 : r == c;
                    if (diagonal)
                        D(r, c) = A(r, c);
                    else if (c < r)
                        L(r, c) = A(r, c);
                }
            const DenseMatrix M = D / omega + L;
            const DenseMatrix P = omega / (2 - omega) * M * D.inverse() * M.transpose();
            Ssor<double> ssor(variant, omega);
            ASSERT_TRUE(prepare(ssor, system.A).usable);
            const DenseMatrix product = P * denseInverse(ssor, 25);
            EXPECT_LT((product - DenseMatrix::identity(75)).norm(), 1e-11) << block << " " << omega;
        }
}

// The products, written out: H' D^-1 H and D^-1 H D H' D^-1 for the scaled form, H H' as published.
TEST(IncompletePoisson, IsItsFormula) {
    const auto system = testing::randomSystem(25, 47, 0.0, true);
    const DenseMatrix A(system.A);
    const DenseMatrix D = DenseMatrix::diagonalOf(A.diagonal()), I = DenseMatrix::identity(75), L = A.strictlyLower();
    const DenseMatrix Di = D.inverse(), H = I - L * Di;
    DenseMatrix G = DenseMatrix::zero(75, 75), Lb = G;  // block form
    for (Index i = 0; i < 25; ++i) {
        G.setBlock(i, i, testing::cholesky(A.block(i, i)));
        for (Index j = 0; j < i; ++j) Lb.setBlock(i, j, A.block(i, j));
    }
    const DenseMatrix Gi = G.inverse(), Hb = I - Gi * Lb * Gi.transpose();
    const auto check = [&](Variant variant, PoissonProduct product, const DenseMatrix& expected) {
        IncompletePoisson<double> p(variant, product);
        ASSERT_TRUE(prepare(p, system.A).usable);
        EXPECT_LT((denseInverse(p, 25) - expected).norm(), 1e-12 * expected.norm())
            << enumKey(variant) << enumKey(product);
    };
    using enum Variant;
    using enum PoissonProduct;
    check(Published, Backward, H * H.transpose());
    check(Published, Forward, H.transpose() * H);
    check(Point, Forward, H.transpose() * Di * H);
    check(Point, Backward, Di * H * D * H.transpose() * Di);
    check(Block, Backward, Gi.transpose() * Hb * Hb.transpose() * Gi);
    check(Block, Forward, Gi.transpose() * Hb.transpose() * Hb * Gi);
}

// Any free thread gathers the next row, yet neither set-up nor product depends on the number of threads.
TEST(IncompletePoisson, GivesTheSameBitsAtAnyNumberOfThreads) {
    const auto system = testing::gridSystem(40, 48);
    const Index n = system.A.rows();
    for (const Variant variant : {Variant::Block, Variant::Point, Variant::Published})
        for (const PoissonProduct product : {PoissonProduct::Backward, PoissonProduct::Forward}) {
            linalg::BlockVector first(n);
            double firstDot = 0;
            for (const int threads : {1, 2, 4}) {
                WorkerPool pool(threads, 0);
                IncompletePoisson<double> p(variant, product);
                p.analyze(system.A, nullptr, pool);
                ASSERT_TRUE(p.update({system.A}, pool).usable);
                linalg::BlockVector z(n);
                const double dot = p.applyDot(system.b, z, pool);
                if (threads == 1) first = z, firstDot = dot;
                EXPECT_EQ(z, first) << enumKey(variant) << enumKey(product) << threads;
                EXPECT_EQ(dot, firstDot) << enumKey(variant) << enumKey(product) << threads;
            }
            EXPECT_GT(firstDot, 0);
        }
}

/// Scalar IC(0) of A on the pattern of its occupied 3x3 blocks, written plainly, to check the block form.
DenseMatrix scalarIncompleteCholesky(const linalg::BlockMatrix& matrix) {
    const auto kept = [&](Index r, Index c) {
        const Index k = matrix.pattern().find(r / 3, c / 3);
        return r / 3 == c / 3 || (k >= 0 && matrix.occupied(k));
    };
    const DenseMatrix A(matrix);
    DenseMatrix L = DenseMatrix::zero(A.rows(), A.cols());
    for (Index j = 0; j < A.rows(); ++j)
        for (Index i = j; i < A.rows(); ++i) {
            if (!kept(i, j)) continue;
            double value = A(i, j);
            for (Index k = 0; k < j; ++k) value -= L(i, k) * L(j, k);
            L(i, j) = i == j ? std::sqrt(value) : value / L(j, j);
        }
    return L;
}

TEST(IncompleteCholesky, BlockFormIsTheScalarFormOnTheBlockPattern) {
    const auto system = testing::randomSystem(40, 43, 0.0);
    IncompleteCholesky<double> block({});
    const Outcome outcome = prepare(block, system.A);
    ASSERT_TRUE(outcome.usable);
    ASSERT_EQ(outcome.shift, 0);
    const DenseMatrix L = scalarIncompleteCholesky(system.A);
    const DenseMatrix expected = (L * L.transpose()).inverse(), inverse = denseInverse(block, 40);
    EXPECT_LT((inverse - expected).norm(), 1e-12 * expected.norm());
    EXPECT_GT((inverse * DenseMatrix(system.A) - DenseMatrix::identity(120)).norm(),
              1e-3);  // fill was dropped
}

// A rounded factor differs from the other by rounding only; its symmetry is tested above.
TEST(Triangles, InSinglePrecisionAreARoundingAway) {
    const auto system = testing::randomSystem(40, 43, 0.0);
    for (const PreconditionerKind kind :
         {PreconditionerKind::Ssor, PreconditionerKind::IncompleteCholesky, PreconditionerKind::IncompletePoisson}) {
        const auto wide = makePreconditioner({.kind = kind, .precision = linalg::Precision::Double});
        const auto narrow = makePreconditioner({.kind = kind, .precision = linalg::Precision::Single});
        ASSERT_TRUE(prepare(*wide, system.A).usable && prepare(*narrow, system.A).usable);
        const DenseMatrix exact = denseInverse(*wide, 40), rounded = denseInverse(*narrow, 40);
        const double error = (exact - rounded).norm() / exact.norm();
        EXPECT_LT(error, 1e-5);
        EXPECT_GT(error, 1e-10);
        EXPECT_LT(narrow->bytes(), 0.75 * double(wide->bytes()));
    }
}

TEST(IncompleteCholesky, WithoutFillItIsCholesky) {
    const auto chain = testing::randomSystem(30, 44, 0.0, false, 1);  // each particle and the next: block tridiagonal
    for (const auto order : {factors::Ordering::Natural, factors::Ordering::ReverseCuthillMcKee}) {
        IncompleteCholesky<double> factor({.ordering = order});
        ASSERT_TRUE(prepare(factor, chain.A).usable);
        const DenseMatrix product = denseInverse(factor, 30) * DenseMatrix(chain.A);
        EXPECT_LT((product - DenseMatrix::identity(90)).norm(), 1e-11);
    }
}

TEST(IncompleteCholesky, ABreakdownIsShiftedAwayAndRemembered) {
    auto system = testing::randomSystem(40, 45, 0.0);
    system.A.diagonal(39) *= 0.3;  // no longer definite, but the factor must be
    IncompleteCholesky<double> factor({.breakdown = BreakdownCure::Shift});
    const Outcome first = prepare(factor, system.A);
    ASSERT_TRUE(first.usable) << first.message;
    ASSERT_GT(first.shift, 0);
    WorkerPool pool;
    const Outcome second = factor.update({.matrix = system.A, .shift = first.shift}, pool);
    EXPECT_TRUE(second.usable);
    EXPECT_GE(second.shift, first.shift / 2);
    EXPECT_LE(second.shift, 2 * first.shift);
    EXPECT_EQ(factor.update({system.A}, pool).shift, first.shift);  // the object keeps no shift
}

TEST(Orderings, ArePermutationsAndCuthillMcKeeNarrowsTheBand) {
    const auto system = testing::gridSystem(12, 46);
    const linalg::BlockPattern& p = system.A.pattern();
    // The same grid, numbered at random.
    const auto natural = factors::orderRows(p, factors::Ordering::Natural);
    std::vector<Index> shuffled = natural;
    std::mt19937 rng(3);
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (p.column[k] < i) pairs.emplace_back(shuffled[i], shuffled[p.column[k]]);
    const auto pattern = linalg::makePattern(p.rows, pairs);
    const auto bandwidth = [&](const std::vector<Index>& order) {
        std::vector<Index> place(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = Index(k);
        Index widest = 0;
        for (const auto& [i, j] : pairs) widest = std::max(widest, std::abs(place[i] - place[j]));
        return widest;
    };
    for (const EnumEntry& which : enumTable(factors::Ordering{})) {
        std::vector<Index> sorted = factors::orderRows(*pattern, factors::Ordering(which.value));
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, natural) << which.key;
    }
    EXPECT_LE(bandwidth(factors::orderRows(*pattern, factors::Ordering::ReverseCuthillMcKee)), 3 * 12);
    EXPECT_GT(bandwidth(natural), 6 * 12);
}

}  // namespace
}  // namespace clothlab::preconditioners
