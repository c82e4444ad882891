#include "widgets/plots/plot_readout.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/numbers.hpp"
#include "widgets/plots/plot_text.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kRest = 1.2f;  // s, until the numbers say what they mean

/// Marks are few, and lie anywhere: of all of them the nearest.
void readNearestMark(PlotFrame& frame, ImVec2 mouse) {
    const std::span<const PlotCurve> curves = frame.curves;
    PlotReadout& readout = frame.readout;
    float nearest = frame.theme.px(14);
    const auto take = [&](std::size_t curve, std::size_t i, ImVec2 at, bool lost) {
        const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance >= nearest) return;
        nearest = distance;
        readout.nearest = int(curve);
        readout.sample = int(i);
        readout.lost = lost;
    };
    for (std::size_t c = 0; c < curves.size(); ++c) {
        for (std::size_t i = 0; i < curves[c].x.size(); ++i)
            if (!curves[c].plain && std::isfinite(curves[c].y[i])) take(c, i, frame.curvePoint(curves[c], i), false);
        for (std::size_t i = 0; i < curves[c].lost.size(); ++i) take(c, i, frame.crossAt(curves[c].lost[i]), true);
    }
    if (readout.nearest < 0 || readout.lost) return;
    const PlotCurve& curve = curves[readout.nearest];
    readout.x = curve.x[readout.sample];
    readout.values = {{curve.name, curve.y[readout.sample]}};
}

void readNearest(PlotFrame& frame, double wanted, ImVec2 mouse) {
    const std::span<const PlotCurve> curves = frame.curves;
    PlotReadout& readout = frame.readout;
    if (frame.spec.marks) return readNearestMark(frame, mouse);
    float nearest = frame.theme.px(14);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const int at = nearestSample(curves[c].x, wanted);
        if (at < 0 || !std::isfinite(curves[c].y[at])) continue;
        const ImVec2 point = frame.curvePoint(curves[c], std::size_t(at));
        const float distance = std::hypot(point.x - mouse.x, point.y - mouse.y);
        if (distance >= nearest) continue;
        nearest = distance;
        readout.nearest = int(c);
        readout.x = curves[c].x[at];
        readout.values = {{curves[c].name, curves[c].y[at]}};
    }
}

void readValues(PlotFrame& frame, ImVec2 mouse) {
    const std::span<const PlotCurve> curves = frame.curves;
    PlotReadout& readout = frame.readout;
    float nearest = frame.theme.px(14);
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const PlotCurve& curve = curves[c];
        const int at = nearestSample(curve.x, readout.x);
        if (at < 0 || curve.x[at] != readout.x) continue;
        const auto i = std::size_t(at);
        if (!std::isfinite(curve.y[i])) continue;
        readout.values.push_back({curve.name, curve.y[i]});
        if (frame.spec.stacked) {
            if (mouse.y <= frame.py(frame.stackTop(c, i)) && mouse.y >= frame.py(frame.stackTop(c + 1, i)))
                readout.nearest = int(c);
        } else if (const float distance = std::abs(frame.py(curve.y[i]) - mouse.y); distance < nearest) {
            nearest = distance;
            readout.nearest = int(c);
        }
    }
}

/// That under the pointer, or the nearest of those about it.
const PlotNote* noteAt(const PlotFrame& frame, float x) {
    const PlotNote* best = nullptr;
    float nearest = frame.theme.px(6);
    for (const PlotNote& note : frame.spec.notes) {
        const float away = std::max({frame.px(note.from) - x, x - frame.px(note.to), 0.0f});
        if (away < nearest) nearest = away, best = &note;
    }
    return best;
}

}  // namespace

void readOut(PlotFrame& frame) {
    PlotReadout& readout = frame.readout;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    readout.hovered = frame.inside(mouse);
    if (!readout.hovered || !frame.any) return;
    const double wanted = frame.x.value((mouse.x - frame.min.x) / (frame.max.x - frame.min.x));
    if (frame.spec.readNearest) return readNearest(frame, wanted, mouse);
    double best = std::numeric_limits<double>::infinity();
    for (const PlotCurve& curve : frame.curves) {
        const int at = nearestSample(curve.x, wanted);
        if (at >= 0 && std::abs(curve.x[at] - wanted) < best) {
            best = std::abs(curve.x[at] - wanted);
            readout.x = curve.x[at];
        }
    }
    readValues(frame, mouse);
}

void drawReadout(const PlotFrame& frame) {
    const PlotReadout& readout = frame.readout;
    const UiTheme& theme = frame.theme;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = frame.px(readout.x);
    const std::string unit = frame.spec.unit.empty() ? "" : fmt::format(" {}", frame.spec.unit);
    frame.pen.line({x, frame.min.y}, {x, frame.max.y}, withAlpha(theme.colors.text, 120));
    frame.pen.line({frame.min.x, mouse.y}, {frame.max.x, mouse.y}, withAlpha(theme.colors.text, 60));
    ImGui::BeginTooltip();
    const float captionRoom = frame.max.x - frame.min.x - theme.px(PlotFrame::kCaptionRim);
    for (const std::string& words : frame.spec.caption)
        if (fitted(words, captionRoom) != words) ImGui::TextUnformatted(words.c_str());
    const std::string place = xWord(frame.spec, readout.x).value_or(formatNumber(readout.x, 7));
    ImGui::Text("%s %s", std::string(frame.spec.xLabel).c_str(), place.c_str());
    frame.layout.words(frame.id() + ".read", place);
    double sum = 0;
    for (const PlotReadout::Value& v : readout.values) {
        const bool here = readout.nearest >= 0 && frame.curves[readout.nearest].name == v.name;
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(here ? theme.colors.knob : theme.colors.quiet), "%s  %s%s",
                           std::string(v.name).c_str(), formatNumber(v.value, 4).c_str(), unit.c_str());
        sum += v.value;
    }
    if (frame.spec.stacked && readout.values.size() > 1)
        ImGui::Text("sum  %s%s", formatNumber(sum, 4).c_str(), unit.c_str());
    if (const PlotNote* note = noteAt(frame, mouse.x)) {
        const std::string words = fmt::format("{}: {}", note->ends ? "stopped" : "changed", note->words);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme.colors.pin), "%s", words.c_str());
        frame.layout.words(frame.id() + ".note", words);
    }
    if (!frame.spec.noteHelp.empty() && ImGui::GetCurrentContext()->HoveredIdTimer > kRest) {
        ImGui::PushTextWrapPos(theme.px(290));
        ImGui::TextColored(theme.quiet(), "%s", std::string(frame.spec.noteHelp).c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::widgets
