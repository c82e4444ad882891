#pragma once

#include <imgui.h>

namespace clothlab::app::widgets {

/// A font, from here to the end of the scope.
class FontScope {
public:
    explicit FontScope(ImFont* font) { ImGui::PushFont(font); }
    ~FontScope() { ImGui::PopFont(); }
    FontScope(const FontScope&) = delete;
    FontScope& operator=(const FontScope&) = delete;
};

/// Colours and measures of ImGui's style, from here to the end of the scope.
class StyleScope {
public:
    StyleScope() = default;
    ~StyleScope() {
        ImGui::PopStyleVar(measures_);
        ImGui::PopStyleColor(colors_);
    }
    StyleScope(const StyleScope&) = delete;
    StyleScope& operator=(const StyleScope&) = delete;

    StyleScope& color(ImGuiCol which, ImU32 value) {
        ImGui::PushStyleColor(which, value);
        ++colors_;
        return *this;
    }
    StyleScope& measure(ImGuiStyleVar which, ImVec2 value) {
        ImGui::PushStyleVar(which, value);
        ++measures_;
        return *this;
    }
    StyleScope& measure(ImGuiStyleVar which, float value) {
        ImGui::PushStyleVar(which, value);
        ++measures_;
        return *this;
    }

private:
    int colors_ = 0, measures_ = 0;
};

}  // namespace clothlab::app::widgets
