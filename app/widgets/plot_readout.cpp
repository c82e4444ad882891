#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/numbers.hpp"
#include "widgets/plot_drawing.hpp"
#include "widgets/plot_text.hpp"
#include "widgets/widgets.hpp"

// What a plot says under the pointer.
namespace clothlab::app::widgets {
namespace {

constexpr float kRest = 1.2f;  // s, until the numbers say what they mean

}  // namespace

void PlotDrawing::readOut() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    readout_.hovered = inside(mouse);
    if (!readout_.hovered || !any_) return;
    const double wanted = x_.value((mouse.x - min_.x) / (max_.x - min_.x));
    if (spec_.readNearest) return readNearest(wanted, mouse);
    double best = std::numeric_limits<double>::infinity();
    for (const PlotCurve& curve : curves_) {
        const int at = nearestSample(curve.x, wanted);
        if (at >= 0 && std::abs(curve.x[at] - wanted) < best) {
            best = std::abs(curve.x[at] - wanted);
            readout_.x = curve.x[at];
        }
    }
    readValues(mouse);
}

ImVec2 PlotDrawing::crossAt(double x) const {
    return {std::isfinite(x) ? std::clamp(px(x), min_.x, max_.x) : min_.x, min_.y + theme_.px(kMark)};
}

/// Marks are few, and lie anywhere: of all of them the nearest.
void PlotDrawing::readNearestMark(ImVec2 mouse) {
    float nearest = theme_.px(14);
    const auto take = [&](std::size_t curve, std::size_t i, ImVec2 at, bool lost) {
        const float distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance >= nearest) return;
        nearest = distance;
        readout_.nearest = int(curve);
        readout_.sample = int(i);
        readout_.lost = lost;
    };
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        for (std::size_t i = 0; i < curves_[c].x.size(); ++i)
            if (!curves_[c].plain && std::isfinite(curves_[c].y[i])) take(c, i, pointOf(curves_[c], i), false);
        for (std::size_t i = 0; i < curves_[c].lost.size(); ++i) take(c, i, crossAt(curves_[c].lost[i]), true);
    }
    if (readout_.nearest < 0 || readout_.lost) return;
    const PlotCurve& curve = curves_[readout_.nearest];
    readout_.x = curve.x[readout_.sample];
    readout_.values = {{curve.name, curve.y[readout_.sample]}};
}

void PlotDrawing::readNearest(double wanted, ImVec2 mouse) {
    if (spec_.marks) return readNearestMark(mouse);
    float nearest = theme_.px(14);
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const int at = nearestSample(curves_[c].x, wanted);
        if (at < 0 || !std::isfinite(curves_[c].y[at])) continue;
        const ImVec2 point = pointOf(curves_[c], std::size_t(at));
        const float distance = std::hypot(point.x - mouse.x, point.y - mouse.y);
        if (distance >= nearest) continue;
        nearest = distance;
        readout_.nearest = int(c);
        readout_.x = curves_[c].x[at];
        readout_.values = {{curves_[c].name, curves_[c].y[at]}};
    }
}

void PlotDrawing::readValues(ImVec2 mouse) {
    float nearest = theme_.px(14);
    for (std::size_t c = 0; c < curves_.size(); ++c) {
        const PlotCurve& curve = curves_[c];
        const int at = nearestSample(curve.x, readout_.x);
        if (at < 0 || curve.x[at] != readout_.x) continue;
        const auto i = std::size_t(at);
        if (!std::isfinite(curve.y[i])) continue;
        readout_.values.push_back({curve.name, curve.y[i]});
        if (spec_.stacked) {
            if (mouse.y <= py(stackTop(c, i)) && mouse.y >= py(stackTop(c + 1, i))) readout_.nearest = int(c);
        } else if (const float distance = std::abs(py(curve.y[i]) - mouse.y); distance < nearest) {
            nearest = distance;
            readout_.nearest = int(c);
        }
    }
}

/// That under the pointer, or the nearest of those about it.
const PlotNote* PlotDrawing::noteAt(float x) const {
    const PlotNote* best = nullptr;
    float nearest = theme_.px(6);
    for (const PlotNote& note : spec_.notes) {
        const float away = std::max({px(note.from) - x, x - px(note.to), 0.0f});
        if (away < nearest) nearest = away, best = &note;
    }
    return best;
}

void PlotDrawing::drawReadout() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = px(readout_.x);
    const std::string unit = spec_.unit.empty() ? "" : fmt::format(" {}", spec_.unit);
    pen_.line({x, min_.y}, {x, max_.y}, withAlpha(theme_.colors.text, 120));
    pen_.line({min_.x, mouse.y}, {max_.x, mouse.y}, withAlpha(theme_.colors.text, 60));
    ImGui::BeginTooltip();
    const float captionRoom = max_.x - min_.x - theme_.px(kCaptionRim);
    for (const std::string& words : spec_.caption)
        if (fitted(words, captionRoom) != words) ImGui::TextUnformatted(words.c_str());
    const std::string place = xWord(spec_, readout_.x).value_or(formatNumber(readout_.x, 7));
    ImGui::Text("%s %s", std::string(spec_.xLabel).c_str(), place.c_str());
    layout_.words(id_ + ".read", place);
    double sum = 0;
    for (const PlotReadout::Value& v : readout_.values) {
        const bool here = readout_.nearest >= 0 && curves_[readout_.nearest].name == v.name;
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(here ? theme_.colors.knob : theme_.colors.quiet), "%s  %s%s",
                           std::string(v.name).c_str(), formatNumber(v.value, 4).c_str(), unit.c_str());
        sum += v.value;
    }
    if (spec_.stacked && readout_.values.size() > 1)
        ImGui::Text("sum  %s%s", formatNumber(sum, 4).c_str(), unit.c_str());
    if (const PlotNote* note = noteAt(mouse.x)) {
        const std::string words = fmt::format("{}: {}", note->ends ? "stopped" : "changed", note->words);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(theme_.colors.pin), "%s", words.c_str());
        layout_.words(id_ + ".note", words);
    }
    if (!spec_.noteHelp.empty() && ImGui::GetCurrentContext()->HoveredIdTimer > kRest) {
        ImGui::PushTextWrapPos(theme_.px(290));
        ImGui::TextColored(theme_.quiet(), "%s", std::string(spec_.noteHelp).c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::widgets
