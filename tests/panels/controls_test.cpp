#include "panel_fixture.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"

namespace clothlab::app::panels {

using model::sizeText;
using scene::OverlayKind;
using simulation::edits::Restart;
using widgets::Key;
using window::InputEvent;
using worker::LoadScene;
using worker::MeshTopology;
using worker::Pause;
using worker::SetSettings;
using worker::StepOnce;

namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

TEST_F(PanelTest, NothingIsPostedWhileNothingIsTouched) {
    frames(5);
    EXPECT_TRUE(model.editor.outbox.empty());
}

TEST_F(PanelTest, ComboPostsTheWholeSettingsUnderANewRevision) {
    const auto before = model.revision;
    click(at("solver.kind"));
    click(at("solver.kind/mpcg"));
    const auto* set = posted<SetSettings>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->revision, before + 1);
    EXPECT_EQ(model.revision, before + 1);
    EXPECT_EQ(set->settings.solver.kind, SolverKind::Mpcg);
    scene::Settings expected = snapshot.settings;
    expected.solver.kind = SolverKind::Mpcg;
    EXPECT_TRUE(set->settings == expected);
}

TEST_F(PanelTest, EveryChoiceOfEveryMethodComboIsListed) {
    click(at("integrator.kind"));
    for (const EnumEntry& e : enumTable(integrators::IntegratorKind{}))
        EXPECT_NE(ui->layout().find("integrator.kind/" + std::string(e.key)), nullptr) << e.key;
    press(Key::Escape);
    click({900, 10});
    click(at("preconditioner.kind"));
    for (const EnumEntry& e : enumTable(preconditioners::PreconditionerKind{}))
        EXPECT_NE(ui->layout().find("preconditioner.kind/" + std::string(e.key)), nullptr) << e.key;
}

TEST_F(PanelTest, WhatThePassesDidToTheStiffnessIsSaidOfTheStepThatWasMade) {
    const auto words = [&](integrators::IntegratorKind kind) {
        snapshot.report.methods.integrator = snapshot.settings.integrator.kind = kind;
        frames(2);
        return ui->layout().wordsAt("integrator/passes");
    };
    snapshot.report.outerResidual = 0.25;
    snapshot.report.outerIterations = 30;
    snapshot.report.maxStrain = 0.07;
    snapshot.settings.integrator.pbd.iterations = 2;
    snapshot.settings.integrator.pbd.stiffness = 0.75;
    snapshot.settings.integrator.xpbd = {.iterations = 1, .substeps = 10};
    EXPECT_EQ(words(integrators::IntegratorKind::FastMassSpring), "");
    EXPECT_EQ(words(integrators::IntegratorKind::Pbd),
              "In each of 2 passes a spring loses 50 % of its violation; the largest strain is 7 %.");
    EXPECT_EQ(words(integrators::IntegratorKind::Xpbd), "One pass in each of 10 substeps; the largest strain is 7 %.");
    snapshot.settings.integrator.xpbd.iterations = 3;
    EXPECT_EQ(words(integrators::IntegratorKind::Xpbd),
              "The last of 30 passes found 25 % of the first one's work left; the largest strain is 7 %.");
}

TEST_F(PanelTest, SliderDragChangesAndDoubleClickRestoresTheDefault) {
    const double usual = scene::Settings{}.integrator.dt;
    moveTo(at("integrator.dt", 0.9f));
    queue.push(InputEvent::button(0, true));
    drain();
    queue.push(InputEvent::button(0, false));
    drain();
    EXPECT_GT(model.settings.integrator.dt, usual);
    ASSERT_NE(posted<SetSettings>(), nullptr);
    EXPECT_EQ(posted<SetSettings>()->settings.integrator.dt, model.settings.integrator.dt);

    frames(60);  // a pause, so that only the next two clicks are a double click
    for (int i = 0; i < 2; ++i) click(at("integrator.dt", 0.2f));
    EXPECT_EQ(model.settings.integrator.dt, usual);
    EXPECT_EQ(posted<SetSettings>()->settings.integrator.dt, usual);
}

TEST_F(PanelTest, CtrlClickTypesANumberAndTheDisplayUnitCounts) {
    queue.push(InputEvent::key(int(Key::LeftControl), true));
    drain();
    click(at("integrator.dt", 0.5f));
    queue.push(InputEvent::key(int(Key::LeftControl), false));
    drain();
    frames(2);
    ASSERT_NE(ui->layout().find("integrator.dt.edit"), nullptr);
    for (const char c : std::string("4.5")) queue.push(InputEvent::character(c));
    drain();
    press(Key::Enter);
    EXPECT_DOUBLE_EQ(model.settings.integrator.dt, 0.0045);  // the screen shows ms, the settings hold s
    EXPECT_EQ(ui->layout().find("integrator.dt.edit"), nullptr);
}

TEST_F(PanelTest, ATypedNumberBeyondTheRangeChangesNothing) {
    queue.push(InputEvent::key(int(Key::LeftControl), true));
    drain();
    click(at("integrator.dt", 0.5f));
    queue.push(InputEvent::key(int(Key::LeftControl), false));
    drain();
    frames(2);
    for (const char c : std::string("1e9")) queue.push(InputEvent::character(c));
    drain();
    const double before = model.settings.integrator.dt;
    press(Key::Enter);
    EXPECT_EQ(model.settings.integrator.dt, before);
    EXPECT_NE(ui->layout().find("complaint:integrator.dt"), nullptr);
}

TEST_F(PanelTest, ShortcutsAreDroppedWhileATextFieldHasTheFocus) {
    queue.push(InputEvent::key(int(Key::LeftControl), true));
    drain();
    click(at("integrator.dt", 0.5f));
    queue.push(InputEvent::key(int(Key::LeftControl), false));
    drain();
    frames(2);
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    press(Key::Space);
    press(Key::N);
    EXPECT_EQ(posted<Pause>(), nullptr);
    EXPECT_EQ(posted<StepOnce>(), nullptr);
    press(Key::Escape);
    frames(2);
    press(Key::Space);
    EXPECT_NE(posted<Pause>(), nullptr);
}

TEST_F(PanelTest, DirectSolverDisablesThePreconditionerAndSaysWhy) {
    model.settings.solver.kind = SolverKind::Cholesky;
    frames(2);
    moveTo(at("preconditioner.kind"));
    frames(60);
    EXPECT_NE(ui->layout().find("tooltip:preconditioner.kind"), nullptr);
    click(at("preconditioner.kind"));
    EXPECT_EQ(ui->layout().find("preconditioner.kind/jacobi"), nullptr) << "a disabled combo must not open";
}

/// A pair that the solvers refuse is shown as a disabled choice, whose tooltip is the reason.
TEST_F(PanelTest, RefusedChoicesAreDisabledWithTheReason) {
    for (const EnumEntry& s : enumTable(solvers::SolverKind{}))
        for (const EnumEntry& p : enumTable(preconditioners::PreconditionerKind{})) {
            if (!solvers::usesPreconditioner(SolverKind(s.value)) ||
                solvers::refusal(SolverKind(s.value), {.kind = PreconditionerKind(p.value)}).empty())
                continue;
            model.settings.solver.kind = SolverKind(s.value);
            model.settings.preconditioner.kind = enumNamed<PreconditionerKind>("identity");
            frames(2);
            click(at("preconditioner.kind"));
            const std::string id = "preconditioner.kind/" + std::string(p.key);
            moveTo(at(id));
            frames(60);
            EXPECT_NE(ui->layout().find("tooltip:" + id), nullptr);
            click(at(id));
            EXPECT_EQ(model.settings.preconditioner.kind, enumNamed<PreconditionerKind>("identity"));
            press(Key::Escape);
        }
}

TEST_F(PanelTest, DefaultSettingsAndRestartAreTwoThings) {
    model.settings.material.stretchStiffness = 7;
    frame();
    model.editor.outbox.clear();
    click(at("default_settings"));
    ASSERT_NE(posted<SetSettings>(), nullptr);
    EXPECT_TRUE(posted<SetSettings>()->settings == model.scene.settings);
    EXPECT_EQ(edited<Restart>(), nullptr);
    model.editor.outbox.clear();
    click(at("restart_motion"));
    EXPECT_NE(edited<Restart>(), nullptr);
    EXPECT_EQ(posted<SetSettings>(), nullptr);
}

TEST_F(PanelTest, GridNeedsApplyAndRestartAndKeepsTheSettings) {
    model.folds.scene = true;
    model.settings.material.shearStiffness = 33;
    frames(2);
    click(at("rows", 0.95f));
    EXPECT_EQ(posted<LoadScene>(), nullptr) << "a grid slider must not restart the scene";
    EXPECT_NE(model.patch.rows, model.activePatch.rows);
    click(at("apply_restart"));
    const auto* load = posted<LoadScene>();
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(load->scene.cloths.front().rows, model.patch.rows);
    EXPECT_EQ(load->scene.settings.material.shearStiffness, 33);
    EXPECT_EQ(load->revision, model.revision);
}

// A mesh has no rows: the panel offers its scale, and the line over the picture names its file.
TEST_F(PanelTest, AMeshHasAScaleInsteadOfRows) {
    model.folds.scene = true;
    frames(2);
    EXPECT_NE(ui->layout().find("rows"), nullptr);
    EXPECT_EQ(ui->layout().find("scale"), nullptr);
    scene::Scene disc = model.scene;
    disc.cloths.front().mesh = {"/meshes/disc.obj", 0, false, std::make_shared<geometry::FileMesh>()};
    model.adopt(disc);
    frames(2);
    for (const char* key : {"rows", "columns", "side", "topology"}) EXPECT_EQ(ui->layout().find(key), nullptr) << key;
    EXPECT_NE(ui->layout().find("scale"), nullptr);
    EXPECT_EQ(sizeText(model.activePatch), "disc.obj");
    EXPECT_EQ(sizeText({.rows = 3, .columns = 5}), "3 × 5");
    model.patch.scale = 2;
    frames(2);
    click(at("apply_restart"));
    ASSERT_NE(posted<LoadScene>(), nullptr);
    EXPECT_EQ(posted<LoadScene>()->scene.cloths.front().scale, 2);
    EXPECT_EQ(posted<LoadScene>()->scene.cloths.front().mesh, disc.cloths.front().mesh);
}

TEST_F(PanelTest, SceneComboAsksForTheScene) {
    click(at("scene"));
    click(at("scene/flag"));
    EXPECT_EQ(model.files.request, "flag");
}

TEST_F(PanelTest, RepulsionIsChosenWithItsSliders) {
    model.folds.contact = model.folds.sections.contact = true;
    ui = std::make_unique<columns::Ui>(model, theme_);
    frames(2);
    EXPECT_NE(ui->layout().find("contact.self_collision"), nullptr);
    EXPECT_EQ(ui->layout().find("contact.repulsion_distance"), nullptr) << "nothing to set while it is off";
    model.settings.contact.selfCollision = contact::SelfCollision::Repulsion;
    frames(2);
    for (const char* key : {"contact.repulsion_distance", "contact.repulsion_stiffness", "contact.repulsion_damping"})
        EXPECT_NE(ui->layout().find(key), nullptr) << key;
    model.settings.contact.selfCollision = contact::SelfCollision::Robust;
    frames(2);
    for (const char* key : {"contact.thickness", "contact.carry_forces", "contact.last_resort"})
        EXPECT_NE(ui->layout().find(key), nullptr) << key;
    model.settings.contact.solve = contact::LayerSolve::Within;
    frames(2);
    EXPECT_NE(ui->layout().find("contact.solve_repeats"), nullptr);
    model.settings.integrator.kind = integrators::IntegratorKind::Xpbd;
    frames(2);
    EXPECT_EQ(ui->layout().find("contact.solve_repeats"), nullptr) << "it keeps contact after the solve";
}

TEST_F(PanelTest, InAPictureTheWholeLeftColumnIsInSight) {
    model.looks.interactive = false;
    model.scene.watch =
        "The sheet swings down, overshoots, and settles into folds that run to its two corners, one on each side.";
    model.scene.cloths.front().material.emplace();
    model.settings.contact.selfCollision = contact::SelfCollision::Repulsion;
    snapshot.report.substeps = 4;
    snapshot.report.components = 34;
    model.settings.solver.decompose = true;
    for (const EnumEntry& integrator : enumTable(integrators::IntegratorKind{}))
        for (const EnumEntry& solver : enumTable(solvers::SolverKind{})) {
            model.settings.integrator.kind = integrators::IntegratorKind(integrator.value);
            model.settings.solver.kind = SolverKind(solver.value);
            snapshot.settings = model.settings;
            ui = std::make_unique<columns::Ui>(model, theme_);
            frames(2);
            EXPECT_LE(ui->layout().find("threads")->max.y, 720) << integrator.key << ", " << solver.key;
            EXPECT_EQ(ui->layout().find("restart_motion"), nullptr);
            EXPECT_EQ(ui->layout().find("material.more"), nullptr);
        }
}

TEST_F(PanelTest, SectionsOpenWithTheSceneThatHasThemAndByTheirHeading) {
    EXPECT_EQ(ui->layout().find("wind.velocity.x"), nullptr) << "still air: nothing to set";
    scene::Scene flag = model.scene;
    flag.settings.wind.dragCoefficient = 1.2;
    model.adopt(flag);
    frames(2);
    EXPECT_NE(ui->layout().find("wind.velocity.x"), nullptr);
    EXPECT_EQ(ui->layout().find("contact.mu_s"), nullptr);
    click(at("section:Contact"));
    frames(2);
    EXPECT_NE(ui->layout().find("contact.mu_s"), nullptr);
    click(at("section:Wind"));
    frames(2);
    EXPECT_EQ(ui->layout().find("wind.velocity.x"), nullptr);
}

TEST_F(PanelTest, ASceneBringsItsOverlayAndTheUsersOwnChoiceStays) {
    scene::Scene springs = model.scene, plain = model.scene;
    springs.overlay = OverlayKind::SpringState;
    model.adopt(springs);
    EXPECT_EQ(model.looks.overlay, OverlayKind::SpringState);
    model.adopt(plain);
    EXPECT_EQ(model.looks.overlay, OverlayKind::None) << "it was the scene's";
    model.looks.overlay = OverlayKind::Strain;
    model.adopt(plain);
    EXPECT_EQ(model.looks.overlay, OverlayKind::Strain) << "it was the user's";
    model.adopt(springs);
    EXPECT_EQ(model.looks.overlay, OverlayKind::SpringState);
}

TEST_F(PanelTest, WhatIsTypedAndNotTakenIsSaid) {
    const auto type = [&](const char* text) {
        frames(60);  // not a double click with the previous one
        queue.push(InputEvent::key(int(Key::LeftControl), true));
        drain();
        click(at("material.stretch_stiffness", 0.5f));
        queue.push(InputEvent::key(int(Key::LeftControl), false));
        drain();
        frames(2);
        for (const char c : std::string(text)) queue.push(InputEvent::character(c));
        drain();
        press(Key::Enter);
        frames(2);
        return ui->layout().find("complaint:material.stretch_stiffness") != nullptr;
    };
    const double before = model.settings.material.stretchStiffness;
    EXPECT_TRUE(type("abc"));
    EXPECT_EQ(model.settings.material.stretchStiffness, before) << "a text that is no number changes nothing";
    EXPECT_TRUE(type("12 34"));
    EXPECT_EQ(model.settings.material.stretchStiffness, before);
    frames(60 * 5);
    EXPECT_EQ(ui->layout().find("complaint:material.stretch_stiffness"), nullptr) << "it goes away";
    EXPECT_FALSE(type("1,234"));
    EXPECT_EQ(model.settings.material.stretchStiffness, 1234);
    EXPECT_TRUE(type("-5"));
    EXPECT_EQ(model.settings.material.stretchStiffness, 1234) << "out of range: a complaint, and the value stays";
}

TEST_F(PanelTest, WhatSolvingByComponentsDidStandsUnderItsSwitch) {
    const float before = at("preconditioner.kind").y;
    model.settings.solver.decompose = true;
    frames(2);
    const float soon = at("preconditioner.kind").y;
    EXPECT_GT(soon, before + 8) << "one more line, before any step";
    snapshot.report.components = 34;
    snapshot.report.largestComponent = 4912;
    snapshot.report.iterations = snapshot.report.linearIterations = 70;
    snapshot.report.rowIterations = 2.1e5;
    auto mesh = std::make_shared<MeshTopology>();
    mesh->particles = 6561;
    snapshot.mesh = mesh;
    frames(2);
    EXPECT_GT(at("preconditioner.kind").y, soon + 20) << "two more lines: the rows multiplied";
}

TEST_F(PanelTest, EverythingLiesInsideTheWindow) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = size;
        frames(3);
        for (const std::string_view id :
             {"play", "timeline", "speed", "overlay", "quadratic/open", "plot.residual", "plot.strain"}) {
            const auto* rect = ui->layout().find(id);
            ASSERT_NE(rect, nullptr) << id;
            EXPECT_GE(rect->min.x, 0) << id;
            EXPECT_GE(rect->min.y, 0) << id;
            EXPECT_LE(rect->max.x, size.x) << id;
            EXPECT_LE(rect->max.y, size.y) << id;
        }
        const columns::Regions r = columns::Regions::of(size, 1);
        EXPECT_FLOAT_EQ(r.left.width + r.centre.width + r.right.width, size.x);
        EXPECT_LT(ui->layout().find("speed")->max.x, r.right.x + 1);
        EXPECT_GT(ui->layout().find("timeline")->max.x - ui->layout().find("timeline")->min.x, 120);
    }
}

TEST_F(PanelTest, ASceneThatCannotBeBuiltGivesWayToTheOneThatRuns) {
    scene::Scene other = model.scene;
    other.name = "broken";
    other.cloths.front().rows = 7;
    other.settings.integrator.dt = 1e-3;
    other.settings.wind.dragCoefficient = 1;
    other.overlay = OverlayKind::Strain;
    addReports(5);
    model.loadScene(other);
    EXPECT_EQ(model.scene.name, "broken");
    const auto asked = posted<LoadScene>()->revision;
    model.receive(snapshot, false);
    EXPECT_EQ(model.scene.name, "broken") << "the answer has not come yet";
    snapshot.refusedLoad = asked;
    model.receive(snapshot, true);
    EXPECT_EQ(model.scene.name, "hang");
    EXPECT_FALSE(model.patchChanged());
    EXPECT_EQ(model.patch.rows, scene::ClothPatch{}.rows);
    EXPECT_EQ(model.settings, snapshot.settings);
    EXPECT_EQ(model.looks.overlay, OverlayKind::None);
    EXPECT_FALSE(model.folds.sections.wind);
    EXPECT_EQ(model.history.size(), 5u) << "its plots continue";
    ASSERT_NE(posted<SetSettings>(), nullptr);
    EXPECT_GT(posted<SetSettings>()->revision, asked);
    model.loadScene(other);  // the refusal of one scene does not count for the next
    model.receive(snapshot, true);
    EXPECT_EQ(model.scene.name, "broken");
    snapshot.settingsRevision = posted<LoadScene>()->revision;
    model.receive(snapshot, true);
    EXPECT_EQ(model.scene.name, "broken");
    EXPECT_EQ(model.load, 0u);
}

}  // namespace
}  // namespace clothlab::app::panels
