#pragma once

#include <imgui.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace clothlab::app::widgets {

/// Where each widget was drawn in the last frame, by id ("solver.kind", "play", "timeline"): so that tests and scripted
/// input find what they click on. Coordinates are those of the window.
class LayoutMap {
public:
    struct Rect {
        ImVec2 min, max;
        ImVec2 clipMin{-FLT_MAX, -FLT_MAX}, clipMax{FLT_MAX, FLT_MAX};  ///< what of it a scrolled column shows
        ImVec2 at(float fx, float fy) const { return {min.x + fx * (max.x - min.x), min.y + fy * (max.y - min.y)}; }
        ImVec2 center() const { return at(0.5f, 0.5f); }
        /// The part that is seen; empty (max <= min) where all of it is scrolled away.
        Rect visible() const;
    };

    void clear();
    void mark(std::string_view id, ImVec2 min, ImVec2 max);
    /// The item that ImGui made last.
    void markLast(std::string_view id) { mark(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
    /// A text had less room than it needs: tests find none of these from the least full window up.
    void wants(std::string_view id, float needed, float room);
    /// What a widget says, for tests.
    void words(std::string_view id, std::string text) { words_.insert_or_assign(std::string(id), std::move(text)); }
    std::string wordsOf(std::string_view id) const;
    const Rect* find(std::string_view id) const;
    const std::map<std::string, Rect, std::less<>>& all() const { return rects_; }
    const std::set<std::string, std::less<>>& cut() const { return cut_; }

private:
    std::map<std::string, Rect, std::less<>> rects_;
    std::map<std::string, std::string, std::less<>> words_;
    std::set<std::string, std::less<>> cut_;
};

}  // namespace clothlab::app::widgets
