#pragma once

#include "commands/options.hpp"

/// One function a command. Each prints its own errors to stderr and returns the exit code.
namespace clothlab::app {

inline constexpr int kExitDone = 0;  ///< done
inline constexpr int kExitDiverged =
    1;  ///< the simulation diverged, a solve failed, or standard output could not be written
inline constexpr int kExitUsage = 2;     ///< wrong use, bad input, or an output that cannot be written
inline constexpr int kExitSignal = 128;  ///< plus the number of the signal that ended a run early

int runView(const ViewOptions& options);      ///< opens the window (view_command.cpp)
int runRender(const RenderOptions& options);  ///< draws off screen
int runRun(const RunCommand& command);
int runSystem(const SystemCommand& command);
int runRace(const RaceCommand& command);
int runReproduce(const ReproduceCommand& command);
int runSweep(const SweepCommand& command);
int runPlot(const PlotCommand& command);  ///< with the off-screen drawing (plot_command.cpp of the film's library)
int runScenes(const ScenesCommand& command);
int runCheck(const CheckCommand& command);
int printVersion();
int printSettings();

/// Parses the command line and runs what it says.
int runCommandLine(int argc, const char* const* argv);

}  // namespace clothlab::app
