#include "panels/plot_strokes.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app {

void dashedLine(ImDrawList& draw, ImVec2 from, ImVec2 to, ImU32 color, float dash, float width) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length <= 0) return;
    const ImVec2 d((to.x - from.x) / length, (to.y - from.y) / length);
    for (float t = 0; t < length; t += 2 * dash) {
        const float u = std::min(length, t + dash);
        draw.AddLine({from.x + d.x * t, from.y + d.y * t}, {from.x + d.x * u, from.y + d.y * u}, color, width);
    }
}

void cross(ImDrawList& draw, ImVec2 at, ImU32 color, float r, float width) {
    draw.AddLine({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, width);
    draw.AddLine({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, width);
}

}  // namespace clothlab::app
