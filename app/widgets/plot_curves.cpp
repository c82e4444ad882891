#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/plot_drawing.hpp"
#include "widgets/plot_labels.hpp"
#include "widgets/plot_strokes.hpp"

// Lines, areas and marks of a plot.
namespace clothlab::app::widgets {

ImU32 PlotDrawing::shade(std::size_t curve) const {
    constexpr unsigned kFaint = 60, kOther = 110;
    const bool other = readout_.nearest >= 0 && readout_.nearest != int(curve);
    const ImU32 color = theme_.ink(curves_[curve].style.color);
    if (!other && !curves_[curve].faint) return color;
    return withAlpha(color, curves_[curve].faint ? kFaint : kOther);
}

void PlotDrawing::drawAreas() {
    if (curves_.empty()) return;
    const std::span<const double> x = curves_[0].x;
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (!visible(x[i]) && !visible(x[i - 1])) continue;
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const float x0 = px(x[i - 1]), x1 = px(x[i]);
            const ImVec2 corners[] = {{x0, py(stackTop(c, i - 1))},
                                      {x1, py(stackTop(c, i))},
                                      {x1, py(stackTop(c + 1, i))},
                                      {x0, py(stackTop(c + 1, i - 1))}};
            pen_.polygon(corners, shade(c), false);
        }
    }
}

void PlotDrawing::drawLines() {
    for (std::size_t c = curves_.size(); c-- > 0;) {  // the first curve lies on top
        const PlotCurve& curve = curves_[c];
        points_.clear();
        for (std::size_t i = 0; i <= curve.x.size(); ++i) {
            const bool gap = i == curve.x.size() || !drawable(curve, i);
            if (!gap && (visible(curve.x[i]) || (i + 1 < curve.x.size() && visible(curve.x[i + 1])) ||
                         (i > 0 && visible(curve.x[i - 1]))))
                points_.push_back(pointOf(curve, i));
            else
                flush(c);
        }
    }
}

void PlotDrawing::flush(std::size_t c) {
    const float width = theme_.px(readout_.nearest == int(c) ? 2.2f : 1.6f);
    if (!spec_.marks) thinToColumns(points_);  // points of a chart may lie in any order
    if (!points_.empty()) strokeLine(pen_, points_, {shade(c), width, curves_[c].style.dash, theme_.scale});
    if (!spec_.marks) marksAlong(c);
    points_.clear();
}

/// Marks tell variants of one method apart; not at every iterate, and not at the same places as those of the next
/// curve.
void PlotDrawing::marksAlong(std::size_t c) {
    if (curves_[c].style.mark == Mark::None) return;
    const float apart = theme_.px(46);
    float since = apart * (0.55f + 0.17f * float(c % 5));
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (i > 0) since += std::hypot(points_[i].x - points_[i - 1].x, points_[i].y - points_[i - 1].y);
        if (since < apart) continue;
        since = 0;
        drawMark(pen_, curves_[c].style.mark, points_[i], shade(c), theme_.px(3));
    }
}

void PlotDrawing::drawBars() {
    const auto beside = std::ranges::count_if(curves_, [](const PlotCurve& curve) { return !curve.plain; });
    const float slot = px(1) - px(0), width = 0.8f * slot / float(std::max<std::ptrdiff_t>(beside, 1));
    int at = 0;
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const PlotCurve& curve = curves_[c];
        const float from = curve.plain ? -0.4f * slot : -0.4f * slot + float(at++) * width;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!drawable(curve, i) || !visible(curve.x[i])) continue;
            const ImVec2 top{px(curve.x[i]) + from, std::min(py(curve.y[i]), max_.y)};
            if (curve.plain)
                pen_.line(top, {top.x + 0.8f * slot, top.y}, shade(c), theme_.px(1.5f));
            else
                pen_.box(top, {top.x + width - theme_.px(1), max_.y}, shade(c));
            markPoint(c, "", i, {top.x + width / 2, top.y});
        }
    }
}

void PlotDrawing::drawMeant() {
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const int i = curves_[c].meant;
        if (i < 0 || i >= int(curves_[c].x.size()) || !drawable(curves_[c], std::size_t(i))) continue;
        const ImVec2 at = pointOf(curves_[c], std::size_t(i));
        pen_.disc(at, theme_.px(kMark + 1), theme_.colors.plotGround);
        pen_.disc(at, theme_.px(kMark), shade(c));
        markPoint(c, "meant/", std::size_t(i), at);
    }
}

void PlotDrawing::drawMarks() {
    LabelPlacer labels(min_, max_);
    for (const PlotCurve& curve : curves_)
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            if (!curve.plain && std::isfinite(curve.y[i]) && visible(curve.x[i]))
                labels.avoid(pointOf(curve, i), theme_.px(kMark));
    for (std::size_t c = 0; c < curves_.size(); ++c)
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i) {
            if (curves_[c].plain || !std::isfinite(curves_[c].y[i]) || !visible(curves_[c].x[i])) continue;
            const ImVec2 at = pointOf(curves_[c], i);
            const Mark mark = curves_[c].style.mark;
            drawMark(pen_, mark == Mark::None ? Mark::Circle : mark, at, shade(c), theme_.px(kMark));
            markPoint(c, "", i, at);
            if (curves_[c].labels.empty()) continue;
            const std::string& text = curves_[c].labels[i];
            if (const auto place = labels.place(at, ImGui::CalcTextSize(text.c_str()), theme_.px(kMark)))
                pen_.words(*place, theme_.colors.quiet, text);
        }
}

void PlotDrawing::drawLost() {
    for (std::size_t c = 0; c < curves_.size(); ++c)
        for (std::size_t i = 0; i < curves_[c].lost.size(); ++i) {
            const ImVec2 at = crossAt(curves_[c].lost[i]);
            cross(pen_, at, shade(c), theme_.px(kMark), theme_.px(1.6f));
            markPoint(c, "lost/", i, at);
        }
}

/// Beside a point of each curve that has room: its end, else farther up. In the order of the curves.
void PlotDrawing::drawNames() {
    constexpr float kAlong[] = {1, 0.75f, 0.5f, 0.3f, 0.15f};
    const int most = std::clamp(int((max_.y - min_.y) / (1.6f * lineHeight_)), 2, 10);  // more of them hide the curves
    int named = 0;
    LabelPlacer places(min_, max_);
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const PlotCurve& curve = curves_[c];
        std::vector<ImVec2> shown;
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            if (visible(curve.x[i]) && drawable(curve, i) && py(curve.y[i]) < max_.y)
                shown.push_back(pointOf(curve, i));
        if (shown.empty() || curve.faint || named == most) continue;
        const std::string name(curve.name);
        const ImVec2 size = ImGui::CalcTextSize(name.c_str());
        std::optional<ImVec2> place;
        for (const float along : kAlong)
            if (!place) place = places.place(shown[std::size_t(along * float(shown.size() - 1))], size, theme_.px(4));
        if (!place) continue;
        ++named;
        pen_.box(*place, {place->x + size.x, place->y + size.y}, withAlpha(theme_.colors.plotGround, 215));
        pen_.words(*place, shade(c), name);
        layout_.mark(fmt::format("{}/name/{}", spec_.id, name), *place, {place->x + size.x, place->y + size.y});
    }
}

/// Where a point of a chart is, so that tests and scripts can go there.
void PlotDrawing::markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at) {
    const float r = theme_.px(kMark);
    layout_.mark(fmt::format("{}/{}/{}{}", id_, curves_[curve].name, kind, index), {at.x - r, at.y - r},
                 {at.x + r, at.y + r});
}

}  // namespace clothlab::app::widgets
