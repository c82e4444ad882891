#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "widgets/layout_map.hpp"
#include "widgets/numbers.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// The row that the keys act on. Rows register while they are drawn; up and down move between them, the other keys are
/// the row's own. ImGui's own navigation, which is off, would take the keys of the whole window.
class RowFocus {
public:
    /// Once per frame, before the rows are drawn. A press of the mouse, or the removal of the row, ends the focus.
    void beginFrame();
    /// Whether later rows can have the focus.
    void listen(bool on) { listening_ = on; }
    /// The row gets the focus when it is drawn next; empty: the first one.
    void take(std::string id) { wanted_ = std::move(id), taking_ = true; }
    void leave() { focused_.clear(); }
    bool isOn() const { return !focused_.empty(); }
    const std::string& focused() const { return focused_; }
    /// A key that changes the value is down.
    bool held() const;
    /// True once after Esc, or up from the first row: the focus returns to its origin.
    bool takeBack();

    struct Asked {
        int steps = 0;       ///< -1: less, or the choice before; 1: more
        bool enter = false;  ///< Enter was pressed
        bool reset = false;  ///< Delete or backspace
    };
    /// For a row that was just drawn: draws a ring if it has the focus, and returns the requests of the keys. `busy`:
    /// it reads them itself.
    Asked row(std::string_view id, ImVec2 min, ImVec2 max, const UiTheme& theme, LayoutMap& layout, bool busy = false);

private:
    void go(int by);

    std::string focused_;
    std::vector<std::string> rows_, before_;  ///< of this frame and of the one before
    std::string wanted_;
    bool listening_ = false, taking_ = false, back_ = false, seen_ = false;
    int since_ = 0;  ///< frame in which the row got it: the key that led there is not the row's
    bool scroll_ = false;
};

/// Step size of an arrow key: with Shift coarse, with Alt fine.
KeyStep keyStepNow();

}  // namespace clothlab::app::widgets
