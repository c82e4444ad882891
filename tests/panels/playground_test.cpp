#include <fmt/format.h>

#include "panel_fixture.hpp"

// The playground has a few large controls instead of the columns. The tests press each with real events.
namespace clothlab::app::panels {

using actions::runAction;
using model::Panel;
using model::Playground;
using model::SceneGroup;

namespace {

using widgets::applyTheme;
using widgets::Key;

class PlaygroundTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        EXPECT_EQ(runAction(model, "playground.toggle"), "");
        frames(2);
    }
    const Playground& play() const { return model.playground; }
};

TEST_F(PlaygroundTest, TheColumnsAndTheBarsAreAwayAndComeBack) {
    for (const char* id : {"solver.kind", "plot.residual", "timeline", "overlay", "race/open", "integrator.kind"})
        EXPECT_EQ(ui->layout().find(id), nullptr) << id;
    EXPECT_GT(at("view", 1, 1).x - at("view", 0, 0).x, 900) << "the cloth has the columns' width";
    click(at("playground/leave"));
    frames(2);
    EXPECT_FALSE(play().on);
    for (const char* id : {"solver.kind", "timeline", "overlay"}) EXPECT_NE(ui->layout().find(id), nullptr) << id;
}

TEST_F(PlaygroundTest, TheGalleryLeadsThereAndOpensThereWithoutWordsOfTheLaboratory) {
    click(at("playground/leave"));
    press(Key::O);
    frames(2);
    click(at("gallery/playground"));
    frames(2);
    EXPECT_TRUE(play().on);
    EXPECT_FALSE(model.panelOpen());
    model.scenes.push_back({"pieces", "Falls apart", "Each piece is solved.", "", SceneGroup::Inside});
    click(at("playground/scenes"));
    frames(2);
    EXPECT_EQ(ui->layout().find("gallery/scene/pieces"), nullptr) << "scenes about the computation are not offered";
    click(at("gallery/scene/flag"));
    EXPECT_EQ(model.files.request, "flag");
    EXPECT_TRUE(play().on) << "another scene, the same playground";
}

TEST_F(PlaygroundTest, TheFanBlowsWhereTheCameraLooksAndLeavesTheWindAsItWas) {
    model.settings.wind.velocity = {0.5, 0, 0};
    model.settings.wind.dragCoefficient = 0.3;
    frame();
    const cloth::WindSettings before = model.settings.wind;
    model.playground.looking = {0, 0, -1};
    click(at("play.fan"));
    ASSERT_TRUE(play().fan.has_value());
    EXPECT_NEAR((model.settings.wind.velocity - Vec3(0, 0, -play().wind)).norm(), 0, 1e-12);
    EXPECT_GT(model.settings.wind.dragCoefficient, before.dragCoefficient);
    ASSERT_TRUE(posted<worker::SetSettings>());
    EXPECT_EQ(posted<worker::SetSettings>()->settings.wind, model.settings.wind) << "the simulation gets the wind";
    model.playground.looking = {1, 0, 0};
    frames(2);
    EXPECT_NEAR((model.settings.wind.velocity - Vec3(play().wind, 0, 0)).norm(), 0, 1e-12);
    click(at("playground/wind", 0.98f, 0.5f));
    EXPECT_GT(play().wind, 10) << "the slider";
    frames(2);
    EXPECT_NEAR(model.settings.wind.velocity.x(), play().wind, 0.05 * play().wind);
    click(at("play.fan"));
    EXPECT_EQ(model.settings.wind, before);
    click(at("play.fan"));
    click(at("playground/leave"));
    EXPECT_EQ(model.settings.wind, before) << "no fan in the laboratory";
}

TEST_F(PlaygroundTest, AnotherSceneHasAWindOfItsOwn) {
    click(at("play.fan"));
    scene::Scene flag = model.scene;
    flag.name = "flag";
    flag.settings.wind.velocity = {5, 0, 1.5};
    model.loadScene(flag);
    frames(2);
    EXPECT_FALSE(play().fan.has_value());
    EXPECT_EQ(model.settings.wind, flag.settings.wind);
}

TEST_F(PlaygroundTest, ColoursToolsAndPaceAreAClickAway) {
    click(at("playground/red"));
    EXPECT_STREQ(widgets::kClothColors[play().color].key, "red");
    EXPECT_FALSE(play().scissors());
    click(at("play.scissors"));
    EXPECT_TRUE(play().scissors());
    click(at("play.hand"));
    EXPECT_FALSE(play().scissors());
    click(at("play.ball"));
    EXPECT_TRUE(play().throws());
    click(at("play.scissors"));
    EXPECT_FALSE(play().throws());

    model.speed = 1;
    click(at("playground/slower"));
    ASSERT_TRUE(posted<worker::SetSpeed>());
    EXPECT_EQ(model.speed, 0.5);
    for (int k = 0; k < 9; ++k) click(at("playground/slower"));
    EXPECT_EQ(model.speed, 0.1) << "the slowest speed";
    for (int k = 0; k < 9; ++k) click(at("playground/faster"));
    EXPECT_EQ(model.speed, 4) << "the fastest speed with a number";
    click(at("playground/play"));
    EXPECT_FALSE(model.playing);
    model.editor.outbox.clear();
    click(at("play.again"));
    EXPECT_TRUE(model.playing) << "a restart plays";
    EXPECT_TRUE(edited<simulation::edits::Restart>() && posted<worker::Play>());
    click(at("playground/leave"));
    EXPECT_FALSE(play().scissors()) << "leaving the playground puts the scissors away";
    EXPECT_STREQ(widgets::kClothColors[play().color].key, "red") << "the cloth keeps its colour";
}

TEST_F(PlaygroundTest, PinsTearsUndoAndFourScenesAreAClickAway) {
    click(at("play.pins"));
    EXPECT_TRUE(play().pins());
    click(at("play.tear"));
    const double limit = model.settings.material.tearStrain;
    EXPECT_GE(limit, 0.5) << "the cloth does not tear by hanging";
    EXPECT_LT(limit, 1) << "a drag can tear it";
    click(at("play.tear"));
    EXPECT_EQ(model.settings.material.tearStrain, 0);
    click(at("undo"));
    EXPECT_EQ(model.settings.material.tearStrain, limit) << "one click is one change";
    click(at("play.tear"));
    click(at("play.tear"));
    for (const model::PlayScene& scene : model::kPlayScenes) {
        EXPECT_TRUE(scene::findScene(scene.name, CLOTHLAB_SOURCE_DIR "/assets")) << scene.name;
        click(at(std::string("playground/scene/") + scene.name));
        EXPECT_EQ(model.files.request, scene.name);
    }
    click(at("playground/leave"));
    EXPECT_EQ(model.settings.material.tearStrain, 0) << "the tear strain is as before the playground";
}

// New users are offered the playground by a sentence with a button.
TEST_F(PlaygroundTest, IsAButtonBehindTheSentenceThatOffersIt) {
    click(at("playground/leave"));
    model.offer("New here?", "playground.toggle");
    frames(2);
    click(at("said/action"));
    frames(2);
    EXPECT_TRUE(play().on);
    click(at("playground/leave"));
    model.say("Something else.", false);
    frames(2);
    EXPECT_EQ(ui->layout().find("said/action"), nullptr);
}

TEST_F(PlaygroundTest, KeysOfTheLaboratoryDoNothing) {
    for (const Key key : {Key::T, Key::D, Key::M, Key::U, Key::F, Key::F1, Key::Digit2}) {
        press(key);
        EXPECT_FALSE(model.panelOpen()) << int(key);
    }
    EXPECT_FALSE(model.popups.keys);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::None);
    EXPECT_FALSE(posted<worker::StartRace>());
    press(Key::Space);
    EXPECT_FALSE(model.playing);
    press(Key::O);
    EXPECT_TRUE(model.isOpen(Panel::Gallery));
}

TEST_F(PlaygroundTest, ItsActionsAreRefusedInTheLaboratory) {
    for (const char* name : {"play.hand", "play.scissors", "play.ball", "play.pins", "play.tear", "play.fan"})
        EXPECT_EQ(runAction(model, name), "") << name;
    EXPECT_EQ(runAction(model, "playground.toggle"), "");
    for (const char* name : {"play.hand", "play.scissors", "play.ball", "play.pins", "play.tear", "play.fan"})
        EXPECT_NE(runAction(model, name), "") << name;
}

TEST_F(PlaygroundTest, SaysHowFastItIsAndNotWhatWasAskedFor) {
    const auto words = [&](double wanted, double reached) {
        model.speed = wanted;
        snapshot.realTimeFactor = reached;
        frame();
        return ui->layout().wordsAt("playground/speed");
    };
    EXPECT_EQ(words(1, 1.0), "At real speed.");
    EXPECT_EQ(words(1, 0), "Playing.") << "not measured yet";
    snapshot.report.dt = 0.01;
    snapshot.report.stepMs = 50;
    EXPECT_EQ(words(1, 0.2), "At a fifth of real speed: each step takes this computer that long.");
    snapshot.report.stepMs = 2;
    EXPECT_EQ(words(1, 0.2), "At a fifth of real speed: this computer is busy otherwise.");
    EXPECT_TRUE(words(1, 0.42).starts_with("At 0.42 of real speed"));
    EXPECT_TRUE(words(4, 1.5).starts_with("At 1.5 times real speed"));
    EXPECT_EQ(words(0.5, 0.5), "Slow motion: half of real speed.");
    EXPECT_EQ(words(0, 0.2), "As fast as it goes: a fifth of real speed.");
    model.playing = false;
    EXPECT_EQ(words(1, 1), "Paused.");
}

TEST_F(PlaygroundTest, EverythingIsInSightAndNoWordIsCut) {
    snapshot.problem = "Step 124: a spring is stretched to 12 times its length.";
    model.receive(snapshot, true);
    for (const auto& [width, height, scale] :
         {std::array{1280.0f, 720.0f, 1.0f}, {1920, 1080, 1}, {2560, 1440, 2}, {3840, 2160, 2}, {1100, 640, 1}}) {
        ImGuiIO& io = ImGui::GetIO();
        io.Fonts->Clear();
        theme_ = applyTheme(scale);
        ui->setTheme(theme_);
        unsigned char* pixels = nullptr;
        int w = 0, h = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
        io.DisplaySize = {width, height};
        frames(3);
        const std::string where = fmt::format("{} x {} at {}", width, height, scale);
        for (const char* id : {"play.hand", "play.ball", "play.scissors", "play.pins", "play.tear", "play.fan", "undo"})
            EXPECT_GE(at(id, 0, 1).y - at(id, 0, 0).y, 48 * scale - 1) << id << ", " << where;
        for (const auto& [id, rect] : ui->layout().all()) {
            EXPECT_LE(rect.max.x, width + 1) << id << ", " << where;
            EXPECT_LE(rect.max.y, height + 1) << id << ", " << where;
            const auto seen = rect.visible();
            EXPECT_GT(seen.max.y - seen.min.y, 0.98f * (rect.max.y - rect.min.y)) << id << ", " << where;
        }
        for (const std::string& id : ui->layout().cut()) ADD_FAILURE() << id << " is cut, " << where;
    }
}

}  // namespace
}  // namespace clothlab::app::panels
