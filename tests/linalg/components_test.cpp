#include "linalg/components.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/random_systems.hpp"

namespace clothlab::linalg {
namespace {

/// Flood filling over the dense matrix, as an independent check.
std::vector<Index> floodFill(const testing::RandomSystem& system) {
    const testing::DenseMatrix dense(system.A);
    const Index n = system.A.rows();
    std::vector<Index> of(n, 0);
    Index count = 0;
    for (Index i = 0; i < n; ++i) {
        if (of[i] > 0 || system.constraints.ndof(i) == 0) continue;
        ++count;
        std::vector<Index> border{i};
        of[i] = count;
        while (!border.empty()) {
            const Index from = border.back();
            border.pop_back();
            for (Index j = 0; j < n; ++j)
                if (of[j] == 0 && system.constraints.ndof(j) != 0 && !dense.block(from, j).isZero(0)) {
                    of[j] = count;
                    border.push_back(j);
                }
        }
    }
    return of;
}

// The number of components is that of an independent search; ndof 0 is group 0.
TEST(Components, AreThoseOfAFloodFill) {
    std::set<Index> counts;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const auto system = testing::randomSystem(90, seed, 0.08 * seed, false, 1 + Index(seed % 3));
        Components components;
        findComponents(system.A, system.constraints, components);
        EXPECT_EQ(components.of, floodFill(system)) << seed;
        for (const int threads : {2, 3, 5}) {
            WorkerPool pool(threads, 1);
            Components sideBySide;
            findComponents(system.A, system.constraints, sideBySide, pool);
            EXPECT_EQ(sideBySide.of, components.of) << seed << " with " << threads << " threads";
            EXPECT_EQ(sideBySide.rows, components.rows);
        }
        counts.insert(components.count());
        Index rows = 0;
        for (Index c = 1; c <= components.count(); ++c) {
            EXPECT_LE(components.size(c), components.size(components.largest()));
            EXPECT_TRUE(std::ranges::is_sorted(components.rowsIn(c)));
            for (const Index i : components.rowsIn(c)) EXPECT_EQ(components.of[i], c);
            rows += components.size(c);
        }
        Index ndof[4];
        system.constraints.counts(ndof);
        EXPECT_EQ(rows, system.A.rows() - ndof[0]);
    }
    EXPECT_GT(counts.size(), 5u);  // the systems must not all be alike
}

// The search first looks at two edges per row and guesses the common set from some rows. Here rows are connected by
// the last edge of a row or by a stray, or every row that is looked at first is held.
TEST(Components, RareEdgesCount) {
    std::mt19937 rng(3);
    constexpr Index n = 640;
    for (const bool held : {false, true}) {
        testing::Pairs pairs;
        for (Index i = 0; i + 4 < n; ++i)  // four interleaved strands
            if (i % 4 == 3 || i % 80 < 60) pairs.emplace_back(i, i + 4);
        pairs.emplace_back(2, 633);
        for (Index i = 8; i < 200; i += 4) pairs.emplace_back(7, i + 3);
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        auto system = testing::systemOnPairs(n, pairs, rng, 0.0, false);
        for (Index i = 0; held && i < n; i += 10) system.constraints.set({.particle = i, .ndof = 0});
        Components components;
        findComponents(system.A, system.constraints, components);
        EXPECT_EQ(components.of, floodFill(system)) << held;
        for (const int threads : {2, 3}) {
            WorkerPool pool(threads, 1);
            Components sideBySide;
            findComponents(system.A, system.constraints, sideBySide, pool);
            EXPECT_EQ(sideBySide.of, components.of) << held << " with " << threads << " threads";
        }
    }
}

TEST(Components, EverythingHeldIsNone) {
    auto system = testing::randomSystem(10, 1, 0.0);
    for (Index i = 0; i < 10; ++i) system.constraints.set({.particle = i, .ndof = 0});
    Components components;
    findComponents(system.A, system.constraints, components);
    EXPECT_EQ(components.count(), 0);
    EXPECT_EQ(components.largest(), 0);
}

}  // namespace
}  // namespace clothlab::linalg
