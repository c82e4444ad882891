#include "widgets/plots/plot_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "widgets/plots/plot_frame.hpp"
#include "widgets/plots/plot_hatch.hpp"
#include "widgets/plots/plot_strokes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr float kSquare = 13;  // points: the swatch of an area, with the room behind

float computeWidth(const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; }

/// As many names as the rows hold when `reserved` pixels of the last one are somebody else's.
Legend filled(std::span<const std::string_view> names, const LegendRoom& room, float reserved) {
    Legend legend{.rows = 1};
    float x = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
        std::string words(names[c]);
        const auto most = [&] { return room.width - (legend.rows == room.rows ? reserved : 0); };
        if (x > 0 && x + room.swatch + computeWidth(words) > most()) {
            if (legend.rows == room.rows) break;
            ++legend.rows;
            x = 0;
        }
        words = fitted(words, most() - x - room.swatch);
        const float y = room.corner.y + float(legend.rows - 1) * room.line;
        const ImVec2 at{room.corner.x + x, y}, end{at.x + room.swatch + computeWidth(words), y + room.line};
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
    legend = filled(names, room, computeWidth(words(names.size())) + room.gap);
    legend.more = words(names.size() - legend.first);
    const ImVec2 end = legend.names.back().max;
    legend.moreMin = {end.x + room.gap, end.y - room.line};
    legend.moreMax = {legend.moreMin.x + computeWidth(legend.more), end.y};
    return legend;
}

PlotLegend::PlotLegend(const PlotFrame& frame) : frame_(frame), theme_(frame.theme) {}

float PlotLegend::swatchWidth() const { return theme_.px(frame_.spec.stacked ? kSquare : PlotFrame::kSwatch); }

void PlotLegend::layOut(float room) {
    legend_ = {};
    if (!frame_.spec.legend || frame_.curves.size() < 2) return;
    std::vector<std::string_view> names;
    for (const PlotCurve& curve : frame_.curves) names.push_back(curve.name);
    constexpr float kPlot = 0.6f;  // of the room
    const float left = room - theme_.px(PlotFrame::legendGap(frame_.spec.xTicks)) -
                       std::max(theme_.px(PlotFrame::kLeastPlot), kPlot * room);
    legend_ = layOutLegend(names, {.corner = {frame_.outerMin.x, frame_.outerMin.y + theme_.px(21)},
                                   .width = frame_.outerMax.x - frame_.outerMin.x,
                                   .line = frame_.lineHeight,
                                   .swatch = swatchWidth(),
                                   .gap = theme_.px(7),
                                   .rows = std::max(1, int(left / frame_.lineHeight))});
}

float PlotLegend::height() const {
    if (legend_.rows == 0) return 0;
    return float(legend_.rows) * frame_.lineHeight + theme_.px(PlotFrame::legendGap(frame_.spec.xTicks));
}

void PlotLegend::drawCurveSwatch(const Pen& pen, std::size_t curve, ImVec2 at) const {
    if (frame_.spec.stacked || (frame_.spec.bars && pen.writes() && !frame_.curves[curve].plain)) {  // an area
        const float middle = at.y + frame_.lineHeight * 0.52f, half = theme_.px(4.5f);
        pen.box({at.x, middle - half}, {at.x + 2 * half, middle + half}, frame_.shade(curve), theme_.px(2));
        const HatchBox box{at.x, at.x + 2 * half, middle - half, middle + half};
        if (pen.writes())
            hatch(pen, {&box, 1}, curve, theme_.colors.plotGround, theme_.px(PlotFrame::kHatch / 2), theme_.px(0.8f));
        return;
    }
    Style style = frame_.curves[curve].style;
    style.color = withAlpha(style.color, frame_.shade(curve) >> 24);
    drawSwatch(pen, {at.x, at.y + frame_.lineHeight * 0.5f - theme_.px(3.5f)},
               {theme_.px(PlotFrame::kSwatch - 4), theme_.px(7)}, style, theme_);
}

void PlotLegend::draw() const {
    for (const LegendName& name : legend_.names) {
        const ImVec2 words{name.min.x + swatchWidth(), name.min.y};
        if (frame_.isHidden(name.curve)) {
            const float y = name.min.y + frame_.lineHeight * 0.55f;
            frame_.pen.words(words, theme_.colors.quiet, name.words);
            frame_.pen.line({name.min.x, y}, {name.max.x, y}, theme_.colors.quiet, theme_.px(1));
            continue;
        }
        drawCurveSwatch(frame_.pen, name.curve, name.min);
        frame_.pen.words(words, frame_.readout.nearest == int(name.curve) ? theme_.colors.text : theme_.colors.quiet,
                         name.words);
    }
    if (!legend_.all()) frame_.pen.words(legend_.moreMin, theme_.colors.text, legend_.more);
}

void PlotLegend::handle(bool hovered) const {
    const auto pointedAt = [&](ImVec2 min, ImVec2 max) { return hovered && ImGui::IsMouseHoveringRect(min, max); };
    ImGui::PushFont(theme_.small);
    for (const LegendName& name : legend_.names) {
        const std::string whole(frame_.curves[name.curve].name), id = fmt::format("{}/legend/{}", frame_.id(), whole);
        frame_.layout.mark(id, name.min, name.max);
        if (!pointedAt(name.min, name.max)) continue;
        const std::string words =
            fmt::format("{}{}", name.cut ? whole + "\n" : "",
                        frame_.isHidden(name.curve) ? "click: shows this curve" : "click: hides this curve");
        frame_.layout.words(id, words);
        ImGui::SetTooltip("%s", words.c_str());
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) frame_.spec.views->turn(frame_.id(), whole);
    }
    if (!legend_.all()) handleMore(pointedAt(legend_.moreMin, legend_.moreMax));
    ImGui::PopFont();
}

void PlotLegend::handleMore(bool pointedAt) const {
    const std::string id = frame_.id() + "/legend/more";
    frame_.layout.mark(id, legend_.moreMin, legend_.moreMax);
    const bool open = ImGui::IsPopupOpen(id.c_str());
    if (pointedAt && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ImGui::OpenPopup(id.c_str());
    if (pointedAt && !open) {
        std::string all;
        ImGui::BeginTooltip();
        for (std::size_t c = legend_.first; c < frame_.curves.size(); ++c) {
            const ImVec2 at = ImGui::GetCursorScreenPos();
            drawCurveSwatch(Pen(*ImGui::GetWindowDrawList()), c, at);
            ImGui::SetCursorScreenPos({at.x + swatchWidth(), at.y});
            ImGui::TextUnformatted(frame_.curves[c].name.data(),
                                   frame_.curves[c].name.data() + frame_.curves[c].name.size());
            all += fmt::format("{}\n", frame_.curves[c].name);
        }
        ImGui::TextColored(theme_.quiet(), "click: a list to hide them");
        ImGui::EndTooltip();
        frame_.layout.words(id, all);
    }
    if (!ImGui::BeginPopup(id.c_str())) return;
    for (std::size_t c = legend_.first; c < frame_.curves.size(); ++c) {
        const std::string name(frame_.curves[c].name);
        bool shows = !frame_.isHidden(c);
        if (ImGui::Checkbox(name.c_str(), &shows)) frame_.spec.views->turn(frame_.id(), name);
        frame_.layout.markLast(fmt::format("{}/legend/{}", frame_.id(), name));
        ImGui::SameLine();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        drawCurveSwatch(Pen(*ImGui::GetWindowDrawList()), c, {at.x, at.y + ImGui::GetStyle().FramePadding.y});
        ImGui::Dummy({swatchWidth(), frame_.lineHeight});
    }
    ImGui::EndPopup();
}

}  // namespace clothlab::app::widgets
