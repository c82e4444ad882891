#include "window/pointer_marks.hpp"

#include <imgui.h>

#include <vector>

namespace clothlab::app::window {

void drawStroke(std::span<const glm::vec2> stroke, float pixelsPerPoint, const widgets::UiTheme& theme) {
    std::vector<ImVec2> line;
    for (const glm::vec2 at : stroke) line.push_back({at.x / pixelsPerPoint, at.y / pixelsPerPoint});
    if (line.size() > 1)
        ImGui::GetBackgroundDrawList()->AddPolyline(line.data(), int(line.size()), theme.colors.pin, 0, theme.px(1.5f));
}

void drawBrush(const ViewController& controller, const ViewController::Context& context, double radius,
               const widgets::UiTheme& theme) {
    const auto at = controller.brushAt(context);
    if (!at) return;
    const float metresAPixel = controller.camera.metresPerPixel(at->point, context.viewport);
    const glm::vec2 centre = controller.pointer() / context.pixelsPerPoint;
    ImGui::GetBackgroundDrawList()->AddCircle({centre.x, centre.y},
                                              float(radius) / metresAPixel / context.pixelsPerPoint, theme.colors.pin,
                                              48, theme.px(1.5f));
}

}  // namespace clothlab::app::window
