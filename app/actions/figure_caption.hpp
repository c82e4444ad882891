#pragma once

#include <string>
#include <vector>

#include "model/ui_model.hpp"
#include "worker/jobs/step_origin.hpp"

namespace clothlab::app::actions {

/// What a figure is of, in lines for under it: the scene and its step; the settings that are others than those of the
/// scene's own file; with `times` the machine that measured them. Of the motion on show.
std::vector<std::string> figureCaption(const model::UiModel& model, bool times);
/// The same for a result computed from a step, which need not be the one on show; an empty scene is the one on show.
std::vector<std::string> figureCaption(const model::UiModel& model, const worker::StepOrigin& of,
                                       const std::string& scene, int threads, bool times);

/// "CPU, 2 threads, Clothlab 0.1.0 Release v3".
std::string machineLine(int threads);

}  // namespace clothlab::app::actions
