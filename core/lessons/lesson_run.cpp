#include "lessons/lesson_run.hpp"

#include <fmt/format.h>

#include <memory>

#include "simulation/branch.hpp"

namespace clothlab::lessons {
namespace {

using simulation::Branch;
using simulation::Simulation;

class Stage {
public:
    Stage(const Lesson& lesson, const std::string& assetsFolder, const RunControl& control)
        : lesson_(lesson), assets_(assetsFolder), control_(control) {}

    Expected<Facts> play(std::size_t index) {
        if (auto done = set(index); !done) return fail(done.error());
        Facts facts;
        const int steps = lesson_.steps[index].steps;
        for (int n = 0; n < steps && !control_.stop.stop_requested() && !facts.failed(); ++n)
            takeStep(n + 1 == steps, facts);
        if (branch_ && branch_->problem().empty()) facts.distance = branch_->largestDistance();
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
        if (beginsAnew(lesson_, index)) {
            auto made = Simulation::create(*scene, control_.threads);
            if (!made) return fail(made.error());
            simulation_ = std::move(*made);
            branch_.reset();
        }
        if (step.branch) branch_.reset();
        if (step.branch.value_or(false)) {
            auto made = Branch::start(*simulation_, *ghost, control_.threads);
            if (!made) return fail(made.error());
            branch_ = std::move(*made);
        }
        simulation_->apply(scene->settings);
        if (!simulation_->refusal().empty())
            return fail(Error{.message = simulation_->refusal(), .file = lesson_.file, .line = step.line});
        for (const GridPlace place : step.pin) simulation_->setPin(*particleAt(*scene, place), integrators::PinHold{});
        for (const GridPlace place : step.unpin) simulation_->setPin(*particleAt(*scene, place), std::nullopt);
        return {};
    }

    void takeStep(bool last, Facts& facts) {
        facts.reports.push_back(simulation_->step({.stop = control_.stop, .keepSystem = last, .hash = false}));
        if (facts.failed() || !branch_) return;
        const std::int64_t before = branch_->ghost().state().step;
        branch_->follow(*simulation_, control_.stop);
        // A ghost with longer steps may have taken none, one with shorter ones reports the last of several.
        if (branch_->ghost().state().step != before || !branch_->problem().empty())
            facts.ghostReports.push_back(branch_->ghost().lastReport());
    }

    Expected<void> race(const LessonStep& step, Facts& facts) {
        const linalg::FrozenSystem* system = simulation_->systemOfLastStep();
        if (!system)
            return fail(Error{.message = "a race needs the system of a step: 'steps' of "
                                         "at least 1, and a method that solves one",
                              .file = lesson_.file,
                              .line = step.line});
        const auto field = experiments::contestantsNamed(simulation_->settings(), step.race);
        if (!field) return fail(field.error());
        WorkerPool pool(control_.threads);
        facts.race = experiments::race(*system, nullptr, *field, {.tolerances = {step.raceTolerance}, .runs = 1},
                                       {.stop = control_.stop}, pool);
        return {};
    }

    const Lesson& lesson_;
    const std::string& assets_;
    const RunControl& control_;
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<Branch> branch_;
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
    return [facts, number = int(index) + 1](const Quantity& quantity) { return valueOf(quantity, facts, number); };
}

}  // namespace clothlab::lessons
