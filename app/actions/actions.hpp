#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ui_model.hpp"
#include "widgets/keys.hpp"

namespace clothlab::app::actions {

/// Something that the window does, under a name. Keys, buttons, the list of keys and scripts (`action NAME`) all run
/// these.
struct Action {
    std::string name;   ///< "race.open"
    std::string label;  ///< in a word or two
    std::string help;   ///< what it does, in a clause
    widgets::Key key = widgets::Key::None;
    std::function<bool(model::UiModel&)> run;  ///< false: nothing to do at present; the key is somebody else's then
    /// Why it cannot be done at present, or empty. Null: it always can.
    std::function<std::string(const model::UiModel&)> refusal = {};
    std::string group = {};      ///< actions of one group stand in one line of the list of keys
    std::string brief = {};      ///< in the line over the cloth; empty = not there
    bool control = false;        ///< the key is pressed with Ctrl
    std::string withShift = {};  ///< the action that Ctrl + Shift with the key is, too; empty = the same
    bool inPlayground = false;   ///< the key acts in the playground, too
};

/// The register: what stands in actions.cpp, and two for each panel and one for each overlay, from their tables. A name
/// and a key have one owner.
std::span<const Action> actions();
/// Null when there is none of this name.
const Action* findAction(std::string_view name);
/// Why it was not done, or empty. An action that the register does not have is a programmer's mistake.
std::string runAction(model::UiModel& model, std::string_view name);

/// A key went down while no text field had the focus: does what the key is bound to. False for a key without meaning.
bool handleShortcut(model::UiModel& model, widgets::Key key, bool control, bool shift = false);

/// "Space", "N", "←", "Ctrl + 0"
std::string keyText(widgets::Key key, bool control = false);
/// The key of an action, as text; empty without one.
std::string keyOf(std::string_view action);
/// "Space pause · N step · ...", for the line over the cloth.
std::string briefKeys();

/// A line of the list of keys: what the mouse does, then the keys in the order of the register.
struct KeyLine {
    std::string keys, does;
};
std::vector<KeyLine> keyLines();

/// Hands the model what it asks of actions.
void connectActions(model::UiModel& model);

}  // namespace clothlab::app::actions
