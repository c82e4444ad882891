#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "papers/boxerman/decomposition.hpp"
#include "papers/rows.hpp"
#include "scratch_folder.hpp"
#include "simulation/scenes.hpp"

/// Tables about blocks, implicit springs and components.
namespace clothlab::papers {
namespace {

using namespace boxerman;
using testing::is;
using testing::kSanitized;
using testing::number;
using testing::optionsFor;

TEST(Reproduce, BoxermanFigures43And47CountTheBlocksOfTheSheet) {
    for (const auto& [figure, blocks] :
         std::map<std::string, double>{{"boxerman-figure-4.3", 1360}, {"boxerman-figure-4.7", 460}}) {
        const auto table = reproduce(figure, optionsFor(0));
        ASSERT_TRUE(table) << table.error().text();
        ASSERT_EQ(table->rows.size(), 1u);
        EXPECT_EQ(number(table->rows[0].ours, "blocks"), blocks) << figure;
        EXPECT_LE(number(table->rows[0].ours, "occupied"), blocks) << figure;
    }
}

TEST(Reproduce, BoxermanFigure411LosesBlocksAndFallsApart) {
    const auto table = reproduce("boxerman-figure-4.11", optionsFor(0));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 3u);
    double components = 0;
    for (const ReproductionRow& row : table->rows) {
        EXPECT_EQ(number(row.ours, "blocks"), 1360);
        EXPECT_EQ(number(row.ours, "most"), 784);  // 100 + 2 (180 + 162), stretch and shear, at rest
        EXPECT_LT(number(row.ours, "fewest"), 500);
        components = std::max(components, number(row.ours, "components"));
    }
    EXPECT_GT(components, 1);
}

// As the captions say: black at large steps, only stretch at modest ones, nothing at small ones; some springs are
// missing.
TEST(Reproduce, BoxermanFigures48To410AreAsTheirCaptionsSay) {
    for (const char* figure : {"boxerman-figure-4.8", "boxerman-figure-4.9", "boxerman-figure-4.10"}) {
        const auto table = reproduce(figure, optionsFor(0));
        ASSERT_TRUE(table) << table.error().text();
        ASSERT_EQ(table->rows.size(), 12u);
        double inactive = 0;
        for (const ReproductionRow& row : table->rows) {
            const double all = is(row.what, "springs", "stretch") ? 180 : is(row.what, "springs", "shear") ? 162 : 288;
            EXPECT_EQ(number(row.ours, "implicit") + number(row.ours, "explicit") + number(row.ours, "inactive"), all);
            EXPECT_TRUE(number(row.ours, "implicit") == 0 || number(row.ours, "explicit") == 0);
            if (is(row.what, "springs", "bend")) continue;
            EXPECT_TRUE(is(row.ours, "active", std::get<std::string>(*testing::find(row.paper, "active")))) << figure;
            inactive += number(row.ours, "inactive");
        }
        EXPECT_GT(inactive, 0) << figure;
    }
}

// The counts are sums over the components, and both ways have the same solution.
TEST(BothWays, CountsAreSumsOverComponentsAndSolutionsAgree) {
    const Cloth c{.configuration = Configuration::Sphere,
                  .side = kSanitized ? 12 : 24,
                  .spacing = 1.5 / 23,
                  .density = 0.1,
                  .stretch = 1000,
                  .shear = 1000};
    auto made = simulation::Simulation::create(decomposingScene(c, Friction::Sticking), 1);
    ASSERT_TRUE(made);
    simulation::Simulation& simulation = **made;
    for (int step = 0; step < 30; ++step) ASSERT_LE(simulation.step().status, integrators::StepStatus::Unconverged);
    const std::uint64_t before = simulation.lastReport().stateHash;
    Job job(optionsFor(0));
    const auto system = systemOfNextStep(simulation, Implicit::Stretch, job);
    ASSERT_TRUE(system);
    std::vector<KeptSolver> solvers;
    for (const bool decompose : {false, true}) solvers.emplace_back(wholeOrDecomposed(1e-12, decompose), job.pool);
    BothWays sums;
    sums.add(std::span<KeptSolver, 2>(solvers), *system, 1, job);
    EXPECT_GT(sums.components, 1);
    double rv = 0;
    Index free = 0;
    for (const solvers::ComponentSolve& component : solvers[1].summary.components) {
        rv += double(component.iterations) * component.rows;
        free += component.rows;
    }
    EXPECT_EQ(sums.decomposed, rv);
    EXPECT_LT(free, system->A.rows());
    const linalg::BlockVector &whole = solvers[0].deltaV, &decomposed = solvers[1].deltaV;
    const double scale = whole.flat().cwiseAbs().maxCoeff();
    EXPECT_LT((whole.flat() - decomposed.flat()).cwiseAbs().maxCoeff(), 1e-9 * scale);

    // Looking at the next step does not take it.
    auto twin = simulation::Simulation::create(decomposingScene(c, Friction::Sticking), 1);
    ASSERT_TRUE(twin);
    for (int step = 0; step < 30; ++step) (*twin)->step();
    EXPECT_EQ((*twin)->lastReport().stateHash, before);
    EXPECT_EQ(simulation.step().stateHash, (*twin)->step().stateHash);
}

// Held particles save many iterations; sliding sheets have none and save fewer.
TEST(Reproduce, BoxermanFigure610DecomposedTakesFewer) {
    const tests::ScratchFolder folder;
    ReproduceOptions options = optionsFor(kSanitized ? 10 : 30);
    if (kSanitized) options.sets = 4;
    options.setsFile = folder.file("sets.ndjson");
    const auto table = reproduce("boxerman-figure-6.10", options);
    ASSERT_TRUE(table) << table.error().text();
    for (const ReproductionRow& row : table->rows) {
        EXPECT_GE(number(row.ours, "components"), 1);
        EXPECT_LE(number(row.ours, "ratio"), number(row.ours, "most"));
        if (kSanitized || !is(row.what, "particles", "900")) continue;
        const bool sticking = is(row.what, "friction", "sticking"), adaptive = is(row.what, "implicit", "adaptive");
        EXPECT_LT(number(row.ours, "ratio"), sticking ? (adaptive ? 0.85 : 0.75) : (adaptive ? 1.01 : 0.98));
        EXPECT_LT(number(row.ours, "most"), 1.02);
        EXPECT_EQ(number(row.ours, "held") == 0, is(row.what, "friction", "sliding"));
    }
    if (!kSanitized) {  // the last rows: sheets with friction, then all of them
        const auto large = [&](const char* friction) -> double {
            for (const ReproductionRow& row : table->rows)
                if (is(row.what, "particles", "above 700") && is(row.what, "friction", friction) &&
                    is(row.what, "implicit", "adaptive"))
                    return number(row.ours, "ratio");
            return NAN;
        };
        EXPECT_NEAR(large("with friction"), (large("sticking") + large("slipping")) / 2, 1e-12);
        EXPECT_NEAR(large("all"), (2 * large("with friction") + large("sliding")) / 3, 1e-12);
    }
    // Figure 6.9 counts the same sets.
    const auto counts = reproduce("boxerman-figure-6.9", options);
    ASSERT_TRUE(counts) << counts.error().text();
    for (const ReproductionRow& row : counts->rows) EXPECT_GT(number(row.ours, "whole_rv"), 0);
}

/// Some tables build their scenes in code. They accept --set for each setting that they do not fix themselves.
TEST(Reproduce, WhatATableOfMadeScenesLeavesOpenCanBeSet) {
    ReproduceOptions options = optionsFor(8);
    options.sets = 2;
    const auto usual = reproduce("boxerman-section-6.4.2-sphere", options);
    options.overrides = {"contact.sticking=speed", "contact.sticking_speed=0.5"};
    const auto changed = reproduce("boxerman-section-6.4.2-sphere", options);
    ASSERT_TRUE(usual && changed) << changed.error().text();
    bool differs = false;
    for (std::size_t r = 0; r < usual->rows.size(); ++r)
        differs |= number(usual->rows[r].ours, "held") != number(changed->rows[r].ours, "held");
    EXPECT_TRUE(differs);
    options.overrides = {"contact.mu_k=0.3"};
    const auto own = reproduce("boxerman-section-6.4.2-sphere", options);
    ASSERT_FALSE(own);
    EXPECT_NE(own.error().text().find("sets that itself"), std::string::npos) << own.error().text();
}

// More friction and a larger sphere hold more particles, and the held cloth falls into components.
TEST(Reproduce, BoxermanSection642SphereFrictionAndSizeDecide) {
    const auto table = reproduce("boxerman-section-6.4.2-sphere", optionsFor(kSanitized ? 8 : 20));
    ASSERT_TRUE(table) << table.error().text();
    const auto row = [&](double friction, double radius) -> const ReproductionRow& {
        for (const ReproductionRow& r : table->rows)
            if (number(r.what, "friction") == friction && number(r.what, "radius") == radius) return r;
        ADD_FAILURE() << "no row with friction " << friction << ", radius " << radius;
        return table->rows.front();
    };
    EXPECT_EQ(number(row(0, 0.3).ours, "held"), 0);
    for (const ReproductionRow& r : table->rows) EXPECT_GT(number(r.ours, "ratio"), 0);
    if (kSanitized) return;
    EXPECT_LT(number(row(10, 0.3).ours, "ratio"), number(row(0.2, 0.3).ours, "ratio"));
    EXPECT_LT(number(row(10, 0.5).ours, "ratio"), number(row(10, 0.2).ours, "ratio"));
    EXPECT_GT(number(row(10, 0.5).ours, "held"), number(row(10, 0.2).ours, "held"));
}

TEST(Reproduce, BoxermanSection641HardlyAnythingFallsApart) {
    ReproduceOptions options = optionsFor(kSanitized ? 8 : 20);
    if (kSanitized) options.sets = 2;
    const auto table = reproduce("boxerman-section-6.4.1", options);
    ASSERT_TRUE(table) << table.error().text();
    const ReproductionRow& all = table->rows.back();
    EXPECT_TRUE(is(all.what, "particles", "all"));
    EXPECT_LT(number(all.ours, "rv"), 1.03);
    EXPECT_GT(number(all.ours, "rv"), 0.8);
}

TEST(Reproduce, BoxermanSection642ParallelCountsTheSameOnTwoThreads) {
    const auto table = reproduce("boxerman-section-6.4.2-parallel", optionsFor(kSanitized ? 10 : 20));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 4u);
    EXPECT_EQ(number(table->rows[0].ours, "rv"), number(table->rows[2].ours, "rv"));
    EXPECT_EQ(number(table->rows[1].ours, "rv"), number(table->rows[3].ours, "rv"));
    EXPECT_LT(number(table->rows[1].ours, "rv"), 1);
}

// [B] chapter 7: the constrained preconditioner saves iterations, and no method needs more. The benchmarks measure
// times.
TEST(Reproduce, BoxermanChapter7EachMethodAloneAndAllTogether) {
    const auto table = reproduce("boxerman-chapter-7", optionsFor(kSanitized ? 12 : 21));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 10u);
    for (const std::size_t first : {0, 5}) {
        const auto iterations = [&](std::size_t row) { return number(table->rows[first + row].ours, "iterations"); };
        EXPECT_TRUE(is(table->rows[first + 4].paper, "speed_up", "2 to 3"));
        EXPECT_LE(iterations(1), 1.02 * iterations(0)) << "adaptive IMEX";
        EXPECT_LT(iterations(2), iterations(0)) << "constrained preconditioner";
        EXPECT_LE(iterations(3), 1.02 * iterations(0)) << "components";
        EXPECT_LE(iterations(4), 1.02 * iterations(2)) << "all three";
    }
}

// [B] §6.4.3: resting cloth falls into components, on the table and the sphere more than on the floor; the shirt saves
// as much as is held.
TEST(Reproduce, BoxermanSection643WhatLiesFallsApart) {
    const auto table = reproduce("boxerman-section-6.4.3", optionsFor(kSanitized ? 14 : 21));
    ASSERT_TRUE(table) << table.error().text();
    ASSERT_EQ(table->rows.size(), 16u);
    const auto ratio = [&](std::string_view scene, std::string_view implicit) -> double {
        for (const ReproductionRow& row : table->rows)
            if (is(row.what, "scene", scene) && is(row.what, "implicit", implicit)) return number(row.ours, "ratio");
        return std::nan("");
    };
    double shirts = 0;
    for (const ReproductionRow& row : table->rows) {
        EXPECT_GE(number(row.ours, "systems"), 6);
        EXPECT_GE(number(row.ours, "components"), 1);
        EXPECT_LE(number(row.ours, "best"), number(row.ours, "ratio"));
        EXPECT_LE(number(row.ours, "ratio"), number(row.ours, "worst"));
        EXPECT_LE(number(row.ours, "worst"), 1.05);
        EXPECT_GE(number(row.ours, "explicit"), 0);
        EXPECT_LT(number(row.ours, "explicit"), 1);
        if (!is(row.what, "scene", "T-shirt")) continue;
        ++shirts;
        EXPECT_GT(number(row.ours, "explicit"), 0.1) << "its bend springs";
        EXPECT_LE(number(row.ours, "ratio"), 1.001);
    }
    EXPECT_EQ(shirts, 2);
    EXPECT_LE(ratio("floor, corner first", "stretch"), ratio("floor, corner first", "adaptive"));
    if (kSanitized) return;
    EXPECT_LT(ratio("floor, level", "adaptive"), 0.7) << "30 to 40 % saved";
    EXPECT_LT(ratio("floor, tilted by 20 degrees", "adaptive"), 0.7);
    EXPECT_LT(ratio("floor, tilted by 50 degrees", "adaptive"), ratio("floor, corner first", "adaptive"));
    EXPECT_LT(ratio("table", "adaptive"), 0.9);
    EXPECT_LT(ratio("sphere", "adaptive"), 0.8);
    EXPECT_LT(ratio("T-shirt and sheet", "adaptive"), ratio("T-shirt", "adaptive"));
}

}  // namespace
}  // namespace clothlab::papers
