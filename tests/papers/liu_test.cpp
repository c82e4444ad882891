#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "papers/reproduction.hpp"

namespace clothlab::papers {
namespace {

ReproduceOptions small() {
    return {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets", .quick = true, .brief = true, .side = 13};
}

TEST(Reproduce, LiuTable1HasTheFactorAndTheIteration) {
    const auto table = reproduce("liu-table-1", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 4u) << "the cloth and three bodies";
    for (const auto& row : table->rows) {
        EXPECT_GT(records::findNumber(row.ours, "prefactorization_ms"), 0);
        EXPECT_GT(records::findNumber(row.ours, "ms_per_iteration"), 0);
    }
    EXPECT_EQ(records::findNumber(table->rows[0].ours, "springs"), 742);
    for (std::size_t body = 1; body < 4; ++body) {
        const double particles = records::findNumber(table->rows[body].ours, "vertices");
        EXPECT_GT(particles, 1000);
        EXPECT_GT(records::findNumber(table->rows[body].ours, "springs"), 5 * particles);
    }
}

TEST(Reproduce, LiuFigure3ComesCloserWithIterations) {
    const auto table = reproduce("liu-figure-3", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 3u) << "1, 10, exact";
    const auto distance = [&](std::size_t row) {
        return records::findNumber(table->rows[row].ours, "distance_rms_mm");
    };
    EXPECT_GT(distance(0), 2 * distance(1));
    EXPECT_EQ(distance(2), 0);
}

// The paper's values for another size are not shown beside ours.
TEST(Reproduce, LiusTimesStandBesideThePapersSizeOnly) {
    for (const char* name : {"liu-table-1", "liu-figure-2"}) {
        const auto table = reproduce(name, small());
        ASSERT_TRUE(table) << table.error().text();
        for (const auto& row : table->rows)
            for (const char* key : {"ms_per_iteration", "prefactorization_ms", "error_after_10", "ms_after_10",
                                    "error_after_1", "ms_after_1"})
                EXPECT_EQ(records::findEntry(row.paper, key), nullptr) << name << ", " << key;
        EXPECT_TRUE(std::ranges::any_of(table->notes, [](const std::string& note) {
            return note.find("left out") != note.npos;
        })) << name;
    }
}

TEST(Reproduce, LiuFigure4SaysHowFarTheFramesAreFromTheExactMotion) {
    const auto table = reproduce("liu-figure-4", small());
    ASSERT_TRUE(table) << table.error().text();
    EXPECT_EQ(table->notes[0], "The impact, after 4 frames of 33 ms, 169 vertices.");
    const auto distance = [&](std::size_t row) {
        return records::findNumber(table->rows[row].ours, "distance_rms_mm");
    };
    EXPECT_EQ(table->notes[1], fmt::format("1, 10 iterations are {:.0f}, {:.0f} mm rms from the exact motion, of a "
                                           "sheet of 1.6 m.",
                                           distance(0), distance(1)));
}

TEST(Reproduce, LiuBootstrapTakesNoMoreNewtonSteps) {
    const auto table = reproduce("liu-bootstrap", small());
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 12u);
    for (const std::size_t frame : {0, 4, 8}) {
        const auto steps = [&](std::size_t row) {
            return records::findNumber(table->rows[frame + row].ours, "newton_steps");
        };
        EXPECT_GT(steps(0), 0);
        EXPECT_LE(steps(3), steps(0)) << frame;
    }
}

}  // namespace
}  // namespace clothlab::papers
