#pragma once

#include <fmt/format.h>

#include "actions/showing.hpp"
#include "panel_fixture.hpp"
#include "records/json_line.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"

namespace clothlab::app::panels {

/// All panels have content, with the longest names and numbers that can occur.
class LayoutTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->particles = 6561;
        snapshot.mesh = mesh;
        snapshot.step = snapshot.historyLast = 12345;
        snapshot.timeSeconds = 123.45;
        snapshot.realTimeFactor = 0.53;
        snapshot.explicitLimit = 2.5e-4;
        snapshot.report.step = 12345;
        snapshot.report.stepMs = 1234.5;
        snapshot.report.iterations = snapshot.report.linearIterations = 1234;
        snapshot.report.contacts = 1234;
        for (int k = 0; k < 120; ++k) snapshot.residualHistory.push_back(float(std::pow(0.9, k)));
        model.scene.watch = "The sheet swings down, overshoots, and settles into folds that run to its two corners.";
        addReports(250);
        fillRace();
        fillDescent();
        fillWork();
        fillSlowMotion();
        fillSparsity();
    }
    void fillRace() {
        auto& r = race.result;
        r.scene = "decomposed-sphere";
        r.step = 12345;
        r.particles = 25921;
        r.options.tolerances = {1e-3, 1e-6};
        for (const EnumEntry& solver : enumTable(solvers::SolverKind{}))
            for (const EnumEntry& method : enumTable(preconditioners::PreconditionerKind{}))
                r.field.push_back({{{.kind = solvers::SolverKind(solver.value)},
                                    {.kind = preconditioners::PreconditionerKind(method.value)}},
                                   r.field.empty()});
        for (const double tolerance : r.options.tolerances)
            for (std::size_t k = 0; k < r.field.size(); ++k) {
                experiments::RaceRow row{.contestant = k,
                                         .tolerance = tolerance,
                                         .status = solvers::SolveStatus::Converged,
                                         .iterations = 1234,
                                         .runs = 5,
                                         .trueRelativeResidual = tolerance / 2,
                                         .setUpMs = 123.4,
                                         .totalMs = 1234.5,
                                         .coldMs = 2345.6,
                                         .bytes = 123.4e6,
                                         .message = {}};
                for (int i = 0; i <= 60; ++i) {
                    row.residuals.push_back(float(std::pow(0.8, i + int(k))));
                    row.milliseconds.push_back(float(20 * i));
                }
                row.smallestRitz = 1e-4, row.largestRitz = 2;
                r.rows.push_back(row);
            }
        model.results.set(&race);
    }
    void fillDescent() {
        auto& r = descent.race;
        descent.serial = 1;
        descent.origin.mesh = 1;
        descent.made.integrator.kind = integrators::IntegratorKind::LinearizedBackwardEuler;
        descent.triangles =
            std::make_shared<const std::vector<geometry::Triangle>>(geometry::gridTriangles({.rows = 9, .columns = 9}));
        r.scene = "decomposed-sphere";
        r.step = 12345;
        r.dt = 0.00333;
        r.particles = 25921;
        r.springs = 128158;
        r.field = experiments::nonlinearField(model.settings);
        for (std::size_t c = 0; c < r.field.size(); ++c) {
            experiments::NonlinearRow row{.contestant = c,
                                          .value = {},
                                          .error = {1},
                                          .milliseconds = {0},
                                          .linearIterations = 12345,
                                          .problem = {}};
            for (int k = 1; k <= 1000; ++k) {
                row.error.push_back(std::pow(0.97 - 0.01 * double(c), k));
                row.milliseconds.push_back(12.345 * k);
            }
            r.rows.push_back(std::move(row));
        }
        for (const int iterations : {1, 10, 100, 1000, 123}) {
            experiments::NonlinearFrame frame{.iterations = iterations,
                                              .exact = iterations == 123,
                                              .error = 1.23e-10,
                                              .milliseconds = 12345.6,
                                              .distance = 1.23e-5,
                                              .positions = {}};
            for (int row = 0; row < 9; ++row)
                for (int i = 0; i < 9; ++i)
                    frame.positions.insert(frame.positions.end(),
                                           {0.1f * float(i), 0.02f * float(i % 5), 0.1f * float(row)});
            r.frames.push_back(std::move(frame));
        }
        model.results.set(&descent);
    }
    void fillWork() {
        work.serial = 1;
        work.share = 1;
        work.title = "decomposed-sphere · from step 12345";
        work.threads = 1;
        for (int k = 0; k < 4; ++k)
            for (const char* kind : {"linearized-backward-euler", "bdf2"})
                work.records.records.push_back(*records::readJsonLine(fmt::format(
                    R"({{"run":{},"vary":{{"integrator.dt":{},"integrator.kind":"{}"}},"scene":"hang","status":"ok","time_s":0.05,"message":"",)"
                    R"("mean_iterations":7,"mean_step_ms":1.5,"total_ms":{},"ms_per_simulated_s":{},"error_m":{},"error_rms_m":{},)"
                    R"("reference_status":"ok","settings":{{"integrator":{{"dt":{},"dt_schedule":"fixed"}}}},"sweep":{{"sets":"grid"}}}})",
                    k, 0.01 / (1 << k), kind, 20 << k, 100 << k, 1e-2 / (1 << k), 5e-3 / (1 << k), 0.01 / (1 << k))));
        model.results.set(&work);
    }
    void fillSlowMotion() {
        experiments::SlowMotion& motion = slow.motion;
        motion.step = 12345;
        motion.reach = 0.01;
        motion.inertial = motion.solution = {0, 0, 0};
        motion.waves = std::make_shared<const experiments::ErrorWaves>(experiments::ErrorWaves::ofGrid(1, 1, 1));
        for (const preconditioners::PreconditionerKind kind :
             {enumNamed<preconditioners::PreconditionerKind>("incomplete-cholesky"),
              enumNamed<preconditioners::PreconditionerKind>("constrained-block")}) {
            experiments::SlowMotion::Method method{.who = {{{.kind = solvers::SolverKind::Mpcg}, {.kind = kind}}},
                                                   .status = solvers::SolveStatus::Converged,
                                                   .iteration = {},
                                                   .deltaV = {},
                                                   .undone = {},
                                                   .residuals = {},
                                                   .message = {}};
            for (int k = 0; k <= 1234; k += 2) {
                method.iteration.push_back(k);
                method.deltaV.push_back({1.0, 0, 0});
                method.undone.push_back({2.0f});
                method.residuals.push_back(1.23e-4f);
            }
            motion.methods.push_back(method);
        }
        slow.origin.mesh = snapshot.mesh ? snapshot.mesh->revision : 0;
        model.results.set(&slow);
    }
    void fillSparsity() {
        experiments::Sparsity& s = sparsity.blocks;
        s.step = 12345;
        s.particle = s.place = {1, 0};
        s.rowStart = {0, 2, 4};
        s.column = {0, 1, 0, 1};
        s.kind = {experiments::BlockKind::Diagonal, experiments::BlockKind::Core, experiments::BlockKind::Core,
                  experiments::BlockKind::Diagonal};
        s.occupied = 4;
        sparsity.cells = 2;
        sparsity.raster.assign(4, 0);
        model.results.set(&sparsity);
    }
    /// A window of this size in points at this content scale, with type as the model has it.
    void resize(ImVec2 points, float scale) {
        ImGuiIO& io = ImGui::GetIO();
        if (const float wanted = scale * float(actions::zoomFor(model, points)); wanted != theme_.scale) {
            io.Fonts->Clear();
            theme_ = widgets::applyTheme(wanted);
            unsigned char* pixels = nullptr;
            int width = 0, height = 0;
            io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
            ui->setTheme(theme_);
        }
        io.DisplaySize = {points.x * scale, points.y * scale};
        io.MousePos = {-FLT_MAX, -FLT_MAX};
        frames(4);
    }
    /// The results are set already, so that opening a panel starts no job.
    void open(model::Panel panel) {
        model.closePanel();
        model.popups.keys = false;
        if (panel != model::Panel::None) model.open(panel);
        model.results.set(&slow);
        slow.request = model.slow.request;  // the answer to the request
        frames(4);
    }

    static std::vector<model::Panel> noneAndAll() {
        std::vector<model::Panel> all{model::Panel::None};
        for (const model::PanelEntry& entry : model::panelTable()) all.push_back(entry.panel);
        return all;
    }
    static std::string panelName(model::Panel panel) {
        return panel == model::Panel::None ? "no panel" : std::string(entryFor(panel).name);
    }

    /// Whether `inner` lies in `outer`; the table has the prefixes of the names inside.
    static bool holds(const std::string& outer, const std::string& inner) {
        static const std::pair<const char*, std::vector<const char*>> kHolders[] = {
            {"view", {"legend", "springs/", "quadratic", "split/"}},
            {"legend", {"springs/"}},
            {"problem", {"problem/"}},
            {"plots", {"plot."}},
            {"section:Take away", {"papers/open"}}};
        for (const model::PanelEntry& entry : model::panelTable())
            if (outer == entry.key && (inner.starts_with(outer + "/") || inner.starts_with(outer + "."))) return true;
        for (const auto& [holder, prefixes] : kHolders)
            if (outer == holder)
                for (const char* prefix : prefixes)
                    if (inner.starts_with(prefix)) return true;
        return inner.starts_with(outer + "/");  // a point of a plot, a part of a widget
    }
    static bool apart(const widgets::LayoutMap::Rect& a, const widgets::LayoutMap::Rect& b, float slack) {
        return a.min.x >= b.max.x - slack || b.min.x >= a.max.x - slack || a.min.y >= b.max.y - slack ||
               b.min.y >= a.max.y - slack;
    }
    void expectInOrder(const std::string& where) {
        const ImVec2 window = ImGui::GetIO().DisplaySize;
        const float slack = 2 * theme_.scale;
        std::vector<std::pair<std::string, widgets::LayoutMap::Rect>> seen;
        for (const auto& [id, rect] : ui->layout().all()) {
            const bool pointOfAPlot = id.find('.') < id.find('/') && id.find('/') != id.npos;
            if (id.starts_with("tooltip:") || id.starts_with("complaint:") || pointOfAPlot) continue;
            const widgets::LayoutMap::Rect part = rect.visible();
            if (part.max.x - part.min.x <= slack || part.max.y - part.min.y <= slack) continue;  // scrolled away
            EXPECT_TRUE(part.min.x >= -slack && part.min.y >= -slack && part.max.x <= window.x + slack &&
                        part.max.y <= window.y + slack)
                << where << ": " << id << " leaves the window: " << part.min.x << " .. " << part.max.x << ", "
                << part.min.y << " .. " << part.max.y;
            seen.emplace_back(id, part);
        }
        const auto row = [](const std::string& id) {
            return id.starts_with("race/row/") || id.starts_with("descent/row/");
        };  // neighbours share their spacing
        for (std::size_t i = 0; i < seen.size(); ++i)
            for (std::size_t j = i + 1; j < seen.size(); ++j)
                EXPECT_TRUE(
                    holds(seen[i].first, seen[j].first) || holds(seen[j].first, seen[i].first) ||
                    apart(seen[i].second, seen[j].second, row(seen[i].first) && row(seen[j].first) ? 3 * slack : slack))
                    << where << ": " << seen[i].first << " and " << seen[j].first << " overlap";
    }

    worker::RaceProgress race;
    worker::DescentProgress descent;
    worker::WorkProgress work;
    worker::SlowMotionResult slow;
    worker::SparsityResult sparsity;
};

}  // namespace clothlab::app::panels
