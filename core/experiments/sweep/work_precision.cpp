#include "experiments/sweep/work_precision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "integrators/methods/catalogue.hpp"

namespace clothlab::experiments {
namespace {

constexpr std::size_t kPointsOfOrder = 3;
constexpr double kSameStep = 1.02, kRange = 1.5;  // factors between steps
constexpr double kFlat = 0.8;                     // of the error of the next larger step

/// The smallest steps, ascending, one of each length.
std::vector<std::size_t> pointsOfOrder(std::span<const double> dt, std::span<const double> error) {
    std::vector<std::size_t> all, points;
    for (std::size_t i = 0; i < dt.size(); ++i)
        if (dt[i] > 0 && std::isfinite(error[i]) && error[i] > 0) all.push_back(i);
    std::ranges::stable_sort(all, {}, [&](std::size_t i) { return dt[i]; });
    for (const std::size_t i : all)
        if (points.size() < kPointsOfOrder && (points.empty() || dt[i] > kSameStep * dt[points.back()]))
            points.push_back(i);
    return points;
}

/// For a complete record whose integrator still exists; otherwise null.
const integrators::IntegratorTraits* traitsOfRun(const records::Entries& record) {
    const records::Value* kind = records::findEntry(record, "settings.integrator.kind");
    const std::string* key = kind ? std::get_if<std::string>(kind) : nullptr;
    for (const integrators::IntegratorEntry& entry : integrators::catalogue())
        if (key && entry.key == *key) return &entry.traits;
    return nullptr;
}

/// Milliseconds, "0.313 ms" or "0.625 to 0.769 ms".
std::string rangeText(double low, double high) {
    return high < kSameStep * low ? fmt::format("{:.3g} ms", 1e3 * low)
                                  : fmt::format("{:.3g} to {:.3g} ms", 1e3 * low, 1e3 * high);
}

std::string whyNone(std::span<const records::Entries* const> runs, std::span<const double> dt) {
    int cut = 0, arrived = 0;
    double low = INFINITY, high = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!(dt[i] > 0)) continue;
        ++arrived;
        cut += dt[i] * kSameStep < records::findNumber(*runs[i], "settings.integrator.dt", NAN);
        low = std::min(low, dt[i]), high = std::max(high, dt[i]);
    }
    if (arrived < 2) return "fewer than two runs arrived";
    if (cut == 0) return high < kRange * low ? "the steps are too close together" : "fewer than two errors above zero";
    return fmt::format("{} cut to {}", cut == arrived ? "every step was" : "longer steps were", rangeText(low, high));
}

std::vector<std::string> measuredReasons(std::span<const records::Entries* const> runs) {
    const auto sum = [&](const char* key) {
        double total = 0;
        for (const records::Entries* run : runs) total += records::findNumber(*run, key, 0);
        return total;
    };
    std::vector<std::string> reasons;
    if (sum("slack_changes") > 0) reasons.emplace_back("springs turned slack or taut");
    if (sum("contact_steps") > 0) reasons.emplace_back("particles were in contact");
    if (sum("unconverged") > 0) reasons.emplace_back("steps did not converge");
    return reasons;
}

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
        using enum integrators::StateRole;
        for (const integrators::StateRole each : {Past, Method, Hand}) integrators::forget(*fresh, each);
        sweep.start = std::move(fresh);
    }
    return planSweep(std::move(scene), std::move(sweep));
}

std::int64_t PlannedSteps::all() const { return std::accumulate(runs.begin(), runs.end(), reference); }

PlannedSteps plannedSteps(const SweepPlan& plan) {
    PlannedSteps steps;
    if (!plan.reference.empty()) steps.reference = plan.countSteps(plan.referenceScene(0));
    for (int run = 0; run < plan.runs; ++run) steps.runs.push_back(plan.countSteps(plan.runScene(run)));
    return steps;
}

std::optional<double> measuredOrder(std::span<const double> dt, std::span<const double> error) {
    const std::vector<std::size_t> points = pointsOfOrder(dt, error);
    if (points.size() < 2 || dt[points.back()] < kRange * dt[points.front()]) return {};
    double x = 0, y = 0;
    const auto count = double(points.size());
    for (const std::size_t i : points) x += std::log(dt[i]) / count, y += std::log(error[i]) / count;
    double xx = 0, xy = 0;
    for (const std::size_t i : points) {
        const double a = std::log(dt[i]) - x;
        xx += a * a, xy += a * (std::log(error[i]) - y);
    }
    return xy / xx;
}

double findStepLength(const records::Entries& record) {
    const double taken = records::findNumber(record, "step_taken_s", NAN);
    return std::isfinite(taken) ? taken : records::findNumber(record, "settings.integrator.dt", NAN);
}

CurveOrder orderOfCurve(std::span<const records::Entries* const> runs, std::span<const double> error) {
    std::vector<double> dt;
    for (const records::Entries* run : runs) dt.push_back(findStepLength(*run));
    const std::vector<std::size_t> points = pointsOfOrder(dt, error);
    CurveOrder out{measuredOrder(dt, error), {}};
    if (!out.order) {
        out.why = whyNone(runs, dt);
        return out;
    }
    const integrators::IntegratorTraits* traits = points.empty() ? nullptr : traitsOfRun(*runs[points.front()]);
    constexpr double kBelow = 0.25;
    if (!traits || *out.order > traits->order - kBelow) return out;
    std::vector<const records::Entries*> fitted;
    for (const std::size_t i : points) fitted.push_back(runs[i]);
    std::vector<std::string> reasons = measuredReasons(fitted);
    if (reasons.empty() && error[points[0]] > kFlat * error[points[1]])
        reasons.emplace_back(traits->implicit ? "the errors end in a floor, the tolerance's or the reference's"
                                              : "the errors end in a floor, the reference's");
    out.why = fmt::format("of order {} on a smooth motion{}{}", traits->order, reasons.empty() ? "" : ": ",
                          fmt::join(reasons, ", "));
    return out;
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
        const double times = records::findNumber(record, "repeats", 0),
                     fastest = records::findNumber(record, "total_ms", 0);
        if (!(times > 0)) continue;
        ++runs;
        repeats = std::max(repeats, times);
        disturbed += times > 1 && records::findNumber(record, "slowest_total_ms", 0) > kBusy * fastest;
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
