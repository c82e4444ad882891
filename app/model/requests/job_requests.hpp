#pragma once

#include <string>

#include "worker/commands.hpp"

/// What the panels ask of background jobs: each posts a request, unless there is nothing to do (false).
namespace clothlab::app::model {

struct UiModel;

/// The next race, as `racing` and a lesson ask for.
worker::StartRace raceWanted(const UiModel& model);
/// Races the step shown, unless a race is running that is not stale.
bool startRace(UiModel& model);
/// Writes the bundle of the last race into a new folder, and asks for a picture in it.
bool saveRace(UiModel& model);
/// The bundle is written, its pictures are not.
bool bundleWantsPictures(const UiModel& model);
/// Races what goes down the energy of the step shown, unless that is on.
bool startDescent(UiModel& model);
/// Slow motion of the step shown, with the methods in `slow`.
void startSlowMotion(UiModel& model);
/// The same for the step that is frozen already, at the same iterate.
void solveSlowMotion(UiModel& model);
/// Where no integrator is chosen: a few, and the active one among them.
void proposeWork(UiModel& model);
/// Measures what the panel asks for, unless a measurement is on.
bool startWork(UiModel& model);
/// Shows the file of a sweep.
void openWork(UiModel& model, const std::string& path);
/// Writes what was measured into a new file of the working folder.
bool saveWork(UiModel& model);
/// Ends what runs in the background.
bool cancelJob(UiModel& model);
/// Asks for the blocks of the step shown.
void askSparsity(UiModel& model);

}  // namespace clothlab::app::model
