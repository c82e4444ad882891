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

/// Which row the keys act on. Rows tell of themselves while they are drawn; up and down go from one to the next, the
/// other keys are the row's own. ImGui's own navigation, which is off, would take the keys of the whole window.
class RowFocus {
public:
    /// Once a frame, before the rows are drawn. A press of the mouse, and a row that is no longer there, end it.
    void beginFrame();
    /// Rows from here on can have it, or not.
    void listen(bool on) { listening_ = on; }
    /// The row gets it when it is drawn next; none named: the first one.
    void take(std::string id) { wanted_ = std::move(id), taking_ = true; }
    void leave() { focused_.clear(); }
    bool isOn() const { return !focused_.empty(); }
    const std::string& focused() const { return focused_; }
    /// A key that changes the value is down.
    bool held() const;
    /// Once after Esc, or up from the first row: back to where it came from.
    bool takeBack();

    struct Asked {
        int steps = 0;       ///< -1: less, or the choice before; 1: more
        bool enter = false;  ///< Enter was pressed
        bool reset = false;  ///< Delete or backspace
    };
    /// For a row that was just drawn: a ring around it where it has the focus, and what the keys ask of it. `busy`: it
    /// reads them itself.
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

/// How far an arrow goes: with Shift coarse, with Alt fine.
KeyStep keyStepNow();

}  // namespace clothlab::app::widgets
