#include "columns/plot_column.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "actions/actions.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::columns {
namespace {

/// Points a share below which plots over steps leave the axis to the last of them.
constexpr float kTight = 100, kGap = 10;
/// Points a share above which there is a line to choose one more plot.
constexpr float kRoomToChoose = 80;

}  // namespace

void shareHeights(float room, bool scrolls, std::span<PlotShare> plots) {
    if (!scrolls)  // a picture
        for (PlotShare& plot : plots) plot.least = std::min(plot.least, room / float(plots.size()));
    // Those that would have less than they need get it, and the others share what is left.
    for (bool settled = false; !settled;) {
        float left = room, shares = 0;
        for (const PlotShare& plot : plots) plot.height > 0 ? left -= plot.height : shares += plot.share;
        settled = true;
        for (PlotShare& plot : plots)
            if (plot.height <= 0 && left * plot.share < plot.least * shares) plot.height = plot.least, settled = false;
        if (!settled) continue;
        for (PlotShare& plot : plots)
            if (plot.height <= 0) plot.height = left * plot.share / shares;
    }
}

void PlotColumn::build(const panels::Region& region) {
    ImGui::SetNextWindowPos({region.x, region.y});
    ImGui::SetNextWindowSize({region.width, region.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    ImGui::Begin("##right", nullptr,
                 (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    std::vector<const model::MotionPlotEntry*> shown;
    float shares = 0;
    for (const model::MotionPlotEntry& entry : model::motionPlots())
        if (plots_.shown(entry.plot) && !isLarge(entry.plot)) {
            shown.push_back(&entry);
            if (plots_.nothing(entry.plot).empty()) shares += entry.share;
        }
    ImVec2 room = ImGui::GetContentRegionAvail();
    if (model_.looks.interactive && !model_.looks.blind &&
        (model_.looks.alsoPlot >= 0 || room.y / shares > theme_.px(kRoomToChoose))) {
        plots_.alsoChooser();
        room = ImGui::GetContentRegionAvail();
    }
    const auto count = float(shown.size());
    const bool tight = (room.y - count * theme_.px(kGap)) / shares < theme_.px(kTight);
    const float gap = theme_.px(tight ? kGap / 2 : kGap);
    std::vector<PlotShare> heights;
    std::vector<float> below;  // words under a plot
    for (const model::MotionPlotEntry* entry : shown) {
        heights.push_back({entry->share, widgets::leastPlotHeight(theme_, !tight || entry == shown.back())});
        if (!plots_.nothing(entry->plot).empty()) heights.back().height = plots_.heightOfNothing();
        below.push_back(plots_.heightBelow(entry->plot, room.x));
    }
    shareHeights(room.y - count * gap - std::accumulate(below.begin(), below.end(), 0.0f), model_.looks.interactive,
                 heights);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, gap});
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        plots_.draw(shown[k]->plot, {room.x, heights[k].height + below[k]}, !tight || k + 1 == shown.size());
        if (model_.looks.interactive) title(*shown[k], at, room.x);
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::GetBackgroundDrawList()->AddLine({region.x, region.y}, {region.x, region.y + region.height},
                                            theme_.colors.line);
}

/// It stands under the cloth.
bool PlotColumn::isLarge(model::MotionPlot plot) const {
    return model_.isOpen(model::Panel::Plots) && model_.looks.largePlot == plot;
}

/// A click on its title opens the plot large.
void PlotColumn::title(const model::MotionPlotEntry& entry, ImVec2 at, float width) {
    const ImVec2 end{at.x + width * kTitle, at.y + theme_.strong->FontSize + theme_.px(4)};
    const std::string id = "title/" + std::string(entry.key);
    layout_.mark(id, at, end);
    const bool hovered =
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseHoveringRect(at, end);
    widgets_.tooltip(id, hovered, [] { return std::string("Click: this plot large, under the cloth."); });
    if (!hovered || !ImGui::IsMouseClicked(0)) return;
    model_.looks.largePlot = entry.plot;
    actions::runAction(model_, "plots.open");
}

}  // namespace clothlab::app::columns
