#pragma once

#include <memory>
#include <string>

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// The playground's side of the window, in place of both columns and the bars: a few large controls in plain words.
class PlaygroundColumn : panels::WindowPart {
public:
    explicit PlaygroundColumn(const panels::PanelContext& context);
    /// Returns what of the window is left for the cloth.
    panels::Region build(ImVec2 window);

private:
    void scenes();
    void tools();
    void colors();
    void fan();
    void motion();
    std::string speedWords() const;
    void heading(const char* text);
    bool bigButton(std::string_view id, const char* text, float width, bool lit, std::string_view help);
    void actionRow(std::initializer_list<std::string_view> actions, std::string_view lit);

    std::unique_ptr<panels::ClothPanel> gallery_;
};

}  // namespace clothlab::app::columns
