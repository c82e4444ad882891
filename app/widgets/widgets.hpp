#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/fields.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/row_focus.hpp"
#include "widgets/scopes.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// Rows of the left column, bound to the description table: label, unit, range and help come from the field, layout
/// from here. Each registers its rectangle under the field's key.
class Widgets {
public:
    Widgets(const UiTheme& theme, LayoutMap& layout) : theme_(theme), layout_(layout) {}

    RowFocus focus;      ///< of the keys
    bool folds = true;   ///< false in a picture, which has no input
    bool large = false;  ///< rows are read from afar

    /// A heading with a grey note at the right, which opens and closes the rows under it; `help` explains both.
    /// Returns whether it is open.
    bool section(std::string_view title, std::string_view note, std::string_view help, bool& open);
    /// A progress bar, 0 to 1, on a draw list. Returns its height.
    float progress(std::string_view mark, ImDrawList* draw, ImVec2 at, float width, double share);
    /// A grey text that wraps.
    void note(std::string_view text, bool error = false, std::string_view help = {});
    /// A warning, in the colour of pins: never cut, but wrapped if there is no room. `beside`: on the line of the item
    /// before, if there is room. False: it took more than one line.
    bool warning(std::string_view id, const std::string& words, std::string_view help, bool beside);
    /// A tooltip that explains the numbers of the item before.
    void explain(std::string_view help);

    /// Numbers as a slider, vectors as three, booleans as a checkbox, enums as a combo. `standard` is what a double
    /// click restores. True when the value has changed.
    bool row(const Field& field, const FieldRef& standard);

    struct ComboStyle {
        std::function<std::string(int)> refusal = {};  ///< why a choice cannot be taken, or empty
        std::function<ImU32(int)> color = {};          ///< of the chip before a choice; 0 = none
        std::function<std::string(int)> source = {};   ///< where a choice is explained, or empty
        std::string disabled = {};                     ///< why the whole combo has no effect now, or empty
        bool wide = false;                             ///< as wide as the column, without its label

        /// For the end of a tooltip.
        std::string tooltipSource(int choice) const { return source ? "\n\n" + source(choice) : std::string(); }
    };
    bool combo(const Field& field, const ComboStyle& style);
    bool checkbox(const Field& field);
    bool slider(const Field& field, const FieldRef& standard);
    bool vector(const Field& field, const FieldRef& standard);
    bool button(std::string_view id, const char* text, float width = 0, std::string_view help = {});
    /// A button that Enter also presses, while it has the focus of the keys.
    bool rowButton(std::string_view id, const char* text, float width, std::string_view help);
    /// A text field that was requested in this frame or the one before does not receive input yet.
    bool fieldComing() const;
    /// The field that comes next takes the keyboard.
    void focusField();
    /// A button that is on or off, or one of several choices. When off it has a frame and no fill.
    bool toggle(std::string_view id, const char* text, bool chosen, std::string_view help);
    /// A combo over a name table, each entry with its help; true when the value has changed.
    bool choice(std::string_view id, std::span<const EnumEntry> table, int& value, float width);
    /// Before a button with this text: keeps it on the line if it ends before `right`, else begins the next line.
    void flow(const char* text, float gap, float right);
    /// A slider over the frames of a run, across the rest of the line; true while it is held.
    bool frames(std::string_view id, std::size_t count, std::size_t& frame, std::string_view help);
    /// A line that opens and closes the rows under it.
    bool fold(std::string_view id, const char* text, bool& open);

    /// After the pointer has rested on `hovered` for a moment; wraps.
    void tooltip(std::string_view id, bool hovered, const std::function<std::string()>& text);

private:
    struct Number {
        std::string id;
        std::string label;
        const FieldMeta& meta;
        double value;
        double standard;
        bool integer;
    };
    static constexpr float kRowHeight = 24, kTrackDepth = 18.5f;  // points
    static constexpr float kLargerRow = 1.3f;
    ImFont* rowFont() const { return large ? theme_.text : theme_.small; }
    float rowPx(float points) const { return theme_.px(large ? points * kLargerRow : points); }

    bool numberRow(const Number& number, float width, const std::function<bool(double)>& assign);
    void beginEdit(const Number& number);
    bool byKeys(const Number& number, ImVec2 at, ImVec2 size, const std::function<bool(double)>& assign);
    bool comboByKeys(const Field& field, const ComboStyle& style, ImVec2 min, ImVec2 max);
    void drawNumber(const Number& number, double value, ImVec2 at, ImVec2 size, bool lively);
    bool edit(const Number& number, ImVec2 at, ImVec2 size, const std::function<bool(double)>& assign);
    bool take(const Number& number, const std::function<bool(double)>& assign);
    void complain(const std::string& id, std::string text);
    void complaint(const std::string& id, ImVec2 below);
    std::string help(const Field& field, const FieldRef& standard) const;
    void foldMark(ImVec2 centre, bool open, ImU32 color) const;
    bool comboEntries(const Field& field, const ComboStyle& style, int current);
    float comboStart(const Field& field, float width) const;

    const UiTheme& theme_;
    LayoutMap& layout_;
    std::string editing_, hoveredId_, resetId_;
    std::string complaintId_, complaint_;  ///< the last typed text that was rejected or changed
    char text_[64] = {};
    bool focusEdit_ = false;
    bool enterOpened_ = false;              ///< the Enter that opened the field is still down
    int fieldAsked_ = -10;                  ///< frame
    ImVec2 pressedAt_{-FLT_MAX, -FLT_MAX};  ///< where the pointer rests since it was pressed there
    float hoverSeconds_ = 0, complaintSeconds_ = 0;
};

/// A window without any decoration that is sized to its content.
inline constexpr ImGuiWindowFlags kFloatingWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                                    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                                    ImGuiWindowFlags_AlwaysAutoResize;

/// Closes every open list. Esc must do it by hand: ImGui's own way is part of its keyboard navigation, which is off.
void closeAllPopups();

/// A panel that floats over the picture, from here to the end of its scope.
class FloatingPanel {
public:
    FloatingPanel(std::string_view id, ImVec2 min, ImVec2 size, const UiTheme& theme, LayoutMap& layout);
    ~FloatingPanel();
    FloatingPanel(const FloatingPanel&) = delete;
    FloatingPanel& operator=(const FloatingPanel&) = delete;

    /// Its name at the left and a close button at the right; true when that is pressed. The cursor is left after the
    /// name.
    bool heading(const char* name, Widgets& widgets, std::string_view closeHelp);

private:
    std::string id_;
    const UiTheme& theme_;
    StyleScope style_;
};

/// Text at the right end of the present line, vertically on the line.
void textRight(const char* text, ImU32 color, ImFont* font, float rightX, float y);

/// Cuts the text so that it fits, with an ellipsis.
std::string fitted(std::string text, float width);
/// A text in at most `most` lines; if it does not fit, the last ends in an ellipsis.
std::vector<std::string> wrapped(std::string_view text, float width, int most);

}  // namespace clothlab::app::widgets
