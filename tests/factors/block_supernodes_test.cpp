#include "factors/block_supernodes.hpp"

#include <cholmod.h>
#include <gtest/gtest.h>

#include "factors/scalar_upper.hpp"
#include "support/random_systems.hpp"

namespace clothlab::factors {
namespace {

using linalg::BlockPattern;

/// CHOLMOD's analyses of a pattern in its natural order, by scalars and by blocks.
struct Cholmods {
    cholmod_common common{};
    cholmod_factor *scalars = nullptr, *blocks = nullptr;

    explicit Cholmods(const BlockPattern& p) {
        cholmod_start(&common);
        common.nmethods = 1;
        common.method[0].ordering = CHOLMOD_NATURAL;
        common.postorder = 1;
        scalars = analyzed(3 * std::size_t(p.rows), upperEntries(p), CHOLMOD_SUPERNODAL,
                           [&](int* start, int* row) { upperStructure(p, start, row); });
        blocks = analyzed(std::size_t(p.rows), std::size_t(p.blocks() + p.rows) / 2, CHOLMOD_SIMPLICIAL,
                          [&](int* start, int* row) {
                              int slot = 0;
                              for (Index j = 0; j < p.rows; ++j) {
                                  start[j] = slot;
                                  for (Index k = p.rowStart[j]; k <= p.diagonal[j]; ++k) row[slot++] = p.column[k];
                              }
                              start[p.rows] = slot;
                          });
    }
    Cholmods(const Cholmods&) = delete;
    Cholmods& operator=(const Cholmods&) = delete;
    ~Cholmods() {
        cholmod_free_factor(&scalars, &common);
        cholmod_free_factor(&blocks, &common);
        cholmod_finish(&common);
    }
    template <class Fill>
    cholmod_factor* analyzed(std::size_t n, std::size_t entries, int kind, Fill fill) {
        cholmod_sparse* A = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_PATTERN, &common);
        fill(static_cast<int*>(A->p), static_cast<int*>(A->i));
        common.supernodal = kind;
        cholmod_factor* factor = cholmod_analyze(A, &common);
        cholmod_free_sparse(&A, &common);
        return factor;
    }
};

std::span<const int> view(void* data, std::size_t size) { return {static_cast<const int*>(data), size}; }

// The same supernodes, including relaxed ones, parents, rows and order as for the matrix of scalars.
TEST(BlockSupernodes, AreThoseThatCholmodFindsAmongScalars) {
    for (unsigned seed = 1; seed < 9; ++seed) {
        const auto system = seed % 2 ? testing::randomSystem(40 * Index(seed), seed, 0.0, false, 3 + Index(seed))
                                     : testing::gridSystem(4 * Index(seed), seed);
        const BlockPattern& p = system.A.pattern();
        const Cholmods cholmods(p);
        const cholmod_factor &L = *cholmods.scalars, &B = *cholmods.blocks;
        const BlockSupernodes ours = blockSupernodes(p, view(B.Perm, B.n), view(B.ColCount, B.n));

        for (std::size_t k = 0; k < ours.order.size(); ++k)
            for (int c = 0; c < 3; ++c) ASSERT_EQ(view(L.Perm, L.n)[3 * k + c], 3 * ours.order[k] + c);
        ASSERT_EQ(std::size_t(ours.count()), L.nsuper) << seed;
        const auto super = view(L.super, L.nsuper + 1), rowStart = view(L.pi, L.nsuper + 1), row = view(L.s, L.ssize);
        for (Index s = 0; s < ours.count(); ++s) {
            ASSERT_EQ(super[s], 3 * ours.firstColumn[s]);
            const auto rows = ours.rowsIn(s);
            ASSERT_EQ(std::size_t(rowStart[s + 1] - rowStart[s]), 3 * rows.size()) << seed << " " << s;
            for (std::size_t r = 0; r < rows.size(); ++r) ASSERT_EQ(row[rowStart[s] + 3 * r], 3 * rows[r]);
            if (ours.parent[s] >= 0) {
                EXPECT_GT(ours.parent[s], s);
            }
        }
        EXPECT_EQ(ours.firstColumn.back(), p.rows);
    }
}

}  // namespace
}  // namespace clothlab::factors
