#include "linalg/block_pattern.hpp"

#include <gtest/gtest.h>

#include <random>

namespace clothlab::linalg {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

Pairs randomPairs(Index rows, std::size_t count, std::mt19937& random) {
    std::uniform_int_distribution<Index> any(0, rows - 1);
    Pairs pairs;
    while (pairs.size() < count)
        if (const Index i = any(random), j = any(random); i < j) pairs.emplace_back(i, j);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

// The merged union equals the pattern made from both lists at once.
TEST(BlockPattern, UnitedIsThePatternOfBothLists) {
    std::mt19937 random(5);
    for (const auto& [springs, extra] : {std::pair{150, 40}, {0, 30}, {150, 0}, {3, 400}}) {
        const Pairs own = randomPairs(60, std::size_t(springs), random);
        Pairs pairs = randomPairs(60, std::size_t(extra), random);
        if (!own.empty() && !pairs.empty())
            pairs.insert(pairs.end(), own.begin(), own.begin() + 3);  // some are also springs
        std::sort(pairs.begin(), pairs.end());
        const auto base = makePattern(60, own);
        std::vector<Index> position;
        const auto wider = united(base, pairs, position);
        Pairs both = own;
        both.insert(both.end(), pairs.begin(), pairs.end());
        const auto expected = makePattern(60, both);
        EXPECT_EQ(wider->rowStart, expected->rowStart);
        EXPECT_EQ(wider->column, expected->column);
        EXPECT_EQ(wider->diagonal, expected->diagonal);
        EXPECT_NE(wider->revision, base->revision);
        ASSERT_EQ(Index(position.size()), base->blocks());
        for (Index i = 0; i < 60; ++i)
            for (Index k = base->rowStart[i]; k < base->rowStart[i + 1]; ++k)
                EXPECT_EQ(position[k], wider->find(i, base->column[k]));
    }
}

}  // namespace
}  // namespace clothlab::linalg
