#pragma once

#include <array>
#include <vector>

#include "actions/actions.hpp"

/// How large everything is drawn: the size of type, and the presenter's mode for a room that looks on.
namespace clothlab::app::actions {

/// Sizes of type that Ctrl and plus or minus step through, times the usual one.
inline constexpr std::array kTypeSizes{0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0};

/// What one point measures, times the usual, in a window of so many usual points: the size of type times 1.5 to 2 in
/// the presenter's mode, as far as the least window's widgets still have room.
double zoomFor(const model::UiModel& model, ImVec2 points);

/// Keys of the settings that the presenter's strip shows, at most kMostKeyControls: those asked for, else what matters
/// most of the active method.
inline constexpr std::size_t kMostKeyControls = 3;
std::vector<std::string> keyControlsOf(const model::UiModel& model);

/// The actions of this page, for the register.
std::vector<Action> showingActions();

/// In the presenter's mode a panel over the cloth has the room: rows of controls, its own too, are folded until they
/// are asked for.
bool controlsFolded(const model::UiModel& model);
/// Beside a panel or a lesson the line of tools is.
bool toolsFolded(const model::UiModel& model);

}  // namespace clothlab::app::actions
