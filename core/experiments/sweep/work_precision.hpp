#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/sweep/sweep_plan.hpp"
#include "integrators/kind.hpp"
#include "records/record_file.hpp"

/// Work and precision of integrators: the error against a fine reference over the time spent, as a sweep over methods
/// and step sizes that ends at one time.
namespace clothlab::experiments {

struct WorkPrecisionRequest {
    std::vector<integrators::IntegratorKind> integrators;
    double duration = 0.2;    ///< s, simulated
    double largestDt = 0.01;  ///< s; each next size is half of the one before
    int sizes = 5;
    integrators::IntegratorKind reference = integrators::IntegratorKind::Rk4;
    int referenceDivisor = 8;  ///< its step is the smallest size over this
    double tolerance = 1e-8;   ///< of the linear solver and of Newton, for all runs; 0 = as the scene has them
    int repeat = 3;            ///< of each run the fastest of so many counts

    double smallestDt() const;
    double referenceDt() const { return smallestDt() / referenceDivisor; }
    bool operator==(const WorkPrecisionRequest&) const = default;
};

/// The runs, the largest steps of all methods first. They begin at `start`, which forgets what methods of two steps,
/// warm starts and schedules remember of the past, so that all begin alike, and is held by no pointer; null: at the
/// scene's own start. Steps have a fixed length, whatever schedule the scene has. An Error says what of the request
/// cannot be.
Expected<SweepPlan> planWorkPrecision(scene::Scene scene,
                                      const std::shared_ptr<const integrators::SimulationState>& start,
                                      const WorkPrecisionRequest& request);

/// Steps that a plan takes in all, those of its reference first: what progress is counted in.
struct PlannedSteps {
    std::int64_t reference = 0;
    std::vector<std::int64_t> runs;
    std::int64_t all() const;
};
PlannedSteps plannedSteps(const SweepPlan& plan);

/// The exponent p of error ~ dt^p over the three smallest steps, by least squares in the logarithms. Steps that differ
/// by less than 2 % are one; nothing with fewer than two of them above zero, or where they lie within a factor of 1.5.
/// Order of the points: any.
std::optional<double> measuredOrder(std::span<const double> dt, std::span<const double> error);

/// What the runs of one method say of its order.
struct CurveOrder {
    std::optional<double>
        order;        ///< over the steps really taken ("step_taken_s", or where a file has none the time step)
    std::string why;  ///< of what was measured: why there is none, or why it is below the method's own
};
/// `runs`: their records, all of one integrator; `error`: theirs, as many.
CurveOrder orderOfCurve(std::span<const records::Entries* const> runs, std::span<const double> error);

/// s, of a run of a sweep: as above; not a number where its record has neither.
double stepOf(const records::Entries& record);

/// The settings of `scene` with what a run of a sweep varied (its record's "vary.KEY"), and with fixed steps where it
/// had them. Keys that are not of the settings, such as the rows of the mesh, are left alone.
scene::Settings settingsOfRun(const records::Entries& record, scene::Scene scene);

/// What the times are worth: how many repeats, and whether they differ by more than 30 %, which something else on the
/// machine did. Empty where the records do not say.
std::string timesNote(std::span<const records::Entries> records);

/// Checks that lines of a file can be drawn as work and precision: all of a sweep, some with an error. The Error has
/// the line.
Expected<void> checkWorkPrecision(const records::RecordFile& file);

}  // namespace clothlab::experiments
