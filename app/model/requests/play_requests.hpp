#pragma once

#include <cstdint>

/// Requests about the motion: play, pause, step, and a second cloth beside it.
namespace clothlab::app::model {

struct UiModel;

void togglePlaying(UiModel& model);
void stepOnce(UiModel& model);
void stepBack(UiModel& model);
void restart(UiModel& model);
void seek(UiModel& model, std::int64_t step);
/// As in worker::SetSpeed.
void setSpeed(UiModel& model, double factor);
/// Starts a ghost from here with the current settings, or, if there is one, ends it.
void toggleBranch(UiModel& model);
/// Starts one more ghost.
void addBranch(UiModel& model);

}  // namespace clothlab::app::model
