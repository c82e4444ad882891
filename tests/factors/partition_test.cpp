#include "factors/partition.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/random_systems.hpp"

namespace clothlab::factors {
namespace {

/// The domains that the neighbours of a row are in.
std::set<Index> touched(const linalg::BlockPattern& p, const Partition& partition, Index row) {
    std::set<Index> domains;
    for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k)
        if (const Index domain = partition.of[p.column[k]]; domain != Partition::kInterface) domains.insert(domain);
    return domains;
}

std::vector<Index> sizes(const Partition& partition) {
    std::vector<Index> rows(std::size_t(partition.domains) + 1, 0);
    for (const Index domain : partition.of) ++rows[domain == Partition::kInterface ? partition.domains : domain];
    return rows;
}

TEST(Partition, DomainsDoNotTouchAndTheInterfaceTouchesTwo) {
    const testing::RandomSystem systems[] = {testing::gridSystem(40, 1), testing::randomSystem(900, 2),
                                             testing::islands({300, 200, 40, 1, 1}, 3)};
    for (const testing::RandomSystem& system : systems)
        for (const Index domains : {1, 2, 3, 4, 7, 16}) {
            const linalg::BlockPattern& p = system.A.pattern();
            const Partition partition = partitionRows(p, domains);
            ASSERT_EQ(Index(partition.of.size()), p.rows);
            EXPECT_LE(partition.domains, domains);
            for (Index row = 0; row < p.rows; ++row) {
                const std::set<Index> others = touched(p, partition, row);
                if (partition.of[row] == Partition::kInterface)
                    EXPECT_GE(others.size(), 2u) << row;
                else
                    EXPECT_EQ(others, std::set<Index>{partition.of[row]}) << row;
            }
            EXPECT_EQ(partition.of, partitionRows(p, domains).of);
        }
}

// The particles of a grid have neighbours two rows away: strips, with separators of two rows each.
TEST(Partition, OfAGridIsStrips) {
    const Index side = 48;
    const testing::RandomSystem grid = testing::gridSystem(side, 1);
    for (const Index domains : {2, 4}) {
        const Partition partition = partitionRows(grid.A.pattern(), domains);
        ASSERT_EQ(partition.domains, domains);
        const std::vector<Index> rows = sizes(partition);
        EXPECT_LE(rows[domains], (domains - 1) * (2 * side + 1));
        for (Index d = 0; d < domains; ++d) EXPECT_GT(rows[d], side * side / domains - 3 * side) << d;
        for (Index row = 0; row < side * side; ++row) EXPECT_LE(touched(grid.A.pattern(), partition, row).size(), 2u);
    }
}

TEST(Partition, WhatCannotBeCutStaysWhole) {
    const testing::RandomSystem dense = testing::randomSystem(12, 4, 0.0, false, 12);
    EXPECT_EQ(partitionRows(dense.A.pattern(), 4).domains, 1);
    EXPECT_EQ(partitionRows(*linalg::makePattern(3, {}), 8).domains, 1);
}

}  // namespace
}  // namespace clothlab::factors
