#include "widgets/plots/plot_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/plots/plot_labels.hpp"
#include "widgets/plots/plot_strokes.hpp"

namespace clothlab::app::widgets {

void CurveDrawing::draw() {
    if (frame_.spec.stacked)
        drawAreas();
    else if (frame_.spec.bars)
        drawBars();
    else if (frame_.spec.lines)
        drawLines();
    if (frame_.spec.marks) drawMarks();
    drawMeant();
    drawLost();
}

/// A column a sample, as wide as it lasts. Where several share a pixel the highest is drawn: a peak is what one looks
/// for.
void CurveDrawing::drawAreas() {
    if (curves_.empty() || curves_[0].x.empty()) return;
    const std::span<const double> x = curves_[0].x;
    struct Column {
        float from, to;
        std::size_t sample;
    };
    std::vector<Column> columns;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!frame_.visible(x[i])) continue;
        const double before = i > 0              ? (x[i] - x[i - 1]) / 2
                              : i + 1 < x.size() ? (x[i + 1] - x[i]) / 2
                                                 : 0.5,
                     after = i + 1 < x.size() ? (x[i + 1] - x[i]) / 2 : before;
        const float from = std::round(frame_.px(x[i] - before)),
                    to = std::max(std::round(frame_.px(x[i] + after)), from + 1);
        if (columns.empty() || from >= columns.back().to)
            columns.push_back({from, to, i});
        else if (frame_.stackTop(curves_.size(), i) > frame_.stackTop(curves_.size(), columns.back().sample))
            columns.back().sample = i;
    }
    std::vector<std::vector<HatchBox>> areas(curves_.size());
    for (const Column& column : columns)
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const float low = frame_.py(frame_.stackTop(c, column.sample)),
                        high = frame_.py(frame_.stackTop(c + 1, column.sample));
            if (high >= low) continue;
            const HatchBox box{std::max(column.from, frame_.min.x), std::min(column.to, frame_.max.x), high, low};
            frame_.pen.box({box.from, box.high}, {box.to, box.low}, frame_.shade(c));
            areas[c].push_back(box);
        }
    for (std::size_t c = 0; c < curves_.size(); ++c) hatchOnPaper(c, areas[c]);
}

void CurveDrawing::hatchOnPaper(std::size_t c, std::span<const HatchBox> boxes) const {
    if (!frame_.pen.writes()) return;
    hatch(frame_.pen, boxes, c, theme_.colors.plotGround, theme_.px(PlotFrame::kHatch), theme_.px(0.8f));
}

void CurveDrawing::drawLines() {
    for (std::size_t c = curves_.size(); c-- > 0;) {  // the first curve lies on top
        const PlotCurve& curve = curves_[c];
        points_.clear();
        for (std::size_t i = 0; i <= curve.x.size(); ++i) {
            const bool gap = i == curve.x.size() || !frame_.drawable(curve, i);
            if (!gap && (frame_.visible(curve.x[i]) || (i + 1 < curve.x.size() && frame_.visible(curve.x[i + 1])) ||
                         (i > 0 && frame_.visible(curve.x[i - 1]))))
                points_.push_back(frame_.curvePoint(curve, i));
            else
                flush(c);
        }
    }
}

void CurveDrawing::flush(std::size_t c) {
    constexpr float kRim = 2.4f;  // points that a curve under others shows of itself
    const float width = theme_.px((frame_.readout.nearest == int(c) ? 2.2f : 1.6f) + kRim * float(names_.above(c)));
    if (!frame_.spec.marks) thinToColumns(points_);  // points of a chart may lie in any order
    if (!points_.empty())
        strokeLine(frame_.pen, points_, {frame_.shade(c), width, curves_[c].style.dash, theme_.scale});
    if (!frame_.spec.marks) marksAlong(c);
    points_.clear();
}

/// Marks tell variants of one method apart; not at every iterate, and not at the same places as those of the next
/// curve.
void CurveDrawing::marksAlong(std::size_t c) {
    if (curves_[c].style.mark == Mark::None) return;
    const float apart = theme_.px(46);
    float since = apart * (0.55f + 0.17f * float(c % 5));
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (i > 0) since += std::hypot(points_[i].x - points_[i - 1].x, points_[i].y - points_[i - 1].y);
        if (since < apart) continue;
        since = 0;
        drawMark(frame_.pen, curves_[c].style.mark, points_[i], frame_.shade(c), theme_.px(3));
    }
}

void CurveDrawing::drawBars() {
    const auto beside = std::ranges::count_if(curves_, [](const PlotCurve& curve) { return !curve.plain; });
    const float slot = frame_.px(1) - frame_.px(0), width = 0.8f * slot / float(std::max<std::ptrdiff_t>(beside, 1));
    int at = 0;
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const PlotCurve& curve = curves_[c];
        const float from = curve.plain ? -0.4f * slot : -0.4f * slot + float(at++) * width;
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!frame_.drawable(curve, i) || !frame_.visible(curve.x[i])) continue;
            const ImVec2 top{frame_.px(curve.x[i]) + from, std::min(frame_.py(curve.y[i]), frame_.max.y)};
            if (curve.plain) {
                frame_.pen.line(top, {top.x + 0.8f * slot, top.y}, frame_.shade(c), theme_.px(1.5f));
            } else {
                const HatchBox box{top.x, top.x + width - theme_.px(1), top.y, frame_.max.y};
                frame_.pen.box(top, {box.to, box.low}, frame_.shade(c));
                hatchOnPaper(c, {&box, 1});
            }
            markPoint(c, "", i, {top.x + width / 2, top.y});
        }
    }
}

void CurveDrawing::drawMeant() {
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const int i = curves_[c].meant;
        if (i < 0 || i >= int(curves_[c].x.size()) || !frame_.drawable(curves_[c], std::size_t(i))) continue;
        const ImVec2 at = frame_.curvePoint(curves_[c], std::size_t(i));
        frame_.pen.disc(at, theme_.px(PlotFrame::kMark + 1), theme_.colors.plotGround);
        frame_.pen.disc(at, theme_.px(PlotFrame::kMark), frame_.shade(c));
        markPoint(c, "meant/", std::size_t(i), at);
    }
}

void CurveDrawing::drawMarks() {
    LabelPlacer labels(frame_.min, frame_.max);
    for (const PlotCurve& curve : curves_)
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            if (!curve.plain && std::isfinite(curve.y[i]) && frame_.visible(curve.x[i]))
                labels.avoid(frame_.curvePoint(curve, i), theme_.px(PlotFrame::kMark));
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        ImVec2 last{-1e9f, -1e9f};
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i) {
            if (curves_[c].plain || !std::isfinite(curves_[c].y[i]) || !frame_.visible(curves_[c].x[i])) continue;
            const ImVec2 at = frame_.curvePoint(curves_[c], i);
            markPoint(c, "", i, at);
            const Mark mark = curves_[c].style.mark;
            // Marks of steps that stand nearly on each other would hide their line.
            if (!frame_.spec.lines || std::hypot(at.x - last.x, at.y - last.y) >= theme_.px(PlotFrame::kMark)) {
                drawMark(frame_.pen, mark == Mark::None ? Mark::Circle : mark, at, frame_.shade(c),
                         theme_.px(PlotFrame::kMark));
                last = at;
            }
            if (curves_[c].labels.empty()) continue;
            const std::string& text = curves_[c].labels[i];
            if (const auto place = labels.place(at, ImGui::CalcTextSize(text.c_str()), theme_.px(PlotFrame::kMark)))
                frame_.pen.words(*place, theme_.colors.quiet, text);
        }
    }
}

void CurveDrawing::drawLost() {
    for (std::size_t c = 0; c < curves_.size(); ++c)
        for (std::size_t i = 0; i < curves_[c].lost.size(); ++i) {
            const ImVec2 at = frame_.crossAt(curves_[c].lost[i]);
            cross(frame_.pen, at, frame_.shade(c), theme_.px(PlotFrame::kMark), theme_.px(1.6f));
            markPoint(c, "lost/", i, at);
        }
}

/// Where a point of a chart is, so that tests and scripts can go there.
void CurveDrawing::markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at) {
    const float r = theme_.px(PlotFrame::kMark);
    frame_.layout.mark(fmt::format("{}/{}/{}{}", frame_.id(), curves_[curve].name, kind, index), {at.x - r, at.y - r},
                       {at.x + r, at.y + r});
}

}  // namespace clothlab::app::widgets
