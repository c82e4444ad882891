#include "panels/quadratic/quadratic_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/method_styles.hpp"
#include "preconditioners/kind.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot_strokes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {

using model::methodColor;
using model::QuadraticState;
using widgets::Dash;
using widgets::drawMark;
using widgets::formatNumber;
using widgets::Mark;

namespace {

using experiments::Plane;

constexpr int kLevels = 16, kSamples = 160;
constexpr double kRoom = 0.72;  // of the half picture that start, minimum and iterates take

std::string pointText(const Plane& x) { return fmt::format("({}, {})", formatNumber(x[0], 3), formatNumber(x[1], 3)); }

}  // namespace

widgets::Style planeStyle(std::size_t method) {
    using preconditioners::PreconditionerKind;
    switch (experiments::PlaneMethod(experiments::kPlaneMethods[method].value)) {
        case experiments::PlaneMethod::SteepestDescent:
            return {methodColor(PreconditionerKind::ConstrainedBlock), Dash::Solid, Mark::Circle};
        case experiments::PlaneMethod::ConjugateDirections:
            return {methodColor(PreconditionerKind::MatrixCore), Dash::Solid, Mark::Diamond};
        case experiments::PlaneMethod::ConjugateGradients:
            return {methodColor(PreconditionerKind::Identity), Dash::Solid, Mark::Square};
        case experiments::PlaneMethod::JacobiGradients:
            return {methodColor(PreconditionerKind::Jacobi), Dash::Solid, Mark::Up};
    }
    return widgets::hue::kInk;
}

ImVec2 QuadraticPlot::pixel(const Plane& x) const {
    const Plane d = (x - centre_) / unitsPerPixel_;
    constexpr double kFar = 1e5;  // pixels: as far away as any, and no overflow
    return {float((min_.x + max_.x) / 2 + std::clamp(d[0], -kFar, kFar)),
            float((min_.y + max_.y) / 2 - std::clamp(d[1], -kFar, kFar))};
}

Plane QuadraticPlot::point(ImVec2 p) const {
    return centre_ + unitsPerPixel_ * Plane(p.x - (min_.x + max_.x) / 2, (min_.y + max_.y) / 2 - p.y);
}

bool QuadraticPlot::draw(QuadraticState& state, ImVec2 size) {
    ImGui::PushFont(theme_.small);
    const ImVec2 outer = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    min_ = {outer.x + theme_.px(34), outer.y + theme_.px(2)};
    max_ = {outer.x + size.x, outer.y + size.y - line - theme_.px(5)};
    draw_ = ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(min_);
    ImGui::InvisibleButton("##plane", {max_.x - min_.x, max_.y - min_.y});
    layout_.mark("quadratic/plane", min_, max_);
    if (!fitted_) look(state);
    const bool moved = followMouse(state);
    layout_.mark("quadratic/start", pixel(state.start), pixel(state.start));

    draw_->PushClipRect(min_, max_, true);
    ground(state);
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m)
        if (state.shown[m]) way(state, m);
    marks(state);
    draw_->PopClipRect();
    axes();
    ImGui::SetCursorScreenPos({outer.x, outer.y + size.y});
    ImGui::Dummy({0, 0});
    ImGui::PopFont();
    return moved;
}

/// Chooses the part of the plane that has all that is drawn, once; the same scale along both axes.
void QuadraticPlot::look(const QuadraticState& state) {
    fitted_ = true;
    Plane low = state.start, high = state.start;
    const auto take = [&](const Plane& x) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    };
    if (state.form.refusal().empty()) take(state.form.stationary());
    if (!state.form.refusal().empty()) take(Plane(-state.start));
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m)
        if (state.shown[m])
            for (const auto& iterate : state.iterates[m]) take(iterate.x);
    centre_ = (low + high) / 2;
    const Plane half = (high - low) / 2;
    const double width = max_.x - min_.x, height = max_.y - min_.y;
    unitsPerPixel_ = std::max({half[0] / (kRoom * width / 2), half[1] / (kRoom * height / 2), 1e-6});
}

void QuadraticPlot::keep(const QuadraticState& state) {
    if (!state.form.refusal().empty()) return;
    const ImVec2 at = pixel(state.form.stationary());
    if (at.x < min_.x || at.x > max_.x || at.y < min_.y || at.y > max_.y) fit();
}

bool QuadraticPlot::followMouse(QuadraticState& state) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0) {
        const Plane under = point(mouse);
        unitsPerPixel_ = std::clamp(unitsPerPixel_ * std::pow(0.85, ImGui::GetIO().MouseWheel), 1e-9, 1e6);
        centre_ += under - point(mouse);
    }
    if (ImGui::IsItemActive() && mouse.x >= min_.x && mouse.x <= max_.x && mouse.y >= min_.y && mouse.y <= max_.y) {
        // As many digits as a pixel tells apart, so that the numbers can be written on a blackboard.
        const double unit = std::pow(10.0, std::ceil(std::log10(unitsPerPixel_)));
        const Plane wanted = (point(mouse) / unit).array().round() * unit;
        if (wanted == state.start) return false;
        state.start = wanted;
        return true;
    }
    if (ImGui::IsItemHovered()) {
        const Plane x = point(mouse);
        ImGui::BeginTooltip();
        ImGui::Text("x = %s", pointText(x).c_str());
        ImGui::TextColored(theme_.quiet(), "f = %s · ‖r‖ = %s\nclick or drag: start here",
                           formatNumber(state.form.value(x), 4).c_str(),
                           formatNumber(state.form.residual(x).norm(), 3).c_str());
        ImGui::EndTooltip();
    }
    return false;
}

/// f = f* + level: in half axes along the eigenvectors an ellipse is a circle, sampled evenly however thin it is, and a
/// saddle has two branches of a hyperbola, along the eigenvector whose sign the level has.
void QuadraticPlot::contour(const experiments::PlaneSpectrum& spectrum, const Plane& centre, double level, ImU32 color,
                            float width) {
    const Plane half = (2 * std::abs(level) / spectrum.values.array().abs()).sqrt();
    const auto sample = [&](double low, double high, const auto& at) {
        line_.clear();
        for (int i = 0; i <= kSamples; ++i) {
            const Plane u = at(low + (high - low) * i / kSamples);
            line_.push_back(pixel(centre + spectrum.axes * Plane(half[0] * u[0], half[1] * u[1])));
        }
        draw_->AddPolyline(line_.data(), kSamples + 1, color, 0, width);
    };
    if (spectrum.values.prod() > 0) {
        if (level * spectrum.values[0] > 0)
            sample(0, 2 * std::numbers::pi, [](double t) { return Plane(std::cos(t), std::sin(t)); });
        return;
    }
    constexpr double kReach = 6;  // cosh 6 = 200 half axes
    for (const double side : {1.0, -1.0})
        sample(-kReach, kReach, [&](double t) {
            return level * spectrum.values[0] > 0 ? Plane(side * std::cosh(t), std::sinh(t))
                                                  : Plane(std::sinh(t), side * std::cosh(t));
        });
}

/// Bands of f and their edges, at even distances from the minimum.
void QuadraticPlot::ground(const QuadraticState& state) {
    draw_->AddRectFilled(min_, max_, theme_.colors.plotGround);
    const experiments::PlaneSpectrum spectrum = state.form.spectrum();
    if (std::abs(spectrum.values.prod()) < 1e-12 * spectrum.values.squaredNorm()) return;  // a trough has no middle
    const Plane centre = state.form.stationary();
    const double least = state.form.value(centre);
    double most = 0;
    for (const ImVec2 corner : {min_, max_, ImVec2(min_.x, max_.y), ImVec2(max_.x, min_.y)})
        most = std::max(most, std::abs(state.form.value(point(corner)) - least));
    if (spectrum.positive()) {  // convex: filled from the outermost inwards
        const Plane half = (2 * most / spectrum.values.array()).sqrt();
        for (int k = kLevels; k > 0; --k) {
            line_.clear();
            for (int i = 0; i < kSamples; ++i) {
                const double t = 2 * std::numbers::pi * i / kSamples;
                line_.push_back(
                    pixel(centre +
                          double(k) / kLevels * (spectrum.axes * Plane(half[0] * std::cos(t), half[1] * std::sin(t)))));
            }
            draw_->AddConvexPolyFilled(
                line_.data(), kSamples,
                widgets::mixed(theme_.colors.basinTop, theme_.colors.basinDepth, 1 - double(k - 1) / kLevels));
        }
    }
    for (int k = 1; k <= kLevels; ++k)
        for (const double sign : {1.0, -1.0})
            contour(spectrum, centre, sign * most * k * k / (kLevels * kLevels),
                    sign > 0 ? theme_.colors.contour : theme_.colors.contourBelow, theme_.px(1));
    if (!spectrum.positive()) return;
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m)  // how deep each method has come
        if (state.shown[m] && state.step > 0)
            contour(spectrum, centre, state.form.value(state.now(m).x) - least,
                    widgets::withAlpha(theme_.ink(planeStyle(m).color), 120), theme_.px(1.4f));
    for (const int which : {0, 1}) eigenAxis(state, which);
}

void QuadraticPlot::eigenAxis(const QuadraticState& state, int which) {
    const experiments::PlaneSpectrum spectrum = state.form.spectrum();
    Plane axis = spectrum.axes.col(which);
    if (axis[1] < 0 || (axis[1] == 0 && axis[0] < 0)) axis = -axis;
    const ImVec2 from = pixel(state.form.stationary());
    const Plane d(axis[0], -axis[1]);
    const double reach = std::hypot(max_.x - min_.x, max_.y - min_.y);
    const ImU32 color = widgets::withAlpha(theme_.colors.text, 90);
    const double dash = theme_.px(6);
    for (double t = -reach; t < reach; t += 2 * dash)
        draw_->AddLine({from.x + float(d[0] * t), from.y + float(d[1] * t)},
                       {from.x + float(d[0] * (t + dash)), from.y + float(d[1] * (t + dash))}, color, theme_.px(1));
    // Named where the axis leaves the picture at its upper end.
    const auto toEdge = [&](double at, double slope, double low, double high) {
        return slope > 1e-9 ? (high - at) / slope : slope < -1e-9 ? (low - at) / slope : reach;
    };
    const double end = std::min(toEdge(from.x, d[0], min_.x, max_.x), toEdge(from.y, d[1], min_.y, max_.y));
    if (end < theme_.px(60)) return;
    const std::string name = std::string(which == 0 ? "λ₁ = " : "λ₂ = ") + formatNumber(spectrum.values[which], 3);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    const ImVec2 edge{from.x + float(d[0] * end), from.y + float(d[1] * end)};
    const float gap = theme_.px(6);
    label({std::clamp(edge.x + gap, min_.x + gap, max_.x - size.x - gap),
           std::clamp(edge.y + gap, min_.y + gap, max_.y - size.y - gap)},
          name, theme_.colors.quiet);
}

/// On a ground of its own, over contours and arrows.
void QuadraticPlot::label(ImVec2 at, const std::string& text, ImU32 color) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float room = theme_.px(3);
    draw_->AddRectFilled({at.x - room, at.y - 1}, {at.x + size.x + room, at.y + size.y + 1},
                         widgets::withAlpha(theme_.colors.plotGround, 190), room);
    draw_->AddText(at, color, text.c_str());
}

void QuadraticPlot::axes() {
    draw_->AddRect(min_, max_, theme_.colors.line);
    const Plane low = point({min_.x, max_.y}), high = point({max_.x, min_.y});
    const float line = ImGui::GetTextLineHeight(), tick = theme_.px(4);
    // As many ticks along both axes as the shorter one bears: the same spacing, since the scale is the same.
    const double shorter = std::min(max_.x - min_.x, max_.y - min_.y);
    const auto makeTicks = [&](double from, double to) {
        return widgets::fixedAxis(
            from, to, std::max(2, int((to - from) / unitsPerPixel_ / std::max<double>(theme_.px(56), shorter / 8))),
            false);
    };
    const widgets::Axis x = makeTicks(low[0], high[0]), y = makeTicks(low[1], high[1]);
    const char *xName = "x₁", *yName = "x₂";
    const float xEnd = max_.x - ImGui::CalcTextSize(xName).x;
    draw_->AddText({xEnd, max_.y + theme_.px(4)}, theme_.colors.text, xName);
    draw_->AddText({min_.x - ImGui::CalcTextSize(yName).x - theme_.px(7), min_.y}, theme_.colors.text, yName);
    for (const double value : x.ticks) {
        const float at = pixel({value, low[1]}).x;
        const std::string label = widgets::tickLabel(x, value);
        const float width = ImGui::CalcTextSize(label.c_str()).x;
        draw_->AddLine({at, max_.y - tick}, {at, max_.y}, theme_.colors.quiet);
        if (at - width / 2 >= min_.x - theme_.px(6) && at + width / 2 < xEnd - theme_.px(6))
            draw_->AddText({at - width / 2, max_.y + theme_.px(4)}, theme_.colors.quiet, label.c_str());
    }
    for (const double value : y.ticks) {
        const float at = pixel({low[0], value}).y;
        const std::string label = widgets::tickLabel(y, value);
        const ImVec2 size = ImGui::CalcTextSize(label.c_str());
        draw_->AddLine({min_.x, at}, {min_.x + tick, at}, theme_.colors.quiet);
        if (at - size.y / 2 > min_.y + line && at + size.y / 2 <= max_.y + theme_.px(2))
            draw_->AddText({min_.x - size.x - theme_.px(6), at - size.y / 2}, theme_.colors.quiet, label.c_str());
    }
}

/// The steps so far as arrows, the one to come as a thin line.
void QuadraticPlot::way(const QuadraticState& state, std::size_t method) {
    const auto& its = state.iterates[method];
    const widgets::Style style = planeStyle(method);
    const ImU32 color = theme_.ink(style.color);
    const Mark mark = style.mark;
    const float width = theme_.px(2.2f), head = theme_.px(8);
    const std::size_t last = std::min(state.step, its.size() - 1);
    for (std::size_t k = 1; k <= last; ++k) {
        const ImVec2 a = pixel(its[k - 1].x), b = pixel(its[k].x);
        draw_->AddLine(a, b, color, width);
        const float dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
        if (length < 2.5f * head) continue;
        const float ux = dx / length, uy = dy / length, back = theme_.px(3);  // the point itself has a dot
        const ImVec2 tip{b.x - ux * back, b.y - uy * back}, foot{tip.x - ux * head, tip.y - uy * head};
        draw_->AddTriangleFilled(tip, {foot.x - uy * head * 0.4f, foot.y + ux * head * 0.4f},
                                 {foot.x + uy * head * 0.4f, foot.y - ux * head * 0.4f}, color);
    }
    for (std::size_t k = 1; k <= last; ++k) drawMark(*draw_, mark, pixel(its[k].x), color, theme_.px(3.5f));
    if (last > 0) {
        drawMark(*draw_, mark, pixel(its[last].x), theme_.colors.plotGround, theme_.px(7));
        drawMark(*draw_, mark, pixel(its[last].x), color, theme_.px(5.5f));
    }
}

/// Start and minimum, with names beside them that stay in the picture.
void QuadraticPlot::marks(const QuadraticState& state) {
    // Above or below, on the side where the other of the two is not: the way between them stays free.
    const auto name = [&](ImVec2 at, const std::string& text, bool above) {
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        const float gap = theme_.px(8);
        const ImVec2 p{std::clamp(at.x - size.x / 2, min_.x + gap, max_.x - size.x - gap),
                       std::clamp(above ? at.y - gap - size.y : at.y + gap, min_.y + gap, max_.y - size.y - gap)};
        label(p, text, theme_.colors.text);
    };
    const ImVec2 s = pixel(state.start);
    bool startAbove = true;
    if (state.form.refusal().empty()) {
        const Plane minimum = state.form.stationary();
        const ImVec2 m = pixel(minimum);
        const float r = theme_.px(5);
        draw_->AddLine({m.x - r, m.y}, {m.x + r, m.y}, theme_.colors.knob, theme_.px(1.6f));
        draw_->AddLine({m.x, m.y - r}, {m.x, m.y + r}, theme_.colors.knob, theme_.px(1.6f));
        startAbove = s.y <= m.y;
        if (std::hypot(m.x - s.x, m.y - s.y) > theme_.px(40)) name(m, "x* " + pointText(minimum), !startAbove);
    }
    draw_->AddCircleFilled(s, theme_.px(5.5f), theme_.colors.pin, 24);
    draw_->AddCircle(s, theme_.px(5.5f), theme_.colors.plotGround, 24, theme_.px(1.5f));
    name(s, "start " + pointText(state.start), startAbove);
}

}  // namespace clothlab::app::panels
