#include "panels/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "panels/numbers.hpp"
#include "panels/plot_labels.hpp"
#include "panels/plot_strokes.hpp"
#include "panels/widgets.hpp"

namespace clothlab::app {
namespace {

/// One plot on its way to the screen.
class PlotDrawing {
public:
    PlotDrawing(const PlotSpec& spec, std::span<const PlotCurve> curves, ImVec2 size, const Theme& theme,
                LayoutMap& layout)
        : spec_(spec),
          curves_(curves),
          theme_(theme),
          layout_(layout),
          draw_(ImGui::GetWindowDrawList()),
          outerMin_(ImGui::GetCursorScreenPos()),
          outerMax_(outerMin_.x + size.x, outerMin_.y + size.y) {}

    PlotReadout run() {
        ImGui::PushFont(theme_.small);
        ImGui::InvisibleButton(std::string(spec_.id).c_str(), {outerMax_.x - outerMin_.x, outerMax_.y - outerMin_.y});
        const bool itemHovered = ImGui::IsItemHovered();
        lineHeight_ = ImGui::GetTextLineHeight();
        layoutRegions();
        chooseAxes();
        readOut(itemHovered);
        drawFrame();
        const float rim = spec_.marks ? kMark + 1 : 0;  // a mark on the frame is a whole one
        draw_->PushClipRect({min_.x - rim, min_.y - rim}, {max_.x + rim, max_.y + rim}, true);
        if (spec_.stacked)
            drawAreas();
        else if (spec_.lines)
            drawLines();
        if (spec_.marks) drawMarks();
        drawLost();
        drawLevels();
        draw_->PopClipRect();
        drawHeading();
        if (!any_) drawCentred(spec_.emptyText);
        if (spec_.tooltip && readout_.hovered && any_ && !readout_.values.empty()) drawReadout();
        ImGui::PopFont();
        return std::move(readout_);
    }

private:
    static constexpr float kMark = 3.5f;  // points, radius

    void layoutRegions() {
        const auto rows = static_cast<float>(walkLegend([](std::size_t, float, float) {}));
        min_ = {outerMin_.x + theme_.px(42), outerMin_.y + theme_.px(22) + (rows > 0 ? rows * lineHeight_ + theme_.px(8) : 0)};
        max_ = {outerMax_.x - theme_.px(spec_.nameBelow ? 14 : 2), outerMax_.y - lineHeight_ - theme_.px(5)};
        if (spec_.nameBelow) max_.y -= lineHeight_ + theme_.px(3);
        max_.y = std::max(max_.y, min_.y + theme_.px(20));
        layout_.mark(spec_.id, min_, max_);
    }

    bool visible(double x) const { return x >= spec_.xMin - 1e-9 && x <= spec_.xMax + 1e-9; }

    void chooseAxes() {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        auto take = [&](double y) {
            if (!std::isfinite(y) || (spec_.logY && y <= 0)) return;
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
        const int yTicks = std::clamp(static_cast<int>((max_.y - min_.y) / (lineHeight_ * 1.7f)), 1, spec_.fineTicks ? 9 : 5);
        const int xTicks = std::max(2, static_cast<int>((max_.x - min_.x) / theme_.px(60)));
        if (!any_) low = spec_.logY ? 1e-3 : 0, high = 1;
        if (spec_.logY) low /= spec_.headroom, high *= spec_.headroom;
        const auto logarithmic = spec_.fineTicks ? fineLogAxis : logAxis;
        y_ = spec_.logY ? logarithmic(low, high, yTicks) : linearAxis(low, high, yTicks, spec_.fromZero || spec_.stacked);
        x_ = spec_.logX ? logarithmic(spec_.xMin, spec_.xMax, xTicks) : fixedAxis(spec_.xMin, spec_.xMax, xTicks, spec_.integerX);
    }

    double stackTop(std::size_t layers, std::size_t sample) const {
        double sum = 0;
        for (std::size_t l = 0; l < layers; ++l) {
            const double y = curves_[l].y[sample];
            if (std::isfinite(y)) sum += std::max(0.0, y);
        }
        return sum;
    }

    float px(double x) const { return min_.x + static_cast<float>(x_.position(x)) * (max_.x - min_.x); }
    float py(double y) const { return max_.y - static_cast<float>(y_.position(y)) * (max_.y - min_.y); }

    void readOut(bool itemHovered) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        readout_.hovered =
            itemHovered && mouse.x >= min_.x && mouse.x <= max_.x && mouse.y >= min_.y && mouse.y <= max_.y;
        if (!readout_.hovered || !any_) return;
        const double wanted = x_.value((mouse.x - min_.x) / (max_.x - min_.x));
        if (spec_.readNearest) return readNearest(wanted, mouse);
        double best = std::numeric_limits<double>::infinity();
        for (const PlotCurve& curve : curves_) {
            const int at = nearestSample(curve.x, wanted);
            if (at >= 0 && std::abs(curve.x[static_cast<std::size_t>(at)] - wanted) < best) {
                best = std::abs(curve.x[static_cast<std::size_t>(at)] - wanted);
                readout_.x = curve.x[static_cast<std::size_t>(at)];
            }
        }
        readValues(mouse);
    }

    /// Where a cross stands.
    ImVec2 crossAt(double x) const { return {std::isfinite(x) ? std::clamp(px(x), min_.x, max_.x) : min_.x, min_.y + theme_.px(kMark)}; }

    /// Marks are few, and lie anywhere: of all of them the nearest.
    void readNearestMark(ImVec2 mouse) {
        float nearest = theme_.px(14);
        const auto take = [&](std::size_t curve, std::size_t i, ImVec2 at, bool lost) {
            const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
            if (distance >= nearest) return;
            nearest = distance;
            readout_.nearest = static_cast<int>(curve);
            readout_.sample = static_cast<int>(i);
            readout_.lost = lost;
        };
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            for (std::size_t i = 0; i < curves_[c].x.size(); ++i)
                if (std::isfinite(curves_[c].y[i])) take(c, i, {px(curves_[c].x[i]), py(curves_[c].y[i])}, false);
            for (std::size_t i = 0; i < curves_[c].lost.size(); ++i) take(c, i, crossAt(curves_[c].lost[i]), true);
        }
        if (readout_.nearest < 0 || readout_.lost) return;
        const PlotCurve& curve = curves_[static_cast<std::size_t>(readout_.nearest)];
        readout_.x = curve.x[static_cast<std::size_t>(readout_.sample)];
        readout_.values = {{curve.name, curve.y[static_cast<std::size_t>(readout_.sample)]}};
    }

    void readNearest(double wanted, ImVec2 mouse) {
        if (spec_.marks) return readNearestMark(mouse);
        float nearest = theme_.px(14);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const int at = nearestSample(curves_[c].x, wanted);
            if (at < 0 || !std::isfinite(curves_[c].y[static_cast<std::size_t>(at)])) continue;
            const double x = curves_[c].x[static_cast<std::size_t>(at)], y = curves_[c].y[static_cast<std::size_t>(at)];
            const float distance = std::hypot(px(x) - mouse.x, py(y) - mouse.y);
            if (distance >= nearest) continue;
            nearest = distance;
            readout_.nearest = static_cast<int>(c);
            readout_.x = x;
            readout_.values = {{curves_[c].name, y}};
        }
    }

    void readValues(ImVec2 mouse) {
        float nearest = theme_.px(14);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const PlotCurve& curve = curves_[c];
            const int at = nearestSample(curve.x, readout_.x);
            if (at < 0 || curve.x[static_cast<std::size_t>(at)] != readout_.x) continue;
            const auto i = static_cast<std::size_t>(at);
            if (!std::isfinite(curve.y[i])) continue;
            readout_.values.push_back({curve.name, curve.y[i]});
            if (spec_.stacked) {
                if (mouse.y <= py(stackTop(c, i)) && mouse.y >= py(stackTop(c + 1, i)))
                    readout_.nearest = static_cast<int>(c);
            } else if (const float distance = std::abs(py(curve.y[i]) - mouse.y); distance < nearest) {
                nearest = distance;
                readout_.nearest = static_cast<int>(c);
            }
        }
    }

    void drawFrame() {
        draw_->AddRectFilled(min_, max_, palette::kPlotGround, theme_.px(2));
        for (const double tick : y_.ticks) {
            const float y = py(tick);
            if (y < min_.y - 1 || y > max_.y + 1) continue;
            draw_->AddLine({min_.x, y}, {max_.x, y}, palette::kLine);
            const std::string label = tickLabel(y_, tick);
            const ImVec2 size = ImGui::CalcTextSize(label.c_str());
            draw_->AddText({min_.x - size.x - theme_.px(6),
                            std::clamp(y - size.y / 2, min_.y - size.y / 2, max_.y - size.y * (spec_.nameBelow ? 0.5f : 0.8f))},
                           palette::kQuiet, label.c_str());
        }
        const std::string axisName(spec_.xLabel);
        const float nameWidth = ImGui::CalcTextSize(axisName.c_str()).x;
        const float y = max_.y + theme_.px(3);
        for (const double tick : x_.ticks) {
            const std::string label = tickLabel(x_, tick);
            const float width = ImGui::CalcTextSize(label.c_str()).x;
            const float rightmost = spec_.nameBelow ? outerMax_.x : max_.x;
            const float at = std::clamp(px(tick) - width / 2, min_.x - theme_.px(2), rightmost - width);
            if (!spec_.nameBelow && at + width > max_.x - nameWidth - theme_.px(8)) continue;  // the axis' name stands there
            draw_->AddLine({px(tick), spec_.fineTicks ? min_.y : max_.y}, {px(tick), max_.y + theme_.px(3)}, palette::kLine);
            draw_->AddText({at, y}, palette::kQuiet, label.c_str());
        }
        if (spec_.nameBelow)
            draw_->AddText({(min_.x + max_.x - nameWidth) / 2, y + lineHeight_ + theme_.px(3)}, palette::kText, axisName.c_str());
        else
            draw_->AddText({max_.x - nameWidth, y}, palette::kQuiet, axisName.c_str());
    }

    ImU32 shade(std::size_t curve) const {
        const bool other = readout_.nearest >= 0 && readout_.nearest != static_cast<int>(curve);
        return other ? (curves_[curve].color & ~IM_COL32_A_MASK) | (110u << 24) : curves_[curve].color;
    }

    void drawAreas() {
        if (curves_.empty()) return;
        const ImDrawListFlags flags = draw_->Flags;
        draw_->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // no seams between neighbours
        const std::span<const double> x = curves_[0].x;
        for (std::size_t i = 1; i < x.size(); ++i) {
            if (!visible(x[i]) && !visible(x[i - 1])) continue;
            for (std::size_t c = 0; c < curves_.size(); ++c) {
                const float x0 = px(x[i - 1]), x1 = px(x[i]);
                draw_->AddQuadFilled({x0, py(stackTop(c, i - 1))}, {x1, py(stackTop(c, i))},
                                     {x1, py(stackTop(c + 1, i))}, {x0, py(stackTop(c + 1, i - 1))}, shade(c));
            }
        }
        draw_->Flags = flags;
    }

    void drawLines() {
        for (std::size_t c = curves_.size(); c-- > 0;) {  // the first curve lies on top
            const PlotCurve& curve = curves_[c];
            points_.clear();
            for (std::size_t i = 0; i <= curve.x.size(); ++i) {
                const bool gap = i == curve.x.size() || !std::isfinite(curve.y[i]) || (spec_.logY && curve.y[i] <= 0);
                if (!gap && (visible(curve.x[i]) || (i + 1 < curve.x.size() && visible(curve.x[i + 1]))))
                    points_.push_back({px(curve.x[i]), py(curve.y[i])});
                else
                    flush(c);
            }
        }
    }

    void flush(std::size_t c) {
        const float width = theme_.px(readout_.nearest == static_cast<int>(c) ? 2.2f : 1.6f);
        if (points_.size() == 1) draw_->AddCircleFilled(points_[0], width, shade(c), 8);
        if (points_.size() > 1 && !curves_[c].dashed && spec_.fineTicks)  // a polyline is thin to nothing at a sharp corner
            for (std::size_t i = 1; i < points_.size(); ++i) draw_->AddLine(points_[i - 1], points_[i], shade(c), width);
        else if (points_.size() > 1 && !curves_[c].dashed)
            draw_->AddPolyline(points_.data(), static_cast<int>(points_.size()), shade(c), 0, width);
        if (curves_[c].dashed)
            for (std::size_t i = 1; i < points_.size(); i += 2)
                draw_->AddLine(points_[i - 1], points_[i], shade(c), width);
        points_.clear();
    }

    void drawMarks() {
        LabelPlacer labels(min_, max_);
        for (const PlotCurve& curve : curves_)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                if (std::isfinite(curve.y[i]) && visible(curve.x[i])) labels.avoid({px(curve.x[i]), py(curve.y[i])}, theme_.px(kMark));
        for (std::size_t c = 0; c < curves_.size(); ++c)
            for (std::size_t i = 0; i < curves_[c].x.size(); ++i) {
                if (!std::isfinite(curves_[c].y[i]) || !visible(curves_[c].x[i])) continue;
                const ImVec2 at(px(curves_[c].x[i]), py(curves_[c].y[i]));
                draw_->AddCircleFilled(at, theme_.px(kMark), shade(c), 16);
                markPoint(c, "", i, at);
                if (curves_[c].labels.empty()) continue;
                const std::string& text = curves_[c].labels[i];
                if (const auto place = labels.place(at, ImGui::CalcTextSize(text.c_str()), theme_.px(kMark)))
                    draw_->AddText(*place, palette::kQuiet, text.c_str());
            }
    }

    void drawLost() {
        for (std::size_t c = 0; c < curves_.size(); ++c)
            for (std::size_t i = 0; i < curves_[c].lost.size(); ++i) {
                const ImVec2 at = crossAt(curves_[c].lost[i]);
                cross(*draw_, at, shade(c), theme_.px(kMark), theme_.px(1.6f));
                markPoint(c, "lost/", i, at);
            }
    }

    /// Where a point of a chart is, so that tests and scripts can go there.
    void markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at) {
        const float r = theme_.px(kMark);
        layout_.mark(fmt::format("{}/{}/{}{}", spec_.id, curves_[curve].name, kind, index), {at.x - r, at.y - r}, {at.x + r, at.y + r});
    }

    void drawLevels() {
        if (spec_.threshold && any_) {
            const float y = py(*spec_.threshold);
            dashedLine(*draw_, {min_.x, y}, {max_.x, y}, palette::kQuiet, theme_.px(4), theme_.px(1));
            const std::string name(spec_.thresholdName);
            const ImVec2 size = ImGui::CalcTextSize(name.c_str());
            const bool below = y + size.y < max_.y;  // at the left, under the level: curves come down to it from above
            draw_->AddText({min_.x + theme_.px(5), below ? y + theme_.px(1) : y - size.y}, palette::kQuiet,
                           name.c_str());
        }
        if (spec_.cursor && visible(*spec_.cursor))
            dashedLine(*draw_, {px(*spec_.cursor), min_.y}, {px(*spec_.cursor), max_.y}, palette::kText, theme_.px(4), theme_.px(1));
    }

    void drawHeading() {
        ImGui::PushFont(theme_.strong);
        draw_->AddText(outerMin_, palette::kText, std::string(spec_.title).c_str());
        ImGui::PopFont();
        if (!spec_.note.empty())
            textRight(std::string(spec_.note).c_str(), palette::kQuiet, theme_.small, outerMax_.x,
                      outerMin_.y + theme_.px(2));
        walkLegend([&](std::size_t c, float x, float y) {
            const std::string name(curves_[c].name);
            const float middle = y + lineHeight_ * 0.52f, swatch = theme_.px(9);
            draw_->AddRectFilled({x, middle - swatch / 2}, {x + swatch, middle + swatch / 2}, shade(c), theme_.px(2));
            draw_->AddText({x + swatch + theme_.px(4), y}, readout_.nearest == static_cast<int>(c) ? palette::kText : palette::kQuiet,
                           name.c_str());
        });
    }

    /// Calls f(curve, x, y) for each name of the legend, in as many rows as they need, and returns how many.
    template <class F>
    int walkLegend(F f) const {
        if (!spec_.legend || curves_.size() < 2) return 0;
        int rows = 1;
        float x = outerMin_.x, y = outerMin_.y + theme_.px(21);
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const float width = theme_.px(13) + ImGui::CalcTextSize(std::string(curves_[c].name).c_str()).x;
            if (x + width > outerMax_.x && x > outerMin_.x) {
                ++rows;
                x = outerMin_.x;
                y += lineHeight_;
            }
            f(c, x, y);
            x += width + theme_.px(8);
        }
        return rows;
    }

    void drawCentred(std::string_view text) {
        const std::string words(text);
        const ImVec2 size = ImGui::CalcTextSize(words.c_str());
        draw_->AddText({(min_.x + max_.x - size.x) / 2, (min_.y + max_.y - size.y) / 2}, palette::kQuiet,
                       words.c_str());
    }

    void drawReadout() {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const float x = px(readout_.x);
        draw_->AddLine({x, min_.y}, {x, max_.y}, rgb(0xd9dee6, 120));
        draw_->AddLine({min_.x, mouse.y}, {max_.x, mouse.y}, rgb(0xd9dee6, 60));
        ImGui::BeginTooltip();
        ImGui::Text("%s %s", std::string(spec_.xLabel).c_str(), formatNumber(readout_.x, 7).c_str());
        double sum = 0;
        for (const PlotReadout::Value& v : readout_.values) {
            const bool here =
                readout_.nearest >= 0 && curves_[static_cast<std::size_t>(readout_.nearest)].name == v.name;
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(here ? palette::kKnob : palette::kQuiet), "%s  %s%s%s",
                               std::string(v.name).c_str(), formatNumber(v.value, 4).c_str(),
                               spec_.unit.empty() ? "" : " ", std::string(spec_.unit).c_str());
            sum += v.value;
        }
        if (spec_.stacked && readout_.values.size() > 1)
            ImGui::Text("sum  %s %s", formatNumber(sum, 4).c_str(), std::string(spec_.unit).c_str());
        ImGui::EndTooltip();
    }

    const PlotSpec& spec_;
    std::span<const PlotCurve> curves_;
    const Theme& theme_;
    LayoutMap& layout_;
    ImDrawList* draw_;
    ImVec2 outerMin_, outerMax_, min_, max_;
    float lineHeight_ = 12;
    bool any_ = false;
    Axis x_, y_;
    PlotReadout readout_;
    std::vector<ImVec2> points_;
};

}  // namespace

PlotReadout drawPlot(const PlotSpec& spec, std::span<const PlotCurve> curves, ImVec2 size, const Theme& theme,
                     LayoutMap& layout) {
    return PlotDrawing(spec, curves, size, theme, layout).run();
}

}  // namespace clothlab::app
