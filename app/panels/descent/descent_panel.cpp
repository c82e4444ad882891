#include "panels/descent/descent_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "base/text.hpp"
#include "integrators/kind.hpp"
#include "integrators/traits.hpp"
#include "model/method_styles.hpp"
#include "solvers/catalogue.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using actions::runAction;
using model::inGrey;
using model::methodStyle;
using model::withVariantMarks;
using widgets::formatNumber;

namespace {

using experiments::NonlinearContestant;
using experiments::NonlinearRow;
using integrators::IntegratorKind;

/// What a click on a row sets.
constexpr std::string_view kDescentAside[] = {"threads",         "solver.",           "preconditioner.",
                                              "integrator.kind", "integrator.newton", "integrator.fast_mass_spring"};

constexpr float kHeight = 520, kLeastPlot = 170;          // points
constexpr float kRoomPlotHeight = 198, kRoomWidth = 700;  // points: of a room's plot; that it needs
constexpr float kRoomTableShare = 0.57f;                  // of the width
constexpr double kLeastError = 1e-12;

constexpr const char* kWhatADescentIs =
    "Freezes the state from which the step shown was taken and minimises the energy of an implicit "
    "Euler step there: by local/global, plain and accelerated, and by Newton with several linear "
    "solvers. The relative error is that of the energy: 1 at the start, 0 at the minimum. The "
    "simulation continues meanwhile; it pauses while a time is measured.";

widgets::Style contestantStyle(const NonlinearContestant& who) {
    const scene::Settings& s = who.settings;
    return integrators::usesSolver(s.integrator.kind) ? methodStyle(s.solver.kind, s.preconditioner.kind)
                                                      : methodStyle(s.integrator.kind);
}

/// In what the race's step differs from the motion's.
std::string remark(const scene::Settings& made) {
    const IntegratorKind kind = made.integrator.kind;
    const integrators::IntegratorTraits traits = integrators::traitsFor(kind);
    if (!traits.minimizes || traits.coefficients.over != 1)
        return fmt::format(" · taken as implicit Euler, the motion by {}", enumLabel(kind));
    const bool dragged = !integrators::usesSolver(kind) && made.integrator.fastMassSpring.velocityKept < 1;
    return dragged ? " · without ether drag" : "";
}

}  // namespace

std::vector<widgets::Style> descentStyles(std::span<const NonlinearContestant> field) {
    std::vector<widgets::Style> looks;
    for (const NonlinearContestant& who : field) looks.push_back(contestantStyle(who));
    return withVariantMarks(std::move(looks));
}

float DescentPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(64);
    const bool all = model_.looks.descentPictures || centre.width < theme_.px(widgets::kPlotPairWidth);
    room_ = model_.looks.presenter && model_.descent() && !race().rows.empty() && !model_.looks.descentPictures &&
            centre.width >= theme_.px(kRoomWidth);
    const float wanted =
                    room_ ? heading_ + theme_.px(kRoomPlotHeight) : std::max(theme_.px(kHeight), centre.height * 0.55f),
                height = all ? bottom - top : std::min(bottom - top, wanted);
    widgets::FloatingPanel panel("descent", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height},
                                 theme_, layout_);
    if (panel.heading("Descent", widgets_,
                      fmt::format("Closes it (key {}); measurements continue, and the results stay.",
                                  actionKey("descent.toggle"))))
        model_.closePanel();
    ImGui::SameLine(0, theme_.px(12));
    buttons();
    if (!model_.descent()) {
        widgets_.note(kWhatADescentIs);
        return height;
    }
    const std::string which = words();
    widgets_.note(which, false,
                  "The step that is taken again: scene, number and length h of the step, stretch stiffness k, and the "
                  "size of the problem.");
    layout_.markLast("descent/words");
    layout_.words("descent/words", which);
    if (!progress().problem.empty()) {
        widgets_.note(progress().problem, true);
        layout_.markLast("descent/problem");
    }
    note_ = stepNote(progress().origin, model_, kDescentAside);
    if (!note_.words.empty())
        widgets_.warning("descent/of", note_.words, note_.help + " This step races the step shown.", false);
    if (race().particles == 0) return height;
    if (model_.looks.descentPictures) {
        pictures(ImGui::GetContentRegionAvail());
        return height;
    }
    pointedNow_ = -1;
    styles_ = descentStyles(race().field);
    if (note_.stale()) std::ranges::transform(styles_, styles_.begin(), inGrey);
    room_ ? roomCurves() : curves();
    pointed_ = pointedNow_;
    return height;
}

/// The table over both plots.
void DescentPanel::curves() {
    const float room = ImGui::GetContentRegionAvail().y - theme_.px(8), line = widgets::CurveTable::rowHeight(theme_);
    const float most = std::max(room - theme_.px(kLeastPlot), theme_.px(60));
    const auto rows = std::min(race().field.size(), std::size_t(std::max(most / line - 1, 1.0f)));  // none is cut
    table(rowsShown(), widgets::CurveTable::computeHeight(rows, theme_));
    plots(ImGui::GetContentRegionAvail());
}

/// What reads from the last row: large type, the best rows, and one plot; the cloth keeps the height that is left.
void DescentPanel::roomCurves() {
    const float above = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y;
    heading_ = above + ImGui::GetStyle().WindowPadding.y;  // for the next frame: a note may have come or gone
    const float height = ImGui::GetContentRegionAvail().y, gap = theme_.px(16);
    ImGui::BeginChild("##table", {(ImGui::GetContentRegionAvail().x - gap) * kRoomTableShare, height}, false,
                      ImGuiWindowFlags_NoNav);
    table(rowsShown(), height);
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    plots(ImGui::GetContentRegionAvail());
}

void DescentPanel::buttons() {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - theme_.px(48);  // the button that closes
    if (model_.descent() && progress().running)
        actionButton("descent/stop", "job.cancel", "Ends it; the rows so far stay.");
    else if (widgets_.button("descent/start", model_.descent() ? "This step" : "Start", 0,
                             "Freezes the state before the step shown, and races the methods from there."))
        runAction(model_, "descent.start");
    struct View {
        const char *id, *name, *action;
        bool pictures;
        const char* help;
    };
    static constexpr View kViews[] = {
        {"descent/curves", "Curves", "descent.curves", false,
         "The error against iteration and against time (Liu, figure 2)."},
        {"descent/pictures", "Side by side", "descent.pictures", true,
         "The cloth after 1, 10, 100, 1000 iterations of local/global, and at the minimum (Liu, figure 3)."}};
    for (const View& view : kViews) {
        widgets_.flow(view.name, theme_.px(view.pictures ? 4 : 14), right);
        if (widgets_.toggle(view.id, view.name, model_.looks.descentPictures == view.pictures, view.help))
            runAction(model_, view.action);
    }
    if (room_) overChoice("descent", overTime_, right);
}

/// Which step it is of, with what settings, and how far it has come.
std::string DescentPanel::words() const {
    const worker::DescentProgress& p = progress();
    if (race().particles == 0) {
        std::string begun = fmt::format("{} · step {}", race().scene, race().step);
        if (p.running) begun += " · Newton looks for the minimum";
        if (p.running && p.searched > 0)
            begun +=
                fmt::format(": {} iterations, {} of the gradient left", p.searched, formatNumber(p.gradientLeft, 1));
        if (p.stopped) begun += " · stopped before the minimum was found";
        return begun;
    }
    const experiments::NonlinearRace& r = race();
    const std::size_t shown = rowsShown().size();
    const bool few = shown < r.rows.size();
    std::string words = few ? fmt::format("the {} first at 1e-3 of {} · ", shown, r.rows.size()) : "";
    words += fmt::format("{} · step {}, h = {} ms, k = {} N/m", r.scene, r.step, formatNumber(1e3 * r.dt, 3),
                         formatNumber(p.made.material.stretchStiffness));
    if (!few)  // one line for a room
        words += fmt::format(" · {} particles, {} springs · {} thread{}", formatNumber(r.particles, 7),
                             formatNumber(r.springs, 7), r.threads, plural(r.threads));
    words += remark(p.made);
    if (!r.minimumFound)
        words += fmt::format(" · errors to the lowest that was found, with {} of the gradient left: no minimum",
                             formatNumber(r.gradientLeft, 1));
    if (p.running)
        words += fmt::format(" · {:.0f} %", 100 * p.share);
    else if (r.rows.size() < r.field.size())
        words += fmt::format(" · stopped after {} of {} methods", r.rows.size(), r.field.size());
    return words;
}

bool DescentPanel::isActive(const NonlinearContestant& who) const {
    const scene::Settings &now = model_.snapshot->settings, &its = who.settings;
    if (now.integrator.kind != its.integrator.kind) return false;
    if (!integrators::usesSolver(now.integrator.kind))
        return now.integrator.kind != IntegratorKind::FastMassSpring ||
               now.integrator.fastMassSpring.acceleration == its.integrator.fastMassSpring.acceleration;
    const auto &a = now.integrator.newton, &b = its.integrator.newton;
    return a.hessian == b.hessian && a.matrix == b.matrix && a.inner == b.inner && now.solver.kind == its.solver.kind &&
           (!solvers::usesPreconditioner(its.solver.kind) || now.preconditioner.kind == its.preconditioner.kind);
}

/// The method; how far it goes in a step stays the user's.
void DescentPanel::choose(const NonlinearContestant& who) {
    scene::Settings& s = model_.settings;
    s.integrator.kind = who.settings.integrator.kind;
    if (s.integrator.kind == IntegratorKind::FastMassSpring)
        s.integrator.fastMassSpring.acceleration = who.settings.integrator.fastMassSpring.acceleration;
    if (!integrators::usesSolver(s.integrator.kind)) return;
    const integrators::NewtonSettings& newton = who.settings.integrator.newton;
    s.integrator.newton.hessian = newton.hessian;
    s.integrator.newton.matrix = newton.matrix;
    s.integrator.newton.inner = newton.inner;
    s.solver.kind = who.settings.solver.kind;
    if (solvers::usesPreconditioner(s.solver.kind)) s.preconditioner.kind = who.settings.preconditioner.kind;
}

void DescentPanel::plot(widgets::PlotSpec spec, bool overTime, ImVec2 size) {
    std::vector<std::vector<double>> x;
    std::vector<widgets::PlotCurve> curves;
    std::vector<int> drawn;  // contestants
    x.reserve(race().rows.size());
    double first = overTime ? 1e9 : 1, last = overTime ? 0 : 10;
    for (const auto& entry : rowsShown()) {
        const NonlinearRow& row = *entry.row;
        if (row.error.size() < 2) continue;
        std::vector<double> at;  // from the first iterate on: at the start all are at 1
        for (std::size_t k = 1; k < row.error.size(); ++k)
            at.push_back(overTime ? std::max(row.milliseconds[k], 1e-3) : double(k));
        first = std::min(first, at.front());
        last = std::max(last, at.back());
        x.push_back(std::move(at));
        drawn.push_back(int(row.contestant));
        curves.push_back({.name = race().field[row.contestant].label,
                          .style = styles_[row.contestant],
                          .x = x.back(),
                          .y = std::span(row.error).subspan(1),
                          .faint = pointed_ >= 0 && pointed_ != int(row.contestant)});
    }
    spec.logX = spec.logY = true;
    spec.legend = false;
    spec.nameCurves = true;
    spec.readNearest = true;
    spec.integerX = !overTime;
    spec.least = kLeastError;
    spec.xMin = std::min(first, last);
    spec.xMax = last > spec.xMin ? last : 10 * spec.xMin;
    spec.measure = "energy, relative";
    spec.emptyText = progress().running ? "the first method is on its way" : "no method was measured";
    spec.source = captionSource(progress().origin, race().scene, race().threads, overTime);
    const widgets::PlotReadout readout = drawPlot(spec, curves, size);
    if (readout.nearest < 0) return;
    pointedNow_ = drawn[readout.nearest];
}

void DescentPanel::plots(ImVec2 size) {
    widgets::PlotSpec iterations, time;
    iterations.id = "descent.iterations";
    iterations.title = "Error against iterations";
    iterations.xLabel = "iteration";
    time.id = "descent.time";
    time.title = "Error against time";
    time.xLabel = "ms";
    const auto draw = [&](bool overTime, ImVec2 part) { plot(overTime ? time : iterations, overTime, part); };
    room_ ? draw(overTime_, size) : widgets::plotPair(size, theme_, draw);
}

}  // namespace clothlab::app::panels
