#include <algorithm>
#include <cassert>

#include "model/panel.hpp"
#include "model/step_note.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::model {
namespace {

using records::Json;
using widgets::Key;

/// Whether a result is what somebody wants to see who asks for the step shown.
template <class Progress>
bool isOfStepShown(const Progress* progress, const UiModel& model) {
    return progress && !stepNote(progress->origin, model).wantsAnother(model.snapshot->playing);
}

/// Races the step shown, or shows the race of it.
void raceOpened(UiModel& model) {
    if (!isOfStepShown(model.race(), model)) startRace(model);
}

/// As of a race.
void descentOpened(UiModel& model) {
    if (!isOfStepShown(model.descent(), model)) startDescent(model);
}

/// With the method of the step beside another one.
void slowMotionOpened(UiModel& model) {
    model.slow.choose(*model.snapshot);
    model.slow.opened = model.slow.request + 1;
    startSlowMotion(model);
}

void raceState(const UiModel& model, Json& out) {
    const worker::RaceProgress* race = model.race();
    out["race_rows"] = race ? race->result.rows.size() : 0;
    out["race_running"] = race && race->running;
    out["race_saved"] = race ? race->saved : "";
    out["race_note"] = race ? stepNote(race->origin, model).words : "";
}

void descentState(const UiModel& model, Json& out) {
    const worker::DescentProgress* descent = model.descent();
    Json& own = out["descent"];
    own["open"] = model.isOpen(Panel::Descent);
    own["pictures"] = model.looks.descentPictures;
    own["running"] = descent && descent->running;
    own["scene"] = descent ? descent->race.scene : "";
    own["step"] = descent ? descent->race.step : 0;
    own["rows"] = descent ? descent->race.rows.size() : 0;
    own["frames"] = descent ? descent->race.frames.size() : 0;
    own["problem"] = descent ? descent->problem : "";
}

void workState(const UiModel& model, Json& out) {
    const worker::WorkProgress* work = model.work.progress();
    Json& own = out["work"];
    own["open"] = model.isOpen(Panel::Work);
    own["running"] = work && work->running;
    own["points"] = work ? work->records.records.size() : 0;
    own["share"] = work ? work->share : 0.0;
    own["saved"] = work ? work->saved : "";
    own["problem"] = work ? work->problem : "";
}

/// Where each method shown stands.
void quadraticState(const UiModel& model, Json& out) {
    const QuadraticState& q = model.quadratic;
    Json& own = out["quadratic"];
    own["open"] = model.isOpen(Panel::TwoUnknowns);
    own["start"] = Json::array(q.start);
    own["step"] = q.step;
    Json at = Json::object();
    for (std::size_t m = 0; m < QuadraticState::kMethods; ++m)
        if (q.shown[m]) at[experiments::kPlaneMethods[m].key] = Json::array(q.now(m).x);
    own["at"] = std::move(at);
}

/// Which lesson is on, and whether what it claims has come true.
void lessonState(const UiModel& model, Json& out) {
    const LessonGuide& guide = model.lessons;
    Json& own = out["lesson"];
    own["name"] = guide.isOn() ? guide.lesson().name : "";
    own["step"] = guide.isOn() ? int(guide.index()) + 1 : 0;
    own["reached"] = guide.phase() == LessonGuide::Phase::Reached;
    Json claims = Json::array();
    if (guide.phase() == LessonGuide::Phase::Reached)
        for (const lessons::Claim& claim : guide.step().claims) claims.push(claim.holds(guide.lookup()));
    own["claims"] = std::move(claims);
}

void papersState(const UiModel& model, Json& out) {
    Json& own = out["papers"];
    own["open"] = model.isOpen(Panel::Papers);
    own["running"] = model.papers.running();
    own["done"] = model.papers.count();
}

constexpr PanelEntry kPanels[] = {
    {.panel = Panel::Race,
     .key = "race",
     .name = "Race",
     .button = "race/open",
     .shortcut = Key::T,
     .keyHelp = "race of all methods on this step",
     .help = "Which method is fastest: every solver and preconditioner on the linear "
             "system of this very step, in the background.",
     .needsSystem = true,
     .place = Place::Over,
     .opened = raceOpened,
     .state = raceState},
    {.panel = Panel::Descent,
     .key = "descent",
     .name = "Descent",
     .button = "descent/open",
     .shortcut = Key::D,
     .keyHelp = "descent: local/global and Newton on the energy of this step",
     .help = "Local/global and Newton on the energy of this very step: their error by iteration and time, and the "
             "cloth after 1 to 1000 iterations.",
     .needsSystem = false,
     .place = Place::Over,
     .opened = descentOpened,
     .state = descentState},
    {.panel = Panel::Work,
     .key = "work",
     .name = "Precision",
     .button = "work/panel",
     .shortcut = Key::P,
     .keyHelp = "work and precision of integrators",
     .help = "Error of integrators over the time that they take, measured on this cloth.",
     .needsSystem = false,
     .place = Place::Over,
     .opened = [](UiModel& model) { proposeWork(model); },
     .state = workState},
    {.panel = Panel::SlowMotion,
     .key = "slow",
     .name = "Slow motion",
     .button = "slow/open",
     .shortcut = Key::K,
     .keyHelp = "slow motion: the iterates of this step's solve",
     .help = "The iterates of this step's solve, one by one, two methods side by side.",
     .needsSystem = true,
     .place = Place::Under,
     .opened = slowMotionOpened,
     .state = nullptr},
    {.panel = Panel::Matrix,
     .key = "sparsity",
     .name = "Matrix",
     .button = "sparsity/open",
     .shortcut = Key::M,
     .keyHelp = "the blocks of the matrix, linked with the cloth",
     .help = "Which blocks the matrix and its factors have, linked with the cloth.",
     .needsSystem = true,
     .place = Place::Beside,
     .opened = [](UiModel& model) { askSparsity(model); },
     .state = nullptr},
    {.panel = Panel::TwoUnknowns,
     .key = "quadratic",
     .name = "2 × 2",
     .button = "quadratic/open",
     .shortcut = Key::U,
     .keyHelp = "two unknowns: conjugate gradients on a picture of f(x)",
     .help = "Steepest descent and conjugate gradients on a system of two unknowns, step by step.",
     .needsSystem = false,
     .place = Place::Instead,
     .opened = nullptr,
     .state = quadraticState},
    {.panel = Panel::Lessons,
     .key = "lessons",
     .name = "Lessons",
     .button = "lessons/open",
     .shortcut = Key::E,
     .keyHelp = "lessons: each effect of the papers, shown and explained",
     .help = "Each effect of the papers, one click away: set up, explained and measured.",
     .needsSystem = false,
     .place = Place::Instead,
     .opened = nullptr,
     .state = lessonState},
    {.panel = Panel::Plots,
     .key = "plots",
     .name = "Plots",
     .button = "title/energy",
     .shortcut = Key::V,
     .keyHelp = "one plot of the motion, large",
     .help = "One plot of the motion or its solves, large, under the cloth.",
     .needsSystem = false,
     .place = Place::Under,
     .opened = nullptr,
     .state = nullptr,
     .inTools = false},  // titles of the column open it
    {.panel = Panel::Gallery,
     .key = "gallery",
     .name = "Gallery",
     .button = "gallery/button",
     .shortcut = Key::O,
     .keyHelp = "gallery of scenes",
     .help = "All scenes with their pictures.",
     .needsSystem = false,
     .place = Place::Instead,
     .opened = nullptr,
     .state = nullptr,
     .inTools = false,  // beside the list of scenes
     .inPlayground = true},
    {.panel = Panel::Papers,
     .key = "papers",
     .name = "Papers",
     .button = "papers/open",
     .shortcut = Key::Q,
     .keyHelp = "the papers' tables, computed here",
     .help = "Each table and figure of the papers: the paper's values beside ours, computed here.",
     .needsSystem = false,
     .place = Place::Instead,
     .opened = nullptr,
     .state = papersState,
     .inTools = false},  // beside "Take away", and in the gallery of lessons
};

}  // namespace

std::span<const PanelEntry> panelTable() { return kPanels; }

const PanelEntry& entryFor(Panel panel) {
    const auto found = std::ranges::find(kPanels, panel, &PanelEntry::panel);
    assert(found != std::end(kPanels) && "a panel without a row");
    return *found;
}

}  // namespace clothlab::app::model
