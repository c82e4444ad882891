#include "layout_fixture.hpp"

// Nothing overlaps, nothing leaves the window and no text is cut, for all sizes, content scales and panels.
namespace clothlab::app::panels {

using model::Column;
using model::Panel;
using model::Place;
using model::UiModel;
using widgets::Key;

namespace {

using preconditioners::PreconditionerKind;
using Rect = widgets::LayoutMap::Rect;

TEST_F(LayoutTest, NothingOverlapsAndNoTextIsCutFromTheFullWindowUp) {
    for (const float scale : {1.0f, 1.5f, 2.0f})
        for (const ImVec2 points : {ImVec2{1100, 640}, ImVec2{1280, 720}, ImVec2{1600, 900}, ImVec2{1920, 1080}}) {
            resize(points, scale);
            for (const Panel panel : noneAndAll()) {
                open(panel);
                const std::string where = fmt::format("{} x {} at {}, {}", points.x, points.y, scale, panelName(panel));
                expectInOrder(where);
                for (const std::string& id : ui->layout().cut())
                    ADD_FAILURE() << where << ": the text of " << id << " is cut";
                EXPECT_GT(at("timeline", 1).x - at("timeline", 0).x, 150 * scale) << where;
                EXPECT_NE(ui->layout().find("solver.kind"), nullptr) << where;
                EXPECT_NE(ui->layout().find("plot.residual"), nullptr) << where;
                EXPECT_EQ(panel != Panel::None && entryFor(panel).place == Place::Instead,
                          at("view", 0, 1).y - at("view", 0, 0).y < 2)
                    << where << ": no cloth beside that panel";
            }
        }
}

TEST_F(LayoutTest, PicturesSideBySideHaveRoomForTheirWords) {
    model.looks.descentPictures = true;
    for (const float scale : {1.0f, 2.0f})
        for (const ImVec2 points : {ImVec2{1100, 640}, ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            resize(points, scale);
            open(Panel::Descent);
            const std::string where = fmt::format("{} x {} at {}", points.x, points.y, scale);
            expectInOrder(where);
            for (const std::string& id : ui->layout().cut())
                ADD_FAILURE() << where << ": the text of " << id << " is cut";
            const Rect* picture = ui->layout().find("descent/side/4");
            ASSERT_NE(picture, nullptr) << where;
            EXPECT_GT(picture->max.x - picture->min.x, 100 * scale) << where;
            EXPECT_GT(picture->max.y - picture->min.y, 100 * scale) << where;
        }
}

TEST_F(LayoutTest, ANarrowWindowShowsOneColumnAndWorksDownToTheLeast) {
    for (const float scale : {1.0f, 2.0f})
        for (const ImVec2 points : {ImVec2{640, 400}, ImVec2{800, 500}, ImVec2{960, 540}, ImVec2{1090, 700}}) {
            resize(points, scale);
            for (const char* column : {"column/controls", "column/plots"}) {
                open(Panel::None);
                const std::string where = fmt::format("{} x {} at {}, {}", points.x, points.y, scale, column);
                model.looks.column = Column::None;
                frames(3);
                expectInOrder(where + ", before");
                click(at(column));
                frames(3);
                EXPECT_EQ(model.looks.column,
                          std::string(column) == "column/controls" ? Column::Controls : Column::Plots)
                    << where;
                EXPECT_EQ(ui->layout().find("solver.kind") != nullptr, model.looks.column == Column::Controls) << where;
                EXPECT_EQ(ui->layout().find("plot.residual") != nullptr, model.looks.column == Column::Plots) << where;
                expectInOrder(where);
                EXPECT_GT(at("timeline", 1).x - at("timeline", 0).x, 120 * scale) << where;
                EXPECT_GT(at("view", 1, 1).x - at("view", 0, 0).x, 300 * scale) << where;
            }
            model.looks.column = Column::Controls;
            frames(2);
            click(at("race/open"));
            frames(3);
            EXPECT_EQ(model.looks.column, Column::None) << "the panel gets the room of the column";
            click(at("race/open"));
            frames(3);
            EXPECT_EQ(model.looks.column, Column::Controls) << "and gives it back";
        }
}

TEST_F(LayoutTest, ABannerAndTheKeysHaveRoom) {
    resize({1100, 640}, 1);
    snapshot.problem =
        "Step 124: a spring is stretched to 12 times its length. Choose an implicit integrator, or a shorter step.";
    model.receive(snapshot, true);
    model.proven = UiModel::Proven{model.settings, 100};
    model.proven->settings.integrator.dt = 0.003;
    for (const Panel panel : noneAndAll()) {
        open(panel);
        expectInOrder("with a banner, " + panelName(panel));
    }
    open(Panel::None);
    press(Key::F1);
    frames(3);
    for (const ImVec2 points : {ImVec2{640, 400}, ImVec2{1280, 720}}) {
        resize(points, 1);
        const Rect& keys = *ui->layout().find("keys");
        EXPECT_TRUE(keys.min.x >= 0 && keys.min.y >= 0 && keys.max.x <= points.x && keys.max.y <= points.y) << points.x;
    }
}

/// In a new window of 720 points every section is visible, and with wind also its sliders and the fold of the further
/// ones.
TEST_F(LayoutTest, TheLeftColumnIsInSightAsOpened) {
    scene::Scene flag = model.scene;
    flag.watch = "The flag fills, flutters and tugs at its pole. Change the wind (Wind, velocity x).";
    flag.settings.wind.dragCoefficient = 1.2;
    model.adopt(flag);
    resize({1280, 720}, 1);
    for (const EnumEntry& integrator : enumTable(integrators::IntegratorKind{}))
        for (const EnumEntry& method : enumTable(preconditioners::PreconditionerKind{})) {
            model.settings.integrator.kind = integrators::IntegratorKind(integrator.value);
            model.settings.preconditioner.kind = PreconditionerKind(method.value);
            snapshot.settings = model.settings;
            frames(2);
            for (const char* id :
                 {"section:Material", "section:Contact", "section:Wind", "wind.velocity.x", "wind.drag_coefficient"})
                EXPECT_LE(at(id, 0, 1).y, 720) << id << " with " << integrator.key << ", " << method.key;
        }
    snapshot.settings = model.settings = flag.settings;
    frames(2);
    for (const char* id : {"wind.more", "section:Threads"}) EXPECT_LE(at(id, 0, 1).y, 720) << id;
}

TEST_F(LayoutTest, TheToolsAreOneLineAt1280) {
    resize({1280, 720}, 1);
    EXPECT_FLOAT_EQ(at("overlay").y, at("quadratic/open").y);
    const float bottom = at("view", 0, 1).y;
    EXPECT_GE(at("race/open", 0, 0).y, bottom) << "not over the cloth";
}

}  // namespace
}  // namespace clothlab::app::panels
