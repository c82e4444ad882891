#include "layout_fixture.hpp"

// Presenter mode, the size of type, and column widths that can be dragged.
namespace clothlab::app::panels {

using actions::kTypeSizes;
using actions::runAction;
using model::Column;
using model::ColumnWidths;
using model::Panel;
using widgets::Key;

namespace {

using Rect = widgets::LayoutMap::Rect;

struct Screen {
    ImVec2 points;
    float scale;
};
/// 1280 x 720, 1920 x 1080, and 3840 x 2160 pixels at scale 2.
const Screen kScreens[] = {{{1280, 720}, 1}, {{1920, 1080}, 1}, {{1920, 1080}, 2}};

class ShowingTest : public LayoutTest {
protected:
    void hold(Key key, Key with) {
        queue.push(window::InputEvent::key(int(with), true));
        press(key);
        queue.push(window::InputEvent::key(int(with), false));
        drain();
    }
    void control(Key key) { hold(key, Key::LeftControl); }
    void expectNothingCut(const std::string& where) {
        expectInOrder(where);
        for (const std::string& id : ui->layout().cut()) ADD_FAILURE() << where << ": the text of " << id << " is cut";
    }
    float computeWidth(std::string_view left, std::string_view right) { return at(right).x - at(left).x; }
};

TEST_F(ShowingTest, TheKeyOfThePresenterHidesTheColumnsAndGivesThemBack) {
    EXPECT_NE(ui->layout().find("plot.residual"), nullptr);
    press(Key::Tab);
    EXPECT_TRUE(model.looks.presenter);
    for (const char* id : {"plot.residual", "section:Scene", "search", "split/left"})
        EXPECT_EQ(ui->layout().find(id), nullptr) << id;
    EXPECT_FLOAT_EQ(at("view", 0).x, 0);
    EXPECT_FLOAT_EQ(at("view", 1).x, 1280) << "the view has the whole width";
    click(at("present"));
    EXPECT_FALSE(model.looks.presenter) << "its button leads back";
    EXPECT_NE(ui->layout().find("plot.residual"), nullptr);
    EXPECT_EQ(runAction(model, "presenter.toggle"), "");
    EXPECT_TRUE(model.looks.presenter);
}

TEST_F(ShowingTest, TabInATextFieldIsTheFields) {
    control(Key::F);
    frames(3);
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    press(Key::Tab);
    EXPECT_FALSE(model.looks.presenter);
}

TEST_F(ShowingTest, InThePresentersModeEverythingFitsOnEveryScreen) {
    model.looks.presenter = true;
    for (const widgets::ThemeKind theme : {widgets::ThemeKind::Dark, widgets::ThemeKind::Light})
        for (const double size : {1.0, 2.0})
            for (const Screen& screen : kScreens) {
                model.looks.theme = theme;
                model.looks.typeSize = size;
                resize(screen.points, screen.scale);
                EXPECT_GE(theme_.scale, 1.5f * screen.scale);
                for (const Panel panel : noneAndAll())
                    for (const bool out : {false, true}) {
                        open(panel);
                        model.looks.controlsOut = out;
                        frames(4);
                        const std::string where =
                            fmt::format("{} x {} at {}, type {}, {}{}", screen.points.x, screen.points.y, screen.scale,
                                        size, panelName(panel), out ? ", controls out" : "");
                        expectNothingCut(where);
                        EXPECT_GT(at("timeline", 1).x - at("timeline", 0).x, 120 * theme_.scale) << where;
                        EXPECT_NE(ui->layout().find("play"), nullptr) << where;
                        for (const char* id : {"solver.kind", "preconditioner.kind", "material.stretch_stiffness"})
                            EXPECT_EQ(ui->layout().find(id) != nullptr, out || panel == Panel::None)
                                << where << ": " << id;
                    }
                open(Panel::None);
                const ImVec2 window = ImGui::GetIO().DisplaySize;
                EXPECT_GT(at("view", 0, 1).y - at("view", 0, 0).y, 0.5f * window.y) << "the view is large";
            }
}

TEST_F(ShowingTest, TheStripHasTheControlsThatAreAskedFor) {
    model.looks.presenter = true;
    resize({1280, 720}, 1);
    EXPECT_NE(ui->layout().find("solver.kind"), nullptr) << "no controls were chosen: the usual ones";
    model.looks.keyControls = {"integrator.dt", "material.tension_only", "no.such", "wind.velocity"};
    frames(2);
    EXPECT_NE(ui->layout().find("integrator.dt"), nullptr);
    EXPECT_NE(ui->layout().find("material.tension_only"), nullptr);
    EXPECT_EQ(ui->layout().find("solver.kind"), nullptr);
    EXPECT_EQ(ui->layout().find("wind.velocity.x"), nullptr) << "three at most";
    const double before = model.settings.integrator.dt;
    click(at("integrator.dt", 0.9f, 0.7f));
    EXPECT_GT(model.settings.integrator.dt, before);
    ASSERT_TRUE(posted<worker::SetSettings>());
    EXPECT_EQ(posted<worker::SetSettings>()->settings.integrator.dt, model.settings.integrator.dt);
    const bool slack = model.settings.material.tensionOnly;
    click(at("material.tension_only"));
    EXPECT_NE(model.settings.material.tensionOnly, slack);
}

TEST_F(ShowingTest, AChoiceOfTheStripIsThatOfTheColumn) {
    model.looks.presenter = true;
    model.settings.solver.kind = enumNamed<solvers::SolverKind>("cholesky");
    model.looks.keyControls = {"preconditioner.kind"};
    resize({1280, 720}, 1);
    click(at("preconditioner.kind"));
    frames(2);
    EXPECT_FALSE(model.popups.open) << "a direct solver uses none";
    model.settings.solver.kind = enumNamed<solvers::SolverKind>("reduced-pcg");
    frames(2);
    click(at("preconditioner.kind"));
    frames(2);
    click(at("preconditioner.kind/jacobi"));
    frames(2);
    EXPECT_EQ(model.settings.preconditioner.kind, enumNamed<preconditioners::PreconditionerKind>("jacobi"));
    click(at("preconditioner.kind"));
    frames(2);
    press(Key::Tab);
    frames(2);
    EXPECT_FALSE(model.looks.presenter);
    EXPECT_FALSE(model.popups.open) << "an open list closes with the strip";
}

TEST_F(ShowingTest, KeysStepThroughTheSizesOfType) {
    resize({1920, 1080}, 1);
    control(Key::Equal);
    EXPECT_EQ(model.looks.typeSize, 1.1);
    control(Key::Equal);
    EXPECT_EQ(model.looks.typeSize, 1.25);
    resize({1920, 1080}, 1);
    EXPECT_FLOAT_EQ(theme_.scale, 1.25f);
    const float size = ui->theme().text->FontSize;
    EXPECT_TRUE(size == 18.75f || size == 18)
        << size << ": a font of its own, not a stretched one; ImGui 1.90 has whole sizes";
    control(Key::Minus);
    EXPECT_EQ(model.looks.typeSize, 1.1);
    for (int i = 0; i < 20; ++i) control(Key::Minus);
    EXPECT_EQ(model.looks.typeSize, 0.8);
    for (int i = 0; i < 20; ++i) control(Key::Equal);
    EXPECT_EQ(model.looks.typeSize, 2.0);
    const auto overlay = model.looks.overlay;
    control(Key::Digit0);
    EXPECT_EQ(model.looks.typeSize, 1.0);
    EXPECT_EQ(model.looks.overlay, overlay) << "without Ctrl the digit is another key";
    press(Key::Minus);
    EXPECT_EQ(model.looks.typeSize, 1.0);
    EXPECT_NE(runAction(model, "type.usual") + runAction(model, "type.larger"), "anything but that");
    model.looks.typeSize = 2;
    EXPECT_NE(runAction(model, "type.larger"), "") << "there is nothing larger";
}

TEST_F(ShowingTest, NothingIsCutAtAnySizeOfType) {
    for (const double size : kTypeSizes)
        for (const Screen& screen : kScreens) {
            model.looks.typeSize = size;
            for (const Column column : {Column::Controls, Column::Plots}) {
                model.looks.column = column;
                resize(screen.points, screen.scale);
                EXPECT_NEAR(theme_.scale, size * screen.scale, 1e-6) << "these screens have room for every size";
                for (const Panel panel : {Panel::None, Panel::Race}) {
                    open(panel);
                    model.looks.column = column;
                    frames(2);
                    expectNothingCut(fmt::format("type {} in {} x {} at {}, column {}, {}", size, screen.points.x,
                                                 screen.points.y, screen.scale, int(column), panelName(panel)));
                }
            }
        }
}

TEST_F(ShowingTest, ASmallWindowLimitsWhatTypeTakes) {
    model.looks.typeSize = 2;
    model.looks.presenter = true;
    for (const ImVec2 points : {ImVec2{640, 400}, ImVec2{800, 500}, ImVec2{1100, 640}}) {
        resize(points, 1);
        EXPECT_GE(theme_.scale, 1);
        EXPECT_GE(points.x / theme_.scale, 640) << points.x;
        expectInOrder(fmt::format("{} x {}", points.x, points.y));
    }
}

TEST_F(ShowingTest, TheEdgesOfTheColumnsAreDragged) {
    resize({1600, 900}, 1);
    const float left = at("split/left").x, right = at("split/right").x;
    const auto drag = [this](std::string_view edge, float by) {
        const ImVec2 from = at(edge, 0.5f, 0.3f);
        queue.push(window::InputEvent::move(from.x, from.y));
        drain();
        queue.push(window::InputEvent::button(0, true));
        for (int i = 1; i <= 4; ++i) {
            queue.push(window::InputEvent::move(from.x + by * float(i) / 4, from.y + 20));
            drain();
        }
        queue.push(window::InputEvent::button(0, false));
        drain();
        frames(2);
    };
    moveTo(at("split/left"));
    frames(2);
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeEW);
    drag("split/left", 60);
    EXPECT_NEAR(at("split/left").x, left + 60, 1.5f);
    EXPECT_NEAR(at("view", 0).x, at("split/left").x, 3) << "the view has the rest";
    drag("split/right", -100);
    EXPECT_NEAR(at("split/right").x, right - 100, 1.5f);
    EXPECT_NEAR(model.looks.widths.right, 1600 - (right - 100), 4) << "in points";
    expectNothingCut("dragged");
    const float narrow = at("plot.residual", 1).x - at("plot.residual", 0).x;
    drag("split/right", 900);
    EXPECT_LT(at("plot.residual", 1).x - at("plot.residual", 0).x, narrow);
    EXPECT_NEAR(1600 - at("split/right").x, columns::Regions::kLeastRight, 4) << "not narrower than that";
    drag("split/left", 1500);
    EXPECT_NEAR(at("split/left").x, columns::Regions::kMostLeft, 4) << "nor wider";
    drag("split/left", -1500);
    EXPECT_NEAR(at("split/left").x, columns::Regions::kLeastLeft, 4);
    expectNothingCut("at the least widths");
    for (const char* edge : {"split/left", "split/right"}) {
        click(at(edge));
        click(at(edge));
        frames(2);
    }
    EXPECT_EQ(model.looks.widths, ColumnWidths{});
    EXPECT_NEAR(at("split/left").x, left, 1);
    EXPECT_NEAR(at("split/right").x, right, 1);
}

TEST_F(ShowingTest, WidthsFollowTheTypeAndLeaveTheClothItsRoom) {
    model.looks.widths = {500, 700};
    for (const Screen& screen : kScreens) {
        resize(screen.points, screen.scale);
        EXPECT_GE(at("view", 1).x - at("view", 0).x, 495 * theme_.scale) << screen.points.x;
        expectNothingCut(fmt::format("{} at {}", screen.points.x, screen.scale));
    }
    model.looks.typeSize = 2;
    resize({1280, 720}, 1);
    EXPECT_GE(at("view", 1).x - at("view", 0).x, 299 * theme_.scale) << "beside a single column";
}

TEST_F(PanelTest, TheScaleOfStrainsSaysOrMoreAndOneClickFitsIt) {
    chooseOverlay("strain");
    model.legend = {
        {.label = "strain", .color = {}, .ramp = {{}, {}}, .from = 0, .to = 10, .unit = "%", .orMore = true}};
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("legend/to"), "10 or more");
    EXPECT_EQ(ui->layout().wordsAt("legend/from"), "0");
    click(at("legend/fit"));
    EXPECT_TRUE(model.looks.fitStrain);
    click(at("legend/fit"));
    EXPECT_FALSE(model.looks.fitStrain);
    EXPECT_EQ(runAction(model, "strain.fit"), "");
    model.looks.overlay = scene::OverlayKind::Velocity;
    EXPECT_NE(runAction(model, "strain.fit"), "") << "there is no such scale";
}

}  // namespace
}  // namespace clothlab::app::panels
