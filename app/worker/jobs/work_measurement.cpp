#include "worker/jobs/work_measurement.hpp"

#include <fmt/format.h>

#include "base/input.hpp"
#include "base/stage_timer.hpp"
#include "experiments/sweep/sweep.hpp"
#include "records/json_line.hpp"
#include "worker/jobs/held_slices.hpp"

namespace clothlab::app::worker {
namespace {

constexpr double kPublishSeconds = 0.1;

std::string sizeText(double dt) { return fmt::format("{:.4g} ms", 1e3 * dt); }

std::string referenceWords(const experiments::WorkPrecisionRequest& request) {
    return fmt::format("{}, {}", enumLabel(request.reference), sizeText(request.referenceDt()));
}

std::string displayTitle(const WorkOrder& order) {
    return fmt::format("{} · {} s from {} · reference {}", order.scene.name, order.request.duration,
                       order.start ? fmt::format("step {}", order.start->step) : "the start",
                       referenceWords(order.request));
}

bool arrived(const std::string& status) { return status == "ok" || status == "unconverged"; }

}  // namespace

void WorkMeasurement::begin(const WorkOrder& order) {
    progress_ = {.serial = progress_.serial + 1,
                 .running = true,
                 .live = order.live,
                 .title = displayTitle(order),
                 .origin = order.origin,
                 .threads = order.threads};
    lines_.clear();
}

void WorkMeasurement::measure(const WorkOrder& order, StepGate& gate, const std::stop_token& stop,
                              const Publish& publish) {
    begin(order);
    publish(progress_);
    const auto finish = [&](std::string problem) {
        progress_.running = false;
        progress_.now.clear();
        progress_.problem = std::move(problem);
        publish(progress_);
    };
    const auto plan = experiments::planWorkPrecision(order.scene, order.start, order.request);
    if (!plan) return finish(plan.error().text());

    const experiments::PlannedSteps steps = experiments::plannedSteps(*plan);
    const int repeat = std::max(1, order.request.repeat);
    const double all = double(steps.reference + (steps.all() - steps.reference) * repeat);
    double before = 0, within = 0;  // steps of what is over, and of the run that is on
    HeldSlices slices(gate);
    StageTimer sincePublished;
    experiments::RunnerHooks hooks;
    hooks.stop = stop;
    hooks.beforeStep = [&](bool timed) {
        if (timed && !order.live) slices.hold();
    };
    hooks.afterStep = [&](bool) {
        slices.pause();
        ++within;
        if (sincePublished.seconds() < kPublishSeconds) return;
        sincePublished = {};
        progress_.share = std::min(1.0, (before + within) / all);
        publish(progress_);
    };
    experiments::SweepRunner runner(*plan, order.threads, repeat, hooks);
    for (int run = 0; run < plan->runs; ++run) {
        const scene::Scene scene = plan->runScene(run);
        progress_.now = run == 0 ? "the reference: " + referenceWords(order.request)
                                 : fmt::format("{}, {}", enumLabel(scene.settings.integrator.kind),
                                               sizeText(scene.settings.integrator.dt));
        publish(progress_);
        const auto row = runner.run(run);
        slices.release();
        if (!row) return finish({});
        if (!arrived(row->referenceStatus))
            return finish(fmt::format("The reference ({}) did not arrive: {}. Choose another one, or a shorter step.",
                                      referenceWords(order.request), row->referenceStatus));
        const std::string line = toJsonLine(*row, plan->identity);
        lines_ += line + "\n";
        progress_.records.records.push_back(*records::readJsonLine(line));
        if (run == 0) before = double(steps.reference);
        before += double(steps.runs[run] * repeat);  // all of them, also where it ended early
        within = 0;
        progress_.share = before / all;
        publish(progress_);
    }
    finish({});
}

void WorkMeasurement::open(const std::string& path, const Publish& publish) {
    auto file = records::readRecords(path);
    if (file)
        if (auto fits = experiments::checkWorkPrecision(*file); !fits) file = fail(fits.error());
    if (!file) {  // what is shown stays
        progress_.problem = file.error().text();
        return publish(progress_);
    }
    progress_ = {.serial = progress_.serial + 1, .share = 1, .title = path, .records = std::move(*file)};
    lines_.clear();
    publish(progress_);
}

void WorkMeasurement::save(const std::string& path, const Publish& publish) {
    if (lines_.empty()) return;
    const auto done = writeFile(path, lines_, {});
    progress_.problem = done ? "" : done.error().text();
    progress_.saved = done ? path : "";
    publish(progress_);
}

}  // namespace clothlab::app::worker
