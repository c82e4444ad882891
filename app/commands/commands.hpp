#pragma once

#include <string>

#include "base/errors.hpp"
#include "commands/options.hpp"

namespace clothlab::simulation {
class Simulation;
}
namespace clothlab::lessons {
struct Lesson;
}
namespace clothlab::papers {
struct Reproduction;
struct TableText;
}  // namespace clothlab::papers

/// One function per command. Each prints its own errors to stderr and returns the exit code.
namespace clothlab::app::commands {

/// Commands that need OpenGL are in libraries above this one, which use its scene loading and messages: main passes
/// them in, so that there is no cyclic link.
struct DrawingCommands {
    std::string (*actions)() = nullptr;                     ///< the page of the window's keys and actions
    int (*view)(const ViewOptions& options) = nullptr;      ///< opens the window
    int (*render)(const RenderOptions& options) = nullptr;  ///< draws off screen: a film or pictures
    int (*plot)(const PlotCommand& command) = nullptr;      ///< draws charts
    /// Runs a lesson and draws it off screen: a film.
    int (*lessonFilm)(const LessonCommand& command, const lessons::Lesson& lesson) = nullptr;
    /// Draws the figures of a paper's table into a folder.
    Expected<void> (*paperFigures)(const papers::Reproduction& table, const papers::TableText& text,
                                   const std::string& folder) = nullptr;
    /// Writes the present state as a picture, for the bundle of a race.
    Expected<void> (*picture)(simulation::Simulation& simulation, const std::string& file) = nullptr;
};

int runRun(const RunCommand& command);
int runSystem(const SystemCommand& command);
int runRace(const RaceCommand& command, const DrawingCommands& drawing);
int runReproduce(const ReproduceCommand& command, const DrawingCommands& drawing);
int runSweep(const SweepCommand& command);
int runScenes(const ScenesCommand& command);
int runLesson(const LessonCommand& command, const DrawingCommands& drawing);
int runCheck(const CheckCommand& command);
/// `check` of a Python file: the Python module replaces this process. Returns only if that fails.
int runPythonCheck(const CheckCommand& command);
int runTrials(const TrialsCommand& command);
int printVersion();
int printLicences();
int printSettings();

/// Parses the command line and runs the command.
int runCommandLine(int argc, const char* const* argv, const DrawingCommands& drawing);

}  // namespace clothlab::app::commands
