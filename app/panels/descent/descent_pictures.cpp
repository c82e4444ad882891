#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "panels/descent/descent_panel.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

// The cloth of one frame after more and more iterations, side by side ([L] figure 3).
namespace clothlab::app::panels {

using widgets::formatNumber;

namespace {

constexpr float kGap = 8, kInside = 8;  // points, between pictures and around a cloth
constexpr int kCaptionLines = 3;

/// In how many columns the pictures are largest.
struct Tiling {
    std::size_t columns = 1;
    ImVec2 cell{1, 1};
    float pixelsPerMetre = 0;
};

Tiling findTiling(std::size_t pictures, ImVec2 size, ImVec2 extent, float gap, float inside, float caption) {
    Tiling best;
    for (std::size_t columns = 1; columns <= pictures; ++columns) {
        const std::size_t rows = (pictures + columns - 1) / columns;
        const ImVec2 cell{(size.x - gap * float(columns - 1)) / float(columns),
                          (size.y - gap * float(rows - 1)) / float(rows)};
        const float scale = std::min((cell.x - 2 * inside) / std::max(extent.x, 1e-6f),
                                     (cell.y - 2 * inside - caption) / std::max(extent.y, 1e-6f));
        if (scale > best.pixelsPerMetre) best = {columns, cell, scale};
    }
    return best;
}

std::string spent(double milliseconds) {
    return milliseconds < 1e4 ? formatNumber(milliseconds, 3) + " ms" : formatNumber(1e-3 * milliseconds, 3) + " s";
}

}  // namespace

void DescentPanel::makeSketches() {
    if (fromSerial_ != progress().serial) {  // each descent is seen as its scene wants it first
        fromSerial_ = progress().serial;
        from_ = render::Camera::fromHint(progress().camera);
    }
    const Sketched now{progress().serial, race().frames.size(), from_};
    if (now == sketched_) return;
    sketched_ = now;
    sketches_.clear();
    for (const experiments::NonlinearFrame& frame : race().frames)
        sketches_.emplace_back(frame.positions, *progress().triangles, from_);
}

/// A drag over the pictures turns all of them.
void DescentPanel::turn(ImVec2 size) {
    ImGui::InvisibleButton("descent/side", size);
    layout_.markLast("descent/side");
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemActive() && (by.x != 0 || by.y != 0)) from_.orbit({by.x, by.y}, {0, 0, int(size.x), int(size.y)});
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        from_ = render::Camera::fromHint(progress().camera);
}

void DescentPanel::pictures(ImVec2 size) {
    const widgets::FontScope font(theme_.small);
    if (race().frames.size() < 2 && progress().running) {
        widgets_.note("Local/global takes its thousand iterations …");
        return;
    }
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    turn(size);
    makeSketches();
    ImVec2 min{FLT_MAX, FLT_MAX}, max{-FLT_MAX, -FLT_MAX};
    for (const ClothSketch& sketch : sketches_) {
        min = {std::min(min.x, sketch.min().x), std::min(min.y, sketch.min().y)};
        max = {std::max(max.x, sketch.max().x), std::max(max.y, sketch.max().y)};
    }
    if (min.x > max.x) return;
    const float gap = theme_.px(kGap), captionHeight = kCaptionLines * ImGui::GetTextLineHeight() + theme_.px(6);
    const Tiling tiling =
        findTiling(sketches_.size(), size, {max.x - min.x, max.y - min.y}, gap, theme_.px(kInside), captionHeight);
    if (!(tiling.pixelsPerMetre > 0)) return;
    const bool dark = theme_.kind == widgets::ThemeKind::Dark;
    const ImU32 shadow = dark ? theme_.colors.groove : theme_.colors.quiet,
                lit = dark ? theme_.colors.knob : theme_.colors.field;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (std::size_t k = 0; k < sketches_.size(); ++k) {
        const auto column = k % tiling.columns, row = k / tiling.columns;
        const ImVec2 at{origin.x + float(column) * (tiling.cell.x + gap),
                        origin.y + float(row) * (tiling.cell.y + gap)};
        const ImVec2 end{at.x + tiling.cell.x, at.y + tiling.cell.y};
        caption(k, at, tiling.cell.x);
        const ImVec2 from{at.x, at.y + captionHeight};
        draw.AddRectFilled(from, end, theme_.colors.plotGround, theme_.px(3));
        draw.PushClipRect(from, end, true);
        sketches_[k].draw(draw,
                          {{(from.x + end.x) / 2, (from.y + end.y) / 2},
                           {(min.x + max.x) / 2, (min.y + max.y) / 2},
                           tiling.pixelsPerMetre},
                          shadow, lit);
        draw.PopClipRect();
        layout_.mark(fmt::format("descent/side/{}", k), at, end);
    }
}

void DescentPanel::caption(std::size_t picture, ImVec2 at, float width) {
    const experiments::NonlinearFrame& frame = race().frames[picture];
    const std::string id = fmt::format("descent/caption/{}", picture);
    const std::string lines[kCaptionLines] = {
        frame.exact
            ? fmt::format("{}: Newton, {} iterations", race().minimumFound ? "exact" : "lowest", frame.iterations)
            : fmt::format("{} iteration{}", formatNumber(frame.iterations, 5), plural(frame.iterations)),
        frame.exact ? spent(frame.milliseconds)
                    : fmt::format("error {} · {}", formatNumber(frame.error, 2), spent(frame.milliseconds)),
        frame.exact ? "" : fmt::format("{} mm away, rms", formatNumber(1e3 * frame.distance, 2))};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    for (int k = 0; k < kCaptionLines; ++k) {
        draw.AddText({at.x, at.y + float(k) * ImGui::GetTextLineHeight()},
                     k == 0 ? theme_.colors.text : theme_.colors.quiet, widgets::fitted(lines[k], width).c_str());
        layout_.wants(id, ImGui::CalcTextSize(lines[k].c_str()).x, width);
    }
    layout_.words(id, lines[0] + "; " + lines[1] + (lines[2].empty() ? "" : "; " + lines[2]));
}

}  // namespace clothlab::app::panels
