#include "lessons/lesson.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lessons/lesson_run.hpp"

namespace clothlab::lessons {
namespace {

const std::string kAssets = CLOTHLAB_SOURCE_DIR "/assets";

constexpr const char* kHead = R"md(+++
title = "A try"
group = "Tests"
scene = "hang"
controls = ["material.stretch_stiffness", "preconditioner.kind"]
[settings]
"cloth.rows" = 9
"cloth.columns" = 9
"preconditioner.kind" = "jacobi"
+++
)md";

/// Reads from a file, because scenes and settings are checked too.
Expected<Lesson> read(const std::string& text) {
    const auto path = std::filesystem::path(::testing::TempDir()) / "a-try.md";
    std::ofstream(path) << text;
    return readLesson(path.string(), kAssets);
}

TEST(Lesson, IsReadWhole) {
    const auto lesson = read(std::string(kHead) + R"md(
## Soft

Look at the **plot**.

```toml
set = { "material.stretch_stiffness" = 60 }
overlay = "strain"
steps = 5
claim = ["mean(iterations) > 1", "failed() == 0"]
paper = "4"
```
- and at the cloth

## Stiff

Now *stiffer*.

```toml
branch = true
set = { "material.stretch_stiffness" = 6000 }
pin = [[-1, 0]]
steps = 4
race = ["jacobi", "mpcg constrained-block", "cholesky"]
race_tolerance = 1e-4
claim = "mean(iterations) > step1.mean(iterations)"
```
)md");
    ASSERT_TRUE(lesson) << lesson.error().text();
    EXPECT_EQ(lesson->name, "a-try");
    ASSERT_EQ(lesson->steps.size(), 2u);
    const LessonStep &soft = lesson->steps[0], &stiff = lesson->steps[1];
    EXPECT_EQ(soft.title, "Soft");
    EXPECT_EQ(soft.text, "Look at the **plot**.\n\n- and at the cloth");
    EXPECT_EQ(soft.overlay, scene::OverlayKind::Strain);
    EXPECT_EQ(soft.claims.size(), 2u);
    EXPECT_FALSE(soft.branch);
    EXPECT_EQ(stiff.branch, true);
    EXPECT_EQ(stiff.raceTolerance, 1e-4);
    EXPECT_TRUE(beginsAnew(*lesson, 0));
    EXPECT_FALSE(beginsAnew(*lesson, 1));
    EXPECT_EQ(sceneAt(*lesson, 1, kAssets)->settings.material.stretchStiffness, 6000);
    EXPECT_EQ(sceneAt(*lesson, 1, kAssets, true)->settings.material.stretchStiffness, 60);
    EXPECT_EQ(*particleAt(*sceneAt(*lesson, 1, kAssets), {-1, 0}), 72);
}

TEST(Lesson, SaysWhichPlotItIsAbout) {
    const std::string head(kHead);
    const auto about = [&](std::string_view plot, std::string_view block) {
        std::string text = head;
        text.insert(text.find("[settings]"), fmt::format("plot = \"{}\"\n", plot));
        return read(text + fmt::format("\n## One\nText.\n```toml\n{}```\n## Two\nText.\n", block));
    };
    const auto energy = about("energy", "plot = \"iterations\"\nsteps = 1\n");
    ASSERT_TRUE(energy) << energy.error().text();
    EXPECT_EQ(plotAt(*energy, 0), "iterations");
    EXPECT_EQ(plotAt(*energy, 1), "energy");
    const auto race = about("race", "steps = 1\nrace = [\"jacobi\"]\n");
    ASSERT_TRUE(race) << race.error().text();
    EXPECT_EQ(plotAt(*race, 0), "race");
    EXPECT_EQ(plotAt(*race, 1), "") << "this step has no race";
    EXPECT_TRUE(about("max_strain", "")) << "a column of reports is a plot too";
    for (const auto& [plot, block, line, words] :
         {std::tuple{"enrgy", "", 6, "there is no plot 'enrgy'"},
          {"also", "", 6, "there is no plot 'also'"},
          {"race", "", 6, "plot = \"race\", and no step has one"},
          {"energy", "plot = \"slow\"\n", 13, "plot = \"slow\", and the step has none"},
          {"energy", "plot = \"heat\"\n", 16, "there is no plot 'heat'"}}) {
        const auto wrong = about(plot, block);
        ASSERT_FALSE(wrong) << plot << block;
        EXPECT_EQ(wrong.error().line, line) << wrong.error().text();
        EXPECT_TRUE(wrong.error().message.starts_with(words)) << wrong.error().text();
        EXPECT_FALSE(wrong.error().choices.empty());
    }
}

TEST(Lesson, IsGivenWithoutAWindow) {
    const auto lesson = read(std::string(kHead) + R"md(
## Soft
Soft.
```toml
set = { "material.stretch_stiffness" = 60 }
steps = 12
race = ["jacobi", "cholesky"]
```
## Stiff
Stiff.
```toml
branch = true
set = { "material.stretch_stiffness" = 60000 }
pin = [[-1, 0]]
steps = 12
claim = ["mean(iterations) > 1.5 * step1.mean(iterations)", "distance() > 1e-4", "ghost.last(max_strain) > 0",
         "step1.race(\"cholesky\", converged) == 1", "steps() == 12", "last(ndof_counts.0) == 3"]
```
## Back
And again from the start.
```toml
restart = true
steps = 1
claim = ["last(step) == 1", "distance() < 0"]
```
)md");
    ASSERT_TRUE(lesson) << lesson.error().text();
    std::size_t told = 0;
    const auto facts = runLesson(*lesson, kAssets, {.threads = 2, .onStep = [&](std::size_t, auto) { ++told; }});
    ASSERT_TRUE(facts) << facts.error().text();
    EXPECT_EQ(told, 3u);
    ASSERT_EQ(facts->size(), 3u);
    const LessonStep& stiff = lesson->steps[1];
    for (const Claim& claim : stiff.claims)
        EXPECT_TRUE(claim.holds(lookupAt(*facts, 1))) << claim.filledIn(lookupAt(*facts, 1));
    EXPECT_TRUE(lesson->steps[2].claims[0].holds(lookupAt(*facts, 2)));
    EXPECT_FALSE(lesson->steps[2].claims[1].holds(lookupAt(*facts, 2))) << "the ghost ended with the motion";
    EXPECT_EQ((*facts)[0].race.rows.size(), 2u);
}

/// A ghost has the settings before `set`, or those after it with its own changes.
TEST(Lesson, AGhostHasItsOwnSettings) {
    const auto lesson = read(std::string(kHead) + R"md(
## Before
The ghost keeps what was there.
```toml
branch = true
set = { "integrator.dt" = 0.004, "material.stretch_stiffness" = 70 }
```

## Own
The ghost differs in one word.
```toml
set = { "integrator.dt" = 0.003 }
ghost = { "integrator.dt" = 0.002 }
```
)md");
    ASSERT_TRUE(lesson) << lesson.error().text();
    const auto usual = sceneAt(*lesson, 0, kAssets, true), now = sceneAt(*lesson, 1, kAssets);
    const auto first = ghostAt(*lesson, 0, kAssets), second = ghostAt(*lesson, 1, kAssets);
    ASSERT_TRUE(usual && now && first && second);
    EXPECT_TRUE(*first == usual->settings);
    EXPECT_EQ(second->integrator.dt, 0.002);
    EXPECT_EQ(second->material.stretchStiffness, 70);
    scene::Settings same = *second;
    same.integrator.dt = now->settings.integrator.dt;
    EXPECT_TRUE(same == now->settings);
    EXPECT_TRUE(lesson->steps[1].branch.value_or(false));
    EXPECT_FALSE(read(std::string(kHead) + "## One\nText.\n```toml\nghost = { \"solver.kin\" = \"mpcg\" }\n```\n"));
}

TEST(Lesson, AStepThatFailsEndsThereAndTheClaimKnows) {
    const auto lesson = read(std::string(kHead) + R"md(
## Forward
Explicit, with too long a step.
```toml
set = { "integrator.kind" = "forward-euler", "integrator.substeps" = 1, "material.stretch_stiffness" = 6000 }
steps = 400
claim = ["failed() == 1", "steps() < 400"]
```
)md");
    ASSERT_TRUE(lesson) << lesson.error().text();
    const auto facts = runLesson(*lesson, kAssets, {.threads = 2});
    ASSERT_TRUE(facts) << facts.error().text();
    for (const Claim& claim : lesson->steps[0].claims)
        EXPECT_TRUE(claim.holds(lookupAt(*facts, 0))) << claim.filledIn(lookupAt(*facts, 0));
}

/// Each error has the file, the line and the column, and says what is valid.
TEST(Lesson, MistakesHaveTheirPlace) {
    const std::string step = "## One\nText.\n```toml\n";  // the head has 10 lines: the block begins in line 14
    const struct {
        std::string text;
        int line, column;
        const char* words;
    } cases[] = {
        {"title = 1\n", 1, 1, "+++"},
        {"+++\ntitle = \"a\"\n", 1, 1, "not closed"},
        {"+++\ntitle = \n+++\n", 2, 0, ""},
        {"+++\ntitle = \"a\"\nsceen = \"hang\"\n+++\n", 3, 1, "unknown key 'sceen'"},
        {"+++\ntitle = \"a\"\n+++\n", 2, 1, "the head needs 'group"},
        {"+++\nlevel = \"easy\"\n+++\n", 2, 9, "there is no level 'easy'"},
        {"+++\nminutes = 0\n+++\n", 2, 11, "minutes is not within 1 .. 600"},
        {"+++\nminutes = 2.5\n+++\n", 2, 11, "a whole number is needed"},
        {std::string(kHead), 11, 1, "a lesson has a step"},
        {kHead + std::string("words\n"), 11, 1, "text before the first step"},
        {kHead + std::string("## One\n\n## Two\nText.\n"), 11, 1, "a step says something"},
        {kHead + step + "steps = 3\n", 13, 1, "not closed"},
        {kHead + step + "step = 3\n```\n", 14, 1, "unknown key 'step'"},
        {kHead + step + "\nsteps = -1\n```\n", 15, 9, "not within"},
        {kHead + step + "steps = \"3\"\n```\n", 14, 9, "a whole number is needed"},
        {kHead + step + "claim = \"mean(itrations) < 3\"\n```\n", 14, 10, "no column 'itrations'"},
        {kHead + step + "claim = [\"1 < 2\",\n \"steps() < \"]\n```\n", 15, 13, "a number or a quantity"},
        {kHead + step + "claim = \"step2.steps() < 3\"\n```\n", 14, 10, "comes after this step"},
        {kHead + step + "claim = \"race(jacobi, ms) < 3\"\n```\n", 14, 10, "race() takes"},
        {kHead + step + "overlay = \"strains\"\n```\n", 14, 11, "no overlay 'strains'"},
        {kHead + step + "set = { \"solver.kin\" = \"mpcg\" }\n```\n", 14, 9, "solver.kin"},
        {kHead + step + "set = { \"solver.kind\" = \"mpgc\" }\n```\n", 14, 9, "mpgc"},
        {kHead + step + "scene = \"hung\"\n```\n", 14, 0, "unknown scene 'hung'"},
        {kHead + step + "pin = [[9, 0]]\n```\n", 11, 1, ""},
        {kHead + step + "pin = [[1]]\n```\n", 14, 8, "places [row, column]"},
        {kHead + step + "race = [\"jakobi\"]\n```\n", 11, 1, "no method of a race goes by 'jakobi'"},
        {kHead + step + "point = \"solver.kin\"\n```\n", 11, 1, "solver.kin"},
        {kHead + step + "steps = 1\n```\n```toml\nsteps = 2\n```\n", 16, 1, "one block"},
    };
    for (const auto& one : cases) {
        const auto lesson = read(one.text);
        ASSERT_FALSE(lesson) << one.text;
        const Error& error = lesson.error();
        EXPECT_TRUE(error.file.ends_with("a-try.md")) << error.text();
        EXPECT_EQ(error.line, one.line) << error.text() << "\n" << one.text;
        EXPECT_EQ(one.column > 0 ? error.column : 0, one.column) << error.text() << "\n" << one.text;
        EXPECT_NE(error.message.find(one.words), std::string::npos) << error.text();
    }
    EXPECT_FALSE(readLesson("/nowhere/a.md", kAssets));
    const auto unknown = findLesson("no-such-lesson", kAssets);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "unknown lesson 'no-such-lesson'");
}

TEST(Lesson, ARaceNeedsAStep) {
    const auto lesson = read(std::string(kHead) + "## One\nText.\n```toml\nhold = true\nrace = [\"jacobi\"]\n```\n");
    ASSERT_TRUE(lesson) << lesson.error().text();
    const auto facts = runLesson(*lesson, kAssets, {.threads = 1});
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().line, 11);
}

}  // namespace
}  // namespace clothlab::lessons
