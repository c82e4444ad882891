#include "panel_fixture.hpp"

namespace clothlab::app::panels {
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
        progress.serial = 1;
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

TEST_F(PapersPanelTest, RunsATableAndShowsThePapersValuesBesideOurs) {
    model.papers.chosen = "chen-figure-2";
    model.playing = true;
    frames(2);
    click(at("papers/quick"));
    ASSERT_NE(posted<StartTable>(), nullptr);
    EXPECT_EQ(posted<StartTable>()->name, "chen-figure-2");
    EXPECT_TRUE(posted<StartTable>()->options.quick);
    EXPECT_FALSE(model.playing) << "times are measured alone";
    answer(true);
    EXPECT_NE(ui->layout().find("papers/progress"), nullptr);
    EXPECT_EQ(ui->layout().find("papers/quick"), nullptr) << "one at a time";
    click(at("papers/stop"));
    EXPECT_NE(posted<worker::StopTable>(), nullptr);
    answer(false);
    EXPECT_EQ(ui->layout().find("papers/progress"), nullptr);
    ASSERT_NE(ui->layout().find("papers/grid"), nullptr);
    EXPECT_NE(ui->layout().find("papers/machine"), nullptr) << "times are of a machine";
    click(at("papers/copy"));
    frames(2);
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), papers::reproductionText(*progress.table));
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

// Every table of the register is measured, and no other.
TEST_F(PapersPanelTest, HowLongAQuickTableTakesIsKnownOfEach) {
    const auto times = papers::paperTimes(model.lessons.assets);
    ASSERT_TRUE(times) << times.error().text();
    EXPECT_FALSE(times->machine.empty());
    for (const papers::PaperTable& table : papers::paperTables())
        EXPECT_TRUE(times->quick.contains(table.name)) << table.name << ": run scripts/paper-times";
    EXPECT_EQ(times->quick.size(), papers::paperTables().size());
}

}  // namespace
}  // namespace clothlab::app::panels
