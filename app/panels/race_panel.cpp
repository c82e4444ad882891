#include "panels/race_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "panels/numbers.hpp"
#include "panels/ui.hpp"

namespace clothlab::app {
namespace {

using simulation::Contestant;
using simulation::RaceRow;

struct Column {
    const char* name;
    float width;  ///< points; 0 = what is left
    const char* help;
};
constexpr Column kColumns[] = {
    {"method", 0, "• = active method. Click a row to use that method, with these parameters. Dashed curves are MPCG's."},
    {"status", 68, "How the solve ended. What does not arrive stays in the table, with the residual that it reached."},
    {"iter.", 38, "Iterations of conjugate gradients."},
    {"set-up", 48, "Milliseconds for copies and numeric factors: paid for every matrix."},
    {"total", 50, "Milliseconds for set-up and solve, symbolic analysis apart: what a step pays. Median of several runs."},
    {"cold", 44, "Total with the symbolic analysis: what the first step pays."},
    {"cond.", 48,
     "Condition number of the preconditioned matrix: largest over smallest Ritz value. Conjugate gradients compute them as they "
     "go; they lie inside of the spectrum, so this is a lower bound, close once the solve has converged."},
    {"MB", 36, "Memory of the preconditioner or factor."},
};

std::string statusText(const RaceRow& row) { return row.cut ? "cut" : std::string(enumLabel(row.status)); }

/// Columns in the order in which a narrow window gives them room; before all, the method has kMethodWidth.
constexpr int kByWorth[] = {4, 2, 1, 6, 3, 5, 7};
constexpr float kMethodWidth = 150, kNarrow = 520;  // points

/// What the table sorts by. Those that have not arrived come last in either direction of the times.
double sortKey(const RaceRow& row, int column) {
    constexpr double kLast = 1e30;
    const double late = row.converged() ? 0 : kLast;
    switch (column) {
        case 2: return row.iterations;
        case 3: return row.setUpMs;
        case 4: return row.totalMs + late;
        case 5: return row.coldMs + late;
        case 6: return row.condition() > 0 ? row.condition() : kLast;
        case 7: return row.bytes;
        default: return static_cast<double>(row.contestant);
    }
}

std::string cell(double value) { return value > 0 ? formatNumber(value, 3) : "-"; }

}  // namespace

double RacePanel::tolerance() const {
    const auto& all = result().options.tolerances;
    return all.empty() ? 0 : all[std::min(toleranceAt_, all.size() - 1)];
}

bool RacePanel::inForce(const Contestant& who) const {
    const Contestant now{model_.snapshot->settings.solver, model_.snapshot->settings.preconditioner};
    return now.solver.kind == who.solver.kind && now.methodText() == who.methodText();
}

/// Method and parameters; how accurate the step is to be stays the user's.
void RacePanel::choose(const Contestant& who) {
    auto& solver = model_.settings.solver;
    solver.kind = who.solver.kind;
    if (solvers::usesPreconditioner(solver.kind)) {
        model_.settings.preconditioner = who.preconditioner;
        return;
    }
    solver.form = who.solver.form;
    solver.ordering = who.solver.ordering;
    solver.factorization = who.solver.factorization;
}

float RacePanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(64);
    const bool narrow = centre.width < theme_.px(kNarrow);
    const float height = narrow ? bottom - top : std::min(bottom - top, std::max(theme_.px(320), centre.height * 0.55f));
    FloatingPanel panel("race", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height}, theme_, layout_);
    if (panel.heading("Race", widgets_, "Closes the race (key T); it runs on, and its results stay.")) model_.showRace = false;
    heading();
    if (!model_.race || (model_.race->result.rows.empty() && model_.race->problem.empty())) {
        widgets_.note("The race freezes the linear system of the step on show and runs every solver and preconditioner on it, from the "
                      "same start to the same true residual. The cloth goes on meanwhile, held for the moments in which a time is taken.");
    } else if (!model_.race->problem.empty()) {
        widgets_.note(model_.race->problem, true);
    } else {
        pointedNow_ = -1;
        const float plotHeight = std::clamp(height * 0.34f, theme_.px(110), theme_.px(260));
        table(ImGui::GetContentRegionAvail().y - plotHeight - theme_.px(8));
        plots({ImGui::GetContentRegionAvail().x, plotHeight});
        pointed_ = pointedNow_;
    }
    return height;
}

void RacePanel::heading() {
    ImGui::SameLine(0, theme_.px(12));
    buttons();
    if (!model_.race || model_.race->result.field.empty()) return;
    const auto& r = result();
    std::string note = fmt::format("{} · step {} · {} particles, {} constrained · {} thread{} · {}", r.scene, r.step,
                                   formatNumber(r.particles, 7), formatNumber(r.constrained, 7), r.threads, r.threads == 1 ? "" : "s",
                                   r.live ? "timed while the cloth moves" : "timed between steps");
    if (model_.race->running) note += fmt::format(" · {:.0f} %", 100 * model_.race->share);
    if (!model_.race->saved.empty()) note += " · saved in " + model_.race->saved;
    widgets_.note(note);
}

void RacePanel::buttons() {
    const bool running = model_.race && model_.race->running;
    if (running) {
        if (widgets_.button("race/stop", "Stop", 0, "Ends the race; the rows so far stay.")) model_.outbox.push_back(CancelRace{});
    } else if (widgets_.button("race/start", model_.race ? "Race again" : "Start", 0, "Freezes the system of the step on show and races it.")) {
        model_.startRace(live_);
    }
    ImGui::SameLine(0, theme_.px(6));
    if (widgets_.toggle("race/live", "live", live_, "Takes times while the cloth moves: it is not held, and the times are disturbed."))
        live_ = !live_;
    if (!model_.race || result().rows.empty()) return;
    const auto& tolerances = result().options.tolerances;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - theme_.px(48);  // the button that closes
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
        const std::string text = formatNumber(tolerances[i], 2);
        widgets_.flow(text.c_str(), theme_.px(i == 0 ? 14 : 4), right);
        if (widgets_.toggle("race/tolerance/" + text, text.c_str(), i == toleranceAt_, "The true relative residual at which the methods stop."))
            toleranceAt_ = i;
    }
    if (running) return;
    widgets_.flow("Save", theme_.px(14), right);
    if (widgets_.button("race/save", "Save", 0,
                        "Writes table, CSV, JSON, picture, settings and the system in MatrixMarket into a new folder in the program's "
                        "working folder: `clothlab race --system` runs it again."))
        model_.saveRace();
}

void RacePanel::sortRows() {
    rows_.clear();
    for (const RaceRow& row : result().rows)
        if (row.tolerance == tolerance()) rows_.push_back(&row);
    const auto less = [&](const RaceRow* a, const RaceRow* b) {
        if (sortColumn_ == 1) return statusText(*a) < statusText(*b);
        if (sortColumn_ == 0) return result().field[a->contestant].label() < result().field[b->contestant].label();
        return sortKey(*a, sortColumn_) < sortKey(*b, sortColumn_);
    };
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](const RaceRow* a, const RaceRow* b) { return ascending_ ? less(a, b) : less(b, a); });
}

void RacePanel::table(float height) {
    ImGui::PushFont(theme_.small);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {theme_.px(4), theme_.px(1.5f)});
    ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, rgb(0x1b1f26));
    const unsigned shown = columnsShown(ImGui::GetContentRegionAvail().x);
    ImGui::PushStyleColor(ImGuiCol_TableRowBgAlt, rgb(0x20252d));
    ImGui::PushStyleColor(ImGuiCol_TableBorderLight, palette::kLine);
    const ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                  ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    if (ImGui::BeginTable("##rows", static_cast<int>(std::size(kColumns)), flags, {0, height})) {
        ImGui::TableSetupScrollFreeze(0, 1);
        for (std::size_t i = 0; i < std::size(kColumns); ++i)
            ImGui::TableSetupColumn(kColumns[i].name,
                                    (kColumns[i].width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch) |
                                        (i == 4 ? ImGuiTableColumnFlags_DefaultSort : 0) |
                                        ((shown >> i & 1) != 0 ? 0 : ImGuiTableColumnFlags_Disabled),
                                    theme_.px(kColumns[i].width));
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        for (int i = 0; i < static_cast<int>(std::size(kColumns)); ++i) {
            if (!ImGui::TableSetColumnIndex(i)) continue;
            // Drawn here, because the numbers stand at the right and ImGui's headers at the left.
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float arrow = i == sortColumn_ ? theme_.px(13) : 0;
            const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(kColumns[i].name).x - arrow;
            ImGui::TableHeader((std::string("##") + kColumns[i].name).c_str());
            ImGui::GetWindowDrawList()->AddText({at.x + (i > 1 ? std::max(0.0f, space) : 0), at.y}, palette::kQuiet, kColumns[i].name);
            const std::string id = std::string("race/column/") + kColumns[i].name;
            layout_.markLast(id);
            widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(kColumns[i].help); });
        }
        if (const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsCount > 0) {
            sortColumn_ = specs->Specs[0].ColumnIndex;
            ascending_ = specs->Specs[0].SortDirection != ImGuiSortDirection_Descending;
        }
        sortRows();
        for (const RaceRow* row : rows_) drawRow(*row);
        ImGui::EndTable();
    }
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

/// A bit a column. What does not fit beside the method is left out, the least telling first; the row's tooltip has the times.
unsigned RacePanel::columnsShown(float width) const {
    unsigned shown = 1;
    float left = width - theme_.px(kMethodWidth);
    for (const int column : kByWorth) {
        left -= theme_.px(kColumns[column].width) + 2 * ImGui::GetStyle().CellPadding.x;
        if (left >= 0) shown |= 1u << column;
    }
    return shown;
}

void RacePanel::drawRow(const RaceRow& row) {
    const Contestant& who = result().field[row.contestant];
    const std::string label = (inForce(who) ? "• " : "") + who.label();
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - theme_.px(15);
    ImGui::PushID(static_cast<int>(row.contestant));
    if (ImGui::Selectable("##row", pointed_ == static_cast<int>(row.contestant), ImGuiSelectableFlags_SpanAllColumns, {0, line}))
        choose(who);
    ImGui::PopID();
    std::string id = "race/row/" + who.solverKey() + " " + who.methodText();
    std::replace(id.begin(), id.end(), ' ', '+');  // input scripts name it in one word
    layout_.markLast(id);
    if (pointedNow_ < 0 && ImGui::IsItemHovered()) {  // neighbours overlap by a pixel
        pointedNow_ = static_cast<int>(row.contestant);
        rowTooltip(row);
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({at.x, at.y + line * 0.2f}, {at.x + theme_.px(9), at.y + line * 0.8f},
                        methodColor(who.solver.kind, who.preconditioner.kind), theme_.px(2));
    draw->AddText({at.x + theme_.px(15), at.y}, row.converged() ? palette::kText : palette::kQuiet,
                  fitted(label, width).c_str());
    const std::string cells[] = {statusText(row),
                                 row.iterations > 0 ? formatNumber(row.iterations, 6) : "-",
                                 cell(row.setUpMs),
                                 cell(row.totalMs),
                                 cell(row.coldMs),
                                 cell(row.condition()),
                                 cell(row.bytes / 1e6)};
    for (int i = 0; i < static_cast<int>(std::size(cells)); ++i) {
        if (!ImGui::TableSetColumnIndex(i + 1)) continue;
        if (i > 0) {
            const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(cells[i].c_str()).x;
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
        }
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(row.converged() ? palette::kText : palette::kQuiet), "%s", cells[i].c_str());
    }
}

/// Where the time goes, how the solve ended, and the Ritz values as ticks on a logarithmic line.
void RacePanel::rowTooltip(const RaceRow& row) const {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(370));
    ImGui::TextUnformatted(result().field[row.contestant].label().c_str());
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet),
                       "analysis %s · set-up %s · products %s · applications %s ms\ntrue residual %s · %d run%s%s%s",
                       cell(row.analyzeMs).c_str(), cell(row.setUpMs).c_str(), cell(row.multiplyMs).c_str(), cell(row.applyMs).c_str(),
                       row.trueRelativeResidual >= 0 ? formatNumber(row.trueRelativeResidual, 2).c_str() : "-", row.runs,
                       row.runs == 1 ? "" : "s", row.message.empty() ? "" : "\n", row.message.c_str());
    if (row.ritz.size() > 1 && row.smallestRitz > 0) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "Ritz values %s .. %s", formatNumber(row.smallestRitz, 3).c_str(),
                           formatNumber(row.largestRitz, 3).c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = theme_.px(300), height = theme_.px(14);
        const double low = std::log10(row.smallestRitz), span = std::max(1e-9, std::log10(row.largestRitz) - low);
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddLine({at.x, at.y + height}, {at.x + width, at.y + height}, palette::kTrack);
        for (const float value : row.ritz) {
            const float x = at.x + width * static_cast<float>((std::log10(std::max(1e-30f, value)) - low) / span);
            draw->AddLine({x, at.y + theme_.px(2)}, {x, at.y + height}, palette::kText);
        }
        ImGui::Dummy({width, height + theme_.px(2)});
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

PlotReadout RacePanel::plot(PlotSpec spec, bool overTime, ImVec2 size) {
    std::vector<std::vector<double>> x, y;
    std::vector<std::string> names;
    std::vector<std::size_t> contestants;
    double end = 0;
    for (const RaceRow* row : rows_) {
        if (row->residuals.size() < 2) continue;
        std::vector<double> at;
        for (std::size_t k = 0; k < row->residuals.size(); ++k)
            at.push_back(overTime ? (k < row->milliseconds.size() ? row->milliseconds[k] : 0.0) : static_cast<double>(k));
        if (row->converged()) end = std::max(end, at.back());
        x.push_back(std::move(at));
        y.emplace_back(row->residuals.begin(), row->residuals.end());
        names.push_back(result().field[row->contestant].label());
        contestants.push_back(row->contestant);
    }
    std::vector<PlotCurve> curves;
    for (std::size_t c = 0; c < x.size(); ++c) {
        const Contestant& who = result().field[contestants[c]];
        ImU32 color = methodColor(who.solver.kind, who.preconditioner.kind);
        if (pointed_ >= 0 && pointed_ != static_cast<int>(contestants[c])) color = (color & ~IM_COL32_A_MASK) | (60u << 24);
        curves.push_back({names[c], color, x[c], y[c], who.solver.kind == solvers::SolverKind::Mpcg});
    }
    const std::string level = formatNumber(tolerance(), 2);
    spec.logY = true;
    spec.legend = false;
    spec.readNearest = true;
    spec.xMax = std::max(overTime ? 1.0 : 5.0, end * 1.04);
    spec.least = tolerance() / 30;
    spec.threshold = tolerance();
    spec.thresholdName = level;
    const PlotReadout readout = drawPlot(spec, curves, size, theme_, layout_);
    if (readout.nearest >= 0) pointedNow_ = static_cast<int>(contestants[static_cast<std::size_t>(readout.nearest)]);
    return readout;
}

void RacePanel::plots(ImVec2 size) {
    const bool both = size.x > theme_.px(kNarrow - 60);
    const float gap = theme_.px(16), half = both ? (size.x - gap) / 2 : size.x;
    PlotSpec iterations, time;
    iterations.id = "race.iterations";
    iterations.title = "Residual";
    iterations.note = "against iterations";
    iterations.xLabel = "iteration";
    time.id = "race.time";
    time.title = "Residual";
    time.note = "against time";
    time.xLabel = "ms";
    time.integerX = false;
    plot(iterations, false, {half, size.y});
    if (!both) return;
    ImGui::SameLine(0, gap);
    plot(time, true, {half, size.y});
}

}  // namespace clothlab::app
