#include "window/playground_view.hpp"

#include "widgets/palette.hpp"

namespace clothlab::app::window {

std::optional<glm::vec3> dyeColor(const model::Playground& playground) {
    if (playground.color == 0) return {};
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(widgets::kClothColors[playground.color].color);
    return glm::vec3(c.x, c.y, c.z);
}

Vec3 viewDirection(const render::Camera& camera) {
    const glm::vec3 way = camera.forward();
    return {way.x, way.y, way.z};
}

}  // namespace clothlab::app::window
