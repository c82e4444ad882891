#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/claim.hpp"
#include "scene/overlay.hpp"
#include "scene/scene.hpp"
#include "simulation/edits.hpp"

/// A lesson is a file of Markdown: a head of TOML between two lines `+++`, and a `##` for each step, with two or three
/// sentences and at most one block ```toml with its actions and claims (docs/lessons.md). It is data: the window shows
/// it (app/model/lesson_guide), `clothlab lesson` and the tests run it without a window (lesson_run.hpp), and both use
/// the same functions for the scene and the settings of a step.
namespace clothlab::lessons {

/// "solver.kind=mpcg", as for --set, and its place in the file.
struct Assignment {
    std::string text;
    int line = 0, column = 0;

    std::string_view key() const { return std::string_view(text).substr(0, text.find('=')); }
};

/// A particle of the first cloth, a grid; negative numbers count from the end.
struct GridPlace {
    int row = 0, column = 0;
};

struct LessonStep {
    std::string title;
    std::string text;  ///< Markdown, without the block
    int line = 0;      ///< of its heading

    std::string scene;  ///< another scene from here on; empty = the same
    int sceneLine = 0;
    bool restart = false;           ///< the motion restarts
    std::optional<bool> branch;     ///< true: a ghost continues with the settings before `set`; false: it ends
    std::vector<Assignment> ghost;  ///< a ghost continues with the settings after `set`, overridden by these
    bool beside = false;            ///< the ghost is drawn beside the cloth, not over it
    bool blind = false;             ///< the difference between the two is hidden
    std::vector<Assignment> set;
    std::vector<GridPlace> pin, unpin;
    std::optional<scene::OverlayKind> overlay;
    std::optional<double> speed;       ///< simulated seconds per second; 0 = as fast as it goes
    std::vector<std::string> actions;  ///< of the window's register
    bool hold = false;                 ///< the motion is paused
    int steps = 0;                     ///< needed by the claim
    std::vector<std::string> race;     ///< methods of a race on the last step; empty = no race
    double raceTolerance = 1e-3;
    bool slow = false;  ///< slow motion of the last step's solve
    std::string point;  ///< key of the control to look at; empty = none
    std::string plot;   ///< to be shown (plots.hpp), in place of the lesson's; empty = the lesson's
    std::vector<Claim> claims;
    std::string paper, ours;  ///< the paper's number and ours, in words
};

/// The audience of a lesson.
enum class Level : int { FirstSteps, Solvers, Experts };
inline constexpr std::array kLevels{
    EnumEntry{int(Level::FirstSteps), "first-steps", "First steps", "Needs no linear algebra."},
    EnumEntry{int(Level::Solvers), "solvers", "The solvers", "Matrices, iterations, preconditioners."},
    EnumEntry{int(Level::Experts), "experts", "For those who know", "Where the textbook answer is not the whole one."}};
constexpr std::span<const EnumEntry> enumTable(Level) { return kLevels; }

struct Lesson {
    std::string name, file;  ///< "core-is-flat", and its file
    std::string title, group, summary, source;
    Level level = Level::Solvers;
    int minutes = 0;  ///< approximate duration; 0: not given
    int order = 0;    ///< place in the gallery, within its level
    std::string scene;
    int sceneLine = 0;
    std::vector<std::string> controls;  ///< keys of settings, at most three
    std::optional<scene::OverlayKind> overlay;
    std::string plot;  ///< its subject (plots.hpp); empty = none
    int plotLine = 0;
    std::vector<Assignment> settings;
    std::vector<LessonStep> steps;
};

/// Empty, or the fault of a quantity in a step, counted from 1.
using StepCheck = std::function<std::string(const Quantity&, int step)>;

/// Reads and checks the form of a lesson. An Error has file, line and column: TOML, unknown keys, a step without text,
/// a claim with a syntax error or one refused by `check` (of a quantity in a step, counted from 1).
Expected<Lesson> readLessonText(std::string_view text, const std::string& file, const StepCheck& check);
/// The same from a file, and every scene, setting, pin, method and overlay is tried, so that the lesson cannot fail
/// when it is given.
Expected<Lesson> readLesson(const std::string& path, const std::string& assetsFolder);

/// Finds "core-is-flat" among the built-in lessons, or takes a path that ends in .md.
Expected<Lesson> findLesson(const std::string& nameOrPath, const std::string& assetsFolder);
/// The readable lessons of the folder, by their order, and the errors of the others.
std::vector<Lesson> readableLessons(const std::string& assetsFolder, std::vector<Error>& broken);
/// All lessons of the folder, by their order. An Error if one cannot be read.
Expected<std::vector<Lesson>> builtInLessons(const std::string& assetsFolder);

/// The scene with the settings of the step `index` (from 0), including its own `set` unless `before`.
Expected<scene::Scene> sceneAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder,
                               bool before = false);
/// The settings with which the ghost of the step continues, if it has one.
Expected<scene::Settings> ghostAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder);
/// The edits of the step once its scene and settings are active, in this order: its ghost starts, which continues with
/// these settings, particles are pinned, and unpinned.
std::vector<simulation::Edit> lessonEdits(const LessonStep& step, const scene::Scene& scene,
                                          const scene::Settings& ghost);
/// The plot of the step: its own, or the lesson's if the step has data for it; empty = none.
std::string_view plotAt(const Lesson& lesson, std::size_t index);
/// Whether the motion restarts with the step: the first, another scene, another mesh, or `restart`.
bool beginsAnew(const Lesson& lesson, std::size_t index);
/// The particle of a place in the first cloth of a scene. An Error if there is no grid or no such place.
Expected<Index> particleAt(const scene::Scene& scene, GridPlace place);

}  // namespace clothlab::lessons
