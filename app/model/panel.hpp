#pragma once

#include <span>
#include <string_view>

#include "records/json.hpp"
#include "widgets/keys.hpp"

namespace clothlab::app::model {

struct UiModel;

/// The panels over the cloth; one is open at a time.
enum class Panel : int { None, Race, Descent, Work, SlowMotion, Matrix, TwoUnknowns, Lessons, Plots, Gallery, Papers };

/// The part of the view that a panel leaves to the cloth.
enum class Place {
    Over,    ///< the upper part, without a legend
    Under,   ///< the upper part, with the legend
    Beside,  ///< the left part
    Instead  ///< nothing
};

/// The description of a panel, from which buttons, keys, their help, actions, its place and the state file follow.
struct PanelEntry {
    Panel panel;
    std::string_view key;      ///< of its actions ("race.open") and its widgets ("race/start")
    std::string_view name;     ///< on its button
    std::string_view button;   ///< id of its button
    widgets::Key shortcut;     ///< opens and closes it
    std::string_view keyHelp;  ///< a clause for the list of keys
    std::string_view help;     ///< a sentence for its button
    bool needsSystem;          ///< shows a step that solves a linear system
    Place place;
    void (*opened)(UiModel&);                       ///< called when it opens; null = nothing
    void (*state)(const UiModel&, records::Json&);  ///< its part of the state file; null = none
    bool inTools = true;                            ///< its button is in the tool bar
    bool inPlayground = false;                      ///< its key acts in the playground, too
};

/// In the order of their buttons. A new panel is a value of the enum, a row here, and its class, which
/// panels/panel_makers.cpp makes.
std::span<const PanelEntry> panelTable();
/// The row of any panel but None.
const PanelEntry& entryFor(Panel panel);

}  // namespace clothlab::app::model
