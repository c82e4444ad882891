#pragma once

#include "widgets/pen.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {

/// Common data of the parts of a plot while it is drawn: its specification, its place, and the pixels of values.
struct PlotFrame {
    // --- points: the heading, what a plot has at least, and the room for axis and legend beside their lines
    static constexpr float kHead = 22, kLeastPlot = 36, kAxisGap = 5, kNoAxis = 4;
    static constexpr float legendGap(bool xTicks) { return xTicks ? 8 : 6; }
    static constexpr float kMark = 3.5f;      // points, radius
    static constexpr float kSwatch = 16;      // points, with the room behind
    static constexpr float kHatch = 5;        // points between two lines
    static constexpr float kCaptionRim = 40;  // points that a line of the caption leaves free

    PlotSpec spec;                      ///< its x range is the part that is shown
    std::span<const PlotCurve> curves;  ///< those that are hidden have no values
    const UiTheme& theme;
    LayoutMap& layout;
    Pen pen;
    ImVec2 outerMin, outerMax;  ///< pixels: all of the plot
    ImVec2 min{}, max{};        ///< inside of the axes
    float lineHeight = 12;
    bool any = false;  ///< there is a value to draw
    Axis x = {}, y = {};
    std::vector<TickLabel> xLabels = {}, yLabels = {};
    PlotReadout readout = {};  ///< what the pointer reads

    std::string id() const { return std::string(spec.id); }
    bool isHidden(std::size_t curve) const;
    bool visible(double at) const { return at >= spec.xMin - 1e-9 && at <= spec.xMax + 1e-9; }
    bool drawable(const PlotCurve& curve, std::size_t i) const;
    /// The sum of so many layers at a sample of stacked curves.
    double stackTop(std::size_t layers, std::size_t sample) const;

    float px(double value) const { return min.x + float(x.position(value)) * (max.x - min.x); }
    float py(double value) const { return max.y - float(y.position(value)) * (max.y - min.y); }
    ImVec2 curvePoint(const PlotCurve& curve, std::size_t i) const {
        return {px(curve.x[i]), py(spec.sinks ? std::max(curve.y[i], y.min) : curve.y[i])};
    }
    /// Pixel of a cross.
    ImVec2 crossAt(double at) const;
    bool inside(ImVec2 at) const { return at.x >= min.x && at.x <= max.x && at.y >= min.y && at.y <= max.y; }
    /// The colour of a curve, faint if another one is highlighted.
    ImU32 shade(std::size_t curve) const;
};

/// Draws all parts of a plot, except those that follow the pointer.
void drawWhole(PlotFrame frame);

}  // namespace clothlab::app::widgets
