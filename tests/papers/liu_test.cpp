#include <gtest/gtest.h>

#include "papers/reproduction.hpp"

namespace clothlab::papers {
namespace {

ReproduceOptions small() { return {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets", .quick = true, .side = 13}; }

TEST(Reproduce, LiuTable1HasTheFactorAndTheIteration) {
    const auto table = reproduce("liu-table-1", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 4u) << "the cloth and three bodies";
    for (const auto& row : table->rows) {
        EXPECT_GT(records::numberOf(row.ours, "prefactorization_ms"), 0);
        EXPECT_GT(records::numberOf(row.ours, "ms_per_iteration"), 0);
    }
    EXPECT_EQ(records::numberOf(table->rows[0].ours, "springs"), 742);
    for (std::size_t body = 1; body < 4; ++body) {
        const double particles = records::numberOf(table->rows[body].ours, "vertices");
        EXPECT_GT(particles, 1000);
        EXPECT_GT(records::numberOf(table->rows[body].ours, "springs"), 5 * particles);
    }
}

TEST(Reproduce, LiuFigure3ComesCloserWithIterations) {
    const auto table = reproduce("liu-figure-3", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 3u) << "1, 10, exact";
    const auto distance = [&](std::size_t row) { return records::numberOf(table->rows[row].ours, "distance_rms_mm"); };
    EXPECT_GT(distance(0), 2 * distance(1));
    EXPECT_EQ(distance(2), 0);
}

TEST(Reproduce, LiuBootstrapTakesNoMoreNewtonSteps) {
    const auto table = reproduce("liu-bootstrap", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 8u);
    for (const std::size_t frame : {0, 4}) {
        const auto steps = [&](std::size_t row) {
            return records::numberOf(table->rows[frame + row].ours, "newton_steps");
        };
        EXPECT_GT(steps(0), 0);
        EXPECT_LE(steps(3), steps(0)) << frame;
    }
}

}  // namespace
}  // namespace clothlab::papers
