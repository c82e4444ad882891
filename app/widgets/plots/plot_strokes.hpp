#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "widgets/pen.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// Style of a line. Lengths are pixels.
struct Stroke {
    ImU32 color = 0;
    float width = 1;
    Dash dash = Dash::Solid;
    float scale = 1;  ///< pixels per point, for the dashes
};

/// Keeps of each pixel column the first, the lowest, the highest and the last point, in their order: the drawing is the
/// same, and fast for 20,000 steps in 300 columns. x ascending.
void thinToColumns(std::vector<ImVec2>& points);

/// A line through the points, segment by segment, round where it turns sharply. ImGui's own polyline (1.86) gives both
/// sides of a corner one mitre, whose length it limits: at a spike the line thins to nothing. Dashes continue around
/// corners.
void strokeLine(const Pen& pen, std::span<const ImVec2> points, const Stroke& stroke);

/// A straight line in dashes of so many pixels.
void dashedLine(const Pen& pen, ImVec2 from, ImVec2 to, ImU32 color, float dash, float width);

/// Two strokes, each `2 r` wide and high.
void cross(const Pen& pen, ImVec2 at, ImU32 color, float r, float width);

/// A mark of radius r; Mark::None draws nothing.
void drawMark(const Pen& pen, Mark mark, ImVec2 at, ImU32 color, float r);

/// A short piece of a curve for legends and tables: line, dash and mark, `size` large.
void drawSwatch(const Pen& pen, ImVec2 at, ImVec2 size, const Style& style, const UiTheme& theme);

}  // namespace clothlab::app::widgets
