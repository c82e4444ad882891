#include "layout_fixture.hpp"

// Presenter mode at 1280 x 720, the size of most projectors: a panel fills the window, and its main content is not cut.
namespace clothlab::app::panels {

using actions::runAction;
using model::Panel;
using widgets::Key;

namespace {

using Rect = widgets::LayoutMap::Rect;

class RoomTest : public LayoutTest {
protected:
    void SetUp() override {
        LayoutTest::SetUp();
        model.looks.presenter = true;
        resize({1280, 720}, 1);
    }
    bool shown(std::string_view id) { return ui->layout().find(id) != nullptr; }
    /// The widget lies in the panel, and no part of it is scrolled or cut away.
    void expectWhole(std::string_view id, std::string_view panel, float leastHeight = 1) {
        const Rect *rect = ui->layout().find(id), *around = ui->layout().find(panel);
        ASSERT_NE(rect, nullptr) << id;
        ASSERT_NE(around, nullptr) << panel;
        const Rect seen = rect->visible();
        EXPECT_NEAR(seen.max.y - seen.min.y, rect->max.y - rect->min.y, 1) << id << " is cut";
        EXPECT_LE(rect->max.y, around->max.y + 1) << id << " continues below the panel";
        EXPECT_GE(rect->max.y - rect->min.y, leastHeight) << id << " is too small";
    }
    float computeHeight(std::string_view id) { return at(id, 0, 1).y - at(id, 0, 0).y; }
    std::size_t racingRows() {
        std::size_t rows = 0;
        for (const auto& [id, rect] : ui->layout().all())
            rows += id.starts_with("race/row/") && std::ranges::count(id, '/') == 2;
        return rows;
    }
};

TEST_F(RoomTest, ControlsAreFoldedBesideEachPanelAndComeWhenTheyAreAskedFor) {
    for (const model::PanelEntry& entry : model::panelTable()) {
        open(entry.panel);
        for (const char* id : {"solver.kind", "overlay", "panels"}) EXPECT_FALSE(shown(id)) << entry.name << ": " << id;
        EXPECT_LE(720 - at("play", 0, 0).y, 72) << entry.name << ": one line, a tenth of the window";
        click(at("controls"));
        frames(2);
        for (const char* id : {"solver.kind", "overlay", "panels"}) EXPECT_TRUE(shown(id)) << entry.name << ": " << id;
        click(at("controls"));
        frames(2);
        EXPECT_FALSE(shown("solver.kind")) << entry.name;
    }
    open(Panel::None);
    EXPECT_TRUE(shown("solver.kind") && shown("overlay")) << "while no panel is open they have room";
    EXPECT_FALSE(shown("controls"));
    EXPECT_NE(runAction(model, "presenter.controls"), "");
}

TEST_F(RoomTest, ARaceHasOnePlotAndItsFiveBestRowsInLargeType) {
    for (std::size_t k = 0; k < race.result.rows.size(); ++k) race.result.rows[k].totalMs = 1 + double(k);
    const solvers::Method& sixth = race.result.field[6].method;
    model.settings.solver = sixth.solver, model.settings.preconditioner = sixth.preconditioner;
    receiveStep(12345);
    open(Panel::Race);
    const std::size_t all = race.result.field.size();
    ASSERT_GT(all, 7u);
    EXPECT_EQ(racingRows(), 6u) << "five, and the active one, which is the seventh";
    EXPECT_TRUE(shown("race.iterations"));
    EXPECT_FALSE(shown("race.time"));
    EXPECT_GE(computeHeight("race.iterations"), 240) << "a third of the window";
    EXPECT_TRUE(
        ui->layout().wordsAt("race/words").starts_with(fmt::format("the 5 best of {} and the active one", all)));
    click(at("race/over/time"));
    frames(2);
    EXPECT_TRUE(shown("race.time"));
    EXPECT_FALSE(shown("race.iterations"));
    for (const auto& [id, rect] : ui->layout().all())
        if (id.starts_with("race/row/")) {
            EXPECT_GE(rect.max.y - rect.min.y, 20) << id;
        }
    EXPECT_GE(computeHeight("view"), 190) << "the cloth is seen";
    model.looks.controlsOut = true;
    frames(4);
    EXPECT_GT(racingRows(), 6u);
}

TEST_F(RoomTest, ADescentHasOnePlotAndTheFiveRowsThatAreFirstAtAThousandth) {
    open(Panel::Descent);
    const std::size_t all = descent.race.field.size();
    ASSERT_GT(all, 6u);
    const auto rows = [&] {
        std::vector<std::string> there;
        for (const auto& who : descent.race.field)
            if (shown("descent/row/" + who.key)) there.push_back(who.key);
        return there;
    };
    ASSERT_EQ(rows().size(), 5u);
    // In the fixture each method of the field is faster than the previous one.
    EXPECT_EQ(rows().front(), descent.race.field[all - 5].key);
    EXPECT_TRUE(shown("descent.iterations"));
    EXPECT_FALSE(shown("descent.time"));
    expectWhole("descent.iterations", "descent", 230);
    for (const std::string& row : rows()) {
        expectWhole("descent/row/" + row, "descent", 20);
    }
    EXPECT_FALSE(shown("descent.iterations/name/" + descent.race.field.front().label))
        << "curves are those of the rows";
    EXPECT_GE(computeHeight("view"), 190) << "the cloth is seen";
    EXPECT_TRUE(ui->layout().wordsAt("descent/words").starts_with(fmt::format("the 5 first at 1e-3 of {}", all)));
    click(at("descent/over/time"));
    frames(2);
    EXPECT_TRUE(shown("descent.time"));
    EXPECT_FALSE(shown("descent.iterations"));
    model.looks.controlsOut = true;
    frames(4);
    EXPECT_EQ(rows().size(), all);
}

TEST_F(RoomTest, TheScaleOfStrainsCanBeFittedBesideAPanelThatLeavesThePictureItsHeight) {
    model.looks.overlay = scene::OverlayKind::Strain;
    model.legend = {{.label = "strain", .color = {}, .to = 10, .orMore = true}};
    open(Panel::Matrix);
    EXPECT_TRUE(shown("legend/fit"));
    open(Panel::Descent);
    EXPECT_FALSE(shown("legend/fit")) << "a low picture shows only the cloth";
}

TEST_F(RoomTest, SlowMotionShowsItsCurveAndItsBars) {
    open(Panel::SlowMotion);
    for (const char* id : {"slow.residual", "slow.waves"}) expectWhole(id, "slow", 150);
    EXPECT_GE(computeHeight("view"), 190);
    EXPECT_TRUE(shown("slow/again")) << "the step shown can replace an older one";
}

TEST_F(RoomTest, TwoUnknownsShowTableAndNorm) {
    open(Panel::TwoUnknowns);
    for (int k = 0; k < 3; ++k) press(Key::Right);
    frames(2);
    expectWhole("quadratic/table", "quadratic", 90);
    expectWhole("quadratic.errors", "quadratic", 120);
    EXPECT_FALSE(shown("quadratic/a11")) << "folded";
    model.looks.controlsOut = true;
    frames(4);
    EXPECT_TRUE(shown("quadratic/a11"));
}

TEST_F(RoomTest, TheMatrixAndItsSentencesAreWhole) {
    sparsity.blocks.componentStart = {0, 1, 2};
    open(Panel::Matrix);
    expectWhole("sparsity/blocks", "sparsity", 240);
    expectWhole("sparsity/notes", "sparsity");
}

}  // namespace
}  // namespace clothlab::app::panels
