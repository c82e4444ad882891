#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// `clothlab run SCENE --set ... --steps K`, which comes to what is on show with the same bits. None where that takes
/// more than a scene and its settings: something was changed after the first step, or a method depends on when a factor
/// came.
std::optional<std::string> plainCommand(const model::UiModel& model);

/// The scene as TOML, with the settings of now and what was painted.
std::string sceneText(const model::UiModel& model);

/// Saving, opening and copying, for the register.
std::vector<Action> takeAwayActions();

}  // namespace clothlab::app::actions
