#include "panel_fixture.hpp"

#include "solvers/kind.hpp"

namespace clothlab::app::panels {

using render::overlayRefusal;
using scene::OverlayKind;
using simulation::edits::Restart;
using simulation::edits::Seek;
using widgets::Key;
using window::InputEvent;
using worker::Pause;
using worker::Play;
using worker::StepBack;
using worker::StepOnce;

namespace {

TEST_F(PanelTest, SpaceTogglesAlsoFasterThanAFrameAndBeforeTheAnswer) {
    press(Key::Space);
    EXPECT_NE(posted<Pause>(), nullptr);
    EXPECT_FALSE(model.playing);
    model.receive(snapshot, false);  // an old snapshot still says "playing"
    EXPECT_FALSE(model.playing);
    model.editor.outbox.clear();
    press(Key::Space);
    EXPECT_NE(posted<Play>(), nullptr);
    EXPECT_EQ(posted<Pause>(), nullptr);
}

TEST_F(PanelTest, ButtonsPostTheirCommands) {
    click(at("step_forward"));
    EXPECT_NE(posted<StepOnce>(), nullptr);
    click(at("step_back"));
    EXPECT_NE(posted<StepBack>(), nullptr);
    click(at("restart"));
    EXPECT_NE(edited<Restart>(), nullptr);
    model.editor.outbox.clear();
    click(at("play"));
    EXPECT_EQ(model.editor.outbox.size(), 1u);
}

TEST_F(PanelTest, TimelineSeeksWithinTheHistory) {
    snapshot.historyFirst = 40;
    frame();
    moveTo(at("timeline", 0.5f));
    queue.push(InputEvent::button(0, true));
    drain();
    ASSERT_NE(edited<Seek>(), nullptr);
    EXPECT_NEAR(double(edited<Seek>()->step), 70, 1);
    moveTo(at("timeline", 0.0f));
    EXPECT_EQ(edited<Seek>()->step, 40);
    moveTo({at("timeline", 1.0f).x + 300, at("timeline").y});  // beyond its end while held
    EXPECT_EQ(edited<Seek>()->step, 100);
    const auto seeks = model.editor.outbox.size();
    frames(5);
    EXPECT_EQ(model.editor.outbox.size(), seeks) << "a pointer at rest posts nothing";
    queue.push(InputEvent::button(0, false));
    drain();
}

TEST_F(PanelTest, DigitsAndButtonsChooseOverlays) {
    press(static_cast<Key>(int(Key::Digit1) + 1));
    EXPECT_EQ(model.looks.overlay, OverlayKind::Strain);
    chooseOverlay("contacts");
    EXPECT_EQ(model.looks.overlay, OverlayKind::Contacts);
    press(Key::Digit0);
    EXPECT_EQ(model.looks.overlay, OverlayKind::Intersections);
    chooseOverlay("zones");
    EXPECT_EQ(model.looks.overlay, OverlayKind::Zones);
}

TEST_F(PanelTest, AnOverlayWithoutMeaningIsRefusedWithAReason) {
    frames(2);
    const Key digit8 = static_cast<Key>(int(Key::Digit1) + 7);
    chooseOverlay("iterations");
    EXPECT_EQ(model.looks.overlay, OverlayKind::None);
    frames(60);
    EXPECT_NE(ui->layout().find("tooltip:overlay/iterations"), nullptr);
    press(Key::Escape);
    press(digit8);
    EXPECT_EQ(model.looks.overlay, OverlayKind::None);
    const std::string switchName(solverField("solver.decompose").meta.label);
    EXPECT_NE(model.said.text.find(switchName), std::string::npos) << model.said.text << ": no name of the switch";
    model.settings.solver.decompose = true;
    press(digit8);
    EXPECT_EQ(model.looks.overlay, OverlayKind::Iterations);
    EXPECT_EQ(model.said.text, "");
    model.settings.solver.kind = solvers::SolverKind::Cholesky;
    EXPECT_NE(overlayRefusal(OverlayKind::Iterations, model.settings), "");
}

TEST_F(PanelTest, FamiliesOfSpringsAreChosenWhereSpringsAreDrawn) {
    frames(2);
    EXPECT_EQ(ui->layout().find("springs/bend"), nullptr);
    model.legend.push_back({.label = "implicit", .color = {}});  // the choice lies above it
    chooseOverlay("springs");
    click(at("springs/bend"));
    EXPECT_TRUE(model.looks.showSprings[2]);
    click(at("springs/stretch"));
    EXPECT_FALSE(model.looks.showSprings[0]);
}

TEST_F(PanelTest, F1ShowsTheKeysAndAProblemStandsInABanner) {
    press(Key::F1);
    EXPECT_NE(ui->layout().find("keys"), nullptr);
    press(Key::Escape);
    EXPECT_EQ(ui->layout().find("keys"), nullptr);
    EXPECT_EQ(ui->layout().find("problem"), nullptr);
    snapshot.problem = "Step 12: a spring is stretched to 12 times its length.";
    frames(2);
    EXPECT_NE(ui->layout().find("problem"), nullptr);
}

TEST_F(PanelTest, ThePointerOverTheClothBelongsToNoPanel) {
    moveTo(at("view", 0.5f, 0.4f));
    frames(2);
    EXPECT_FALSE(ImGui::GetIO().WantCaptureMouse);
    moveTo(at("integrator.dt"));
    frames(2);
    EXPECT_TRUE(ImGui::GetIO().WantCaptureMouse);
    // A drag that began on a panel stays with the panel, wherever the pointer moves.
    queue.push(InputEvent::button(0, true));
    drain();
    moveTo(at("view", 0.5f, 0.4f));
    EXPECT_TRUE(ImGui::GetIO().WantCaptureMouse);
}

}  // namespace
}  // namespace clothlab::app::panels
