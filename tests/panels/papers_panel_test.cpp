#include <fmt/format.h>

#include <algorithm>

#include "panel_fixture.hpp"
#include "papers/claims.hpp"
#include "scratch_folder.hpp"

namespace clothlab::app::panels {

using model::Panel;
using model::PapersState;

namespace {

using widgets::Key;
using worker::StartTable;

class PapersPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        model.lessons.assets = CLOTHLAB_SOURCE_DIR "/assets";
        press(Key::Q);
        frames(3);
        ASSERT_TRUE(model.isOpen(Panel::Papers));
    }
    void answer(bool running, bool stopped = false) {
        const auto& asked = *posted<StartTable>();
        progress.serial = std::max<std::uint64_t>(progress.serial, 1);
        progress.name = asked.name;
        progress.quick = asked.options.quick;
        progress.running = running;
        progress.stopped = stopped;
        progress.share = 0.25;
        progress.now = "one case";
        if (!running) {
            papers::ReproduceOptions options = asked.options;
            auto table = papers::reproduce(asked.name, options);
            ASSERT_TRUE(table) << table.error().text();
            progress.table = std::make_shared<const papers::Reproduction>(std::move(*table));
            progress.seconds = 0.1;
        }
        model.results.set(&progress);
        model.receive(snapshot, true);
        frames(3);
    }
    worker::TableProgress progress;
};

TEST_F(PapersPanelTest, BeginsWithWhatHeldUpAndAClaimOpensItsTable) {
    const auto claims = papers::checkedClaims(model.lessons.assets, papers::measuredFolder(model.lessons.assets));
    ASSERT_TRUE(claims) << claims.error().text();
    ASSERT_NE(ui->layout().find("papers/claims/table"), nullptr);
    EXPECT_EQ(ui->layout().find("papers/quick"), nullptr) << "there is nothing to run";
    const auto other = std::ranges::find_if(
        *claims, [&](const papers::CheckedClaim& each) { return each.table != claims->front().table; });
    click(at(fmt::format("papers/claim/{}", other - claims->begin())));
    frames(2);
    EXPECT_EQ(model.papers.chosen, other->table);
    EXPECT_NE(ui->layout().find("papers/quick"), nullptr);
    EXPECT_EQ(ui->layout().find("papers/grid"), nullptr);
    model.papers.measured = papers::measuredFolder(model.lessons.assets);
    model.papers.chosen = claims->front().table;  // not shown yet
    frames(2);
    EXPECT_NE(ui->layout().find("papers/grid"), nullptr) << "the table that the program comes with";
    click(at("papers/claims"));
    frames(2);
    EXPECT_NE(ui->layout().find("papers/claims/table"), nullptr);
}

/// Only a scene of a paper has this page, which follows changed settings.
TEST_F(PapersPanelTest, TheSceneThatMovesHasAPageOfItsPapersValues) {
    EXPECT_EQ(ui->layout().find("papers/scene"), nullptr);
    model.scene.paper = {.source = "Ye, table 2",
                         .note = "A ball.",
                         .values = {{.key = "integrator.dt", .values = {"0.01"}},
                                    {.key = "material.stretch_stiffness", .values = {"60", "600"}, .readOff = true}}};
    frames(2);
    click(at("papers/scene"));
    frames(2);
    EXPECT_EQ(model.papers.chosen, "scene");
    EXPECT_NE(ui->layout().find("papers/scene/table"), nullptr);
    EXPECT_NE(ui->layout().find("papers/scene/summary"), nullptr);
    model.scene.paper = {};
    frames(2);
    EXPECT_EQ(ui->layout().find("papers/scene/table"), nullptr) << "the claims are shown again";
    EXPECT_NE(ui->layout().find("papers/claims/table"), nullptr);
}

TEST_F(PapersPanelTest, RunsATableAndShowsThePapersValuesBesideOurs) {
    model.papers.chosen = "chen-figure-2";
    model.playing = true;
    frames(2);
    click(at("papers/quick"));
    ASSERT_NE(posted<StartTable>(), nullptr);
    EXPECT_EQ(posted<StartTable>()->name, "chen-figure-2");
    EXPECT_TRUE(posted<StartTable>()->options.quick);
    EXPECT_FALSE(model.playing) << "nothing else runs while times are measured";
    answer(true);
    EXPECT_NE(ui->layout().find("papers/progress"), nullptr);
    EXPECT_EQ(ui->layout().find("papers/quick"), nullptr) << "one at a time";
    click(at("papers/stop"));
    EXPECT_NE(posted<worker::StopTable>(), nullptr);
    answer(false);
    EXPECT_EQ(ui->layout().find("papers/progress"), nullptr);
    ASSERT_NE(ui->layout().find("papers/grid"), nullptr);
    EXPECT_NE(ui->layout().find("papers/machine"), nullptr) << "times name their machine";
    click(at("papers/copy"));
    frames(2);
    const auto texts = papers::paperTexts(model.lessons.assets);
    ASSERT_TRUE(texts);
    EXPECT_EQ(std::string(ImGui::GetClipboardText()),
              papers::reproductionText(*progress.table, &texts->find("chen-figure-2")->second));
    EXPECT_NE(ui->layout().find("papers.plot.0"), nullptr) << "its figure";
    EXPECT_NE(ui->layout().find("papers.plot.0/legend/steepest-descent: energy error bound, by its formula"), nullptr);
}

TEST_F(PapersPanelTest, ATableThatFailedSaysWhyAndOneThatWasStoppedDoesNot) {
    model.papers.chosen = "ye-table-1";
    frames(2);
    click(at("papers/full"));
    ASSERT_NE(posted<StartTable>(), nullptr);
    EXPECT_FALSE(posted<StartTable>()->options.quick);
    progress = {.serial = 1, .name = "ye-table-1", .problem = "no such scene"};
    model.results.set(&progress);
    frames(2);
    EXPECT_NE(ui->layout().find("papers/problem"), nullptr);
    progress = {.serial = 2, .name = "ye-table-1", .stopped = true};
    frames(2);
    EXPECT_EQ(ui->layout().find("papers/problem"), nullptr);
    EXPECT_NE(ui->layout().find("papers/quick"), nullptr);
}

// The measured times are of exactly the tables of the register.
TEST_F(PapersPanelTest, HowLongATableTakesIsKnownOfEach) {
    model.papers.chosen = "ye-table-1";
    frames(2);
    const auto times = papers::paperTimes(model.lessons.assets);
    ASSERT_TRUE(times) << times.error().text();
    EXPECT_FALSE(times->machine.empty());
    for (const papers::PaperTable& table : papers::paperTables()) {
        const auto time = times->of.find(table.name);
        ASSERT_NE(time, times->of.end()) << table.name << ": run scripts/paper-times";
        EXPECT_EQ(time->second.what == papers::PaperTime::Full::TenSets, table.ofSets) << table.name;
        EXPECT_GT(time->second.full, 0) << table.name;
    }
    EXPECT_EQ(times->of.size(), papers::paperTables().size());
    EXPECT_NE(ui->layout().find("papers/lasts"), nullptr) << "the time is shown where there is no result yet";
}

// A window opened later shows the results computed before, quick and as in the paper, each with its machine and date.
TEST_F(PapersPanelTest, ResultsAreKeptAndFoundAgain) {
    tests::ScratchFolder scratch;
    model.papers.folder = scratch.file("data/tables");
    model.papers.chosen = "chen-figure-1";
    frames(2);
    click(at("papers/quick"));
    answer(false);
    EXPECT_NE(ui->layout().find("papers/picture"), nullptr) << "the paper's figure is a picture";
    click(at("papers/full"));
    progress.serial = 2;
    answer(false, true);
    EXPECT_EQ(model.papers.problem, "");

    PapersState later(model.results);
    later.folder = model.papers.folder;
    for (const bool quick : {true, false}) {
        const auto kept = later.done("chen-figure-1", quick), ours = model.papers.done("chen-figure-1", quick);
        ASSERT_NE(kept, nullptr) << later.problem;
        EXPECT_EQ(kept->quick, quick);
        EXPECT_EQ(kept->stopped, !quick);
        EXPECT_EQ(papers::reproductionText(kept->table), papers::reproductionText(ours->table));
        EXPECT_EQ(papers::keptText(*kept), papers::keptText(*ours));
    }
    ASSERT_NE(ui->layout().find("papers/shown/quick"), nullptr) << "both results can be chosen";
    click(at("papers/shown/quick"));
    frames(2);
    EXPECT_TRUE(model.papers.shown("chen-figure-1")->quick);

    const std::string file = papers::keptFile(later.folder, "chen-figure-2", true);
    ASSERT_TRUE(writeFile(file, "{\"clothlab_table\": 1, \"seconds\": \"x\"}", {}));
    EXPECT_EQ(later.done("chen-figure-2", true), nullptr);
    EXPECT_NE(later.problem.find("chen-figure-2.quick.json:1:"), std::string::npos) << later.problem;

    model.papers.folder = "/dev/null/nowhere";
    click(at("papers/quick"));
    progress.serial = 3;
    answer(false);
    EXPECT_NE(ui->layout().find("papers/problem"), nullptr) << "the panel says that the result is not kept";
    EXPECT_NE(ui->layout().find("papers/grid"), nullptr);
}

// Without the files, the tables still have their names, and the panel says which file is missing.
TEST_F(PanelTest, WithoutTheFilesOfThePapersThePanelSaysSo) {
    model.lessons.assets = "/nowhere";
    press(Key::Q);
    frames(3);
    ASSERT_TRUE(model.isOpen(Panel::Papers));
    EXPECT_NE(ui->layout().find("papers/problem"), nullptr);
    EXPECT_NE(ui->layout().find("papers/ye-table-1"), nullptr);
}

// After a stop, finished sets are not computed again.
TEST_F(PapersPanelTest, ATableOfRandomSetsHasAFileOfItsOwn) {
    model.papers.folder = "somewhere";
    model.papers.chosen = "boxerman-figure-5.3";
    frames(2);
    click(at("papers/full"));
    ASSERT_NE(posted<StartTable>(), nullptr);
    EXPECT_EQ(posted<StartTable>()->options.setsFile, "somewhere/boxerman-figure-5.3.sets.ndjson");
}

}  // namespace
}  // namespace clothlab::app::panels
