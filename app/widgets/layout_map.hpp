#pragma once

#include <imgui.h>

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace clothlab::app::widgets {

/// Rectangles of all widgets in the last frame, by id ("solver.kind", "play", "timeline"), for tests and scripted
/// input. Window coordinates.
class LayoutMap {
public:
    struct Rect {
        ImVec2 min, max;
        ImVec2 clipMin{-FLT_MAX, -FLT_MAX}, clipMax{FLT_MAX, FLT_MAX};  ///< the part that a scrolled column shows
        ImVec2 at(float fx, float fy) const { return {min.x + fx * (max.x - min.x), min.y + fy * (max.y - min.y)}; }
        ImVec2 center() const { return at(0.5f, 0.5f); }
        /// The visible part; empty (max <= min) if all of it is scrolled away.
        Rect visible() const;
    };

    void clear();
    void mark(std::string_view id, ImVec2 min, ImVec2 max);
    /// The item that ImGui made last.
    void markLast(std::string_view id) { mark(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
    /// Notes the room of a text: tests find none that is cut in the smallest full window and larger ones.
    void wants(std::string_view id, float needed, float room);
    /// The text of a widget, for tests.
    void words(std::string_view id, std::string text) { words_.insert_or_assign(std::string(id), std::move(text)); }
    std::string wordsAt(std::string_view id) const;
    const Rect* find(std::string_view id) const;
    const std::map<std::string, Rect, std::less<>>& all() const { return rects_; }
    const std::set<std::string, std::less<>>& cut() const { return cut_; }

private:
    std::map<std::string, Rect, std::less<>> rects_;
    std::map<std::string, std::string, std::less<>> words_;
    std::set<std::string, std::less<>> cut_;
};

}  // namespace clothlab::app::widgets
