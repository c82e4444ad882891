#pragma once

#include <cstdint>

/// What the window asks of the motion: play, pause, step, and a second cloth beside it.
namespace clothlab::app::model {

struct UiModel;

void togglePlaying(UiModel& model);
void stepOnce(UiModel& model);
void stepBack(UiModel& model);
void restart(UiModel& model);
void seek(UiModel& model, std::int64_t step);
/// As in worker::SetSpeed.
void setSpeed(UiModel& model, double factor);
/// A ghost continues from here with the settings as they are now, or, when there is one, ends.
void toggleBranch(UiModel& model);
/// One more of them.
void addBranch(UiModel& model);

}  // namespace clothlab::app::model
