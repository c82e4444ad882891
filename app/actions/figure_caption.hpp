#pragma once

#include <string>
#include <vector>

#include "model/ui_model.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::actions {

/// The lines under a figure of the current motion: the scene and its step; the settings that differ from the scene's
/// own file; with `times` the machine that measured them.
std::vector<std::string> figureCaption(const model::UiModel& model, bool times);
/// The same for a result computed from a step, which need not be the one shown; an empty scene is the one shown.
std::vector<std::string> figureCaption(const model::UiModel& model, const worker::StepOrigin& of,
                                       const std::string& scene, int threads, bool times);

/// "CPU, 2 threads, Clothlab 0.1.0 Release v3".
std::string machineLine(int threads);

}  // namespace clothlab::app::actions
