#include <gtest/gtest.h>

#include "factors/cholmod_factor.hpp"
#include "support/random_systems.hpp"

namespace clothlab::factors {

using namespace linalg;
namespace {

constexpr Index kSide = 30;

/// `cloth` without the rows in `held`, as after contacts.
std::shared_ptr<const BlockPattern> without(const std::shared_ptr<const BlockPattern>& cloth,
                                            const std::vector<Index>& held, bool withOrigin = true) {
    std::vector<Index> row(std::size_t(cloth->rows), 0), source;
    for (const Index i : held) row[i] = -1;
    auto origin = std::make_shared<PatternOrigin>(PatternOrigin{.pattern = cloth, .row = {}});
    Index count = 0;
    for (Index i = 0; i < cloth->rows; ++i)
        if (row[i] >= 0) {
            row[i] = count++;
            origin->row.push_back(i);
        }
    WorkerPool pool;
    return withoutRows(*cloth, row, withOrigin ? origin : nullptr, source, pool);
}

std::vector<Index> strewn(unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<Index> out;
    for (Index i = 0; i < kSide * kSide; ++i)
        if (rng() % 5 == 0) out.push_back(i);
    return out;
}

BlockMatrix definite(const std::shared_ptr<const BlockPattern>& p) {
    BlockMatrix A(p);
    for (Index i = 0; i < p->rows; ++i)
        for (Index k = p->rowStart[i]; k < p->rowStart[i + 1]; ++k) {
            A.block(k) = p->column[k] == i ? Mat3(100 * Mat3::Identity())
                                           : Mat3(-Mat3::Identity() / (1 + (i + p->column[k]) % 3));
            A.setOccupied(k, true);
        }
    return A;
}

std::vector<Index> orderOf(CholmodFactor& factor, const BlockPattern& p, Ordering ordering = Ordering::Best) {
    EXPECT_TRUE(factor.analyze(p, ordering, Factorization::Multifrontal)) << factor.message();
    const auto order = factor.order();
    return {order.begin(), order.end()};
}

// The order of a pattern does not depend on earlier patterns, so a motion resumed from a file has the same bits.
TEST(KeptOrder, HangsOnNoPatternBefore) {
    const auto cloth = testing::gridSystem(kSide, 1).A.sharedPattern();
    for (const Ordering ordering : {Ordering::Best, Ordering::Amd, Ordering::Metis, Ordering::ReverseCuthillMcKee}) {
        CholmodFactor worn;
        for (unsigned seed = 1; seed < 5; ++seed) {
            const auto pattern = without(cloth, strewn(seed));
            CholmodFactor fresh;
            EXPECT_EQ(orderOf(worn, *pattern, ordering), orderOf(fresh, *pattern, ordering));
        }
        CholmodFactor fresh;
        EXPECT_EQ(orderOf(worn, *cloth, ordering), orderOf(fresh, *cloth, ordering));
    }
}

TEST(KeptOrder, OfAPatternThatChangedNothingIsThatFromScratch) {
    const auto cloth = testing::gridSystem(kSide, 2).A.sharedPattern();
    CholmodFactor kept, scratch;
    EXPECT_EQ(orderOf(kept, *without(cloth, {})), orderOf(scratch, *cloth));
}

TEST(KeptOrder, SolvesAndHasNoMoreFillThanTheWholeCloth) {
    const auto cloth = testing::gridSystem(kSide, 3).A.sharedPattern();
    CholmodFactor whole, part;
    orderOf(whole, *cloth);
    const auto pattern = without(cloth, strewn(9));
    const BlockMatrix A = definite(pattern);
    orderOf(part, *pattern);
    EXPECT_LT(part.fill(), whole.fill());
    WorkerPool pool;
    ASSERT_TRUE(part.factorize(A, pool)) << part.message();
    BlockVector b(A.rows()), x, back(A.rows());
    for (Index i = 0; i < b.size(); ++i) b[i] = Vec3(i % 7, 1, -(i % 3));
    ASSERT_TRUE(part.solve(b, x, pool));
    multiply(A, x, back);
    EXPECT_LT((back.flat() - b.flat()).norm(), 1e-12 * b.flat().norm());
}

// A few contacts keep the order; contacts between many distant particles require a new one.
TEST(KeptOrder, IsGivenUpWhereContactsFillTheFactor) {
    const auto cloth = testing::gridSystem(kSide, 4).A.sharedPattern();
    const Index n = cloth->rows;
    std::vector<Index> position;
    const auto touching = [&](Index pairs) {
        testing::Pairs far;
        for (Index i = 0; i < pairs; ++i) far.emplace_back(i, n - 1 - (7 * i) % (n / 2));
        return united(cloth, far, position);
    };
    const auto sameAs = [](const BlockPattern& p) {
        return makePattern(p.rows, p.rowStart, p.column, p.band);  // without the origin
    };
    for (const Factorization kind : {Factorization::Multifrontal, Factorization::Supernodal}) {
        CholmodFactor whole, few, many, scratch;
        ASSERT_TRUE(whole.analyze(*cloth, Ordering::Amd, kind));
        ASSERT_TRUE(few.analyze(*touching(1), Ordering::Amd, kind));
        EXPECT_LT(few.fill(), 1.2 * whole.fill());
        const auto pattern = touching(n / 3);
        ASSERT_TRUE(many.analyze(*pattern, Ordering::Amd, kind));
        ASSERT_TRUE(scratch.analyze(*sameAs(*pattern), Ordering::Amd, kind));
        EXPECT_GT(scratch.fill(), 1.2 * whole.fill());
        EXPECT_EQ(many.fill(), scratch.fill());
    }
}

// Our symbolic phase counts blocks, CHOLMOD's counts scalars.
TEST(MultifrontalFactor, CountsAreCholmods) {
    for (unsigned seed = 1; seed < 6; ++seed) {
        const auto system = seed % 2 ? testing::randomSystem(150, seed) : testing::gridSystem(17, seed);
        for (const Ordering ordering : {Ordering::Amd, Ordering::Metis, Ordering::Natural}) {
            CholmodFactor ours, cholmods;
            ASSERT_TRUE(ours.analyze(system.A.pattern(), ordering, Factorization::Multifrontal));
            ASSERT_TRUE(cholmods.analyze(system.A.pattern(), ordering, Factorization::Supernodal));
            EXPECT_EQ(ours.fill(), cholmods.fill());
            EXPECT_EQ(ours.flops(), cholmods.flops());
        }
    }
}

}  // namespace
}  // namespace clothlab::factors
