#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

namespace clothlab::app::widgets {

/// Draws on ImGui's list, and writes the same as elements of SVG if a string for them is given. Lengths are pixels,
/// colours ImGui's.
class Pen {
public:
    Pen(ImDrawList& list, std::string* svg = nullptr) : list_(&list), svg_(svg) {}

    void line(ImVec2 from, ImVec2 to, ImU32 color, float width = 1) const;
    void box(ImVec2 min, ImVec2 max, ImU32 color, float rounding = 0) const;
    void disc(ImVec2 center, float r, ImU32 color) const;
    void ring(ImVec2 center, float r, ImU32 color, float width) const;
    /// Convex, of three or four corners. Without `smooth` neighbours meet without a seam.
    void polygon(std::span<const ImVec2> corners, ImU32 color, bool smooth = true) const;
    /// Text in ImGui's current font; `strong`: it is a bold one.
    void words(ImVec2 at, ImU32 color, const std::string& text, bool strong = false) const;
    void clip(ImVec2 min, ImVec2 max) const;
    void unclip() const;

    ImDrawList& list() const { return *list_; }
    /// Whether it also writes an SVG, which has no pointer.
    bool writes() const { return svg_ != nullptr; }
    /// A line through all points, only for the SVG: the list has it in pieces. `dashes`: lengths of line and gap.
    void svgPath(std::span<const ImVec2> points, ImU32 color, float width, std::span<const float> dashes) const;

private:
    ImDrawList* list_;
    std::string* svg_;
};

/// A document of SVG around such elements: `size` pixels at `min`, drawn at 1/scale of it.
std::string svgDocument(std::string_view elements, ImVec2 min, ImVec2 size, float scale, ImU32 ground);

}  // namespace clothlab::app::widgets
