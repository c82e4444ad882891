#include <algorithm>

#include "race_fixture.hpp"

namespace clothlab::app::panels {

using model::Panel;
using widgets::Key;
using widgets::LayoutMap;
using worker::CancelJob;
using worker::SaveRace;
using worker::SetSettings;
using worker::StartRace;

namespace {

using experiments::Contestant;
using experiments::RaceRow;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using solvers::SolveStatus;

TEST_F(RacePanelTest, SortsByTimeAndPutsWhatDidNotArriveLast) {
    EXPECT_LT(topOf(ic), topOf(jacobi));
    EXPECT_LT(topOf(jacobi), topOf(cholesky));
    EXPECT_LT(topOf(cholesky), topOf(poisson));
    moveTo(at("race/column/total"));  // as a user does: ImGui drops a click that jumps onto a header
    click(at("race/column/total"));
    EXPECT_LT(topOf(cholesky), topOf(ic)) << "the slowest first";
    EXPECT_LT(topOf(ic), topOf(poisson)) << "a method that did not converge is not ranked by time";
    moveTo(at("race/column/iter."));
    click(at("race/column/iter."));
    EXPECT_LT(topOf(cholesky), topOf(ic));
    EXPECT_LT(topOf(ic), topOf(jacobi));
    EXPECT_LT(topOf(jacobi), topOf(poisson));
    click(at("race/column/iter."));  // the reverse order
    EXPECT_LT(topOf(poisson), topOf(jacobi));
}

TEST_F(RacePanelTest, EachColumnWithALookForTheWindowIsThere) {
    ImGui::GetIO().DisplaySize = {2400, 900};
    auto& r = progress.result;  // many rows: the table has the whole width
    r.field = experiments::raceField(model.settings);
    r.rows.clear();
    for (std::size_t c = 0; c < r.field.size(); ++c)
        r.rows.push_back(row(c, 1e-3, SolveStatus::Converged, 20 + int(c), 1 + 0.3 * double(c)));
    frames(3);
    for (const experiments::RaceColumn& column : experiments::kRaceColumns) {
        if (column.window.id == nullptr) continue;
        EXPECT_NE(ui->layout().find(std::string("race/column/") + column.window.id), nullptr) << column.key;
        if (column.window.width > 0) {
            EXPECT_NE(ui->layout().wordsAt("race/row/" + jacobi + "/" + column.window.id), "") << column.key;
        }
    }
}

TEST_F(RacePanelTest, ARaceThatCouldNotBeSavedIsStillShown) {
    EXPECT_EQ(ui->layout().find("race/problem"), nullptr);
    progress.problem = "clothlab-race-hang-100: cannot make the folder: Permission denied";
    frames(2);
    for (const std::string& id :
         {std::string("race/problem"), "race/row/" + jacobi, std::string("race.iterations"), std::string("race/save")})
        EXPECT_NE(ui->layout().find(id), nullptr) << id;
}

TEST_F(RacePanelTest, ABusyMachineIsSaidAndRowsAreChosen) {
    EXPECT_EQ(ui->layout().find("race/busy"), nullptr);
    progress.result.rows[0].totalMaxMs = 31;
    frames(2);
    EXPECT_NE(ui->layout().find("race/busy"), nullptr);
    EXPECT_NE(ui->layout().find("race/column/rank"), nullptr);

    click(at("race/rows/preconditioners"));
    frames(2);
    EXPECT_NE(ui->layout().find("race/row/" + jacobi), nullptr);
    EXPECT_NE(ui->layout().find("race/row/" + poisson), nullptr);
    for (const std::string& id : {cholesky, ic})
        EXPECT_EQ(ui->layout().find("race/row/" + id), nullptr) << "direct, or a variant";
    click(at("race/start"));
    ASSERT_NE(posted<StartRace>(), nullptr);
    EXPECT_EQ(posted<StartRace>()->options.choice, experiments::RaceChoice::Preconditioners);
}

TEST_F(RacePanelTest, MoreThanNineRowsAndCurvesThatCanBeReadFitAt1280x720) {
    auto& r = progress.result;
    r.field = experiments::raceField(model.settings);
    r.rows.clear();
    for (std::size_t c = 0; c < r.field.size(); ++c)
        r.rows.push_back(row(c, 1e-3, SolveStatus::Converged, 20 + int(c), 1 + 0.3 * double(c)));
    frames(3);
    const float bottom = at("race.iterations", 0, 0).y - theme_.px(30);  // title and gap
    const auto inView = std::ranges::count_if(ui->layout().all(), [&](const auto& entry) {
        return entry.first.starts_with("race/row/") && entry.second.max.y <= bottom &&
               entry.second.min.y >= at("race/column/method", 0, 1).y - 1;
    });
    EXPECT_GT(inView, 9);
    for (const char* id : {"race.iterations", "race.time"}) EXPECT_GT(at(id, 0, 1).y - at(id, 0, 0).y, 120) << id;
    const auto names = std::ranges::count_if(
        ui->layout().all(), [](const auto& entry) { return entry.first.starts_with("race.time/name/"); });
    EXPECT_GE(names, 3) << "curves have their names";
}

TEST_F(RacePanelTest, AClickOnARowMakesTheMethodActiveAndLeavesTheRest) {
    model.settings.solver.tolerance = 1e-5;
    frame();
    click(at("race/row/" + ic, 0.1f));
    const auto* set = posted<SetSettings>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->settings.solver.kind, SolverKind::Mpcg);
    EXPECT_EQ(set->settings.preconditioner.kind, enumNamed<PreconditionerKind>("incomplete-cholesky"));
    EXPECT_EQ(set->settings.preconditioner.fillLevel, 1);
    EXPECT_EQ(set->settings.solver.tolerance, 1e-5);
    click(at("race/row/" + cholesky, 0.1f));
    EXPECT_EQ(posted<SetSettings>()->settings.solver.kind, SolverKind::Cholesky);
    EXPECT_EQ(posted<SetSettings>()->settings.solver.form, solvers::DirectForm::Reduced);
    EXPECT_EQ(posted<SetSettings>()->settings.preconditioner.kind,
              enumNamed<PreconditionerKind>("incomplete-cholesky"));
}

TEST_F(RacePanelTest, ButtonsAskForARaceItsEndAndItsFiles) {
    click(at("race/start"));
    ASSERT_NE(posted<StartRace>(), nullptr);
    EXPECT_FALSE(posted<StartRace>()->live);
    click(at("race/save"));
    ASSERT_NE(posted<SaveRace>(), nullptr);
    EXPECT_EQ(posted<SaveRace>()->folder.substr(0, 22), "clothlab-race-hang-100");
    progress.running = true;
    frame();
    EXPECT_EQ(ui->layout().find("race/start"), nullptr);
    EXPECT_EQ(ui->layout().find("race/save"), nullptr);
    click(at("race/stop"));
    EXPECT_NE(posted<CancelJob>(), nullptr);
    click(at("race/close"));
    EXPECT_FALSE(model.isOpen(Panel::Race));
    model.editor.outbox.clear();
    press(Key::T);
    EXPECT_TRUE(model.isOpen(Panel::Race));
    EXPECT_EQ(posted<StartRace>(), nullptr);  // a race exists already
}

TEST_F(RacePanelTest, TheFirstOpeningStartsARace) {
    model.results.set<worker::RaceProgress>(nullptr);
    model.closePanel();
    frame();
    click(at("race/open"));
    EXPECT_TRUE(model.isOpen(Panel::Race));
    EXPECT_NE(posted<StartRace>(), nullptr);
}

TEST_F(RacePanelTest, ThePanelLeavesTheClothItsPlace) {
    const ImVec2 race = at("race", 0.5f, 0), view = at("view", 0.5f, 1);
    EXPECT_LE(view.y, race.y + 1);
    EXPECT_GT(view.y, 150);
    progress.problem = "Runge-Kutta 4 solves no linear system.";
    progress.result.rows.clear();
    frames(2);
    EXPECT_EQ(ui->layout().find("race/row/" + jacobi), nullptr);
}

TEST_F(RacePanelTest, ANarrowWindowKeepsTheTellingColumnsAndEveryButton) {
    ImGui::GetIO().DisplaySize = {2400, 900};  // few rows: the plot is beside them
    frames(3);
    EXPECT_NE(ui->layout().find("race/column/MB"), nullptr);
    ImGui::GetIO().DisplaySize = {640, 600};
    frames(3);
    click(at("column/controls"));  // beside the controls there is room for little
    frames(3);
    for (const char* id : {"race/column/method", "race/column/total", "race/column/iter.", "race/save",
                           "race/tolerance/1e-6", "race/start"}) {
        const LayoutMap::Rect* rect = ui->layout().find(id);
        ASSERT_NE(rect, nullptr) << id;
        EXPECT_GE(rect->min.x, at("race", 0, 0).x) << id;
        EXPECT_LE(rect->max.x, at("race", 1, 0).x) << id;
    }
    EXPECT_EQ(ui->layout().find("race/column/MB"), nullptr);
    EXPECT_GT(at("race/column/method", 1).x - at("race/column/method", 0).x, 140);
    click(at("race/row/" + ic, 0.1f));
    EXPECT_EQ(model.settings.preconditioner.kind, enumNamed<PreconditionerKind>("incomplete-cholesky"));
}

TEST_F(RacePanelTest, ASwatchHidesTheCurveAndTheNextRaceCanBeOfTheOthersAlone) {
    EXPECT_EQ(ui->layout().find("race/rows/shown"), nullptr);
    const auto kind = model.settings.preconditioner.kind;
    click(at("race/row/" + ic + "/swatch", 0.3f));
    frames(2);
    EXPECT_EQ(model.settings.preconditioner.kind, kind) << "a click on the mark chooses no method";
    EXPECT_TRUE(model.plotViews.hidden("race.iterations", progress.result.field[2].label()));
    EXPECT_TRUE(model.plotViews.hidden("race.time", progress.result.field[2].label()));
    click(at("race/rows/shown"));
    frames(2);
    EXPECT_EQ(model.racing.names.size(), 3u);
    model.editor.outbox.clear();
    click(at("race/start"));
    ASSERT_NE(posted<StartRace>(), nullptr);
    EXPECT_EQ(posted<StartRace>()->options.names, model.racing.names);
    EXPECT_EQ(std::ranges::count(model.racing.names, progress.result.field[2].name()), 0);
    click(at("race/row/" + ic + "/swatch", 0.3f));
    frames(2);
    EXPECT_FALSE(model.plotViews.hidden("race.iterations", progress.result.field[2].label()));
    EXPECT_TRUE(model.racing.names.empty()) << "all are shown again";
}

TEST_F(RacePanelTest, ARightClickCopiesTheRowOrTheTable) {
    const auto choose = [&](const char* entry) {
        const ImVec2 p = at("race/row/" + ic);
        queue.push(window::InputEvent::move(p.x, p.y));
        queue.push(window::InputEvent::button(1, true));
        queue.push(window::InputEvent::button(1, false));
        drain();
        frames(3);
        click(at(std::string("race/menu/") + entry));
        frames(2);
    };
    const auto lines = [] { return std::ranges::count(std::string(ImGui::GetClipboardText()), '\n'); };
    choose("copy");
    EXPECT_EQ(lines(), 2);
    EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\nmpcg,incomplete-cholesky fill_level=1,0.001,"),
              std::string::npos)
        << ImGui::GetClipboardText();
    choose("copy_all");
    EXPECT_EQ(lines(), 5) << "the curves of the tolerance shown";
    choose("only");
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(model.plotViews.hidden("race.time", progress.result.field[k].label()), k != 2) << k;
}

// (37) from the Ritz values 0.01 and 2: after k iterations 2 ((sqrt(200) - 1)/(sqrt(200) + 1))^k.
TEST_F(RacePanelTest, TheBoundOfTheActiveMethodIsDrawnAndSavedWithTheCurves) {
    snapshot.settings.solver.kind = SolverKind::ReducedPcg;
    snapshot.settings.preconditioner = progress.result.field[0].method.preconditioner;
    model.receive(snapshot, true);
    model.racing.folder = progress.saved = "somewhere";
    frames(2);
    ASSERT_EQ(model.racing.pictures.size(), 3u);
    const auto has = [&](std::size_t picture, const char* words) {
        return model.racing.pictures[picture].second.find(words) != std::string::npos;
    };
    EXPECT_TRUE(has(0, "Residual against iterations"));
    EXPECT_TRUE(has(1, "Residual against time"));
    EXPECT_TRUE(has(2, "Error against iterations"));
    for (const char* bound : {"(37) of ", "(24) of "}) {
        EXPECT_TRUE(has(2, bound));
        for (const std::size_t residuals : {0, 1}) EXPECT_FALSE(has(residuals, bound)) << "no bound of residuals";
    }
}

// A plot zoomed to a range of residuals could show none of the errors.
TEST_F(RacePanelTest, TheErrorTakesThePlaceOfTheResidualAndIsShownWhole) {
    model.plotViews.show("race.iterations/y", widgets::PlotRange{1e-4, 1e-3});
    click(at("race/measure/error"));
    frames(2);
    EXPECT_FALSE(model.plotViews.shown("race.iterations/y").has_value());
    model.plotViews.show("race.iterations/y", widgets::PlotRange{1e-4, 1e-3});
    click(at("race/measure/error"));
    frames(2);
    EXPECT_TRUE(model.plotViews.shown("race.iterations/y").has_value()) << "nothing changed";
}

}  // namespace
}  // namespace clothlab::app::panels
