#include "panel_fixture.hpp"

#include "integrators/kind.hpp"

// The topmost popup is closed first, and a click that closes it does nothing else.
namespace clothlab::app::panels {

using actions::handleShortcut;
using model::Panel;
using model::PanelEntry;
using model::panelTable;
using scene::OverlayKind;
using widgets::Key;
using window::InputEvent;
using worker::SetSettings;
using worker::SlowMotionResult;

namespace {

TEST_F(PanelTest, EscapeClosesAnOpenListAndTheNextClickHitsWhatIsSeen) {
    click(at("scene"));
    frames(2);
    ASSERT_NE(ui->layout().find("scene/flag"), nullptr);
    const ImVec2 item = at("scene/flag");
    press(Key::Escape);
    frames(2);
    EXPECT_EQ(ui->layout().find("scene/flag"), nullptr);
    click(item);
    EXPECT_EQ(model.files.request, "") << "a click on an item that is no longer shown replaces no scene";
}

TEST_F(PanelTest, EscapeClosesOneThingAtATime) {
    press(Key::T);
    ASSERT_TRUE(model.isOpen(Panel::Race));
    press(Key::F1);
    click(at("overlay"));  // the keys lie over the columns
    frames(2);
    ASSERT_TRUE(model.popups.open);
    press(Key::Escape);
    frames(2);
    EXPECT_FALSE(model.popups.open);
    EXPECT_TRUE(model.popups.keys);
    press(Key::Escape);
    EXPECT_FALSE(model.popups.keys);
    EXPECT_TRUE(model.isOpen(Panel::Race));
    press(Key::Escape);
    EXPECT_FALSE(model.isOpen(Panel::Race));
    EXPECT_FALSE(handleShortcut(model, Key::Escape, false)) << "nothing is left to close";
}

TEST_F(PanelTest, EscapeClosesEveryPanelOverTheCloth) {
    for (const PanelEntry& entry : panelTable()) {
        press(entry.shortcut);
        ASSERT_TRUE(model.isOpen(entry.panel)) << entry.key;
        press(Key::Escape);
        EXPECT_FALSE(model.panelOpen()) << entry.key;
    }
}

TEST_F(PanelTest, AClickThatClosesAListHitsNothingUnderIt) {
    for (const char* under : {"play", "default_settings", "race/open", "integrator.dt"}) {
        model.settings.material.stretchStiffness = 7;
        frames(2);
        model.editor.outbox.clear();
        click(at("preconditioner.kind"));
        frames(2);
        ASSERT_TRUE(model.popups.open) << under;
        click(at(under, 0.9f));
        frames(2);
        EXPECT_FALSE(model.popups.open) << under;
        EXPECT_TRUE(model.editor.outbox.empty()) << under;
        EXPECT_EQ(model.settings.material.stretchStiffness, 7) << under;
        EXPECT_EQ(model.settings.integrator.dt, scene::Settings{}.integrator.dt) << under;
        EXPECT_FALSE(model.isOpen(Panel::Race)) << under;
        model.settings.material.stretchStiffness = 8;
        frames(2);
    }
    click(at("preconditioner.kind"));
    frames(2);
    queue.push(InputEvent::move(at("view").x, at("view").y));
    queue.push(InputEvent::button(0, true));
    frames(2);
    EXPECT_TRUE(ImGui::GetIO().WantCaptureMouse) << "the click does not reach the cloth";
    queue.push(InputEvent::button(0, false));
    drain();
}

TEST_F(PanelTest, APanelsButtonIsPressedWhileItIsOpenAndTheOverlaySaysWhatColoursTheCloth) {
    SlowMotionResult iterates;
    model.results.set(&iterates);
    chooseOverlay("strain");
    click(at("slow/open"));
    iterates.request = model.slow.request;
    frames(3);
    ASSERT_TRUE(model.isOpen(Panel::SlowMotion));
    iterates.request = model.slow.request;  // the answer
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("overlay"), "Error of the iterate");
    click(at("overlay"));
    frames(2);
    EXPECT_EQ(ui->layout().find("overlay/velocity"), nullptr) << "slow motion colours the cloth: the list waits";
    moveTo(at("overlay"));
    frames(60);
    EXPECT_NE(ui->layout().find("tooltip:overlay"), nullptr);
    click(at("slow/open"));
    frames(2);
    EXPECT_FALSE(model.isOpen(Panel::SlowMotion));
    EXPECT_EQ(model.looks.overlay, OverlayKind::Strain) << "the overlay is as before";
}

TEST_F(PanelTest, WhatPlayingDropsIsSaidBefore) {
    snapshot.playing = false;
    model.receive(snapshot, true);
    frames(2);
    EXPECT_EQ(model.laterSteps(), 0);
    EXPECT_EQ(ui->layout().wordsAt("motion").find("drops"), std::string::npos);
    snapshot.step = 33;  // scrubbed back
    model.receive(snapshot, true);
    frames(2);
    EXPECT_EQ(model.laterSteps(), 67);
    EXPECT_NE(ui->layout().wordsAt("motion").find("playing drops 67 later steps"), std::string::npos)
        << ui->layout().wordsAt("motion");
    press(Key::Space);
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("motion").find("drops"), std::string::npos) << "it plays";
}

TEST_F(PanelTest, AMessageGoesAwayAndIsInNoPicture) {
    model.say("saved /home/somebody/clothlab-hang-100.png", false);
    frames(2);
    EXPECT_GT(model.said.seconds, 0);
    press(Key::F12);
    EXPECT_TRUE(model.files.screenshot);
    EXPECT_EQ(model.said.text, "") << "the message about the previous picture is not in this one";
    model.say("saved again", false);
    frames(60 * 10);
    EXPECT_LE(model.said.seconds, 0);
}

TEST_F(PanelTest, TheBannerLeavesTheClothItsRoomAndOffersTheSettingsThatWorked) {
    for (int k = 101; k < 120; ++k) receiveStep(k);
    const scene::Settings worked = model.settings;
    for (const double dt : {0.011, 0.012, 0.013}) {  // values that a slider only passes
        model.settings.integrator.dt = dt;
        frame();
        receiveStep(snapshot.step + 1);
    }
    model.settings.integrator.kind = integrators::IntegratorKind::ForwardEuler;
    frame();
    receiveStep(123);
    EXPECT_EQ(ui->layout().find("problem/back"), nullptr);
    const float top = at("view", 0, 0).y;
    snapshot.problem = "Step 124: a spring is stretched to 12 times its length.";
    snapshot.playing = false;
    model.receive(snapshot, true);
    frames(3);
    EXPECT_GE(at("view", 0, 0).y, at("problem", 0, 1).y) << "the picture begins under the banner";
    EXPECT_GT(at("view", 0, 0).y, top);
    click(at("problem/back"));
    frames(2);
    EXPECT_EQ(model.settings, worked);
    ASSERT_NE(posted<SetSettings>(), nullptr);
}

// A change may be applied and fail between two pictures: the last settings that worked are known nevertheless.
TEST_F(PanelTest, AFirstChangeThatFailsBeforeAnyPictureHadItCanBeTakenBack) {
    for (int k = 101; k < 110; ++k) receiveStep(k);
    const scene::Settings worked = model.settings;
    model.settings.integrator.kind = integrators::IntegratorKind::ForwardEuler;
    frame();
    snapshot.problem = "Step 110: a spring is stretched to 12 times its length.";
    snapshot.playing = false;
    receiveStep(109);
    frames(3);
    ASSERT_NE(ui->layout().find("problem/back"), nullptr);
    click(at("problem/back"));
    frames(2);
    EXPECT_EQ(model.settings, worked);
}

}  // namespace
}  // namespace clothlab::app::panels
