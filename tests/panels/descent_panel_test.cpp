#include <algorithm>
#include <set>

#include "integrators/kind.hpp"
#include "panel_fixture.hpp"
#include "panels/descent/descent_panel.hpp"
#include "solvers/kind.hpp"

namespace clothlab::app::panels {

using actions::runAction;
using model::Panel;
using widgets::Key;
using widgets::LayoutMap;
using worker::CancelJob;
using worker::DescentProgress;
using worker::SetSettings;
using worker::StartDescent;

namespace {

using experiments::NonlinearFrame;
using experiments::NonlinearRow;
using integrators::IntegratorKind;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// A descent for a sheet of nine particles, with all methods of the real one.
class DescentPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->particles = 9;
        mesh->revision = 1;
        snapshot.mesh = mesh;
        progress.serial = 1;
        progress.origin = {.mesh = 1, .step = 15};
        progress.share = 1;
        progress.made = model.settings;
        progress.made.integrator.kind = IntegratorKind::NewtonBackwardEuler;
        progress.triangles =
            std::make_shared<const std::vector<geometry::Triangle>>(geometry::gridTriangles({.rows = 3, .columns = 3}));
        auto& r = progress.race;
        r.scene = "liu-curtain";
        r.step = 15;
        r.dt = 0.033;
        r.particles = 9;
        r.springs = 20;
        r.minimumFound = true;
        r.field = experiments::nonlinearField(model.settings);
        for (std::size_t c = 0; c < r.field.size(); ++c) r.rows.push_back(row(c));
        for (const int iterations : {1, 10, 100, 1000, 7}) r.frames.push_back(frameAfter(iterations));
        r.frames.back().exact = true;
        model.results.set(&progress);
        press(Key::D);
        frames(3);
    }
    static NonlinearRow row(std::size_t contestant) {
        NonlinearRow out{.contestant = contestant,
                         .value = {},
                         .error = {1},
                         .milliseconds = {0},
                         .linearIterations = int(contestant),
                         .problem = {}};
        const int iterations = contestant < 3 ? 300 : 8;
        for (int k = 1; k <= iterations; ++k) {
            out.error.push_back(std::pow(10.0, -9.0 * k / iterations));
            out.milliseconds.push_back(double(k) * (contestant < 3 ? 0.5 : 20));
        }
        return out;
    }
    static NonlinearFrame frameAfter(int iterations) {
        NonlinearFrame out{
            .iterations = iterations, .error = 0.5 / iterations, .milliseconds = double(iterations), .positions = {}};
        for (const float z : {0.0f, 0.5f, 1.0f})
            for (const float x : {0.0f, 0.5f, 1.0f})
                out.positions.insert(out.positions.end(), {x, 0.1f / float(iterations), z});
        return out;
    }
    std::string words() const { return ui->layout().wordsAt("descent/words"); }

    DescentProgress progress;
};

TEST_F(DescentPanelTest, SaysOfWhichStepAndSettingsItIsWhateverIsSetNow) {
    EXPECT_TRUE(model.isOpen(Panel::Descent));
    EXPECT_EQ(posted<StartDescent>(), nullptr) << "a descent exists already";
    for (const char* part : {"liu-curtain", "step 15", "h = 33 ms", "20 springs"})
        EXPECT_NE(words().find(part), std::string::npos) << part << " in " << words();
    EXPECT_EQ(words().find("implicit Euler"), std::string::npos) << words();
    const std::string before = words();
    progress.race.minimumFound = false;
    progress.race.gradientLeft = 1.23e-4;
    frames(2);
    EXPECT_NE(words().find("the lowest that was found"), std::string::npos) << words();
    progress.race.minimumFound = true;
    model.settings.integrator.dt = 0.001;
    model.settings.integrator.kind = IntegratorKind::Rk4;
    frames(2);
    EXPECT_EQ(words(), before);
    progress.made.integrator.kind = IntegratorKind::Bdf2;
    frames(2);
    EXPECT_NE(words().find("taken as implicit Euler, the motion by BDF2"), std::string::npos) << words();
    progress.made.integrator.kind = IntegratorKind::FastMassSpring;
    progress.made.integrator.fastMassSpring.velocityKept = 0.99;
    frames(2);
    EXPECT_NE(words().find("without ether drag"), std::string::npos) << words();
    EXPECT_EQ(ui->layout().find("descent/of"), nullptr);
    auto other = std::make_shared<worker::MeshTopology>(*snapshot.mesh);
    other->revision = 2;
    snapshot.mesh = other;
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("descent/of"), "of step 15 of another cloth");
}

TEST_F(DescentPanelTest, HasEveryRowAndBothPlotsAndNamesAtTheCurves) {
    for (const auto& who : progress.race.field)
        EXPECT_NE(ui->layout().find("descent/row/" + who.key), nullptr) << who.key;
    for (const char* plot : {"descent.iterations", "descent.time"}) {
        ASSERT_NE(ui->layout().find(plot), nullptr) << plot;
        EXPECT_GT(at(plot, 0, 1).y - at(plot, 0, 0).y, 120) << plot;
    }
    EXPECT_LE(at("descent.iterations", 1).x, at("descent.time", 0).x) << "beside each other";
    EXPECT_NE(ui->layout().find("descent.iterations/name/Local/global"), nullptr);
    const float bottom = at("descent.iterations", 0, 0).y;
    for (const auto& who : progress.race.field) EXPECT_LE(at("descent/row/" + who.key, 0, 1).y, bottom) << who.key;
}

TEST_F(DescentPanelTest, EachColumnWithALookForTheWindowIsThere) {
    for (const experiments::NonlinearColumn& column : experiments::kNonlinearColumns)
        if (column.window.id != nullptr) {
            EXPECT_NE(ui->layout().find(std::string("descent/column/") + column.window.id), nullptr) << column.key;
        }
}

TEST_F(DescentPanelTest, NoTwoMethodsLookAlike) {
    std::set<std::tuple<ImU32, int, int>> looks;
    const std::vector<widgets::Style> styles = descentStyles(progress.race.field);
    ASSERT_EQ(styles.size(), progress.race.field.size());
    for (std::size_t k = 0; k < styles.size(); ++k)
        EXPECT_TRUE(looks.insert({styles[k].color, int(styles[k].dash), int(styles[k].mark)}).second)
            << progress.race.field[k].key;
}

TEST_F(DescentPanelTest, AClickOnARowMakesTheMethodActiveAndLeavesTheRest) {
    model.settings.solver.tolerance = 1e-5;
    model.settings.integrator.fastMassSpring.iterations = 17;
    model.settings.integrator.newton.tolerance = 1e-3;
    frame();
    click(at("descent/row/newton-inexact", 0.1f));
    const auto* set = posted<SetSettings>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->settings.integrator.kind, IntegratorKind::NewtonBackwardEuler);
    EXPECT_EQ(set->settings.integrator.newton.inner, integrators::NewtonTolerance::Inexact);
    EXPECT_EQ(set->settings.integrator.newton.tolerance, 1e-3);
    EXPECT_EQ(set->settings.solver.kind, SolverKind::ReducedPcg);
    EXPECT_EQ(set->settings.solver.tolerance, 1e-5);
    EXPECT_EQ(set->settings.preconditioner.kind, enumNamed<PreconditionerKind>("incomplete-cholesky"));
    snapshot.settings = model.settings;
    frames(2);
    EXPECT_TRUE(ui->layout().wordsAt("descent/row/newton-inexact").starts_with("•"));
    EXPECT_FALSE(ui->layout().wordsAt("descent/row/newton-incomplete-cholesky").starts_with("•"));
    click(at("descent/row/local-global-anderson", 0.1f));
    set = posted<SetSettings>();
    EXPECT_EQ(set->settings.integrator.kind, IntegratorKind::FastMassSpring);
    EXPECT_EQ(set->settings.integrator.fastMassSpring.acceleration, integrators::Acceleration::Anderson);
    EXPECT_EQ(set->settings.integrator.fastMassSpring.iterations, 17);
}

TEST_F(DescentPanelTest, ARowThatEndedEarlySaysWhy) {
    progress.race.rows[4].problem = "no factor: the matrix is indefinite";
    frames(2);
    EXPECT_NE(ui->layout().wordsAt("descent/row/" + progress.race.field[4].key).find("indefinite"), std::string::npos);
    progress = {.serial = 2, .problem = "Newton finds no minimum of this step: a force is not finite"};
    frames(2);
    EXPECT_NE(ui->layout().find("descent/problem"), nullptr);
    EXPECT_EQ(ui->layout().find("descent.iterations"), nullptr);
    EXPECT_NE(ui->layout().find("descent/start"), nullptr) << "another step may be tried";
    progress = {.serial = 3, .running = true, .searched = 12, .gradientLeft = 0.02};
    progress.race.scene = "hang";
    progress.race.step = 4;
    frames(2);
    EXPECT_EQ(words(), "hang · step 4 · Newton looks for the minimum: 12 iterations, 0.02 of the gradient left");
    progress.running = false;
    progress.stopped = true;
    frames(2);
    EXPECT_EQ(words(), "hang · step 4 · stopped before the minimum was found");
}

TEST_F(DescentPanelTest, ButtonsAskForADescentAndForItsEnd) {
    click(at("descent/start"));
    EXPECT_NE(posted<StartDescent>(), nullptr);
    progress.running = true;
    progress.race.rows.resize(2);
    progress.share = 0.3;
    frames(2);
    EXPECT_NE(words().find("30 %"), std::string::npos) << words();
    EXPECT_EQ(ui->layout().find("descent/start"), nullptr);
    click(at("descent/stop"));
    EXPECT_NE(posted<CancelJob>(), nullptr);
    progress.running = false;
    progress.stopped = true;
    frames(2);
    EXPECT_NE(words().find("stopped after 2 of"), std::string::npos) << words();
    model.editor.outbox.clear();
    model.results.set<DescentProgress>(nullptr);
    press(Key::D);
    press(Key::D);
    EXPECT_NE(posted<StartDescent>(), nullptr) << "the first opening starts one";
    frames(2);
}

TEST_F(DescentPanelTest, PicturesStandSideBySideInOneScaleWithTheirWords) {
    click(at("descent/pictures"));
    frames(3);
    EXPECT_TRUE(model.looks.descentPictures);
    EXPECT_EQ(ui->layout().find("descent.iterations"), nullptr);
    ASSERT_NE(ui->layout().find("descent/side/4"), nullptr);
    EXPECT_EQ(ui->layout().find("descent/side/5"), nullptr);
    const LayoutMap::Rect &first = *ui->layout().find("descent/side/0"), &last = *ui->layout().find("descent/side/4");
    EXPECT_FLOAT_EQ(first.max.x - first.min.x, last.max.x - last.min.x);
    EXPECT_LE(last.max.y, at("descent", 0, 1).y);
    EXPECT_LE(last.max.x, at("descent", 1, 0).x);
    EXPECT_EQ(ui->layout().wordsAt("descent/caption/1"), "10 iterations; error 0.05 · 10 ms; 0 mm away, rms");
    EXPECT_EQ(ui->layout().wordsAt("descent/caption/4"), "exact: Newton, 7 iterations; 7 ms");
    EXPECT_EQ(runAction(model, "descent.curves"), "");
    frames(2);
    EXPECT_NE(ui->layout().find("descent.iterations"), nullptr);
    progress.race.frames.resize(1);
    progress.running = true;
    EXPECT_EQ(runAction(model, "descent.pictures"), "");
    frames(2);
    EXPECT_EQ(ui->layout().find("descent/side/0"), nullptr) << "with only the minimum there is nothing to compare";
}

/// A sketch draws nearer triangles after farther ones.
TEST_F(DescentPanelTest, ASketchIsDrawnFromTheFarthestTriangleOn) {
    const float sheets[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 2, 0, 1, 2};  // the second is nearer to +z
    const geometry::Triangle both[] = {{3, 4, 5}, {0, 1, 2}};
    render::Camera from;
    from.azimuth = 0;
    from.elevation = 0;
    const ClothSketch sketch(sheets, both, from);
    EXPECT_FLOAT_EQ(sketch.min().x, 0);
    EXPECT_FLOAT_EQ(sketch.max().x, 1);
    EXPECT_FLOAT_EQ(sketch.min().y, -1);
    EXPECT_FLOAT_EQ(sketch.max().y, 0);
    ImGui::NewFrame();
    ImGui::Begin("sketch");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int indices = list.IdxBuffer.Size, vertices = list.VtxBuffer.Size;
    sketch.draw(list, {{100, 100}, {0, 0}, 50}, widgets::kDark.groove, widgets::kDark.knob);
    ASSERT_EQ(list.IdxBuffer.Size, indices + 6);
    ASSERT_EQ(list.VtxBuffer.Size, vertices + 6);
    const auto vertexOf = [&](int k) { return int(list.IdxBuffer[indices + k]) - vertices; };
    EXPECT_EQ(vertexOf(0), 0) << "the far one first";
    EXPECT_EQ(vertexOf(3), 3);
    EXPECT_FLOAT_EQ(list.VtxBuffer[vertices + 1].pos.x, 150);
    EXPECT_FLOAT_EQ(list.VtxBuffer[vertices + 2].pos.y, 50) << "up is up";
    EXPECT_EQ(list.VtxBuffer[vertices].col, list.VtxBuffer[vertices + 3].col) << "one light";
    ImGui::End();
    ImGui::Render();
    const float broken[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
    const geometry::Triangle one[] = {{0, 1, 2}};
    const ClothSketch nothing(broken, one, from);
    EXPECT_GT(nothing.min().x, nothing.max().x);
}

/// More particles than 16-bit indices can address in one draw call.
TEST_F(DescentPanelTest, AFineClothIsDrawnInPieces) {
    const geometry::GridPatch grid{.rows = 260, .columns = 260};
    std::vector<float> positions;
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c)
            for (const float x : {0.01f * float(c), 0.0f, 0.01f * float(r)}) positions.push_back(x);
    const auto triangles = geometry::gridTriangles(grid);
    const ClothSketch sketch(positions, triangles, render::Camera{});
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    ImGui::NewFrame();
    ImGui::Begin("sketch");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int indices = list.IdxBuffer.Size;
    sketch.draw(list, {{100, 100}, {0, 0}, 50}, widgets::kDark.groove, widgets::kDark.knob);
    EXPECT_EQ(list.IdxBuffer.Size, indices + int(3 * triangles.size()));
    EXPECT_EQ(list.CmdBuffer.back().VtxOffset > 0, true);
    ImGui::End();
    ImGui::Render();
}

TEST_F(DescentPanelTest, ADragTurnsAllPicturesAndADoubleClickTurnsThemBack) {
    EXPECT_EQ(runAction(model, "descent.pictures"), "");
    frames(3);
    const auto drawn = [&] {  // by the panel, without the tooltip of the pointer
        std::vector<float> at;
        const ImDrawData& data = *ImGui::GetDrawData();
        for (int k = 0; k < data.CmdListsCount; ++k)
            if (std::string_view(data.CmdLists[k]->_OwnerName) == "##descent")
                for (const ImDrawVert& vertex : data.CmdLists[k]->VtxBuffer) at.push_back(vertex.pos.x);
        EXPECT_FALSE(at.empty());
        return at;
    };
    const auto before = drawn();
    const ImVec2 from = at("descent/side", 0.3f, 0.6f);
    queue.push(window::InputEvent::move(from.x, from.y));
    queue.push(window::InputEvent::button(0, true));
    queue.push(window::InputEvent::move(from.x + 80, from.y + 20));
    drain();  // a drag lasts more than one frame
    queue.push(window::InputEvent::button(0, false));
    drain();
    frames(2);
    EXPECT_NE(drawn(), before);
    click(from);
    click(from);
    frames(2);
    EXPECT_EQ(drawn(), before);
}

}  // namespace
}  // namespace clothlab::app::panels
