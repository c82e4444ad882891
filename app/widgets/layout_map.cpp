#include "widgets/layout_map.hpp"

#include <imgui_internal.h>

#include <algorithm>

namespace clothlab::app::widgets {

LayoutMap::Rect LayoutMap::Rect::visible() const {
    return {{std::max(min.x, clipMin.x), std::max(min.y, clipMin.y)},
            {std::min(max.x, clipMax.x), std::min(max.y, clipMax.y)},
            clipMin,
            clipMax};
}

void LayoutMap::clear() {
    rects_.clear();
    words_.clear();
    cut_.clear();
}

void LayoutMap::mark(std::string_view id, ImVec2 min, ImVec2 max) {
    Rect rect{min, max};
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    if (window != nullptr && !window->IsFallbackWindow) {
        rect.clipMin = window->ClipRect.Min;
        rect.clipMax = window->ClipRect.Max;
    }
    rects_.insert_or_assign(std::string(id), rect);
}

void LayoutMap::wants(std::string_view id, float needed, float room) {
    if (needed > room + 0.5f) cut_.emplace(id);
}

std::string LayoutMap::wordsAt(std::string_view id) const {
    const auto it = words_.find(id);
    return it == words_.end() ? "" : it->second;
}

const LayoutMap::Rect* LayoutMap::find(std::string_view id) const {
    const auto it = rects_.find(id);
    return it == rects_.end() ? nullptr : &it->second;
}

}  // namespace clothlab::app::widgets
