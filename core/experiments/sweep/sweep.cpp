#include "experiments/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "experiments/sweep/sweep_file.hpp"
#include "linalg/distances.hpp"

namespace clothlab::experiments {
namespace {

using integrators::StepStatus;

/// A number where the text is one.
records::Value parsedValue(const std::string& text) {
    if (const auto number = parseNumber(text)) return *number;
    return text;
}

std::string valuesText(const std::vector<std::pair<std::string, std::string>>& values) {
    std::string text;
    for (const auto& [key, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    return text;
}

/// Looks at a run from step to step, outside of what is timed.
class RunWatch {
public:
    RunWatch(const simulation::Simulation& simulation, bool looksAtSprings, SweepRow& row)
        : simulation_(simulation), looksAtSprings_(looksAtSprings), start_(simulation.state().time), row_(row) {
        if (!looksAtSprings_) return;
        row_.slackChanges = row_.contactSteps = 0;
        simulation_.springStates(before_);
    }
    void take(const simulation::StepReport& report) {
        if (hasFailed(report.status)) return;
        substeps_ += std::max(1, report.substeps);
        row_.stepTaken = (simulation_.state().time - start_) / double(substeps_);
        if (!looksAtSprings_) return;
        row_.contactSteps += report.contacts > 0;
        simulation_.springStates(now_);
        for (std::size_t k = 0; k < now_.size(); ++k)
            row_.slackChanges += ((now_[k] ^ before_[k]) & cloth::kSpringActive) != 0;
        std::swap(now_, before_);
    }

private:
    const simulation::Simulation& simulation_;
    bool looksAtSprings_;
    double start_;
    SweepRow& row_;
    std::int64_t substeps_ = 0;
    std::vector<std::uint8_t> before_, now_;
};

}  // namespace

/// At the state where the runs begin.
Expected<std::unique_ptr<simulation::Simulation>> SweepRunner::prepare(scene::Scene scene) const {
    auto simulation = simulation::Simulation::create(std::move(scene), threads_);
    const auto& start = plan_.request.start;
    if (!simulation || !start) return simulation;
    if ((*simulation)->state().x.size() != start->x.size())
        return fail("the start state has other cloths than the scene");
    (*simulation)->setState(*start);
    return simulation;
}

simulation::RunOptions SweepRunner::makeRunOptions(int steps, bool timed) const {
    simulation::RunOptions options{.steps = steps, .reportFile = {}, .stop = hooks_.stop};
    if (hooks_.beforeStep) options.beforeStep = [this, timed] { hooks_.beforeStep(timed); };
    if (hooks_.afterStep) options.afterStep = [this, timed] { hooks_.afterStep(timed); };
    return options;
}

const SweepRunner::Reference* SweepRunner::referenceFor(int index) {
    scene::Scene scene = plan_.referenceScene(index);
    const std::string name = scene::writeScene(scene, true);
    if (const auto found = references_.find(name); found != references_.end()) return &found->second;
    const int steps = plan_.countSteps(scene);
    Reference reference{.status = "refused", .x = {}};
    if (auto simulation = prepare(std::move(scene))) {
        const auto summary = simulation::run(**simulation, makeRunOptions(steps, false));
        if (stopped()) return nullptr;
        if (summary) reference.status = enumKey(summary->status);
        if (summary && summary->steps == steps) reference.x = (*simulation)->state().x;
    }
    return &references_.emplace(name, std::move(reference)).first->second;
}

std::optional<SweepRow> SweepRunner::run(int index) {
    const Reference* reference = plan_.reference.empty() ? nullptr : referenceFor(index);
    if (stopped()) return {};
    SweepRow row;
    row.run = index;
    for (const auto& [key, value] : plan_.runValues(index)) row.vary.emplace_back(key, parsedValue(value));
    if (reference) row.referenceStatus = reference->status;
    const scene::Scene scene = plan_.runScene(index);
    row.summary.scene = scene.name;
    row.settings = scene.settings;
    for (int k = 0; k < repeat_; ++k) {
        if (auto done = once(scene, reference, row); !done) {
            row.refusal = done.error().text();
            break;
        }
        if (stopped()) return {};
    }
    return row;
}

Expected<void> SweepRunner::once(const scene::Scene& scene, const Reference* reference, SweepRow& row) {
    const int steps = plan_.countSteps(scene);
    auto simulation = prepare(scene);
    if (!simulation) return fail(simulation.error());
    const bool first = row.particles == 0;
    simulation::RunOptions options = makeRunOptions(steps, true);
    std::optional<RunWatch> watch;
    if (first) {
        watch.emplace(**simulation, reference != nullptr, row);
        options.onStep = [&](const simulation::StepReport& report) { watch->take(report); };
    }
    auto summary = simulation::run(**simulation, options);
    if (!summary) return fail(summary.error());
    const linalg::BlockVector& x = (*simulation)->state().x;
    row.particles = x.size();
    ++row.repeats;
    row.slowestMs = std::max(row.slowestMs, summary->totalMs);
    // The same bits every time: only the times differ, and the fastest was disturbed least.
    if (first || summary->totalMs < row.summary.totalMs) row.summary = std::move(*summary);
    if (reference && row.summary.steps == steps && reference->x.size() == x.size()) {
        const linalg::Distances error = linalg::distances(x, reference->x);
        row.largestError = error.largest;
        row.rmsError = error.rms;
    }
    return {};
}

Expected<SweepOutcome> sweep(const SweepPlan& plan, const SweepControl& control) {
    auto file = SweepFile::open(control.out, plan.identity, plan.runs, control.inputs);
    if (!file) return fail(file.error());
    SweepOutcome outcome;
    outcome.dropped = file->droppedHalfLine();
    std::vector<int> missing;
    for (int run = 0; run < plan.runs; ++run) {
        if (!control.shard.has(run)) continue;
        ++outcome.runs;
        if (!file->has(run)) missing.push_back(run);
    }
    outcome.kept = outcome.runs - int(missing.size());
    SweepRunner runner(plan, control.threads, control.repeat, {.stop = control.stop});
    for (const int run : missing) {
        if (control.progress)
            control.progress(outcome.kept + outcome.added, outcome.runs, valuesText(plan.runValues(run)));
        const auto row = runner.run(run);
        if (!row) return outcome;
        outcome.refused += !row->refusal.empty();
        outcome.diverged += hasFailed(row->summary.status);
        if (auto done = file->append(toJsonLine(*row, plan.identity)); !done) return fail(done.error());
        ++outcome.added;
    }
    if (control.progress) control.progress(outcome.runs, outcome.runs, {});
    return outcome;
}

}  // namespace clothlab::experiments
