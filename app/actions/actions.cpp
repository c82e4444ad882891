#include "actions/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>

#include "actions/change_actions.hpp"
#include "actions/fabric_actions.hpp"
#include "actions/job_actions.hpp"
#include "actions/lesson_actions.hpp"
#include "actions/play_actions.hpp"
#include "actions/showing.hpp"
#include "actions/take_away.hpp"

namespace clothlab::app::actions {

using model::Looks, model::Panel, model::PanelEntry, model::Popups, model::UiModel;
using widgets::Key;

namespace {

/// Calls a member that takes nothing; one that returns false had nothing to do.
template <auto Function>
bool call(UiModel& model) {
    if constexpr (std::is_void_v<decltype(std::invoke(Function, model))>) {
        std::invoke(Function, model);
        return true;
    } else {
        return std::invoke(Function, model);
    }
}
/// Turns a switch of a part over.
template <auto Part, auto Member>
bool flip(UiModel& model) {
    bool& on = model.*Part.*Member;
    on = !on;
    return true;
}

/// Steps through the two unknowns while their panel is open.
template <bool Forward>
bool stepQuadratic(UiModel& model) {
    if (!model.isOpen(Panel::TwoUnknowns)) return false;
    Forward ? model.quadratic.forward() : model.quadratic.back();
    return true;
}

bool turnTheme(UiModel& model) {
    using enum widgets::ThemeKind;
    model.looks.theme = model.looks.theme == Dark ? Light : Dark;
    return true;
}

bool askForScreenshot(UiModel& model) {
    model.say({}, false);  // no picture has the name of the one before in it
    return model.files.screenshot = true;
}

std::vector<Action> motionActions() {
    return {
        {.name = "motion.play",
         .label = "Play",
         .help = "play, pause",
         .key = Key::Space,
         .run = call<model::togglePlaying>,
         .brief = "pause",
         .inPlayground = true},
        {.name = "motion.step",
         .label = "Step",
         .help = "one step forward",
         .key = Key::N,
         .run = call<model::stepOnce>,
         .group = "step",
         .brief = "step"},
        {.name = "motion.back",
         .label = "Back",
         .help = "one step back",
         .key = Key::B,
         .run = call<model::stepBack>,
         .group = "step",
         .brief = "back"},
        {.name = "motion.restart",
         .label = "Restart motion",
         .help = "restart the motion; settings and pins stay",
         .key = Key::R,
         .run = call<model::restart>,
         .brief = "restart",
         .inPlayground = true},
        {.name = "branch.toggle",
         .label = "Branch",
         .help = "branch: a ghost continues with the present settings, or ends",
         .key = Key::F,
         .run = call<model::toggleBranch>},
    };
}

/// KEY.toggle, which has the shortcut, and KEY.open, which leaves an open panel as it is.
void addPanels(std::vector<Action>& all) {
    for (const PanelEntry& entry : model::panelTable()) {
        const std::string key(entry.key), name(entry.name), help(entry.keyHelp);
        all.push_back({.name = key + ".toggle",
                       .label = name,
                       .help = help,
                       .key = entry.shortcut,
                       .run = [panel = entry.panel](UiModel& model) { return model.toggle(panel), true; },
                       .inPlayground = entry.inPlayground});
        all.push_back(
            {.name = key + ".open", .label = name, .help = help, .run = [panel = entry.panel](UiModel& model) {
                 if (!model.isOpen(panel)) model.open(panel);
                 return true;
             }});
    }
}

std::vector<Action> quadraticActions() {
    return {
        {.name = "quadratic.back",
         .label = "Back",
         .help = "two unknowns: one step back",
         .key = Key::Left,
         .run = stepQuadratic<false>,
         .group = "quadratic"},
        {.name = "quadratic.forward",
         .label = "Forward",
         .help = "one forward",
         .key = Key::Right,
         .run = stepQuadratic<true>,
         .group = "quadratic"},
    };
}

/// The first ten have the digits, in the order of the keyboard.
Key keyOfOverlay(std::size_t place) {
    if (place > 9) return Key::None;
    return place == 9 ? Key::Digit0 : static_cast<Key>(int(Key::Digit1) + int(place));
}

void addOverlays(std::vector<Action>& all) {
    for (std::size_t i = 0; i < scene::kOverlayKinds.size(); ++i) {
        const EnumEntry& entry = scene::kOverlayKinds[i];
        const auto kind = static_cast<scene::OverlayKind>(entry.value);
        all.push_back({.name = "overlay." + std::string(entry.key),
                       .label = std::string(entry.label),
                       .help = std::string(entry.key),
                       .key = keyOfOverlay(i),
                       .run = [kind](UiModel& model) { return model.looks.overlay = kind, true; },
                       .refusal = [kind](const UiModel& model) { return render::overlayRefusal(kind, model.settings); },
                       .group = "overlay"});
    }
}

std::vector<Action> viewActions() {
    return {
        {.name = "view.edges",
         .label = "Edges",
         .help = "edges of the mesh",
         .key = Key::W,
         .run = flip<&UiModel::looks, &Looks::wireframe>},
        {.name = "paint.undo",
         .label = "Undo stroke",
         .help = "takes back the last stroke of the brush",
         .key = Key::Z,
         .run = call<model::undoPaint>},
        {.name = "view.home",
         .label = "Scene's view",
         .help = "the scene's own view",
         .key = Key::C,
         .run = [](UiModel& model) { return model.view.reset = true; },
         .inPlayground = true},
        {.name = "theme.toggle",
         .label = "Theme",
         .help = "light theme, dark theme",
         .key = Key::L,
         .run = turnTheme,
         .inPlayground = true},
        {.name = "picture.save",
         .label = "Save picture",
         .help = "saves a picture",
         .key = Key::F12,
         .run = askForScreenshot,
         .inPlayground = true},
        {.name = "film.toggle",
         .label = "Film",
         .help = "takes a film, or ends it",
         .key = Key::F12,
         .run = [](UiModel& model) { return model.film.turned = true; },
         .control = true},
        {.name = "top.close",
         .label = "Close",
         .help = "closes an open list, these keys, or the panel over the cloth",
         .key = Key::Escape,
         .run = [](UiModel& model) { return model.closeTopmost(); },
         .inPlayground = true},
        {.name = "keys.toggle",
         .label = "Keys",
         .help = "shows or hides these keys",
         .key = Key::F1,
         .run = flip<&UiModel::popups, &Popups::keys>,
         .brief = "all keys"},
        // --- without a key: for buttons and scripts
        {.name = "panel.close",
         .label = "Close",
         .help = "closes the panel over the cloth",
         .run = call<&UiModel::closePanel>},
        {.name = "paint.clear",
         .label = "Clear",
         .help = "takes away all that was painted",
         .run = call<model::clearPaint>},
        {.name = "settings.default",
         .label = "Default settings",
         .help = "the scene's own settings",
         .run = [](UiModel& model) { return model.settings = model.scene.settings, true; },
         .refusal =
             [](const UiModel& model) {
                 return std::string(model.settings == model.scene.settings
                                        ? "These are the scene's own settings: nothing was changed."
                                        : "");
             }},
    };
}

void append(std::vector<Action>& all, std::vector<Action> more) { std::ranges::move(more, std::back_inserter(all)); }

std::vector<Action> makeRegister() {
    std::vector<Action> all = motionActions();
    addPanels(all);
    append(all, lessonActions());
    append(all, quadraticActions());
    addOverlays(all);
    append(all, changeActions());
    append(all, takeAwayActions());
    append(all, cameraActions());
    append(all, viewActions());
    append(all, jobActions());
    append(all, showingActions());
    append(all, playActions());
    append(all, fabricActions());
    return all;
}

/// What no key does.
constexpr const char* kGestures[][2] = {
    {"left drag on the cloth", "takes the cloth; letting go keeps its velocity"},
    {"left drag on a solid", "moves it; a restart puts it back"},
    {"left drag elsewhere", "turns the view"},
    {"middle drag, Shift + left drag", "turns the view, wherever the pointer is"},
    {"right drag · wheel", "moves the view · nearer, farther"},
    {"Ctrl + click", "pins or unpins a particle"},
    {"X + left drag", "cuts the cloth; a restart mends it"},
    {"G + left drag", "paints the cloth with another material"},
    {"Ctrl + right click", "menu of a particle: pins it to a point, a line or a plane"},
};
constexpr const char* kRowGestures[][2] = {
    {"sliders", "double click: default · Ctrl + click: type a number"},
    {"settings by keys",
     "Ctrl + F, words, Enter · ↑ ↓: another one · ← →: changes it, with Shift coarse, with Alt fine · "
     "Enter: type a number · Delete: default · Esc: back to the words"}};

}  // namespace

std::span<const Action> actions() {
    static const std::vector<Action> all = makeRegister();
    return all;
}

const Action* findAction(std::string_view name) {
    const auto found = std::ranges::find(actions(), name, &Action::name);
    return found == actions().end() ? nullptr : &*found;
}

std::string runAction(UiModel& model, std::string_view name) {
    const Action* action = findAction(name);
    assert(action && "an action of the register");
    if (std::string refusal = action->refusal ? action->refusal(model) : ""; !refusal.empty()) return refusal;
    return action->run(model) ? "" : "There is nothing to do.";
}

bool handleShortcut(UiModel& model, Key key, bool control, bool shift) {
    if (key == Key::None) return false;
    constexpr Key kOfRows[] = {Key::Left, Key::Right, Key::Escape};  // those of a row that are somebody's, too
    if (model.popups.rowFocus && !control && std::ranges::count(kOfRows, key) > 0) return false;
    const auto bound =
        std::ranges::find_if(actions(), [&](const Action& a) { return a.key == key && a.control == control; });
    if (bound == actions().end()) return false;
    const Action* found = control && shift && !bound->withShift.empty() ? findAction(bound->withShift) : &*bound;
    if (model.playground.on && !found->inPlayground) return false;  // the columns are away, and their keys with them
    if (found->refusal) {
        model.say(found->refusal(model), false);
        if (!model.said.text.empty()) return true;
    }
    return found->run(model);
}

std::string keyText(Key key, bool control) {
    if (control && key != Key::None) return "Ctrl + " + keyText(key);
    switch (key) {
        case Key::None:
            return "";
        case Key::Space:
            return "Space";
        case Key::Escape:
            return "Esc";
        case Key::Left:
            return "←";
        case Key::Right:
            return "→";
        case Key::Tab:
            return "Tab";
        case Key::Equal:
            return "+";
        case Key::F1:
        case Key::F12:
            return key == Key::F1 ? "F1" : "F12";
        case Key::PageUp:
            return "Page up";
        case Key::PageDown:
            return "Page down";
        default:
            return {char(key)};  // letters, digits and the minus are themselves
    }
}

std::string actionKey(std::string_view action) {
    const Action* found = findAction(action);
    assert(found && "an action of the register");
    return keyText(found->key, found->control);
}

std::string briefKeys() {
    std::string words;
    for (const Action& action : actions()) {
        if (action.brief.empty()) continue;
        if (action.name == "keys.toggle") words += " · Ctrl+click pins · X+drag cuts";  // gestures that nobody guesses
        words += fmt::format("{}{} {}", words.empty() ? "" : " · ", keyText(action.key, action.control), action.brief);
    }
    return words;
}

std::vector<KeyLine> keyLines() {
    std::vector<KeyLine> lines;
    for (const auto& [hand, does] : kGestures) lines.push_back({hand, does});
    const auto all = actions();
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        while (end < all.size() && !all[i].group.empty() && all[end].group == all[i].group) ++end;
        const bool row = end - i > 2;  // "1 .. 0", by the group's name
        KeyLine line;
        for (std::size_t k = i; k < end; ++k) {
            if (all[k].key == Key::None) continue;
            if (!row) line.keys += (line.keys.empty() ? "" : " · ") + keyText(all[k].key, all[k].control);
            line.does += (line.does.empty() ? "" : row ? ", " : " · ") + all[k].help;
            if (row) line.keys = actionKey(all[i].name) + " .. " + actionKey(all[k].name);
        }
        if (row) line.does = all[i].group + ": " + line.does;
        if (!line.keys.empty()) lines.push_back(std::move(line));
        i = end;
    }
    for (const auto& [hand, does] : kRowGestures) lines.push_back({hand, does});
    return lines;
}

void connectActions(UiModel& model) {
    model.actions.actionKey = [](std::string_view action) { return actionKey(action); };
    model.actions.run = [](UiModel& which, std::string_view action) { return runAction(which, action); };
}

}  // namespace clothlab::app::actions
