#include <algorithm>

#include "integrators/kind.hpp"
#include "model/method_styles.hpp"
#include "panel_fixture.hpp"
#include "panels/plots/contact_words.hpp"
#include "panels/plots/residual_words.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::app::panels {

using model::methodColor;
using panels::residualWords;
using widgets::LayoutMap;
using widgets::PlotRange;
using worker::ReportEntry;

namespace {

using preconditioners::PreconditionerKind;

/// A step that block Jacobi solved; incomplete Cholesky was chosen afterwards.
class PlotTruthTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        snapshot.settings.preconditioner.kind = PreconditionerKind::BlockJacobi;
        snapshot.report.step = snapshot.step;
        snapshot.report.iterations = snapshot.report.linearIterations = 86;
        snapshot.report.trueRelativeResidual = 9.3e-4;
        snapshot.report.solveStatus = solvers::SolveStatus::Converged;
        snapshot.report.methods = {snapshot.settings.integrator.kind, snapshot.settings.solver,
                                   snapshot.settings.preconditioner};
        for (int k = 0; k <= 86; ++k) snapshot.residualHistory.push_back(float(std::pow(10.0, -3.0 * k / 86)));
    }
    void choose(PreconditionerKind kind) {
        snapshot.settings.preconditioner.kind = kind;
        model.settings = snapshot.settings;
        frames(2);
    }
    /// Number of vertices of a colour inside a plot.
    int inked(ImU32 color, std::string_view id = "plot.residual") {
        const LayoutMap::Rect* plot = ui->layout().find(id);
        int found = 0;
        const ImDrawData* data = ImGui::GetDrawData();
        for (int i = 0; plot && i < data->CmdListsCount; ++i)
            for (const ImDrawVert& v : data->CmdLists[i]->VtxBuffer)
                found += v.col == color && v.pos.x >= plot->min.x && v.pos.x <= plot->max.x && v.pos.y >= plot->min.y &&
                         v.pos.y <= plot->max.y;
        return found;
    }
};

TEST_F(PlotTruthTest, TheCurveKeepsTheColourOfTheMethodThatMadeIt) {
    choose(PreconditionerKind::BlockJacobi);
    const int before = inked(methodColor(PreconditionerKind::BlockJacobi));
    EXPECT_GT(before, 200);
    EXPECT_EQ(residualWords(snapshot).caption, (std::vector<std::string>{"Block Jacobi", "86 iterations"}));
    choose(PreconditionerKind::IncompleteCholesky);
    EXPECT_EQ(inked(methodColor(PreconditionerKind::IncompleteCholesky)), 0);
    EXPECT_EQ(inked(methodColor(PreconditionerKind::BlockJacobi)), before);
    EXPECT_EQ(residualWords(snapshot).caption,
              (std::vector<std::string>{"Block Jacobi", "86 iterations", "before the change"}));
    snapshot.report.methods.preconditioner.kind =
        PreconditionerKind::IncompleteCholesky;  // the next step has been made
    EXPECT_EQ(residualWords(snapshot).caption.size(), 2u);
    snapshot.report.linearIterations = 341;  // contact made the step solve again
    EXPECT_EQ(residualWords(snapshot).caption.back(), "86 of 341 iterations");
}

TEST_F(PlotTruthTest, ToleranceAndReasonsAreThoseOfTheStepToo) {
    snapshot.settings.solver.tolerance = 1e-9;
    EXPECT_EQ(residualWords(snapshot).tolerance, snapshot.report.methods.solver.tolerance);
    snapshot.settings.solver.kind = solvers::SolverKind::Cholesky;
    EXPECT_TRUE(residualWords(snapshot).iterates);
    snapshot.residualHistory.clear();
    EXPECT_EQ(residualWords(snapshot).empty, "not kept for this step");
    EXPECT_TRUE(residualWords(snapshot).caption.empty());
    snapshot.report.explicitSprings = 630;  // adaptive IMEX at a short step
    EXPECT_EQ(residualWords(snapshot).empty, "not kept for this step") << "a membrane of one cloth is in the matrix";
    snapshot.report.uncoupled = true;
    EXPECT_EQ(residualWords(snapshot).empty, "no spring is implicit: nothing to solve");
    snapshot.report.methods.solver.kind = solvers::SolverKind::Cholesky;
    EXPECT_EQ(residualWords(snapshot).empty, "no spring is implicit: nothing to solve") << "whatever the solver";
    snapshot.report.uncoupled = false;
    EXPECT_EQ(residualWords(snapshot).empty, "a direct solver does not iterate");
    snapshot.report.solveStatus = solvers::SolveStatus::Refused;
    EXPECT_EQ(residualWords(snapshot).empty, "refused: nothing was solved");
    snapshot.report.solveStatus = solvers::SolveStatus::Converged;
    snapshot.report.methods.integrator = integrators::IntegratorKind::Rk4;
    EXPECT_EQ(residualWords(snapshot).empty, "An explicit integrator solves no system.");
    snapshot.report = {};
    snapshot.report.methods.integrator = integrators::IntegratorKind::LinearizedBackwardEuler;
    snapshot.step = 0;
    EXPECT_EQ(residualWords(snapshot).empty, "the start: no step yet");
}

TEST_F(PlotTruthTest, TheToleranceIsALevelWhereTheAxisIsThatOfTheRule) {
    auto& solver = snapshot.report.methods.solver;
    snapshot.report.dt = 0.02;
    solver.tolerance = 2;
    solver.toleranceRule = solvers::ToleranceRule::StepSquared;
    EXPECT_TRUE(residualWords(snapshot).iterates);
    EXPECT_DOUBLE_EQ(residualWords(snapshot).tolerance, 2 * 0.02 * 0.02);
    for (const solvers::Stopping other : {solvers::Stopping::PNorm, solvers::Stopping::Absolute}) {
        solver.stopping = other;
        EXPECT_FALSE(residualWords(snapshot).iterates) << enumKey(other) << ": of another norm than the curve";
    }
}

TEST_F(PlotTruthTest, OfManyMethodsTheIterationsShowThoseThatWorkedLast) {
    using enum PreconditionerKind;
    int step = 0;
    for (const PreconditionerKind kind :
         {BlockJacobi, Jacobi, Ssor, IncompleteCholesky, IncompletePoisson, MatrixCore, LaggedCholesky, BlockJacobi})
        for (int k = 0; k < 10; ++k) {
            ReportEntry entry;
            entry.report.step = ++step;
            entry.report.iterations = entry.report.linearIterations = 20 + k;
            entry.report.methods = snapshot.report.methods;
            entry.report.methods.preconditioner.kind = kind;
            model.history.push(entry);
        }
    snapshot.step = step;
    frames(2);
    EXPECT_GT(inked(methodColor(BlockJacobi), "plot.iterations"), 0) << "active, and the first method";
    EXPECT_GT(inked(methodColor(LaggedCholesky), "plot.iterations"), 0);
    EXPECT_EQ(inked(methodColor(Jacobi), "plot.iterations"), 0) << "the seventh method has no curve";
}

TEST_F(PlotTruthTest, TimesOfContactAreThoseOfTheStepsShown) {
    for (int i = 1; i <= 400; ++i) {
        ReportEntry entry;
        entry.report.step = i;
        entry.report.contactMs = i == 250 ? 900 : i <= 200 ? 2000 : i;
        entry.report.stepMs = 1e5;
        model.history.push(entry);
    }
    snapshot.step = 400;
    const auto words = [&](PlotRange steps) {
        model.plotViews.show(kStepsAxis, steps);
        return contactWords(model, PlotWindow::of(model));
    };
    snapshot.settings.contact.selfCollision = contact::SelfCollision::Robust;
    model.receive(snapshot, true);
    const std::string all = "contact in 100 steps: mean 257 ms · p50 251 · p95 296 · p99 300 · worst 900 at step 250";
    const auto shown = words({201, 300});
    ASSERT_FALSE(shown.lines.empty());
    EXPECT_EQ(shown.lines.front(), all) << "neither step 200 nor step 301";
    EXPECT_EQ(words({200.5, 300.7}).lines.front(), all);
    EXPECT_NE(shown.help.find("worst 900 at step 250"), std::string::npos) << shown.help;
    EXPECT_TRUE(words({500, 600}).help.empty()) << "no step is shown";
    snapshot.settings.contact.selfCollision = contact::SelfCollision::Off;
    model.receive(snapshot, true);
    EXPECT_TRUE(words({201, 300}).lines.empty()) << "a share of 0.3 % and not robust";
    EXPECT_FALSE(words({201, 300}).help.empty());
}

// The line takes its space from the plot of times; where that plot is already as low as it may be, there is no line.
TEST_F(PlotTruthTest, TheLineOfContactMovesNothing) {
    for (int i = 1; i <= 100; ++i) {
        ReportEntry entry;
        entry.report.step = i;
        entry.report.contactMs = 10 + i;
        entry.report.stepMs = 1000;
        model.history.push(entry);
    }
    const auto topOf = [&](const char* id) { return at(id, 0, 0).y; };
    int lines = 0;
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1280, 480}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = size;
        snapshot.settings.contact.selfCollision = contact::SelfCollision::Off;
        model.receive(snapshot, true);
        frames(3);
        EXPECT_EQ(ui->layout().find("plot.stages.contact"), nullptr);
        const float energy = topOf("plot.energy/outer"), strain = topOf("plot.strain/outer");
        snapshot.settings.contact.selfCollision = contact::SelfCollision::Robust;
        model.receive(snapshot, true);
        frames(3);
        EXPECT_EQ(topOf("plot.energy/outer"), energy) << size.y;
        EXPECT_EQ(topOf("plot.strain/outer"), strain) << size.y;
        const LayoutMap::Rect *line = ui->layout().find("plot.stages.contact"),
                              *plot = ui->layout().find("plot.stages");
        ASSERT_NE(plot, nullptr);
        EXPECT_GE(plot->max.y - plot->min.y, 35.9f) << size.y;
        EXPECT_EQ(line == nullptr, size.y < 500);
        if (!line) continue;
        ++lines;
        EXPECT_LE(line->max.y, energy) << size.y;
        EXPECT_LE(line->max.x, size.x) << size.y;
        const std::string words(ui->layout().wordsAt("plot.stages.contact"));
        for (const char* part : {"mean 60", "p50 60", "p95 105", "p99 109", "worst 110"})
            EXPECT_NE(words.find(part), std::string::npos) << words;
    }
    EXPECT_EQ(lines, 2);
}

TEST_F(PlotTruthTest, AllPlotsFitIntoTheWindow) {
    snapshot.ghost.present = true;
    snapshot.ghost.settings = snapshot.settings;
    snapshot.settings.integrator.dtSchedule = integrators::DtSchedule::Adaptive;
    model.settings = snapshot.settings;
    model.settings.solver.decompose = true;
    for (int i = 1; i <= 100; ++i) {
        ReportEntry entry;
        entry.report.step = i;
        entry.report.dt = 0.01 / (1 + i % 7);
        entry.report.explicitLimit = 2.5e-4;
        entry.report.components = i % 9 + 1;
        entry.report.largestComponent = 800;
        entry.report.ghostDistance = entry.report.ghostRms = 1e-3 * i;
        model.history.push(entry);
    }
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1100, 640}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = size;
        frames(3);
        if (size.y > 700) {  // a lower column scrolls
            EXPECT_LE(at("plot.strain", 0, 1).y, size.y);
        }
        for (const char* id : {"plot.ghost", "plot.residual", "plot.iterations", "plot.dt", "plot.components",
                               "plot.stages", "plot.energy", "plot.strain"}) {
            const LayoutMap::Rect* plot = ui->layout().find(id);
            ASSERT_NE(plot, nullptr) << id;
            EXPECT_GE(plot->max.y - plot->min.y, 35.9f) << id << " at " << size.y;
        }
    }
}

}  // namespace
}  // namespace clothlab::app::panels
