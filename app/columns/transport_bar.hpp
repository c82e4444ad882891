#pragma once

#include <string_view>

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// The bottom bar: the motion and its history.
class TransportBar : panels::WindowPart {
public:
    explicit TransportBar(const panels::PanelContext& context) : WindowPart(context) {}
    void build(const panels::Region& region);

private:
    enum class Icon : int { Play, Pause, Back, Forward, Restart, Branch, More, Beside, Undo, Redo, Unfold, Fold };
    static void drawIcon(ImDrawList* draw, Icon icon, ImVec2 c, float r, ImU32 color);
    /// Runs the action when pressed; pale where that would be refused.
    void iconButton(std::string_view id, Icon icon, std::string_view action, std::string_view help, bool lit = false,
                    bool pale = false);
    void changeButton(std::string_view action, Icon icon, const model::Change* change);
    bool lean(float width) const;
    void buttons(bool changes, bool branch);
    void motionWords(ImVec2 at);
    float motionWidth() const;
    void timeline(float width);
    void drawTimeline(ImVec2 at, float width, double shown, bool lively) const;
    void speedCombo(float width);

    std::int64_t scrub_ = 0;
};

}  // namespace clothlab::app::columns
