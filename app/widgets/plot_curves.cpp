#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/plot_drawing.hpp"
#include "widgets/plot_labels.hpp"
#include "widgets/plot_strokes.hpp"
#include "widgets/plot_twins.hpp"

// Lines, areas and marks of a plot.
namespace clothlab::app::widgets {

ImU32 PlotDrawing::shade(std::size_t curve) const {
    constexpr unsigned kFaint = 60, kOther = 110;
    const bool other = readout_.nearest >= 0 && readout_.nearest != int(curve);
    const ImU32 color = theme_.ink(curves_[curve].style.color);
    if (!other && !curves_[curve].faint) return color;
    return withAlpha(color, curves_[curve].faint ? kFaint : kOther);
}

/// A column a sample, as wide as it lasts. Where several share a pixel the highest is drawn: a peak is what one looks
/// for.
void PlotDrawing::drawAreas() {
    if (curves_.empty() || curves_[0].x.empty()) return;
    const std::span<const double> x = curves_[0].x;
    struct Column {
        float from, to;
        std::size_t sample;
    };
    std::vector<Column> columns;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!visible(x[i])) continue;
        const double before = i > 0              ? (x[i] - x[i - 1]) / 2
                              : i + 1 < x.size() ? (x[i + 1] - x[i]) / 2
                                                 : 0.5,
                     after = i + 1 < x.size() ? (x[i + 1] - x[i]) / 2 : before;
        const float from = std::round(px(x[i] - before)), to = std::max(std::round(px(x[i] + after)), from + 1);
        if (columns.empty() || from >= columns.back().to)
            columns.push_back({from, to, i});
        else if (stackTop(curves_.size(), i) > stackTop(curves_.size(), columns.back().sample))
            columns.back().sample = i;
    }
    for (const Column& column : columns)
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const float low = py(stackTop(c, column.sample)), high = py(stackTop(c + 1, column.sample));
            if (high < low)
                pen_.box({std::max(column.from, min_.x), high}, {std::min(column.to, max_.x), low}, shade(c));
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
    constexpr float kRim = 2.4f;  // points that a curve under others shows of itself
    const float width = theme_.px((readout_.nearest == int(c) ? 2.2f : 1.6f) + kRim * float(twinsAbove(c)));
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
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        ImVec2 last{-1e9f, -1e9f};
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i) {
            if (curves_[c].plain || !std::isfinite(curves_[c].y[i]) || !visible(curves_[c].x[i])) continue;
            const ImVec2 at = pointOf(curves_[c], i);
            markPoint(c, "", i, at);
            const Mark mark = curves_[c].style.mark;
            // Marks of steps that stand nearly on each other would hide their line.
            if (!spec_.lines || std::hypot(at.x - last.x, at.y - last.y) >= theme_.px(kMark)) {
                drawMark(pen_, mark == Mark::None ? Mark::Circle : mark, at, shade(c), theme_.px(kMark));
                last = at;
            }
            if (curves_[c].labels.empty()) continue;
            const std::string& text = curves_[c].labels[i];
            if (const auto place = labels.place(at, ImGui::CalcTextSize(text.c_str()), theme_.px(kMark)))
                pen_.words(*place, theme_.colors.quiet, text);
        }
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

/// Of methods that are told apart by their curves: two that take the same iterates would look like one.
void PlotDrawing::findTwins() {
    twin_.clear();
    if (!(spec_.readNearest || spec_.nameCurves) || spec_.marks || !any_) return;
    lines_.assign(curves_.size(), {});
    for (std::size_t c = 0; c < curves_.size(); ++c)
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i)
            if (visible(curves_[c].x[i]) && drawable(curves_[c], i)) lines_[c].push_back(pointOf(curves_[c], i));
    twin_ = firstTwins(lines_, theme_.px(1.2f));
    for (std::size_t c = 0; c < curves_.size(); ++c)
        if (curves_[c].plain || curves_[twin_[c]].plain) twin_[c] = c;
}

std::size_t PlotDrawing::twinsAbove(std::size_t curve) const {
    if (twin_.empty() || twin_[curve] == curve) return 0;
    if (!curves_[curve].faint && std::ranges::any_of(curves_, &PlotCurve::faint)) return 0;  // it is pointed at
    constexpr std::size_t kMost = 2;
    std::vector<ImU32> above;
    for (std::size_t c = 0; c < curve; ++c)
        if (twin_[c] == twin_[curve] && std::ranges::count(above, curves_[c].style.color) == 0)
            above.push_back(curves_[c].style.color);
    // One of its own colour is seen already.
    return std::ranges::count(above, curves_[curve].style.color) > 0 ? 0 : std::min(above.size(), kMost);
}

/// "Block Jacobi = MPCG · Constrained block" where both have one curve, in two lines at most; how many more there are
/// where that has no room.
std::string PlotDrawing::nameOf(std::size_t curve, float width) const {
    std::string name(curves_[curve].name), line = name;
    if (twin_.empty()) return name;
    std::size_t left = std::size_t(std::ranges::count(twin_, twin_[curve])) - 1;
    const auto fits = [&](const std::string& words) {
        const std::string rest = left > 1 ? fmt::format(" = {} more", left - 1) : "";
        return ImGui::CalcTextSize((words + rest).c_str()).x <= width;
    };
    bool broken = false;
    for (std::size_t other = 0; other < curves_.size() && left > 0; ++other) {
        if (other == curve || twin_[other] != twin_[curve]) continue;
        const std::string next(curves_[other].name);
        const bool beside = fits(line + " = " + next);
        if (!beside && (broken || !fits(next))) return fmt::format("{} = {} more", name, left);
        broken |= !beside;
        line = beside ? line + " = " + next : next;
        name += (beside ? " = " : " =\n") + next;
        --left;
    }
    return name;
}

/// Beside a point of each curve that has room, where they cover the fewest other curves. In the order of the curves.
void PlotDrawing::drawNames() {
    constexpr float kAlong[] = {1, 0.93f, 0.86f, 0.79f, 0.72f, 0.65f, 0.58f, 0.5f, 0.42f, 0.34f, 0.26f, 0.18f, 0.1f};
    // Curves through a cell of half a line's height, on average: first those that stand alone, then what has some room.
    constexpr float kMostCovered[] = {0.02f, 0.07f};
    const int most = std::clamp(int((max_.y - min_.y) / (1.6f * lineHeight_)), 2, 10);  // more of them hide the curves
    int named = 0;
    InkMap ink(min_, max_, 0.5f * lineHeight_);
    std::vector<std::vector<ImVec2>> lines = lines_;
    std::vector<bool> has(curves_.size());
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        std::erase_if(lines[c], [&](ImVec2 at) { return at.y >= max_.y; });
        if (twin_[c] == c) ink.add(lines[c]);
    }
    LabelPlacer places(min_, max_);
    for (const float covered : kMostCovered)
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            if (lines[c].empty() || curves_[c].faint || named == most || has[c]) continue;
            std::vector<ImVec2> beside;
            for (const float along : kAlong)
                beside.push_back(lines[c][std::size_t(along * float(lines[c].size() - 1))]);
            const std::string name = nameOf(c, 0.8f * (max_.x - min_.x));
            const ImVec2 size = ImGui::CalcTextSize(name.c_str());
            const auto place = places.placeClear(beside, size, theme_.px(4), ink, covered);
            if (!place) continue;
            ++named;
            pen_.box(*place, {place->x + size.x, place->y + size.y}, withAlpha(theme_.colors.plotGround, 215));
            pen_.words(*place, shade(c), name);
            for (std::size_t other = 0; other < curves_.size(); ++other) {
                if (twin_[other] != twin_[c]) continue;
                has[other] = true;
                layout_.mark(fmt::format("{}/name/{}", spec_.id, curves_[other].name), *place,
                             {place->x + size.x, place->y + size.y});
            }
            layout_.words(fmt::format("{}/name/{}", spec_.id, curves_[c].name), name);
        }
}

/// Where a point of a chart is, so that tests and scripts can go there.
void PlotDrawing::markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at) {
    const float r = theme_.px(kMark);
    layout_.mark(fmt::format("{}/{}/{}{}", id_, curves_[curve].name, kind, index), {at.x - r, at.y - r},
                 {at.x + r, at.y + r});
}

}  // namespace clothlab::app::widgets
