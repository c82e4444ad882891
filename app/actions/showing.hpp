#pragma once

#include <array>
#include <vector>

#include "actions/actions.hpp"

/// How large everything is drawn: the size of type, and the presenter's mode for an audience.
namespace clothlab::app::actions {

/// Sizes of type that Ctrl and plus or minus step through, times the default.
inline constexpr std::array kTypeSizes{0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0};

/// Factor on the size of a point, in a window of `points` unscaled points: the size of type, times 1.5 to 2 in the
/// presenter's mode, limited so that the widgets of the smallest window still fit.
double zoomFor(const model::UiModel& model, ImVec2 points);

/// Keys of the settings that the presenter's strip shows, at most kMostKeyControls: those asked for, else the most
/// important of the active method.
inline constexpr std::size_t kMostKeyControls = 3;
std::vector<std::string> listKeyControls(const model::UiModel& model);

/// Actions of size, presenter's mode and search.
std::vector<Action> showingActions();

/// Whether rows of controls are folded: in the presenter's mode a panel over the cloth needs the room, until the user
/// asks for them.
bool controlsFolded(const model::UiModel& model);
/// Whether the tool bar is folded, beside a panel or a lesson.
bool toolsFolded(const model::UiModel& model);

}  // namespace clothlab::app::actions
