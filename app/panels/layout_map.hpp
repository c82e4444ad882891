#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>

namespace clothlab::app {

/// Where each widget was drawn in the last frame, by id ("solver.kind", "play", "timeline"): so that tests and scripted
/// input find what they click on. Coordinates are those of the window.
class LayoutMap {
public:
    struct Rect {
        ImVec2 min, max;
        ImVec2 at(float fx, float fy) const { return {min.x + fx * (max.x - min.x), min.y + fy * (max.y - min.y)}; }
        ImVec2 center() const { return at(0.5f, 0.5f); }
    };

    void clear() { rects_.clear(), words_.clear(); }
    void mark(std::string_view id, ImVec2 min, ImVec2 max) { rects_.insert_or_assign(std::string(id), Rect{min, max}); }
    /// The item that ImGui made last.
    void markLast(std::string_view id) { mark(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
    /// What a widget says, for tests.
    void words(std::string_view id, std::string text) { words_.insert_or_assign(std::string(id), std::move(text)); }
    std::string wordsOf(std::string_view id) const {
        const auto it = words_.find(id);
        return it == words_.end() ? "" : it->second;
    }
    const Rect* find(std::string_view id) const {
        const auto it = rects_.find(id);
        return it == rects_.end() ? nullptr : &it->second;
    }
    const std::map<std::string, Rect, std::less<>>& all() const { return rects_; }

private:
    std::map<std::string, Rect, std::less<>> rects_;
    std::map<std::string, std::string, std::less<>> words_;
};

}  // namespace clothlab::app
