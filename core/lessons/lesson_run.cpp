#include "lessons/lesson_run.hpp"

#include <fmt/format.h>

#include <memory>

#include "simulation/session.hpp"

namespace clothlab::lessons {
namespace {

class Stage {
public:
    Stage(const Lesson& lesson, const std::string& assetsFolder, const RunControl& control)
        : lesson_(lesson), assets_(assetsFolder), control_(control), session_(control.threads) {}

    Expected<Facts> play(std::size_t index) {
        if (auto done = set(index); !done) return fail(done.error());
        Facts facts;
        const int steps = lesson_.steps[index].steps;
        const auto tell = [&] {
            if (control_.onState) control_.onState(index, session_, facts);
        };
        tell();
        for (int n = 0; n < steps && !control_.stop.stop_requested() && !facts.failed(); ++n)
            runStep(n + 1 == steps, facts), tell();
        if (ghost() && ghost()->problem().empty()) facts.distance = ghost()->largestDistance();
        if (!lesson_.steps[index].race.empty())
            if (auto done = race(lesson_.steps[index], facts); !done) return fail(done.error());
        return facts;
    }

private:
    /// Scene, ghost, settings and pins of the step, in the order in which the window does them.
    Expected<void> set(std::size_t index) {
        const LessonStep& step = lesson_.steps[index];
        const auto scene = sceneAt(lesson_, index, assets_);
        const auto ghost = ghostAt(lesson_, index, assets_);
        if (!scene) return fail(scene.error());
        if (!ghost) return fail(ghost.error());
        std::vector<simulation::Edit> edits;
        if (beginsAnew(lesson_, index)) {
            edits.emplace_back(simulation::edits::Load{*scene, std::nullopt});  // which ends the ghost, too
        } else {
            if (step.branch) edits.emplace_back(simulation::edits::Ghost{});
            edits.emplace_back(simulation::difference(session_.simulation().settings(), scene->settings));
        }
        for (simulation::Edit& edit : lessonEdits(step, *scene, *ghost)) edits.push_back(std::move(edit));
        for (const simulation::Edit& edit : edits)
            if (auto done = session_.apply(edit, shelf_); !done)
                return fail(Error{.message = done.error().text(), .file = lesson_.file, .line = step.line});
        if (const std::string& refusal = session_.simulation().refusal(); !refusal.empty())
            return fail(Error{.message = refusal, .file = lesson_.file, .line = step.line});
        return {};
    }

    void runStep(bool last, Facts& facts) {
        facts.reports.push_back(session_.simulation().step({.stop = control_.stop, .keepSystem = last, .hash = false}));
        if (facts.failed() || !ghost()) return;
        const std::int64_t before = ghost()->ghost().state().step;
        session_.follow(control_.stop);
        // A ghost with longer steps may have taken none, one with shorter ones reports the last of several.
        if (ghost()->ghost().state().step != before || !ghost()->problem().empty())
            facts.ghostReports.push_back(ghost()->ghost().lastReport());
    }
    /// Null: there is none.
    const simulation::Branch* ghost() const {
        return session_.ghosts().empty() ? nullptr : session_.ghosts().front().get();
    }

    Expected<void> race(const LessonStep& step, Facts& facts) {
        const linalg::FrozenSystem* system = session_.simulation().systemOfLastStep();
        if (!system)
            return fail(Error{.message = "a race needs the system of a step: 'steps' of "
                                         "at least 1, and a method that solves one",
                              .file = lesson_.file,
                              .line = step.line});
        const auto field = experiments::contestantsNamed(session_.simulation().settings(), step.race);
        if (!field) return fail(field.error());
        WorkerPool pool(control_.threads);
        facts.race = experiments::race(*system, nullptr, *field, {.tolerances = {step.raceTolerance}, .runs = 1},
                                       {.stop = control_.stop}, pool);
        return {};
    }

    const Lesson& lesson_;
    const std::string& assets_;
    const RunControl& control_;
    simulation::Session session_;
    simulation::EmptyShelf shelf_;  // a lesson puts nothing aside
};

}  // namespace

Expected<std::vector<Facts>> runLesson(const Lesson& lesson, const std::string& assetsFolder,
                                       const RunControl& control) {
    Stage stage(lesson, assetsFolder, control);
    std::vector<Facts> all;
    for (std::size_t k = 0; k < lesson.steps.size() && !control.stop.stop_requested(); ++k) {
        auto facts = stage.play(k);
        if (!facts) return fail(facts.error());
        all.push_back(std::move(*facts));
        if (control.onStep) control.onStep(k, all);
    }
    return all;
}

Lookup lookupAt(std::span<const Facts> facts, std::size_t index) {
    return
        [facts, number = int(index) + 1](const Quantity& quantity) { return quantityValue(quantity, facts, number); };
}

}  // namespace clothlab::lessons
