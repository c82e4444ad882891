#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/sweep/sweep_plan.hpp"
#include "integrators/kind.hpp"
#include "records/record_file.hpp"

/// Work and precision of integrators: error against a fine reference over time spent, as a sweep over methods
/// and step sizes that ends at one time.
namespace clothlab::experiments {

struct WorkPrecisionRequest {
    std::vector<integrators::IntegratorKind> integrators;
    double duration = 0.2;    ///< s, simulated
    double largestDt = 0.01;  ///< s; each further size is half the previous one
    int sizes = 5;
    integrators::IntegratorKind reference = integrators::IntegratorKind::Rk4;
    int referenceDivisor = 8;  ///< the smallest step size divided by the reference's
    double tolerance = 1e-8;   ///< of the linear solver and of Newton, for all runs; 0 = as the scene has them
    int repeat = 3;            ///< repeats of each run; the fastest counts

    double smallestDt() const;
    double referenceDt() const { return smallestDt() / referenceDivisor; }
    bool operator==(const WorkPrecisionRequest&) const = default;
};

/// The runs, the largest steps of all methods first. They begin at `start` without grabs and without the memory of
/// two-step methods, warm starts and schedules, so that all begin alike; null: at the start of the scene. Steps have a
/// fixed length, whatever schedule the scene has. An Error says what is impossible in the request.
Expected<SweepPlan> planWorkPrecision(scene::Scene scene,
                                      const std::shared_ptr<const integrators::SimulationState>& start,
                                      const WorkPrecisionRequest& request);

/// All steps of a plan, those of its reference first: the unit of progress.
struct PlannedSteps {
    std::int64_t reference = 0;
    std::vector<std::int64_t> runs;
    std::int64_t all() const;
};
PlannedSteps plannedSteps(const SweepPlan& plan);

/// The exponent p of error ~ dt^p over the three smallest steps, by least squares in the logarithms. Steps that differ
/// by less than 2 % count as one; empty with fewer than two positive ones, or if they lie within a factor of 1.5. The
/// points may be in any order.
std::optional<double> measuredOrder(std::span<const double> dt, std::span<const double> error);

/// The order of one method, measured from its runs.
struct CurveOrder {
    std::optional<double> order;  ///< over the actual steps ("step_taken_s", or if missing the time step)
    std::string why;              ///< why there is no order, or why it is below the method's own
};
/// `runs`: their records, all of one integrator; `error`: theirs, as many.
CurveOrder orderOfCurve(std::span<const records::Entries* const> runs, std::span<const double> error);

/// The actual step of a run of a sweep, s, as above; NaN if its record has neither.
double findStepLength(const records::Entries& record);

/// The settings of `scene` with the varied values of a run (its record's "vary.KEY"), and with fixed steps if it had
/// them. Keys that are not settings, such as the rows of the mesh, are ignored.
scene::Settings settingsOfRun(const records::Entries& record, scene::Scene scene);

/// The quality of the times: the number of repeats, and whether they differ by more than 30 %, which means that the
/// machine was busy. Empty if the records do not say.
std::string timesNote(std::span<const records::Entries> records);

/// Checks that the lines of a file can be drawn as work and precision: all of one sweep, some with an error. The Error
/// has the line.
Expected<void> checkWorkPrecision(const records::RecordFile& file);

}  // namespace clothlab::experiments
