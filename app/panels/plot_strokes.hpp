#pragma once

#include <imgui.h>

namespace clothlab::app {

/// A straight line in dashes of so many pixels.
void dashedLine(ImDrawList& draw, ImVec2 from, ImVec2 to, ImU32 color, float dash, float width);

/// Two strokes, each `2 r` wide and high.
void cross(ImDrawList& draw, ImVec2 at, ImU32 color, float r, float width);

}  // namespace clothlab::app
