#include "experiments/work_precision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clothlab::experiments {
namespace {

constexpr std::size_t kPointsOfOrder = 3;

}  // namespace

double WorkPrecisionRequest::smallestDt() const { return std::ldexp(largestDt, 1 - sizes); }

Expected<SweepPlan> planWorkPrecision(scene::Scene scene,
                                      const std::shared_ptr<const integrators::SimulationState>& start,
                                      const WorkPrecisionRequest& request) {
    if (request.integrators.empty()) return fail("choose an integrator to be measured");
    scene.settings.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    if (request.tolerance > 0)
        scene.settings.solver.tolerance = scene.settings.integrator.newton.tolerance = request.tolerance;
    std::vector<std::string> kinds, sizes;
    for (const auto kind : request.integrators) kinds.emplace_back(enumKey(kind));
    for (int k = 0; k < request.sizes; ++k) sizes.push_back(fmt::format("{}", std::ldexp(request.largestDt, -k)));
    SweepRequest sweep{.vary = {fmt::format("integrator.dt={}", fmt::join(sizes, ",")),
                                fmt::format("integrator.kind={}", fmt::join(kinds, ","))},
                       .sets = {},
                       .reference = {fmt::format("integrator.kind={},integrator.dt={}", enumKey(request.reference),
                                                 request.referenceDt())},
                       .duration = request.duration};
    if (start) {
        auto fresh = std::make_shared<integrators::SimulationState>(*start);
        using enum integrators::Memory;
        for (const integrators::Memory each : {Past, Method, Hand}) integrators::forget(*fresh, each);
        sweep.start = std::move(fresh);
    }
    return planSweep(std::move(scene), std::move(sweep));
}

std::int64_t PlannedSteps::all() const { return std::accumulate(runs.begin(), runs.end(), reference); }

PlannedSteps plannedSteps(const SweepPlan& plan) {
    PlannedSteps steps;
    if (!plan.reference.empty()) steps.reference = plan.stepsOf(plan.referenceOf(0));
    for (int run = 0; run < plan.runs; ++run) steps.runs.push_back(plan.stepsOf(plan.sceneOf(run)));
    return steps;
}

std::optional<double> measuredOrder(std::span<const double> dt, std::span<const double> error) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < dt.size(); ++i)
        if (dt[i] > 0 && std::isfinite(error[i]) && error[i] > 0)
            points.emplace_back(std::log(dt[i]), std::log(error[i]));
    std::sort(points.begin(), points.end());
    if (points.size() > kPointsOfOrder) points.resize(kPointsOfOrder);
    double x = 0, y = 0;
    for (const auto& [a, b] : points) x += a / double(points.size()), y += b / double(points.size());
    double xx = 0, xy = 0;
    for (const auto& [a, b] : points) xx += (a - x) * (a - x), xy += (a - x) * (b - y);
    if (points.size() < 2 || !(xx > 0)) return {};
    return xy / xx;
}

scene::Settings settingsOfRun(const records::Entries& record, scene::Scene scene) {
    constexpr std::string_view kVary = "vary.";
    bool sized = false;
    for (const auto& [key, value] : record) {
        if (!key.starts_with(kVary)) continue;
        const double* number = std::get_if<double>(&value);
        const std::string text = number ? fmt::format("{}", *number) : std::get<std::string>(value);
        // A file may be older than the keys that there are now: what is no setting any more stays as it is.
        (void)scene::applyOverride(scene, key.substr(kVary.size()) + "=" + text);
        sized = sized || key == "vary.integrator.dt";
    }
    const records::Value* schedule = records::findEntry(record, "settings.integrator.dt_schedule");
    if (sized && schedule && *schedule == records::Value(std::string(enumKey(integrators::DtSchedule::Fixed))))
        scene.settings.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    return scene.settings;
}

std::string timesNote(std::span<const records::Entries> records) {
    constexpr double kBusy = 1.3;
    double repeats = 0;
    int runs = 0, disturbed = 0;
    for (const records::Entries& record : records) {
        const double times = records::numberOf(record, "repeats", 0),
                     fastest = records::numberOf(record, "total_ms", 0);
        if (!(times > 0)) continue;
        ++runs;
        repeats = std::max(repeats, times);
        disturbed += times > 1 && records::numberOf(record, "slowest_total_ms", 0) > kBusy * fastest;
    }
    if (runs == 0) return {};
    if (repeats < 2) return "each run was made once: its time includes other load of the machine";
    if (disturbed == 0) return {};
    return fmt::format(
        "the machine was busy: of {} of {} runs the repeats differ by more than 30 %; the fastest is drawn", disturbed,
        runs);
}

Expected<void> checkWorkPrecision(const records::RecordFile& file) {
    bool measured = false;
    for (std::size_t i = 0; i < file.records.size(); ++i) {
        if (!records::findEntry(file.records[i], "run"))
            return fail(Error{
                .message = "this is not a line of a sweep", .file = file.name, .line = file.lines[i], .column = 1});
        measured = measured || records::findEntry(file.records[i], "error_m");
    }
    if (measured) return {};
    return fail(Error{.message = "no line has error_m: a sweep with --reference measures it", .file = file.name});
}

}  // namespace clothlab::experiments
