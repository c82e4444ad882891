#include "papers/boxerman/aimex.hpp"

#include <gtest/gtest.h>

#include "base/input.hpp"
#include "papers/rows.hpp"
#include "scratch_folder.hpp"
#include "simulation/scenes.hpp"

/// Tables about adaptive IMEX.
namespace clothlab::papers {
namespace {

using namespace boxerman;
using testing::kSanitized;
using testing::number;
using testing::optionsFor;

// The table's class for a set agrees with what the integrator does with its springs.
TEST(AimexGrid, ClassesAreWhatTheIntegratorDoes) {
    const ReproduceOptions options;
    const std::array sides{5};
    std::array<int, 4> seen{};
    for (int set = 0; set < 200; ++set) {
        std::mt19937 random = randomStream(options, set);
        const Cloth c = drawnForAimex(random, sides);
        auto made = simulation::Simulation::create(steppedBy(c, Way::Safe, directMethod()), 1);
        ASSERT_TRUE(made);
        (*made)->step();
        std::vector<std::uint8_t> states;
        (*made)->springStates(states);
        std::array<bool, cloth::kFamilies> isImplicit{};
        for (std::size_t e = 0; e < states.size(); ++e)
            if (states[e] & cloth::kSpringImplicit) isImplicit[int((*made)->model().springs[e].family)] = true;
        EXPECT_EQ(int(classifySplit(c)), 2 * !isImplicit[0] + !isImplicit[1]) << set;
        EXPECT_EQ(bendIsSafe(c), !isImplicit[2]) << set;
        ++seen[int(classifySplit(c))];
    }
    EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0);
}

// Table 4.1: no set diverges only under `safe`. Where only stretch or shear is explicit, the iterations stay the same;
// where everything is explicit, there are none.
TEST(Reproduce, BoxermanTable41SafeDivergesNowhereAlone) {
    const tests::ScratchFolder folder;
    ReproduceOptions options = optionsFor(kSanitized ? 5 : 10);
    if (kSanitized) options.sets = 5;
    options.setsFile = folder.file("sets.ndjson");
    const auto table = reproduce("boxerman-table-4.1", options);
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 9u);
    for (const ReproductionRow& row : table->rows) {
        const bool safe = !testing::is(row.what, "rule", "paper");
        if (safe) {
            EXPECT_EQ(number(row.ours, "diverged_alone"), 0);
        }
        if (!testing::find(row.ours, "cg_ratio")) continue;
        if (testing::is(row.what, "stretch/shear", "explicit/explicit")) {
            EXPECT_EQ(number(row.ours, "cg_ratio"), 0);
        } else if (safe) {
            EXPECT_NEAR(number(row.ours, "cg_ratio"), 1, kSanitized ? 0.35 : 0.25);  // five sets of 5 x 5 particles
        }
        EXPECT_GT(number(row.ours, "speed_ratio"), 0);
    }
    // Read back, it is the same table, including the times.
    const auto again = reproduce("boxerman-table-4.1", options);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(toJson(*again), toJson(*table));
}

// The more columns are stiff, the more springs are implicit, from none to all, and the motions stay close.
TEST(Reproduce, BoxermanAimexLocalGoesFromAllExplicitToAllImplicit) {
    const auto table = reproduce("boxerman-aimex-local", optionsFor(kSanitized ? 8 : 16));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 6u);
    double before = -1;
    for (std::size_t k = 0; k < 5; ++k) {
        const records::Entries& ours = table->rows[k].ours;
        const double implicit = number(ours, "implicit_springs"), wanted = number(table->rows[k].what, "stiff_share");
        EXPECT_GT(implicit, before);
        EXPECT_NEAR(implicit, wanted, 0.12) << "springs that lead into the region are soft";
        EXPECT_LT(number(ours, "apart"), 0.05);
        EXPECT_LE(number(ours, "iterations"), 1.2 * number(ours, "base_iterations") + 1);
        before = implicit;
    }
    EXPECT_EQ(number(table->rows[0].ours, "implicit_springs"), 0);
    EXPECT_EQ(number(table->rows[0].ours, "iterations"), 0);
    EXPECT_EQ(number(table->rows[4].ours, "implicit_springs"), 1);
    EXPECT_NEAR(number(table->rows[5].ours, "implicit_springs"), 0.5, 0.4) << "with graded columns";
    EXPECT_EQ(number(table->rows[0].paper, "speed_ratio"), 0.47);
    EXPECT_EQ(number(table->rows[4].paper, "speed_ratio"), 0.83);
}

// With nothing explicit the bits are the same; otherwise there is a difference, and it grows.
TEST(Reproduce, BoxermanSection443AdaptiveImexIsNearBackwardEuler) {
    ReproduceOptions options = optionsFor(kSanitized ? 5 : 10);
    options.sets = kSanitized ? 3 : 12;
    const auto table = reproduce("boxerman-section-4.4.3-results", options);
    ASSERT_TRUE(table) << table.error().text();
    const records::Entries& all = table->rows.front().ours;
    EXPECT_EQ(number(all, "count"), options.sets);
    EXPECT_LT(number(all, "median"), 0.1);
    EXPECT_LT(number(all, "most"), 4);

    double before = 0;
    const auto worst = reproduce("boxerman-figure-4.12", optionsFor(kSanitized ? 5 : 12));
    ASSERT_TRUE(worst) << worst.error().text();
    ASSERT_EQ(worst->rows.size(), 10u);
    for (const ReproductionRow& row : worst->rows) {
        EXPECT_GE(number(row.ours, "safe_rule"), before);
        before = number(row.ours, "safe_rule");
        EXPECT_NEAR(number(row.ours, "paper_rule"), before, 1e-6 * before);  // soft bend: both rules make it explicit
    }
    EXPECT_GT(before, 1e-6);
    EXPECT_LT(before, 1);

    // Folds amplify the initial noise, so seeds differ.
    const auto average = reproduce("boxerman-figure-4.13", optionsFor(kSanitized ? 5 : 10));
    ASSERT_TRUE(average) << average.error().text();
    for (const ReproductionRow& row : average->rows) {
        EXPECT_LT(number(row.ours, "least"), number(row.ours, "paper_rule"));
        EXPECT_LT(number(row.ours, "paper_rule"), number(row.ours, "most"));
    }
    EXPECT_EQ(number(average->rows.back().paper, "paper_rule"), 0.63);
}

}  // namespace
}  // namespace clothlab::papers
