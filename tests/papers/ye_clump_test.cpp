#include <gtest/gtest.h>

#include <algorithm>

#include "papers/rows.hpp"
#include "support/sanitizers.hpp"

/// Tables about contact of the cloth with itself.
namespace clothlab::papers {
namespace {

using testing::find;
using testing::is;
using testing::kSanitized;
using testing::number;
using testing::optionsFor;

constexpr int kSide = kSanitized ? 15 : 31;

// [Y] §7: all solvers have the same contacts and solution, and corePCG still saves iterations, with robust contact and
// with repulsion.
TEST(Reproduce, YeFigure4TheMethodsAgreeAndCorePcgTakesAtMostEightIterations) {
    const auto table = reproduce("ye-figure-4", optionsFor(kSide));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 6u);
    const double contact = number(table->rows.front().ours, "contact_ms");
    int core = 0;
    for (const ReproductionRow& row : table->rows) {
        EXPECT_TRUE(row.paper.empty()) << "values of another size";
        EXPECT_EQ(find(row.ours, "status"), nullptr);
        EXPECT_GT(number(row.ours, "contact_ms"), 0);
        EXPECT_GT(number(row.ours, "dynamics_ms"), 0);
        if (is(row.what, "self_collision", "robust")) {
            EXPECT_EQ(number(row.ours, "contact_ms"), contact);
        }
        if (is(row.what, "method", "CHOLMOD")) {
            EXPECT_LT(number(row.ours, "difference"), 1e-9);
            continue;
        }
        EXPECT_LT(number(row.ours, "difference"), 1e-2) << "tolerance 1e-3, in another norm";
        if (is(row.what, "method", "corePCG")) {
            ++core;
            EXPECT_GE(number(row.ours, "iterations"), 1);
            EXPECT_LE(number(row.ours, "most_iterations"), 8);
        } else if (is(row.what, "from", "paper")) {
            EXPECT_GT(number(row.ours, "iterations"), 10);
        }
    }
    EXPECT_EQ(core, 2);
    EXPECT_NEAR(number(table->rows[1].ours, "iterations"), number(table->rows[0].ours, "iterations"), 2)
        << "the plain loop is the same method";
}

TEST(Reproduce, YeSection7CorePcgDoesNotFeelThatContactMovesParticles) {
    const auto table = reproduce("ye-section-7", optionsFor(kSide));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 6u);
    for (const char* springs : {"tension-only", "two-sided"}) {
        double most = 0;
        for (const ReproductionRow& row : table->rows) {
            if (!is(row.what, "springs", springs)) continue;
            most = std::max(most, number(row.ours, "repositioned"));
            EXPECT_LE(number(row.ours, "core_iterations"), 8) << springs;
            EXPECT_GT(number(row.ours, "mpcg_iterations"), number(row.ours, "core_iterations")) << springs;
        }
        EXPECT_LE(most, 1);
        // With two-sided springs the sheet does not touch itself within these frames.
        if (!kSanitized && std::string_view(springs) == "tension-only") {
            EXPECT_GT(most, 0) << springs;
        }
    }
}

}  // namespace
}  // namespace clothlab::papers
