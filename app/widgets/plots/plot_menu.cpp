#include "widgets/plots/plot_menu.hpp"

#include <imgui.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "widgets/plots/figure.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr std::string_view kMotion = "plot.";  // what plots of the motion begin with

}  // namespace

void plotMenu(const PlotFrame& frame, PlotPart& part, bool hovered) {
    const std::string id = frame.id(), popup = id + "/menu";
    if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) ImGui::OpenPopup(popup.c_str());
    if (!ImGui::BeginPopup(popup.c_str())) return;
    const auto entry = [&](const char* key, const char* words, const char* shortcut, bool enabled) {
        const bool chosen = ImGui::MenuItem(words, shortcut, false, enabled);
        frame.layout.markLast(popup + "/" + key);
        return chosen;
    };
    const bool back = part.showsAll() && !part.y();
    if (entry("all", back ? "Show the usual part" : "Show all", "double click",
              part.x() || part.y() || part.isUsuallyPart()))
        part.showAll();
    ImGui::Separator();
    const auto figure = [&] { return std::make_shared<const Figure>(frame.spec, frame.curves); };
    if (entry("copy", "Copy as CSV", nullptr, frame.any)) ImGui::SetClipboardText(figure()->csv().c_str());
    if (entry("copy-svg", "Copy as SVG", nullptr, frame.any))
        ImGui::SetClipboardText(figure()->svg(frame.theme).c_str());
    std::string name = id.starts_with(kMotion) ? id.substr(kMotion.size()) : id;
    std::ranges::replace(name, '.', '-');
    PlotViews& views = *frame.spec.views;
    if (entry("csv", "Save as CSV", nullptr, frame.any)) views.ask({name, ".csv", figure()->csv()});
    if (entry("svg", "Save as SVG", nullptr, frame.any)) views.ask({name, ".svg", figure()->svg(frame.theme)});
    for (const auto& [key, words, scale] :
         {std::tuple{"png", "Save as PNG, 1,280 wide", 2}, std::tuple{"png-large", "Save as PNG, 2,560 wide", 4}})
        if (entry(key, words, nullptr, frame.any)) views.ask({name, ".png", {}, figure(), scale});
    ImGui::EndPopup();
}

void drawPartWords(const PlotFrame& frame, const PlotPart& part) {
    if (!part.x() && !part.y()) return;
    const char* words =
        part.showsAll() && !part.y() ? "all · double click: the usual part" : "zoomed · double click: all";
    const UiTheme& theme = frame.theme;
    const ImVec2 size = ImGui::CalcTextSize(words),
                 at{frame.max.x - size.x - theme.px(5), frame.max.y - size.y - theme.px(2)};
    if (size.x > frame.max.x - frame.min.x) return;
    frame.pen.box(at, {at.x + size.x, at.y + size.y}, withAlpha(theme.colors.plotGround, 215));
    frame.pen.words(at, theme.colors.quiet, words);
}

}  // namespace clothlab::app::widgets
