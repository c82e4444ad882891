#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// `clothlab run SCENE --set ... --steps K`, which reproduces the current state bit for bit. None where a scene and its
/// settings are not sufficient: something changed after the first step, or a method depends on when a factor was ready.
std::optional<std::string> plainCommand(const model::UiModel& model);

/// The scene as TOML, with the current settings and painted regions.
std::string sceneText(const model::UiModel& model);

/// Saving, opening and copying.
std::vector<Action> takeAwayActions();

}  // namespace clothlab::app::actions
