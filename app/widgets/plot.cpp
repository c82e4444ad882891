#include "widgets/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/numbers.hpp"
#include "widgets/plot_drawing.hpp"
#include "widgets/plot_strokes.hpp"
#include "widgets/plot_text.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
PlotDrawing::PlotDrawing(const PlotSpec& spec, std::span<const PlotCurve> curves, const Place& place,
                         const UiTheme& theme, LayoutMap& layout)
    : spec_(spec),
      curves_(curves),
      theme_(theme),
      layout_(layout),
      id_(spec.id),
      pen_(place.pen),
      outerMin_(place.min),
      outerMax_(outerMin_.x + place.size.x, outerMin_.y + place.size.y) {}

PlotReadout PlotDrawing::run() {
    ImGui::InvisibleButton(id_.c_str(), {outerMax_.x - outerMin_.x, outerMax_.y - outerMin_.y});
    const Item handled = item();
    draw(handled.hovered);
    if (spec_.views) handle(handled);
    return std::move(readout_);
}

void PlotDrawing::draw(bool hovered) {
    ImGui::PushFont(theme_.small);
    lineHeight_ = ImGui::GetTextLineHeight();
    applyViews();
    layoutRegions();
    chooseAxes();
    if (hovered && !(spec_.views && spec_.views->asked())) readOut();  // its picture has no pointer
    findTwins();
    drawFrame();
    drawNotes();
    const bool dots = spec_.marks || std::ranges::any_of(curves_, [](const PlotCurve& c) { return c.meant >= 0; });
    const float rim = dots ? theme_.px(kMark + 1) : theme_.px(1);  // a mark, or a line, on the frame is a whole one
    pen_.clip({min_.x - rim, min_.y - rim}, {max_.x + rim, max_.y + rim});
    if (spec_.stacked)
        drawAreas();
    else if (spec_.bars)
        drawBars();
    else if (spec_.lines)
        drawLines();
    if (spec_.marks) drawMarks();
    drawMeant();
    drawLost();
    drawLevels();
    if (spec_.nameCurves && any_) drawNames();
    if (pen_.writes() && any_) drawNoteWords();
    pen_.unclip();
    drawHeading();
    if (any_) drawCaption();
    if (!any_) drawCentred(emptyWords(spec_, curves_, allHidden_));
    if (spec_.tooltip && readout_.hovered && any_ && !readout_.values.empty()) drawReadout();
    if (!pen_.writes() && readout_.hovered) drawViewWords();
    ImGui::PopFont();
}

/// What there is no room for goes: the legend, then the axis. Nothing is drawn outside of the plot's own rectangle.
void PlotDrawing::layoutRegions() {
    constexpr float kBarely = 16;  // points of a plot that say something
    const float height = outerMax_.y - outerMin_.y, head = theme_.px(kHead);
    const auto foot = [&] {
        const float name = spec_.nameBelow ? lineHeight_ + theme_.px(3) : 0;
        return name + (spec_.xTicks ? lineHeight_ + theme_.px(kAxisGap) : theme_.px(kNoAxis));
    };
    const auto legendHeight = [&] {
        return legend_.rows > 0 ? float(legend_.rows) * lineHeight_ + theme_.px(legendGap(spec_.xTicks)) : 0;
    };
    layoutLegend(height - head - foot());
    if (height - head - legendHeight() - foot() < theme_.px(kBarely)) legend_ = {};
    if (height - head - foot() < theme_.px(kBarely)) spec_.xTicks = spec_.nameBelow = false;
    min_ = {outerMin_.x + theme_.px(42), outerMin_.y + head + legendHeight()};
    max_ = {outerMax_.x - theme_.px(spec_.nameBelow ? 14 : 2), std::max(outerMax_.y - foot(), min_.y + 1)};
    layout_.mark(spec_.id, min_, max_);
    layout_.mark(id_ + "/outer", outerMin_, outerMax_);
}

bool PlotDrawing::drawable(const PlotCurve& curve, std::size_t i) const {
    return std::isfinite(curve.y[i]) && !(spec_.logY && curve.y[i] <= 0 && !spec_.sinks);
}

void PlotDrawing::chooseAxes() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    auto take = [&](double y) {
        if (!std::isfinite(y) || (spec_.logY && y <= 0 && !spec_.sinks)) return;
        any_ = true;
        if (spec_.logY) y = std::max(y, spec_.least);
        low = std::min(low, y);
        high = std::max(high, y);
    };
    if (spec_.stacked) {
        if (!curves_.empty())
            for (std::size_t i = 0; i < curves_[0].x.size(); ++i)
                if (visible(curves_[0].x[i])) take(stackTop(curves_.size(), i));
        low = 0;
    } else {
        for (const PlotCurve& curve : curves_)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                if (visible(curve.x[i])) take(curve.y[i]);
    }
    if (spec_.threshold && any_) take(*spec_.threshold);
    if (spec_.yAtLeast && any_) take(spec_.yAtLeast->min), take(spec_.yAtLeast->max);
    const float height = max_.y - min_.y, width = max_.x - min_.x;
    const int yTicks = std::clamp(int(height / (lineHeight_ * 1.7f)), 1, spec_.fineTicks ? 9 : 5);
    const int xTicks = std::max(2, int(width / theme_.px(60)));
    if (!any_) low = spec_.logY ? 1e-3 : 0, high = 1;
    if (spec_.logY) low /= spec_.headroom, high *= spec_.headroom;
    const auto logarithmic = spec_.fineTicks ? fineLogAxis : logAxis;
    y_ = spec_.logY ? logarithmic(low, high, yTicks) : linearAxis(low, high, yTicks, spec_.fromZero || spec_.stacked);
    yWhole_ = {y_.min, y_.max};
    if (yShown_) y_ = chosenAxis(*yShown_, yTicks, spec_.logY);
    x_ = spec_.logX ? xShown_ ? chosenAxis(*xShown_, xTicks, true) : logarithmic(spec_.xMin, spec_.xMax, xTicks)
                    : fixedAxis(spec_.xMin, spec_.xMax, xTicks, spec_.integerX);
    // The lowest words stand clear of those of the x axis.
    const float below = spec_.nameBelow || !spec_.xTicks ? 0.5f : 0.2f;
    yLabels_ = placeLabels(y_, {height, -below * lineHeight_, height + 0.5f * lineHeight_, theme_.px(1)},
                           [&](const std::string&) { return lineHeight_; });
    const float nameWidth =
        spec_.nameBelow ? 0 : ImGui::CalcTextSize(std::string(spec_.xLabel).c_str()).x + theme_.px(8);
    const float right = spec_.nameBelow ? outerMax_.x - min_.x : width;
    if (!spec_.xWords.empty()) return placeWords();
    xLabels_ = placeLabels(x_, {width, -theme_.px(2), right, theme_.px(6)},
                           [](const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; });
    std::erase_if(xLabels_,
                  [&](const TickLabel& label) { return label.to > right - nameWidth; });  // the axis' name stands there
}

/// As many as there is room for, from the first on.
void PlotDrawing::placeWords() {
    float free = -theme_.px(12);
    for (std::size_t i = 0; i < spec_.xWords.size(); ++i) {
        const float half = ImGui::CalcTextSize(spec_.xWords[i].c_str()).x / 2, at = px(double(i)) - min_.x;
        if (!visible(double(i)) || at - half < free || at + half > max_.x - min_.x + theme_.px(2)) continue;
        xLabels_.push_back({double(i), spec_.xWords[i], at - half, at + half});
        free = at + half + theme_.px(5);
    }
}

double PlotDrawing::stackTop(std::size_t layers, std::size_t sample) const {
    double sum = 0;
    for (std::size_t l = 0; l < layers; ++l) {
        const double y = curves_[l].y[sample];
        if (std::isfinite(y)) sum += std::max(0.0, y);
    }
    return sum;
}

void PlotDrawing::drawFrame() {
    pen_.box(min_, max_, theme_.colors.plotGround, theme_.px(2));
    for (const TickLabel& label : yLabels_) {
        const float y = py(label.value);
        pen_.line({min_.x, y}, {max_.x, y}, theme_.colors.line);
        pen_.words({min_.x - ImGui::CalcTextSize(label.text.c_str()).x - theme_.px(6), max_.y - label.to},
                   theme_.colors.quiet, label.text);
    }
    if (spec_.xTicks) drawXAxis();
}

void PlotDrawing::drawXAxis() {
    const std::string name(spec_.xWords.empty() ? spec_.xLabel : std::string_view());  // words say what they are
    const float nameWidth = ImGui::CalcTextSize(name.c_str()).x, y = max_.y + theme_.px(3);
    const bool zoomed = xShown_ && !pen_.writes() && !spec_.views->asked();  // a saved picture has no handles
    for (const TickLabel& label : xLabels_) {
        const float at = px(label.value);
        pen_.line({at, spec_.fineTicks ? min_.y : max_.y}, {at, max_.y + theme_.px(3)}, theme_.colors.line);
        pen_.words({min_.x + label.from, y}, theme_.colors.quiet, label.text);
    }
    if (spec_.nameBelow)
        pen_.words({(min_.x + max_.x - nameWidth) / 2, y + lineHeight_ + theme_.px(3)},
                   zoomed ? theme_.colors.knob : theme_.colors.text, name);
    else
        pen_.words({max_.x - nameWidth, y}, zoomed ? theme_.colors.knob : theme_.colors.quiet, name);
}

void PlotDrawing::drawLevels() {
    if (spec_.threshold && any_) {
        const float y = py(*spec_.threshold);
        dashedLine(pen_, {min_.x, y}, {max_.x, y}, theme_.colors.quiet, theme_.px(4), theme_.px(1));
        const std::string name(spec_.thresholdName);
        const ImVec2 size = ImGui::CalcTextSize(name.c_str());
        const bool below = y + size.y < max_.y;  // at the left, under the level: curves come down to it from above
        pen_.words({min_.x + theme_.px(5), below ? y + theme_.px(1) : y - size.y}, theme_.colors.quiet, name.c_str());
    }
    if (spec_.cursor && visible(*spec_.cursor))
        dashedLine(pen_, {px(*spec_.cursor), min_.y}, {px(*spec_.cursor), max_.y}, theme_.colors.text, theme_.px(4),
                   theme_.px(1));
}

/// A line from the top to the bottom with a foot; over steps that it took, a band.
void PlotDrawing::drawNotes() {
    for (std::size_t k = 0; k < spec_.notes.size(); ++k) {
        const PlotNote& note = spec_.notes[k];
        if (note.to < spec_.xMin || note.from > spec_.xMax) continue;
        if (note.ends) {
            const ImVec2 at = crossAt(note.from);
            cross(pen_, at, theme_.ink(hue::kStress), theme_.px(kMark), theme_.px(1.6f));
            layout_.words(fmt::format("{}.note/{}", spec_.id, k), note.words);
            continue;
        }
        const float from = std::max(px(note.from), min_.x), to = std::min(px(note.to), max_.x), foot = theme_.px(4);
        if (to - from > 2) pen_.box({from, min_.y}, {to, max_.y}, withAlpha(theme_.colors.pin, 28));
        pen_.line({from, min_.y}, {from, max_.y}, withAlpha(theme_.colors.pin, 110), theme_.px(1));
        const ImVec2 corners[] = {{from - foot, max_.y}, {from + foot, max_.y}, {from, max_.y - 1.6f * foot}};
        pen_.polygon(corners, theme_.colors.pin);
        layout_.mark(fmt::format("{}.note/{}", spec_.id, k), {from - foot, max_.y - 2 * foot}, {from + foot, max_.y});
        layout_.words(fmt::format("{}.note/{}", spec_.id, k), note.words);
    }
}

/// On paper, where nobody points, the words stand beside the marks, over the curves.
void PlotDrawing::drawNoteWords() {
    int row = 0;
    for (const PlotNote& note : spec_.notes) {
        if (note.to < spec_.xMin || note.from > spec_.xMax) continue;
        const float x = std::max(px(note.from), min_.x) + theme_.px(4);
        const ImVec2 at{x, min_.y + theme_.px(3) + lineHeight_ * float(row++ % 4)};
        const std::string words = fitted(note.words, max_.x - x);
        const ImVec2 size = ImGui::CalcTextSize(words.c_str());
        pen_.box(at, {at.x + size.x, at.y + size.y}, withAlpha(theme_.colors.plotGround, 215));
        pen_.words(at, theme_.colors.quiet, words);
    }
}

void PlotDrawing::drawHeading() {
    const std::string title(spec_.title);
    ImGui::PushFont(theme_.strong);
    pen_.words(outerMin_, theme_.colors.text, title, true);
    const float end = outerMin_.x + ImGui::CalcTextSize(title.c_str()).x;
    ImGui::PopFont();
    const std::string behind(spec_.unit.empty() ? spec_.measure : spec_.unit);
    if (!behind.empty()) pen_.words({end + theme_.px(6), outerMin_.y + theme_.px(2)}, theme_.colors.quiet, behind);
    if (!spec_.note.empty()) drawNote(end + theme_.px(12) + ImGui::CalcTextSize(behind.c_str()).x);
    drawLegend();
}

/// At the right, as far as it keeps clear of what ends at `left`; the rest of it for who points there.
void PlotDrawing::drawNote(float left) {
    const std::string whole(spec_.note), note = fitted(whole, outerMax_.x - left);
    const ImVec2 size = ImGui::CalcTextSize(note.c_str()), at{outerMax_.x - size.x, outerMin_.y + theme_.px(2)},
                 end{at.x + size.x, at.y + size.y};
    pen_.words(at, theme_.colors.quiet, note);
    layout_.mark(std::string(spec_.id) + ".note", at, end);
    const bool cut = note != whole;
    if ((spec_.noteHelp.empty() && !cut) || !ImGui::IsItemHovered() || !ImGui::IsMouseHoveringRect(at, end)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(290));
    if (cut) ImGui::TextUnformatted(whole.c_str());
    ImGui::TextUnformatted(spec_.noteHelp.data(), spec_.noteHelp.data() + spec_.noteHelp.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void PlotDrawing::drawCaption() {
    float y = min_.y + theme_.px(3);
    for (std::size_t i = 0; i < spec_.caption.size() && y + lineHeight_ < max_.y; ++i, y += lineHeight_) {
        const std::string words = fitted(spec_.caption[i], max_.x - min_.x - theme_.px(kCaptionRim));
        const float x = max_.x - theme_.px(6) - ImGui::CalcTextSize(words.c_str()).x;
        pen_.words({x, y}, theme_.colors.text, words);
        if (i == 0 && !curves_.empty())
            drawSwatch(pen_, {x - theme_.px(kSwatch + 6), y + lineHeight_ * 0.5f - theme_.px(3.5f)},
                       {theme_.px(kSwatch), theme_.px(7)}, curves_[0].style, theme_);
    }
}

void PlotDrawing::drawCentred(std::string_view text) {
    const std::string words(text);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    pen_.words({(min_.x + max_.x - size.x) / 2, (min_.y + max_.y - size.y) / 2}, theme_.colors.quiet, words.c_str());
}

PlotReadout drawPlot(const PlotSpec& spec, std::span<const PlotCurve> curves, ImVec2 size, const UiTheme& theme,
                     LayoutMap& layout) {
    const PlotDrawing::Place place{ImGui::GetCursorScreenPos(), size, {*ImGui::GetWindowDrawList(), spec.svg}};
    return PlotDrawing(spec, curves, place, theme, layout).run();
}

std::string plotSvg(PlotSpec spec, std::span<const PlotCurve> curves, const UiTheme& theme) {
    UiTheme paper = theme;
    paper.kind = ThemeKind::Light;
    paper.colors = paletteOf(ThemeKind::Light);
    ImDrawList unseen(ImGui::GetDrawListSharedData());
    unseen._ResetForNewFrame();
    unseen.PushClipRectFullScreen();
    unseen.PushTextureID(ImGui::GetIO().Fonts->TexID);
    const float rim = paper.px(12);
    const ImVec2 size{paper.px(640), paper.px(400)};
    std::string elements;
    LayoutMap nobody;
    spec.legend = true;
    spec.nameCurves = false;
    spec.xTicks = true;  // a plot of a column may have its axis below others
    PlotDrawing(spec, curves, {{rim, rim}, {size.x - 2 * rim, size.y - 2 * rim}, {unseen, &elements}}, paper, nobody)
        .draw(false);
    return svgDocument(elements, {0, 0}, size, paper.scale, paper.colors.plotGround);
}

}  // namespace clothlab::app::widgets
