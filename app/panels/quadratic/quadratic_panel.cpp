#include "panels/quadratic/quadratic_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "actions/actions.hpp"
#include "actions/showing.hpp"
#include "base/text.hpp"
#include "model/method_styles.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot_strokes.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::boundStyle;
using model::QuadraticState;
using widgets::formatNumber;
using widgets::textRight;

namespace {

constexpr float kSecondsAStep = 0.7f;
constexpr float kLeastSteps = 60;  // points of the slider over them

/// Four digits of what counts, two of round-off.
std::string amountText(double value) { return formatNumber(value, value < 1e-2 ? 2 : 4); }

constexpr const char* kColumns[][2] = {
    {"", "The method, in its colour."},
    {"k", "Step. Row 0 is the start."},
    {"α", "Length of the step along its direction d."},
    {"β", "What the direction takes over of the one before: d = r + β d. Of conjugate directions: d = e₂ + β e₁."},
    {"‖r‖", "Residual b - A x."},
    {"‖e‖ₐ",
     "Energy norm of the error, the root of e·Ae with e = x - "
     "x*: what conjugate gradients make as small as they can."}};

}  // namespace

QuadraticPanel::Entries QuadraticPanel::Entries::of(const experiments::QuadraticForm& form) {
    return {form.A(0, 0), form.A(0, 1), form.A(1, 1), form.b[0], form.b[1]};
}

experiments::QuadraticForm QuadraticPanel::Entries::form() const {
    return {(Eigen::Matrix2d() << a11, a12, a12, a22).finished(), {b1, b2}};
}

void QuadraticPanel::describe(Entries& e, FieldList& list) {
    constexpr double kMost = 1e4;
    const auto add = [&](const char* key, double& member, const char* label, double low, double high,
                         const char* help) {
        list.add(std::string("quadratic/") + key, member,
                 {.label = label, .min = -kMost, .max = kMost, .sliderMin = low, .sliderMax = high, .help = help});
    };
    add("a11", e.a11, "a₁₁", -10, 40, "Entry of A.");
    add("a12", e.a12, "a₁₂", -10, 40, "The entry of A beside the diagonal, twice: A is symmetric.");
    add("a22", e.a22, "a₂₂", -10, 40, "Entry of A.");
    add("b1", e.b1, "b₁", -50, 50, "Right-hand side.");
    add("b2", e.b2, "b₂", -50, 50, "Right-hand side.");
}

QuadraticPanel::QuadraticPanel(const PanelContext& context)
    : ClothPanel(context), plot_(context.theme, context.layout) {
    entries_ = usual_ = Entries::of(model_.quadratic.form);
    describe(entries_, fields_);
    describe(usual_, usualFields_);
    for (const EnumEntry& method : experiments::kPlaneMethods)
        shownFields_.add("quadratic/show/" + std::string(method.key), model_.quadratic.shown[method.value],
                         {.label = method.label, .help = method.help});
}

float QuadraticPanel::build(const Region& centre, float bottom) {
    QuadraticState& state = model_.quadratic;
    const float margin = theme_.px(14), top = centre.y + theme_.px(60);
    const ImVec2 size{centre.width - 2 * margin, bottom - top};
    widgets::FloatingPanel panel("quadratic", {centre.x + margin, top}, size, theme_, layout_);
    const ImVec2 inset{theme_.px(2), theme_.px(2)};  // more than a shade of the cloth behind would disturb the contours
    ImGui::GetWindowDrawList()->AddRectFilled({centre.x + margin + inset.x, top + inset.y},
                                              {centre.x + margin + size.x - inset.x, bottom - inset.y},
                                              theme_.colors.panel, theme_.px(6));
    if (panel.heading("Two unknowns", widgets_,
                      fmt::format("Back to the cloth (key {}).", actionKey("quadratic.toggle"))))
        model_.closePanel();
    advance();
    heading();
    const ImVec2 inner = ImGui::GetContentRegionAvail();
    const bool narrow = inner.x < theme_.px(520);  // the numbers then stand under the picture
    const bool room = model_.looks.presenter;
    const float side = std::clamp(inner.x * (room ? 0.46f : 0.36f), theme_.px(232), theme_.px(room ? 400 : 340)),
                gap = theme_.px(18);
    const ImVec2 plane = narrow ? ImVec2(inner.x, inner.y * 0.62f) : ImVec2(inner.x - side - gap, inner.y);
    ImGui::BeginChild("##plane", plane, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (plot_.draw(state, {plane.x, plane.y - theme_.px(36)})) state.solve();
    ImGui::Dummy({0, theme_.px(2)});
    stepLine();
    ImGui::EndChild();
    if (!narrow) ImGui::SameLine(0, gap);
    numbers(narrow ? ImGui::GetContentRegionAvail() : ImVec2(side, inner.y));
    return size.y;
}

/// Table and plot take what is left, and where nothing is left, the column scrolls.
void QuadraticPanel::numbers(ImVec2 size) {
    ImGui::BeginChild("##numbers", size);
    const bool folded = actions::controlsFolded(model_);
    if (!folded) system();
    spectrum();
    {
        widgets::StyleScope style;  // a room is to see table and plot whole
        style.measure(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, theme_.px(folded ? 1 : 6)});
        methods();
    }
    const float left = std::max(ImGui::GetContentRegionAvail().y, theme_.px(120));
    const float enough = theme_.px(folded ? 190 : 250), share = folded ? 0.6f : 0.42f;
    const float plotHeight = left > enough ? std::clamp(left * share, theme_.px(118), theme_.px(230)) : 0;
    table(left - plotHeight - (plotHeight > 0 ? theme_.px(14) : 0));
    if (plotHeight > 0) {
        ImGui::Dummy({0, theme_.px(2)});
        errors({ImGui::GetContentRegionAvail().x, plotHeight});
    }
    ImGui::EndChild();
}

/// While it plays, a step every now and then; at the end it stops.
void QuadraticPanel::advance() {
    QuadraticState& state = model_.quadratic;
    if (!state.playing) return;
    since_ += ImGui::GetIO().DeltaTime;
    if (since_ < kSecondsAStep) return;
    since_ = 0;
    state.forward();
    if (state.step == state.steps()) state.playing = false;
}

void QuadraticPanel::heading() {
    ImGui::SameLine(0, theme_.px(12));
    const widgets::FontScope font(theme_.small);
    std::vector<EnumEntry> names;
    for (const auto& example : experiments::planeExamples()) names.push_back(example.name);
    int chosen = model_.quadratic.example;
    const float room = ImGui::GetContentRegionAvail().x - theme_.px(40);  // the button that closes
    if (widgets_.choice("quadratic/example", names, chosen, std::min(room, theme_.px(220)))) {
        model_.quadratic.take(chosen);
        usual_ = Entries::of(model_.quadratic.form);
        plot_.fit();
    }
    if (room > theme_.px(400)) {
        ImGui::SameLine(0, theme_.px(12));
        ImGui::TextColored(theme_.quiet(), "f(x) = ½ x·Ax − b·x");
    }
}

void QuadraticPanel::stepLine() {
    QuadraticState& state = model_.quadratic;
    const std::size_t steps = state.steps();
    if (widgets_.button("quadratic/play", state.playing ? "pause" : "play", theme_.px(54),
                        "Takes the steps one by one.") &&
        steps > 0) {
        state.playing = !state.playing;
        since_ = 0;
        if (state.playing && state.step == steps) state.step = 0;
    }
    ImGui::SameLine(0, theme_.px(4));
    if (widgets_.button("quadratic/back", "←", theme_.px(28), "One step back (left arrow)")) state.back();
    ImGui::SameLine(0, theme_.px(4));
    if (widgets_.button("quadratic/forward", "→", theme_.px(28), "One step forward (right arrow)"))
        state.playing = false, state.forward();
    ImGui::SameLine(0, theme_.px(10));
    ImGui::PushFont(theme_.small);
    ImGui::AlignTextToFramePadding();
    ImGui::Text("step %zu of %zu", state.step, steps);
    ImGui::PopFont();
    ImGui::SameLine(0, theme_.px(10));
    const float room = ImGui::GetContentRegionAvail().x;
    const bool fits = room > theme_.px(kLeastSteps + 56);
    const float fit = theme_.px(46), bar = fits ? room - fit - theme_.px(10) : room;
    ImGui::BeginChild("##steps", {bar, ImGui::GetFrameHeight()}, false, ImGuiWindowFlags_NoScrollbar);
    if (widgets_.frames("quadratic/step", steps + 1, state.step, "How many steps of each method are shown."))
        state.playing = false;
    ImGui::EndChild();
    if (!fits) return;
    ImGui::SameLine(0, theme_.px(10));
    if (widgets_.button("quadratic/fit", "fit", fit, "Looks at start, minimum and all iterates.")) plot_.fit();
}

/// A and b under sliders; a double click takes the example's.
void QuadraticPanel::system() {
    QuadraticState& state = model_.quadratic;
    entries_ = Entries::of(state.form);
    bool changed = false;
    if (!ImGui::BeginTable("##system", 3, ImGuiTableFlags_SizingStretchSame)) return;
    for (std::size_t i = 0; i < fields_.fields().size(); ++i) {
        ImGui::TableNextColumn();
        changed |= widgets_.row(fields_.fields()[i], usualFields_.fields()[i].ref);
    }
    ImGui::EndTable();
    if (!changed) return;
    state.form = entries_.form();
    state.solve();
    plot_.keep(state);
}

void QuadraticPanel::spectrum() {
    const auto& form = model_.quadratic.form;
    if (const std::string refusal = form.refusal(); !refusal.empty()) {
        widgets_.note(refusal, true);
        layout_.markLast("quadratic/refusal");
        return;
    }
    const auto line = [](const char* of, const experiments::PlaneSpectrum& s) {
        return fmt::format("{}: λ = {}, {} · κ = {}", of, formatNumber(s.values[0], 3), formatNumber(s.values[1], 3),
                           formatNumber(s.condition(), 3));
    };
    constexpr std::string_view kMeaning =
        "λ: eigenvalues of the matrix, the curvatures of the bowl. κ: the larger over the smaller, the "
        "condition number; the nearer to 1, the rounder the bowl.";
    const std::string jacobi = line("with Jacobi", form.jacobiSpectrum());
    widgets_.note(line("A", form.spectrum()), false, kMeaning);
    const widgets::FontScope small(theme_.small);
    const float gap = theme_.px(16), end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (ImGui::GetItemRectMax().x + gap + ImGui::CalcTextSize(jacobi.c_str()).x <= end) ImGui::SameLine(0, gap);
    widgets_.note(jacobi, false, kMeaning);
}

void QuadraticPanel::methods() {
    QuadraticState& state = model_.quadratic;
    ImGui::Dummy({0, theme_.px(2)});
    const float x = ImGui::GetCursorPosX();
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float right = at.x + ImGui::GetContentRegionAvail().x - theme_.px(24);
        widgets::drawSwatch(*ImGui::GetWindowDrawList(), {at.x, at.y + theme_.px(6)}, {theme_.px(12), theme_.px(10)},
                            planeStyle(m), theme_);
        ImGui::SetCursorPosX(x + theme_.px(17));
        if (widgets_.checkbox(shownFields_.fields()[m])) state.step = std::min(state.step, state.steps());
        const auto& its = state.iterates[m];
        const std::size_t steps = its.size() - 1;
        const bool arrived = its.back().energyError <= experiments::kPlaneEnough * its.front().energyError;
        const std::string text =
            steps == 0 ? "" : fmt::format("{}{} step{}", arrived ? "" : "over ", steps, plural(double(steps)));
        textRight(text.c_str(), theme_.colors.quiet, theme_.small, right, at.y + theme_.px(3));
    }
}

void QuadraticPanel::table(float height) {
    const QuadraticState& state = model_.quadratic;
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.color(ImGuiCol_TableHeaderBg, theme_.colors.panel).color(ImGuiCol_TableBorderLight, theme_.colors.line);
    style.measure(ImGuiStyleVar_CellPadding, {theme_.px(3), theme_.px(1.5f)});
    const ImGuiTableFlags flags =
        ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    if (ImGui::BeginTable("##steps", int(std::size(kColumns)), flags, {0, height})) {
        ImGui::TableSetupScrollFreeze(0, 1);
        for (std::size_t c = 0; c < std::size(kColumns); ++c)
            ImGui::TableSetupColumn(kColumns[c][0],
                                    c < 2 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                                    c == 0   ? theme_.px(10)
                                    : c == 1 ? theme_.px(20)
                                             : 1);
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
        for (std::size_t c = 0; c < std::size(kColumns); ++c) {
            ImGui::TableNextColumn();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            textRight(kColumns[c][0], theme_.colors.quiet, theme_.small, at.x + ImGui::GetContentRegionAvail().x, at.y);
            ImGui::Dummy({ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()});
            widgets_.tooltip(std::string("quadratic/column/") + kColumns[c][0], ImGui::IsItemHovered(),
                             [&] { return std::string(kColumns[c][1]); });
        }
        std::size_t rows = 0;
        for (std::size_t k = 0; k <= state.step; ++k)
            for (std::size_t m = 0; m < QuadraticState::kMethods; ++m)
                if (state.shown[m] && k < state.iterates[m].size()) tableRow(m, k), ++rows;
        if (rows != rowsShown_) ImGui::SetScrollHereY(1);  // a new step comes into view
        rowsShown_ = rows;
        ImGui::EndTable();
        layout_.markLast("quadratic/table");  // one that is scrolled away is no item
    }
}

void QuadraticPanel::tableRow(std::size_t method, std::size_t step) {
    const auto& it = model_.quadratic.iterates[method][step];
    const bool minimum = model_.quadratic.form.refusal().empty();
    const std::string cells[] = {std::to_string(step), step > 0 ? formatNumber(it.alpha, 4) : "",
                                 it.beta != 0 ? formatNumber(it.beta, 4) : "", amountText(it.residual),
                                 minimum ? amountText(it.energyError) : ""};
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    widgets::drawSwatch(*ImGui::GetWindowDrawList(), {at.x, at.y + line * 0.2f}, {theme_.px(10), line * 0.6f},
                        planeStyle(method), theme_);
    ImGui::Dummy({0, line});
    for (const std::string& text : cells) {
        ImGui::TableNextColumn();
        const ImVec2 cell = ImGui::GetCursorScreenPos();
        textRight(text.c_str(), theme_.colors.text, theme_.small, cell.x + ImGui::GetContentRegionAvail().x, cell.y);
        ImGui::Dummy({0, line});
    }
}

/// Dotted, in the colour of the method that it bounds.
void QuadraticPanel::addBounds(double least, std::vector<widgets::PlotCurve>& curves) {
    const QuadraticState& state = model_.quadratic;
    if (!state.form.refusal().empty()) return;
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m) {
        const auto method = experiments::PlaneMethod(m);
        bounds_[m].clear();
        boundsAt_[m].clear();
        if (!state.shown[m] || !experiments::hasErrorBound(method)) continue;
        const auto spectrum =
            method == experiments::PlaneMethod::JacobiGradients ? state.form.jacobiSpectrum() : state.form.spectrum();
        for (std::size_t k = 0; k <= std::max<std::size_t>(2, state.steps()); ++k) {
            const double bound =
                state.iterates[m].front().energyError * experiments::errorBound(method, spectrum.condition(), int(k));
            boundsAt_[m].push_back(double(k));
            bounds_[m].push_back(bound >= least ? bound : std::nan(""));
        }
        curves.push_back({.name = method == experiments::PlaneMethod::SteepestDescent ? "bound (24)" : "bound (37)",
                          .style = boundStyle(planeStyle(m)),
                          .x = boundsAt_[m],
                          .y = bounds_[m],
                          .plain = true});
    }
}

/// The error of each step. Conjugate gradients end at the solution itself: what is below where a method counts as
/// arrived lies on the lower edge. Of a matrix that is not positive definite there is no such norm.
void QuadraticPanel::errors(ImVec2 size) {
    const QuadraticState& state = model_.quadratic;
    const double least = experiments::kPlaneEnough * std::max(1e-300, state.iterates[0][0].energyError);
    std::array<std::vector<double>, QuadraticState::kMethods> x, y;
    std::vector<widgets::PlotCurve> curves;
    const bool definite = state.form.refusal().empty();
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m) {
        if (!state.shown[m] || !definite) continue;
        for (std::size_t k = 0; k < state.iterates[m].size(); ++k) {
            x[m].push_back(double(k));
            const double error = state.iterates[m][k].energyError;
            y[m].push_back(error);
        }
        curves.push_back({experiments::kPlaneMethods[m].label, planeStyle(m), x[m], y[m]});
    }
    addBounds(least, curves);
    widgets::PlotSpec spec;
    spec.id = "quadratic.errors";
    spec.title = "Energy norm of the error";
    spec.xLabel = "step";
    spec.logY = true;
    spec.xMax = 1.02 * std::max<double>(2, double(state.steps()));
    spec.least = least;
    spec.sinks = true;
    spec.emptyText = definite ? "no method is shown" : "A is not positive definite: there is no such norm";
    spec.marks = true;
    spec.noteHelp =
        "On the lower edge: below 1e-6 of the start, where a method counts as arrived. Dotted: what the error "
        "cannot exceed, by Chen (24) for steepest descent and (37) for conjugate gradients, from the condition "
        "number. Each starts at the error of the start; (37) at twice that.";
    spec.cursor = double(state.step);
    spec.source = [&state] {
        const experiments::QuadraticForm& f = state.form;
        return std::vector{fmt::format("Two unknowns: A = [{} {}; {} {}], b = ({}, {}), start ({}, {}).", f.A(0, 0),
                                       f.A(0, 1), f.A(1, 0), f.A(1, 1), f.b[0], f.b[1], state.start[0],
                                       state.start[1])};
    };
    drawPlot(spec, curves, size);
}

}  // namespace clothlab::app::panels
