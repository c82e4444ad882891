#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ui_model.hpp"
#include "widgets/keys.hpp"

namespace clothlab::app::actions {

/// A named command of the window. Keys, buttons, the list of keys and scripts (`action NAME`) all run these.
struct Action {
    std::string name;   ///< "race.open"
    std::string label;  ///< one or two words
    std::string help;   ///< its effect, as a clause
    widgets::Key key = widgets::Key::None;
    std::function<bool(model::UiModel&)> run;  ///< false: nothing to do at present; the key is free for others then
    /// Why it cannot be done at present, or empty. Null: it always can.
    std::function<std::string(const model::UiModel&)> refusal = {};
    std::string group = {};      ///< actions of one group share one line of the list of keys
    std::string brief = {};      ///< in the line over the cloth; empty = not there
    bool control = false;        ///< the key is pressed with Ctrl
    std::string withShift = {};  ///< the action of Ctrl + Shift with the key; empty = the same
    bool inPlayground = false;   ///< the key acts in the playground, too
};

/// All actions: those of actions.cpp, two per panel and one per overlay, from their tables. Names and keys are unique.
std::span<const Action> actions();
/// Null for an unknown name.
const Action* findAction(std::string_view name);
/// Returns why it was not done, or empty. An unknown action is a programming error.
std::string runAction(model::UiModel& model, std::string_view name);

/// Runs the action bound to a key pressed while no text field has the focus. False for an unbound key.
bool handleShortcut(model::UiModel& model, widgets::Key key, bool control, bool shift = false);

/// "Space", "N", "←", "Ctrl + 0"
std::string keyText(widgets::Key key, bool control = false);
/// The key of an action, as text; empty without one.
std::string actionKey(std::string_view action);
/// "Space pause · N step · ...", for the line over the cloth.
std::string briefKeys();

/// A line of the list of keys: what the mouse does, then the keys in the order of the register.
struct KeyLine {
    std::string keys, does;
};
std::vector<KeyLine> keyLines();

/// Gives the model its callbacks to actions.
void connectActions(model::UiModel& model);

}  // namespace clothlab::app::actions
