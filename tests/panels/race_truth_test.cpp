#include <algorithm>
#include <set>

#include "model/method_styles.hpp"
#include "race_fixture.hpp"

// A race says of which step it is, of which methods and when, and shows every curve.
namespace clothlab::app::panels {

using model::methodColor;
using widgets::LayoutMap;
using worker::SaveRace;
using worker::StartRace;

namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using solvers::SolveStatus;

/// Number of vertices of a colour in the last frame, in all of it or in a rectangle.
int drawnIn(ImU32 color, const LayoutMap::Rect* within = nullptr) {
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
        for (const ImDrawVert& v : data->CmdLists[i]->VtxBuffer)
            count += v.col == color && (!within || (v.pos.x >= within->min.x - 1 && v.pos.x <= within->max.x + 1 &&
                                                    v.pos.y >= within->min.y - 1 && v.pos.y <= within->max.y + 1));
    return count;
}

// Curves and ranks of another step do not belong to the cloth shown beside them.
TEST_F(RacePanelTest, WhatIsOfBeforeAChangeIsGreyAndItsFilesSayOfWhichStepTheyAre) {
    auto mesh = std::make_shared<worker::MeshTopology>();
    mesh->revision = 4;
    snapshot.mesh = mesh;
    snapshot.identity = std::make_shared<int>(1);
    model.receive(snapshot, true);
    progress.origin = {.mesh = 4,
                       .step = 100,
                       .shown = snapshot.identity,
                       .made = std::make_shared<const scene::Settings>(model.settings)};
    const ImU32 jacobiColor =
                    theme_.ink(methodColor(SolverKind::ReducedPcg, enumNamed<PreconditionerKind>("block-jacobi"))),
                grey = theme_.ink(widgets::hue::kStale);
    frames(2);
    const LayoutMap::Rect* panel = ui->layout().find("race");
    const int colored = drawnIn(jacobiColor, panel);
    EXPECT_GT(colored, 20);
    EXPECT_EQ(drawnIn(grey), 0);
    EXPECT_EQ(ui->layout().find("race/of"), nullptr);
    snapshot.identity = std::make_shared<int>(2);
    snapshot.step = 30;
    model.settings.material.stretchStiffness *= 10;
    snapshot.settings = model.settings;
    model.receive(snapshot, true);
    frames(3);
    EXPECT_EQ(ui->layout().wordsAt("race/of"), "of step 100, before the change");
    EXPECT_GT(drawnIn(theme_.colors.pin), 20) << "in amber";
    EXPECT_EQ(drawnIn(jacobiColor, ui->layout().find("race")), 0);
    EXPECT_GT(drawnIn(grey), colored);
    EXPECT_NE(ui->layout().find("race/start"), nullptr);
    progress.serial = 3;
    click(at("race/save"));
    EXPECT_EQ(posted<SaveRace>()->folder, "clothlab-race-hang-100");
    EXPECT_EQ(posted<SaveRace>()->serial, 3u) << "the race that is shown";
    model.racing.folder = progress.saved = "somewhere";
    frames(2);
    ASSERT_EQ(model.racing.pictures.size(), 3u);
    for (const auto& [file, svg] : model.racing.pictures) EXPECT_NE(svg.find("hang, step 100"), svg.npos) << file;
}

TEST_F(RacePanelTest, ARaceOfSomeIsNotOneOfAll) {
    progress.result.options.names = {progress.result.field[0].name(), progress.result.field[2].name()};
    model.racing.names = progress.result.options.names;  // as a lesson requests them
    frames(2);
    const auto pressed = [&](std::string_view id) {
        return drawnIn(theme_.colors.toggleOn, ui->layout().find(id)) > 0;
    };
    EXPECT_FALSE(pressed("race/rows/all"));
    EXPECT_FALSE(pressed("race/rows/preconditioners"));
    EXPECT_TRUE(pressed("race/rows/shown"));
    click(at("race/start"));
    EXPECT_EQ(posted<StartRace>()->options.names, progress.result.options.names) << "the same methods again";
    click(at("race/rows/all"));
    moveTo({5, 5});
    frames(2);
    EXPECT_TRUE(pressed("race/rows/all"));
    click(at("race/start"));
    EXPECT_TRUE(posted<StartRace>()->options.names.empty());
}

// A cell once showed "0.0568 (0.056 to 0.058" without its closing bracket.
TEST_F(RacePanelTest, NoCellIsCutAt1280x720) {
    auto& r = progress.result;
    r.field = experiments::raceField(model.settings);
    r.rows.clear();
    for (std::size_t c = 0; c < r.field.size(); ++c) {
        r.rows.push_back(row(c, 1e-3, SolveStatus::Converged, 20 + int(c), 0.05678));
        r.rows.back().totalMinMs = 0.05634, r.rows.back().totalMaxMs = 0.05789;
    }
    frames(3);
    const std::string total = ui->layout().wordsAt("race/row/" + jacobi + "/total");
    EXPECT_EQ(total, "0.0568 (0.056 to 0.058)");
}

// One iteration of 30 ms, set-up included, was once a vertical stroke at 30 ms.
TEST_F(RacePanelTest, CurvesAgainstTimeBeginAtZero) {
    for (auto& each : progress.result.rows) {  // set up for 6 ms, then two iterations
        if (each.residuals.empty()) continue;
        each.residuals = {1, 0.1f, 1e-4f};
        each.milliseconds = {6, 6.5f, 7};
    }
    progress.result.rows[0].milliseconds = {0.5f, 1, 7};
    model.racing.folder = progress.saved = "somewhere";
    frames(2);
    const std::string& svg = model.racing.pictures.at(1).second;
    // Each curve begins at the left edge of the plot, at the residual 1.
    std::set<std::string> starts;
    int curves = 0;
    constexpr std::string_view kBegin = "points=\"";
    for (std::size_t at = 0; (at = svg.find(kBegin, at)) != svg.npos;) {
        at += kBegin.size();
        const std::string points = svg.substr(at, svg.find('"', at) - at);
        if (std::ranges::count(points, ' ') < 2) continue;  // a line of the grid, a swatch
        starts.insert(points.substr(0, points.find(' ')));
        ++curves;
    }
    EXPECT_EQ(curves, 3);
    EXPECT_EQ(starts.size(), 1u);
}

// MPCG with the constrained block has the iterates of reduced PCG with block Jacobi: one of the two once had a name but
// no visible line.
TEST_F(RacePanelTest, CurvesThatLieOnEachOtherAreBothSeenAndShareAName) {
    auto& r = progress.result;
    r.field = {r.field[0],
               {{{.kind = SolverKind::Mpcg}, {.kind = enumNamed<PreconditionerKind>("constrained-block")}}},
               {{{.kind = SolverKind::ReducedPcg}, {.kind = enumNamed<PreconditionerKind>("ssor")}}}};
    r.rows = {row(0, 1e-3, SolveStatus::Converged, 80, 4), row(1, 1e-3, SolveStatus::Converged, 80, 5),
              row(2, 1e-3, SolveStatus::Converged, 30, 3)};
    frames(3);
    EXPECT_EQ(ui->layout().wordsAt("race.iterations/name/Block Jacobi"), "Block Jacobi =\nMPCG · Constrained block");
    EXPECT_NE(ui->layout().find("race.iterations/name/MPCG · Constrained block"), nullptr);
    EXPECT_EQ(ui->layout().wordsAt("race.iterations/name/SSOR"), "SSOR");
    const ImU32 colors[] = {theme_.ink(methodColor(SolverKind::ReducedPcg, r.field[0].method.preconditioner.kind)),
                            theme_.ink(methodColor(SolverKind::Mpcg, r.field[1].method.preconditioner.kind))};
    // The lower line is wider, and shows at both sides of the upper one.
    const LayoutMap::Rect* plot = ui->layout().find("race.iterations");
    float reach[2] = {};
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
        for (const ImDrawVert& v : data->CmdLists[i]->VtxBuffer)
            for (const int which : {0, 1})
                if (v.col == colors[which] && v.pos.x > plot->min.x && v.pos.x < plot->max.x && v.pos.y > plot->min.y &&
                    v.pos.y < plot->max.y)
                    reach[which] = std::max(reach[which], v.pos.y);
    EXPECT_GT(reach[1], reach[0]) << "the lower line reaches beyond the upper one";
}

}  // namespace
}  // namespace clothlab::app::panels
