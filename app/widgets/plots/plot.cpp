#include "widgets/plots/plot.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "widgets/plots/curve_names.hpp"
#include "widgets/plots/plot_annotations.hpp"
#include "widgets/plots/plot_curves.hpp"
#include "widgets/plots/plot_frame.hpp"
#include "widgets/plots/plot_legend.hpp"
#include "widgets/plots/plot_menu.hpp"
#include "widgets/plots/plot_part.hpp"
#include "widgets/plots/plot_readout.hpp"
#include "widgets/plots/plot_scales.hpp"
#include "widgets/plots/plot_text.hpp"

namespace clothlab::app::widgets {
namespace {

/// What the mouse does to the plot as a widget of ImGui.
struct Item {
    bool hovered = false, active = false, takesWheel = false;
};

/// The wheel is the plot's, unless it scrolls the window around the plot: then with Ctrl.
Item lastItem(const PlotSpec& spec) {
    Item item{ImGui::IsItemHovered(), ImGui::IsItemActive(), false};
    item.takesWheel = spec.views && item.hovered && (ImGui::GetScrollMaxY() <= 0 || ImGui::GetIO().KeyCtrl);
    if (item.takesWheel) ImGui::SetItemUsingMouseWheel();
    return item;
}

/// One plot on its way to the screen: its parts, in their order.
class PlotDrawing {
public:
    explicit PlotDrawing(PlotFrame frame) : frame_(std::move(frame)) {}
    void draw(bool hovered);
    void handle(const Item& item);
    PlotReadout takeReadout() { return std::move(frame_.readout); }

private:
    void placeRegions();
    void drawInside();

    PlotFrame frame_;
    PlotPart part_;
    PlotLegend legend_{frame_};
};

/// What there is no room for goes: the legend, then the axis. Nothing is drawn outside of the plot's own rectangle.
void PlotDrawing::placeRegions() {
    constexpr float kBarely = 16;  // points of a plot that say something
    PlotSpec& spec = frame_.spec;
    const UiTheme& theme = frame_.theme;
    const ImVec2 from = frame_.outerMin, to = frame_.outerMax;
    const float height = to.y - from.y, head = theme.px(PlotFrame::kHead);
    const auto foot = [&] {
        const float name = spec.nameBelow ? frame_.lineHeight + theme.px(3) : 0;
        return name + (spec.xTicks ? frame_.lineHeight + theme.px(PlotFrame::kAxisGap) : theme.px(PlotFrame::kNoAxis));
    };
    legend_.layOut(height - head - foot());
    if (height - head - legend_.height() - foot() < theme.px(kBarely)) legend_.drop();
    if (height - head - foot() < theme.px(kBarely)) spec.xTicks = spec.nameBelow = false;
    frame_.min = {from.x + theme.px(42), from.y + head + legend_.height()};
    frame_.max = {to.x - theme.px(spec.nameBelow ? 14 : 2), std::max(to.y - foot(), frame_.min.y + 1)};
    frame_.layout.mark(spec.id, frame_.min, frame_.max);
    frame_.layout.mark(frame_.id() + "/outer", from, to);
}

void PlotDrawing::draw(bool hovered) {
    const PlotSpec& spec = frame_.spec;
    ImGui::PushFont(frame_.theme.small);
    frame_.lineHeight = ImGui::GetTextLineHeight();
    part_.apply(frame_);
    placeRegions();
    chooseScales(frame_, part_);
    if (hovered) readOut(frame_);
    drawScales(frame_, part_);
    drawNotes(frame_);
    drawInside();
    drawHeading(frame_);
    legend_.draw();
    if (frame_.any)
        drawCaption(frame_);
    else
        drawCentred(frame_, emptyWords(spec, frame_.curves, part_.allHidden()));
    if (spec.tooltip && frame_.readout.hovered && frame_.any && !frame_.readout.values.empty()) drawReadout(frame_);
    if (!frame_.pen.writes() && frame_.readout.hovered) drawPartWords(frame_, part_);
    ImGui::PopFont();
}

/// What is cut off at the frame.
void PlotDrawing::drawInside() {
    const PlotSpec& spec = frame_.spec;
    const bool dots =
        spec.marks || std::ranges::any_of(frame_.curves, [](const PlotCurve& curve) { return curve.meant >= 0; });
    // A mark, or a line, on the frame is a whole one.
    const float rim = dots ? frame_.theme.px(PlotFrame::kMark + 1) : frame_.theme.px(1);
    frame_.pen.clip({frame_.min.x - rim, frame_.min.y - rim}, {frame_.max.x + rim, frame_.max.y + rim});
    const CurveNames names(frame_);
    CurveDrawing(frame_, names).draw();
    drawLevels(frame_);
    if (spec.nameCurves && frame_.any) names.draw();
    if (frame_.pen.writes() && frame_.any) drawNoteWords(frame_);
    frame_.pen.unclip();
}

void PlotDrawing::handle(const Item& item) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool within = item.hovered && frame_.inside(io.MousePos);
    if (within && frame_.any) {
        if (item.takesWheel && io.MouseWheel != 0) part_.zoom(frame_, io.MouseWheel, io.MousePos);
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) part_.showAll();
    }
    if (item.active && frame_.any && ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
        frame_.inside(io.MouseClickedPos[ImGuiMouseButton_Left]))
        part_.pan(frame_, io.MouseDelta);
    legend_.handle(item.hovered);
    plotMenu(frame_, part_, item.hovered);
}

}  // namespace

float leastPlotHeight(const UiTheme& theme, bool xTicks) {
    const float line = theme.small->FontSize;
    return theme.px(PlotFrame::kHead + PlotFrame::kLeastPlot) + line + theme.px(PlotFrame::legendGap(xTicks)) +
           (xTicks ? line + theme.px(PlotFrame::kAxisGap) : theme.px(PlotFrame::kNoAxis));
}

PlotReadout drawPlot(const PlotSpec& spec, std::span<const PlotCurve> curves, ImVec2 size, const UiTheme& theme,
                     LayoutMap& layout) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    PlotDrawing drawing(
        {spec, curves, theme, layout, {*ImGui::GetWindowDrawList(), spec.svg}, at, {at.x + size.x, at.y + size.y}});
    ImGui::InvisibleButton(std::string(spec.id).c_str(), size);
    const Item item = lastItem(spec);
    drawing.draw(item.hovered);
    if (spec.views) drawing.handle(item);
    return drawing.takeReadout();
}

void drawWhole(PlotFrame frame) { PlotDrawing(std::move(frame)).draw(false); }

}  // namespace clothlab::app::widgets
