#include "panels/race/race_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/text.hpp"
#include "model/method_styles.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using actions::runAction;
using widgets::formatNumber;

namespace {

using experiments::Contestant;

constexpr std::size_t kFewRows = 7;
constexpr float kLowTable = 0.56f;                      // of the width, beside the plot
constexpr float kLowLeast = 480;                        // points of width that both need
constexpr float kLowFull = 900;                         // points of width from which its table has the spread of times
constexpr float kMostOfTable = 0.56f;                   // of the height, over the plot
constexpr float kRoomTable = 0.57f, kRoomBeside = 700;  // the same for a room, with larger type
constexpr float kRoomPlot = 210, kRoomPlotUnder = 190;  // points of height of its plot, beside and under the table

}  // namespace

double RacePanel::tolerance() const {
    const auto& all = result().options.tolerances;
    return all.empty() ? 0 : all[std::min(toleranceAt_, all.size() - 1)];
}

bool RacePanel::isActive(const Contestant& who) const {
    if (who.isProgram()) return false;
    const Contestant now{{model_.snapshot->settings.solver, model_.snapshot->settings.preconditioner}};
    return now.method.solver.kind == who.method.solver.kind && now.methodText() == who.methodText();
}

/// Method and parameters; how accurate the step is to be stays the user's.
void RacePanel::choose(const Contestant& who) {
    if (who.isProgram()) return;  // it moves no cloth
    auto& solver = model_.settings.solver;
    solver.kind = who.method.solver.kind;
    if (solvers::usesPreconditioner(solver.kind)) {
        model_.settings.preconditioner = who.method.preconditioner;
        return;
    }
    solver.form = who.method.solver.form;
    solver.ordering = who.method.solver.ordering;
    solver.factorization = who.method.solver.factorization;
}

float RacePanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(64);
    narrow_ = centre.width < theme_.px(widgets::kPlotPairWidth);
    // Few rows leave the cloth most of the picture: the table beside one plot. A room has no use for more.
    const bool room = model_.looks.presenter, few = model_.race() && result().field.size() <= kFewRows;
    low_ = model_.race() && !result().field.empty() && (few || room) && centre.width >= theme_.px(kLowLeast);
    narrow_ = narrow_ || (low_ && centre.width < theme_.px(kLowFull));
    over_ = low_ && room && centre.width < theme_.px(kRoomBeside);
    best_ = low_ && !few && actions::controlsFolded(model_);
    const float wanted = low_      ? heading_ + lowHeight()
                         : narrow_ ? bottom - top
                                   : std::max(theme_.px(440), centre.height * 0.55f),
                height = std::min(bottom - top, wanted);
    widgets::FloatingPanel panel("race", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height},
                                 theme_, layout_);
    if (panel.heading(
            "Race", widgets_,
            fmt::format("Closes the race (key {}); it runs on, and its results stay.", actionKey("race.toggle"))))
        model_.closePanel();
    if (model_.race()) {
        note_ = stepNote(model_.race()->origin, model_);
        collectRows();
        if (!rows_.empty()) keepPictures();
        if (best_) keepBest();
    }
    heading();
    if (!model_.race() || (model_.race()->result.rows.empty() && model_.race()->problem.empty())) {
        widgets_.note(
            "The race freezes the linear system of the step shown and runs every solver and "
            "preconditioner on it, from the same start to the same true residual. The simulation "
            "continues meanwhile; it pauses while a time is measured.");
    } else {
        if (!model_.race()->problem.empty()) {  // why there is no race, or why what there is was not saved
            widgets_.note(model_.race()->problem, true);
            layout_.markLast("race/problem");
            if (result().rows.empty()) return height;
        }
        pointedNow_ = -1;
        if (low_) {
            lowBody();
            pointed_ = pointedNow_;
            return height;
        }
        const float plotHeight = std::clamp(height * 0.4f, theme_.px(120), theme_.px(300));
        table(ImGui::GetContentRegionAvail().y - plotHeight - theme_.px(8));
        plots({ImGui::GetContentRegionAvail().x, plotHeight});
        pointed_ = pointedNow_;
    }
    return height;
}

float RacePanel::tableHeight() const {
    const std::size_t rows = rows_.empty() ? result().field.size() : rows_.size();
    return widgets::CurveTable::computeHeight(rows, theme_, model_.looks.presenter);
}

float RacePanel::lowHeight() const {
    if (over_) return tableHeight() + theme_.px(kRoomPlotUnder);
    return std::max(tableHeight(), theme_.px(model_.looks.presenter ? kRoomPlot : 140));
}

void RacePanel::lowBody() {
    const float above = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y;
    heading_ = above + ImGui::GetStyle().WindowPadding.y;  // for the next frame: a note may have come or gone
    const float height = ImGui::GetContentRegionAvail().y;
    if (over_) {
        table(std::min(tableHeight(), kMostOfTable * height));
        return plots(ImGui::GetContentRegionAvail());
    }
    const float gap = theme_.px(16), share = model_.looks.presenter ? kRoomTable : kLowTable,
                left = (ImGui::GetContentRegionAvail().x - gap) * share;
    ImGui::BeginChild("##table", {left, height}, false, ImGuiWindowFlags_NoNav);
    table(height);
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    plots({ImGui::GetContentRegionAvail().x, height});
}

/// Warnings come first and are never cut.
void RacePanel::heading() {
    ImGui::SameLine(0, theme_.px(12));
    buttons();
    if (!model_.race() || model_.race()->result.field.empty()) return;
    const widgets::FontScope font(theme_.small);
    bool beside = false;
    if (!note_.words.empty())
        beside = widgets_.warning("race/of", note_.words, note_.help + " Race again races the step shown.", false);
    std::string busy = busy_;
    if (tied_) busy = "times too close to rank; see a tighter tolerance" + (busy.empty() ? "" : "; " + busy);
    if (!busy.empty())
        beside = widgets_.warning("race/busy", busy, busy + ". Read the iterations, or race again.", beside);
    describeRace(beside);
}

void RacePanel::describeRace(bool beside) {
    const auto& r = result();
    std::string note;
    if (rows_.size() < raced_)
        note = fmt::format("the {} best of {}{} · ", kBest, raced_, rows_.size() > kBest ? " and the active one" : "");
    const bool folded = actions::controlsFolded(model_);  // the rest is then under the pointer
    note += fmt::format("{} · step {}", r.scene, r.step);
    const std::string size = fmt::format(" · {} particles, {} constrained · {} thread{}", formatNumber(r.particles, 7),
                                         formatNumber(r.constrained, 7), r.threads, plural(r.threads));
    if (!folded) note += size;
    if (!timesLeftOut() && !folded) note += r.live ? " · timed while the cloth moves" : " · timed between steps";
    if (model_.race()->running) note += fmt::format(" · {:.0f} %", 100 * model_.race()->share);
    if (!model_.race()->saved.empty()) note += fmt::format(" · step {} saved in {}", r.step, model_.race()->saved);
    constexpr float kLeastBeside = 160;  // points
    const float gap = theme_.px(10);
    const float left =
        ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x - ImGui::GetItemRectMax().x - gap;
    if (beside && left >= theme_.px(kLeastBeside)) ImGui::SameLine(0, gap);
    ImGui::TextColored(theme_.quiet(), "%s", widgets::fitted(note, ImGui::GetContentRegionAvail().x).c_str());
    layout_.markLast("race/words");
    layout_.words("race/words", note);
    widgets_.explain(note + (folded ? size : "") +
                     "\nThe system that is raced: the scene, the step that it leads to, its particles, those of them "
                     "that a pin or a contact holds in at least one direction, and the threads of each method.");
}

/// Once some curves are hidden, the next race can be of the others only; after a race of some methods it is of them.
void RacePanel::shownOnly(float right) {
    std::vector<std::string> shown;
    for (const experiments::RaceEntry& entry : rows_)
        if (!isHidden(*entry.row)) shown.push_back(entry.who().name());
    const bool ofSome = !result().options.names.empty();
    if (shown.empty() || (shown.size() == rows_.size() && !ofSome)) {
        if (std::exchange(picked_, picked_ && model_.race()->running) && !picked_) model_.racing.names.clear();
        return;
    }
    const std::string text = fmt::format("shown ({})", shown.size());
    widgets_.flow(text.c_str(), theme_.px(4), right);
    if (widgets_.toggle("race/rows/shown", text.c_str(), !model_.racing.names.empty(),
                        "The next race is of the methods whose curves are shown, and of no other.")) {
        picked_ = model_.racing.names.empty();
        model_.racing.names.clear();
    }
    if (picked_) model_.racing.names = shown;
}

/// Buttons for the contestants of the next race.
void RacePanel::choices(float right) {
    for (const EnumEntry& rows : experiments::kRaceChoices) {
        const std::string text(rows.label);
        widgets_.flow(text.c_str(), theme_.px(rows.value == 0 ? 14 : 4), right);
        const bool pressed = model_.racing.names.empty() && int(model_.racing.choice) == rows.value;
        if (widgets_.toggle("race/rows/" + std::string(rows.key), text.c_str(), pressed, rows.help)) {
            model_.racing.choice = experiments::RaceChoice(rows.value);
            model_.racing.names.clear();
            picked_ = false;
        }
    }
    if (model_.race()) shownOnly(right);
    if (!timesLeftOut()) programs(right);
}

/// Those of the user's configuration.
void RacePanel::programs(float right) {
    for (model::OfferedProgram& offered : model_.racing.programs) {
        const auto& [name, command] = offered.program;
        std::string id = "race/with/" + name;
        std::ranges::replace(id, ' ', '+');  // input scripts name it in one word
        widgets_.flow(name.c_str(), theme_.px(4), right);
        if (widgets_.toggle(id, name.c_str(), offered.ticked,
                            "A program of yours takes part in the next race, with its own times: " + command))
            offered.ticked = !offered.ticked;
    }
}

void RacePanel::buttons() {
    const bool running = model_.race() && model_.race()->running;
    if (running) {
        actionButton("race/stop", "job.cancel", "Ends the race; the rows so far stay.");
        if (note_.stale()) ImGui::SameLine(0, theme_.px(6));
    }
    if ((!running || note_.stale()) && widgets_.button("race/start", model_.race() ? "Race again" : "Start", 0,
                                                       "Freezes the system of the step shown and races it."))
        runAction(model_, "race.start");
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - theme_.px(48);  // the button that closes
    const bool folded = actions::controlsFolded(model_);
    if (!timesLeftOut() && !folded) {
        ImGui::SameLine(0, theme_.px(6));
        if (widgets_.toggle("race/live", "live", model_.racing.live,
                            "Keeps the simulation running while times are measured, which disturbs them."))
            model_.racing.live = !model_.racing.live;
    }
    if (!folded) choices(right);
    if (!model_.race() || result().rows.empty()) return;
    if (model_.looks.presenter && !timesLeftOut()) overChoice("race", overTime_, right);
    const auto& tolerances = result().options.tolerances;
    for (std::size_t i = 0; i < tolerances.size(); ++i) {
        const std::string text = formatNumber(tolerances[i], 2);
        widgets_.flow(text.c_str(), theme_.px(i == 0 ? 14 : 4), right);
        if (widgets_.toggle("race/tolerance/" + text, text.c_str(), tolerances[i] == tolerance(),
                            "The true relative residual at which the methods stop."))
            toleranceAt_ = i;
    }
    if (folded) return;
    measures(right);
    if (running) return;
    widgets_.flow("Save", theme_.px(14), right);
    actionButton("race/save", "race.save",
                 fmt::format("Writes what is shown, the race of step {}: table, CSV, JSON, picture, settings and the "
                             "system in MatrixMarket, into a new folder in the program's working folder: `clothlab "
                             "race --system` runs it again.",
                             result().step));
}

/// Residuals are what every method is stopped by; the energy norm of the error is what conjugate gradients make least.
void RacePanel::measures(float right) {
    constexpr std::pair<const char*, const char*> kMeasures[] = {
        {"residual", "The plots show |S(b - A dv)| by its start: what the methods are stopped by."},
        {"error",
         "The plots show the energy norm of the error by its start, |dv - dv_k| in the norm of A, against a direct "
         "solve: what conjugate gradients make least in each iteration, and what Chen's (37) bounds."}};
    for (const bool errors : {false, true}) {
        const auto [text, help] = kMeasures[errors];
        if (errors)
            ImGui::SameLine(0, theme_.px(4));
        else
            widgets_.flow("residual    error", theme_.px(14), right);  // the two stay in one line
        if (widgets_.toggle(std::string("race/measure/") + text, text, showErrors_ == errors, help)) measure(errors);
    }
}

}  // namespace clothlab::app::panels
