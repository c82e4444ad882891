#include "widgets/plot_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/plot_drawing.hpp"
#include "widgets/plot_strokes.hpp"
#include "widgets/widgets.hpp"

// The legend of a plot: how many rows it may have, how it is drawn, and how its curves are hidden.
namespace clothlab::app::widgets {
namespace {

float widthOf(const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; }

/// As many names as the rows hold when `reserved` pixels of the last one are somebody else's.
Legend filled(std::span<const std::string_view> names, const LegendRoom& room, float reserved) {
    Legend legend{.rows = 1};
    float x = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::string words(names[c]);
        const auto most = [&] { return room.width - (legend.rows == room.rows ? reserved : 0); };
        if (x > 0 && x + room.swatch + widthOf(words) > most()) {
            if (legend.rows == room.rows) break;
            ++legend.rows;
            x = 0;
        }
        words = fitted(words, most() - x - room.swatch);
        const float y = room.corner.y + float(legend.rows - 1) * room.line;
        const ImVec2 at{room.corner.x + x, y}, end{at.x + room.swatch + widthOf(words), y + room.line};
        legend.names.push_back({c, at, end, words, words != names[c]});
        x += end.x - at.x + room.gap;
    }
    legend.first = legend.names.size();
    return legend;
}

}  // namespace

Legend layOutLegend(std::span<const std::string_view> names, const LegendRoom& room) {
    if (names.empty()) return {};
    Legend legend = filled(names, room, 0);
    if (legend.first == names.size()) return legend;
    const auto words = [&](std::size_t left) { return fmt::format("+{} more", left); };
    legend = filled(names, room, widthOf(words(names.size())) + room.gap);
    legend.more = words(names.size() - legend.first);
    const ImVec2 end = legend.names.back().max;
    legend.moreMin = {end.x + room.gap, end.y - room.line};
    legend.moreMax = {legend.moreMin.x + widthOf(legend.more), end.y};
    return legend;
}

float leastPlotHeight(const UiTheme& theme, bool xTicks) {
    const float line = theme.small->FontSize;
    return theme.px(PlotDrawing::kHead + PlotDrawing::kLeastPlot) + line + theme.px(PlotDrawing::legendGap(xTicks)) +
           (xTicks ? line + theme.px(PlotDrawing::kAxisGap) : theme.px(PlotDrawing::kNoAxis));
}

float PlotDrawing::swatchWidth() const { return theme_.px(spec_.stacked ? kSquare : kSwatch); }

/// As many rows as leave the plot the larger part; one at least.
void PlotDrawing::layoutLegend(float room) {
    legend_ = {};
    if (!spec_.legend || curves_.size() < 2) return;
    std::vector<std::string_view> names;
    for (const PlotCurve& curve : curves_) names.push_back(curve.name);
    constexpr float kPlot = 0.6f;  // of the room
    const float left = room - theme_.px(legendGap(spec_.xTicks)) - std::max(theme_.px(kLeastPlot), kPlot * room);
    legend_ = layOutLegend(names, {.corner = {outerMin_.x, outerMin_.y + theme_.px(21)},
                                   .width = outerMax_.x - outerMin_.x,
                                   .line = lineHeight_,
                                   .swatch = swatchWidth(),
                                   .gap = theme_.px(7),
                                   .rows = std::max(1, int(left / lineHeight_))});
}

void PlotDrawing::drawCurveSwatch(const Pen& pen, std::size_t curve, ImVec2 at) const {
    if (spec_.stacked) {  // an area
        const float middle = at.y + lineHeight_ * 0.52f, half = theme_.px(4.5f);
        return pen.box({at.x, middle - half}, {at.x + 2 * half, middle + half}, shade(curve), theme_.px(2));
    }
    Style style = curves_[curve].style;
    style.color = withAlpha(style.color, shade(curve) >> 24);
    drawSwatch(pen, {at.x, at.y + lineHeight_ * 0.5f - theme_.px(3.5f)}, {theme_.px(kSwatch - 4), theme_.px(7)}, style,
               theme_);
}

void PlotDrawing::drawLegend() {
    for (const LegendName& name : legend_.names) {
        const ImVec2 words{name.min.x + swatchWidth(), name.min.y};
        if (isHidden(name.curve)) {
            const float y = name.min.y + lineHeight_ * 0.55f;
            pen_.words(words, theme_.colors.quiet, name.words);
            pen_.line({name.min.x, y}, {name.max.x, y}, theme_.colors.quiet, theme_.px(1));
            continue;
        }
        drawCurveSwatch(pen_, name.curve, name.min);
        pen_.words(words, readout_.nearest == int(name.curve) ? theme_.colors.text : theme_.colors.quiet, name.words);
    }
    if (!legend_.all()) pen_.words(legend_.moreMin, theme_.colors.text, legend_.more);
}

/// A click on a name hides its curve; one on what had no place opens a list of it.
void PlotDrawing::handleLegend(const Item& item) {
    const auto pointedAt = [&](ImVec2 min, ImVec2 max) { return item.hovered && ImGui::IsMouseHoveringRect(min, max); };
    ImGui::PushFont(theme_.small);
    for (const LegendName& name : legend_.names) {
        const std::string whole(curves_[name.curve].name), id = fmt::format("{}/legend/{}", id_, whole);
        layout_.mark(id, name.min, name.max);
        if (!pointedAt(name.min, name.max)) continue;
        const std::string words =
            fmt::format("{}{}", name.cut ? whole + "\n" : "",
                        isHidden(name.curve) ? "click: shows this curve" : "click: hides this curve");
        layout_.words(id, words);
        ImGui::SetTooltip("%s", words.c_str());
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) spec_.views->turn(id_, whole);
    }
    if (!legend_.all()) handleMore(pointedAt(legend_.moreMin, legend_.moreMax));
    ImGui::PopFont();
}

void PlotDrawing::handleMore(bool pointedAt) {
    const std::string id = id_ + "/legend/more";
    layout_.mark(id, legend_.moreMin, legend_.moreMax);
    const bool open = ImGui::IsPopupOpen(id.c_str());
    if (pointedAt && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ImGui::OpenPopup(id.c_str());
    if (pointedAt && !open) {
        std::string all;
        ImGui::BeginTooltip();
        for (std::size_t c = legend_.first; c < curves_.size(); ++c) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            drawCurveSwatch(Pen(*ImGui::GetWindowDrawList()), c, at);
            ImGui::SetCursorScreenPos({at.x + swatchWidth(), at.y});
            ImGui::TextUnformatted(curves_[c].name.data(), curves_[c].name.data() + curves_[c].name.size());
            all += fmt::format("{}\n", curves_[c].name);
        }
        ImGui::TextColored(theme_.quiet(), "click: a list to hide them");
        ImGui::EndTooltip();
        layout_.words(id, all);
    }
    if (!ImGui::BeginPopup(id.c_str())) return;
    for (std::size_t c = legend_.first; c < curves_.size(); ++c) {
        const std::string name(curves_[c].name);
        bool shows = !isHidden(c);
        if (ImGui::Checkbox(name.c_str(), &shows)) spec_.views->turn(id_, name);
        layout_.markLast(fmt::format("{}/legend/{}", id_, name));
        ImGui::SameLine();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        drawCurveSwatch(Pen(*ImGui::GetWindowDrawList()), c, {at.x, at.y + ImGui::GetStyle().FramePadding.y});
        ImGui::Dummy({swatchWidth(), lineHeight_});
    }
    ImGui::EndPopup();
}

}  // namespace clothlab::app::widgets
