#pragma once

#include <string>

#include "worker/commands.hpp"

/// Requests of panels to background jobs: each posts one, unless there is nothing to do (false).
namespace clothlab::app::model {

struct UiModel;

/// The next race, by `racing` and the lesson.
worker::StartRace raceWanted(const UiModel& model);
/// Races the step shown, unless a race is running that is not stale.
bool startRace(UiModel& model);
/// Writes the bundle of the last race into a new folder, and requests its pictures.
bool saveRace(UiModel& model);
/// The bundle is written, its pictures are not.
bool bundleWantsPictures(const UiModel& model);
/// Races the methods that minimise the energy of the step shown, unless such a race is running.
bool startDescent(UiModel& model);
/// Slow motion of the step shown, with the methods in `slow`.
void startSlowMotion(UiModel& model);
/// The same for the step that is frozen already, at the same iterate.
void solveSlowMotion(UiModel& model);
/// If no integrator is chosen, proposes a few, with the active one.
void proposeWork(UiModel& model);
/// Starts the panel's measurement, unless one is running.
bool startWork(UiModel& model);
/// Shows the file of a sweep.
void openWork(UiModel& model, const std::string& path);
/// Writes what was measured into a new file of the working folder.
bool saveWork(UiModel& model);
/// Ends the running background job.
bool cancelJob(UiModel& model);
/// Asks for the blocks of the step shown.
void askSparsity(UiModel& model);

}  // namespace clothlab::app::model
