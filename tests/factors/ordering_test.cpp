#include "factors/ordering.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "support/random_systems.hpp"

namespace clothlab::factors {

using namespace linalg;
namespace {

TEST(Domains, DoNotTouchAndKeepEveryRow) {
    const auto system = testing::gridSystem(40, 3);
    const BlockPattern& p = system.A.pattern();
    for (const Index asked : {1, 2, 4}) {
        const DomainOrder cut = cutIntoDomains(p, orderRows(p, Ordering::Natural), asked);
        ASSERT_EQ(cut.domains(), asked);
        EXPECT_EQ(std::set<Index>(cut.order.begin(), cut.order.end()).size(), std::size_t(p.rows));
        std::vector<Index> domainOf(p.rows, -1);  // -1: separator
        for (Index d = 0; d < asked; ++d) {
            EXPECT_GT(cut.domainStart[d + 1] - cut.domainStart[d], p.rows / asked * 3 / 4);
            for (Index k = cut.domainStart[d]; k < cut.domainStart[d + 1]; ++k) domainOf[cut.order[k]] = d;
        }
        for (Index i = 0; i < p.rows; ++i)
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
                const Index j = p.column[k];
                EXPECT_TRUE(domainOf[i] < 0 || domainOf[j] < 0 || domainOf[i] == domainOf[j]) << i << " " << j;
            }
    }
}

// Without a narrow band, the separators would hold nearly all rows.
TEST(Domains, AreFewerWhereSeparatorsWouldTakeTooMuch) {
    const auto system = testing::gridSystem(30, 4);
    const BlockPattern& p = system.A.pattern();
    std::vector<Index> shuffled = orderRows(p, Ordering::Natural);
    std::mt19937 rng(1);
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    const DomainOrder cut = cutIntoDomains(p, shuffled, 8);
    EXPECT_EQ(cut.domains(), 1);
    EXPECT_EQ(cut.order, shuffled);
    EXPECT_LT(cutIntoDomains(p, orderRows(p, Ordering::Natural), 16).domains(), 16);
}

}  // namespace
}  // namespace clothlab::factors
