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
/// sentences and at most one block ```toml, which says what happens and what is claimed (docs/lessons.md). It is
/// data: the window shows it (app/model/lesson_guide), `clothlab lesson` and the tests run it without a window
/// (lesson_run.hpp), and both ask the same functions which scene and settings a step stands on.
namespace clothlab::lessons {

/// "solver.kind=mpcg", as for --set, and where it stands in the file.
struct Assignment {
    std::string text;
    int line = 0, column = 0;

    std::string_view key() const { return std::string_view(text).substr(0, text.find('=')); }
};

/// Of the first cloth, a grid; negative counts from the end.
struct GridPlace {
    int row = 0, column = 0;
};

struct LessonStep {
    std::string title;
    std::string text;  ///< Markdown, without the block
    int line = 0;      ///< of its heading

    std::string scene;  ///< another scene from here on; empty = the same
    int sceneLine = 0;
    bool restart = false;           ///< the motion begins anew
    std::optional<bool> branch;     ///< a ghost goes on with the settings before `set`, or ends
    std::vector<Assignment> ghost;  ///< it goes on with those after `set` and these instead
    bool beside = false;            ///< the ghost is drawn beside the cloth, not over it
    bool blind = false;             ///< nothing says in what the two differ
    std::vector<Assignment> set;
    std::vector<GridPlace> pin, unpin;
    std::optional<scene::OverlayKind> overlay;
    std::optional<double> speed;       ///< simulated seconds a second; 0 = as fast as it goes
    std::vector<std::string> actions;  ///< of the window's register
    bool hold = false;                 ///< the motion stands still
    int steps = 0;                     ///< that the claim needs
    std::vector<std::string> race;     ///< methods that race on the last step; empty = no race
    double raceTolerance = 1e-3;
    bool slow = false;  ///< slow motion of the last step's solve
    std::string point;  ///< key of the control to look at; empty = none
    std::string plot;   ///< to look at (plots.hpp), in place of the lesson's; empty = that one
    std::vector<Claim> claims;
    std::string paper, ours;  ///< the paper's number and ours, in words
};

/// Who a lesson is for.
enum class Level : int { FirstSteps, Solvers, Experts };
inline constexpr std::array kLevels{
    EnumEntry{int(Level::FirstSteps), "first-steps", "First steps", "Needs no linear algebra."},
    EnumEntry{int(Level::Solvers), "solvers", "The solvers", "Matrices, iterations, preconditioners."},
    EnumEntry{int(Level::Experts), "experts", "For those who know", "Where the textbook answer is not the whole one."}};
constexpr std::span<const EnumEntry> enumTable(Level) { return kLevels; }

struct Lesson {
    std::string name, file;  ///< "core-is-flat", and where it was read from
    std::string title, group, summary, source;
    Level level = Level::Solvers;
    int minutes = 0;  ///< that it takes, by and large; 0: it does not say
    int order = 0;    ///< place in the gallery, within its level
    std::string scene;
    int sceneLine = 0;
    std::vector<std::string> controls;  ///< keys of settings, at most three
    std::optional<scene::OverlayKind> overlay;
    std::string plot;  ///< the one that it is about (plots.hpp); empty = none
    int plotLine = 0;
    std::vector<Assignment> settings;
    std::vector<LessonStep> steps;
};

/// Empty, or what is wrong with a quantity in a step, counted from 1.
using StepCheck = std::function<std::string(const Quantity&, int step)>;

/// Reads and checks the form of a lesson. An Error has file, line and column: TOML, unknown keys, a step without text,
/// a claim that cannot be read or, so says `check` (of a quantity in a step, counted from 1), judged.
Expected<Lesson> readLessonText(std::string_view text, const std::string& file, const StepCheck& check);
/// The same from a file, and every scene, setting, pin, method and overlay is tried: nothing is left that could fail
/// when the lesson is given.
Expected<Lesson> readLesson(const std::string& path, const std::string& assetsFolder);

/// Finds "core-is-flat" among the built-in lessons, or takes a path that ends in .md.
Expected<Lesson> findLesson(const std::string& nameOrPath, const std::string& assetsFolder);
/// Those of the folder that can be read, by their order, and why the others cannot.
std::vector<Lesson> readableLessons(const std::string& assetsFolder, std::vector<Error>& broken);
/// All of the folder, by their order. One that cannot be read is an Error.
Expected<std::vector<Lesson>> builtInLessons(const std::string& assetsFolder);

/// The scene with the settings that hold in the step `index` (from 0), what it sets included unless `before`.
Expected<scene::Scene> sceneAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder,
                               bool before = false);
/// With which settings the ghost of the step goes on, where it has one.
Expected<scene::Settings> ghostAt(const Lesson& lesson, std::size_t index, const std::string& assetsFolder);
/// What the step does once its scene and settings are active, in this order: its ghost starts, which continues with
/// these settings, particles are pinned, and unpinned.
std::vector<simulation::Edit> editsOf(const LessonStep& step, const scene::Scene& scene, const scene::Settings& ghost);
/// The one plot that the step is about: its own, or the lesson's where the step has what that shows; empty = none.
std::string_view plotAt(const Lesson& lesson, std::size_t index);
/// Whether the motion begins anew with the step: the first, another scene, another mesh, or because it says so.
bool beginsAnew(const Lesson& lesson, std::size_t index);
/// The particle of a place in the first cloth of a scene. An Error when there is no grid or no such place.
Expected<Index> particleAt(const scene::Scene& scene, GridPlace place);

}  // namespace clothlab::lessons
