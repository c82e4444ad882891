#include "experiments/race/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "experiments/race/program_run.hpp"
#include "experiments/systems/timed_solve.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/energy_error.hpp"
#include "solvers/kind.hpp"
#include "solvers/ritz.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::experiments {

using solvers::SolveStatus;

namespace {

/// Traits of its preconditioner; the defaults for a direct solver.
preconditioners::PreconditionerTraits traitsFor(const Contestant& c) {
    if (c.isProgram() || !solvers::usesPreconditioner(c.method.solver.kind)) return {};
    return preconditioners::traitsFor(c.method.preconditioner);
}

/// The end of a row as seen from outside: by the residual of the whole system, whatever the solver measured itself. A
/// direct solver is held to each tolerance anew.
void judge(RaceRow& row, solvers::SolverKind kind) {
    if (!row.cut && !solvers::acceptable(row.status)) return;
    solvers::SolveSummary end;
    if (solvers::iterates(kind)) {
        end.status = row.status;
        end.message = row.message;
    }
    solvers::conclude(end, row.trueRelativeResidual,
                      solvers::computeTolerance({.kind = kind, .tolerance = row.tolerance}));
    row.status = end.status;
    row.message = end.message;
}

/// What errors are measured against; empty where no direct solver finds it.
linalg::BlockVector solveDirectly(const linalg::FrozenSystem& system, const std::stop_token& stop, WorkerPool& pool) {
    linalg::BlockVector deltaV;
    solvers::SolveSummary summary;
    solvers::makeSolver({.kind = solvers::SolverKind::Cholesky}, {})
        ->solve(fromZero(system), deltaV, summary, {.stop = stop, .observer = {}}, pool);
    if (!solvers::acceptable(summary.status)) deltaV.resize(0);
    return deltaV;
}

/// What all contestants of a race have in common.
struct Course {
    const linalg::FrozenSystem& system;
    const linalg::FrozenSystem* earlier;
    linalg::BlockVector solution;
};

/// One contestant at one tolerance.
class ContestantRun {
public:
    ContestantRun(const Course& course, const Contestant& contestant, const RaceOptions& options,
                  const RaceControl& control, WorkerPool& pool)
        : system_(course.system),
          earlier_(course.earlier),
          solution_(course.solution),
          contestant_(contestant),
          options_(options),
          control_(control),
          pool_(pool) {}

    /// `bestMs`: of those before, at this tolerance; 0 = none yet.
    RaceRow run(double tolerance, double bestMs);

private:
    void once(RaceRow& row, double limitSeconds, bool watched);
    void finish(RaceRow& row);

    const linalg::FrozenSystem& system_;
    const linalg::FrozenSystem* earlier_;
    const linalg::BlockVector& solution_;
    const Contestant& contestant_;
    const RaceOptions& options_;
    const RaceControl& control_;
    WorkerPool& pool_;
    std::unique_ptr<solvers::Solver> solver_;
    std::optional<TimedSolve> timed_;
    std::vector<std::vector<float>> iterateTimes_;  ///< of each run that counts, ms
};

void copySizes(const solvers::SolveSummary& summary, RaceRow& row) {
    row.analyzeMs = 1e3 * summary.analyzeSeconds;
    row.bytes = double(summary.bytes);
    row.fill = summary.fill;
    row.relativeFill = summary.relativeFill;
    row.shift = summary.icShift;
    row.factorAge = summary.factorAge;
    row.coarseUnknowns = summary.coarseUnknowns;
    row.domains = summary.domains;
    row.interfaceRows = summary.interfaceRows;
}

/// `watched` runs keep the curve and the Ritz values. Timing the iterates costs two looks at the clock each.
void ContestantRun::once(RaceRow& row, double limitSeconds, bool watched) {
    timed_->bringFactor({});
    std::stop_source stop;
    solvers::RitzValues ritz;
    solvers::EnergyErrors errors;
    std::vector<float> milliseconds;
    milliseconds.reserve(row.residuals.size());
    int loops = 0;
    StageTimer clock;
    const std::stop_callback outside(control_.stop, [&] { stop.request_stop(); });
    const solvers::Observer observer = [&](const solvers::Iterate& it) {
        const double seconds = clock.seconds();
        if (seconds > limitSeconds) stop.request_stop();
        // A lagged solve that factors afresh starts a second loop, whose first iterate is the last one of the first.
        if (it.k > 0 || milliseconds.empty()) milliseconds.push_back(float(1e3 * seconds));
        if (!watched) return;
        loops += it.k == 0;
        ritz.observe(it);
        errors.observe(it);
    };
    if (control_.hold) control_.hold();
    clock = StageTimer();
    const solvers::SolveSummary& summary = timed_->solve({.stop = stop.get_token(), .observer = observer});
    if (control_.release) control_.release();

    timed_->count();
    ++row.runs;
    iterateTimes_.push_back(std::move(milliseconds));
    if (!watched) return;
    row.status = summary.status;
    row.cut = summary.status == SolveStatus::Cancelled && !control_.stop.stop_requested();
    row.iterations = summary.iterations;
    copySizes(summary, row);
    row.message = row.cut ? fmt::format("cut after {:.0f} ms: the best needs {:.1f} ms or less", 1e3 * limitSeconds,
                                        1e3 * limitSeconds / options_.slowFactor)
                          : summary.message;
    row.residuals = summary.history;
    const bool anew = loops > 1;  // two preconditioners, and no one condition number
    if (anew && row.message.empty())
        row.message = "the solve did not converge with the previous step's factor, which was recomputed";
    const std::vector<double> values = anew ? std::vector<double>() : ritz.values();
    row.ritz.assign(values.begin(), values.end());
    if (!values.empty()) {
        row.smallestRitz = values.front();
        row.largestRitz = values.back();
    }
    const linalg::BlockVector& deltaV = timed_->deltaV;
    if (deltaV.size() == system_.A.rows() && (row.cut || solvers::acceptable(row.status))) {
        row.trueRelativeResidual = solvers::trueRelativeResidual(system_.view(), deltaV);
        if (loops > 0 && solution_.size() == deltaV.size())
            row.errors = errors.relative(solvers::energyError2(system_.view(), deltaV, solution_));
    }
    judge(row, contestant_.method.solver.kind);
}

RaceRow ContestantRun::run(double tolerance, double bestMs) {
    RaceRow row;
    row.tolerance = tolerance;
    solvers::Method method = contestant_.method;
    solvers::SolverSettings& settings = method.solver;
    settings.tolerance = tolerance;
    settings.toleranceRule = solvers::ToleranceRule::Fixed;
    settings.stopping = solvers::Stopping::Residual;
    settings.maxIterations = options_.maxIterations;
    settings.decompose = false;  // methods are compared on the whole system: a component has iterates of its own
    solver_ = solvers::makeSolver(method);
    std::optional<linalg::LinearSystem> earlier;
    if (earlier_ && contestant_.isLagged()) earlier.emplace(fromZero(*earlier_));
    timed_.emplace(*solver_, fromZero(system_), earlier ? &*earlier : nullptr, pool_);
    const double limit = bestMs > 0 ? std::max(options_.patienceSeconds, 1e-3 * options_.slowFactor * bestMs) : 1e9;
    once(row, limit, true);
    const bool slow = bestMs > 0 && timed_->times.total.front() > options_.slowFactor * bestMs;
    // A short one may look slow because something else took the core for a moment: to run it again costs little.
    const bool brief = options_.runs * timed_->times.total.front() < 0.5e3 * options_.patienceSeconds;
    if (row.converged() && (!slow || brief) && options_.runs > 1) {
        // The first run has touched every page for the first time: it counts for the analysis, not for the median.
        timed_->times = {};
        iterateTimes_.clear();
        row.runs = 0;
        while (row.runs < options_.runs && !control_.stop.stop_requested()) once(row, 1e9, false);
    }
    finish(row);
    return row;
}

/// The curve begins at the median set-up and ends at the median total, as the row does, or curves and table would name
/// different winners.
void fitCurve(RaceRow& row) {
    auto& at = row.milliseconds;
    if (at.size() < 2 || !(at.back() > at.front()) || !(row.totalMs > row.setUpMs)) return;
    const double from = at.front(), scale = (row.totalMs - row.setUpMs) / (double(at.back()) - from);
    for (float& ms : at) ms = float(row.setUpMs + (double(ms) - from) * scale);
}

void ContestantRun::finish(RaceRow& row) {
    const StageTimes& times = timed_->times;
    row.totalMs = median(times.total);
    row.setUpMs = median(times.setUp);
    row.multiplyMs = median(times.multiply);
    row.applyMs = median(times.apply);
    row.coldMs = row.totalMs + row.analyzeMs;
    row.milliseconds = medianTimes(iterateTimes_);
    std::vector<double> totals = times.total;
    if (totals.empty()) return;
    std::ranges::sort(totals);
    const std::size_t left = totals.size() >= 4 ? 1 : 0;
    row.totalMinMs = totals.front();
    row.totalMaxMs = totals.back();
    row.middleMinMs = totals[left];
    row.middleMaxMs = totals[totals.size() - 1 - left];
    fitCurve(row);
}

}  // namespace

std::vector<const RaceRow*> allRows(const RaceResult& race) {
    std::vector<const RaceRow*> rows;
    for (const RaceRow& row : race.rows) rows.push_back(&row);
    return rows;
}

namespace {

struct Interval {
    double from, to;
};

/// Places of rows, tolerance by tolerance, in the order of their intervals; those that overlap share one. 0: no place.
template <class IntervalOf>
std::vector<int> ranksBy(std::span<const RaceRow* const> rows, IntervalOf intervalOf) {
    std::vector<int> ranks(rows.size(), 0);
    std::set<double> tolerances;
    for (const RaceRow* row : rows) tolerances.insert(row->tolerance);
    for (const double tolerance : tolerances) {
        std::vector<std::pair<Interval, std::size_t>> arrived;
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (rows[k]->converged() && rows[k]->tolerance == tolerance)
                if (const std::optional<Interval> interval = intervalOf(*rows[k])) arrived.emplace_back(*interval, k);
        std::ranges::sort(arrived, {}, [](const auto& entry) { return entry.first.from; });
        double groupEnd = 0;
        int place = 0;
        for (std::size_t k = 0; k < arrived.size(); ++k) {
            if (k == 0 || arrived[k].first.from > groupEnd) place = int(k) + 1;
            groupEnd = std::max(groupEnd, arrived[k].first.to);
            ranks[arrived[k].second] = place;
        }
    }
    return ranks;
}

}  // namespace

std::vector<int> raceRanks(std::span<const RaceRow* const> rows) {
    return ranksBy(rows, [](const RaceRow& row) {
        return row.claimed ? std::nullopt : std::optional(Interval{row.middleMinMs, row.middleMaxMs});
    });
}

std::vector<int> iterationRanks(std::span<const RaceRow* const> rows) {
    return ranksBy(rows, [](const RaceRow& row) {
        const double count = row.iterations;
        return row.iterations > 0 && !row.claimed ? std::optional(Interval{count, count}) : std::nullopt;
    });
}

std::vector<float> medianTimes(std::span<const std::vector<float>> runs) {
    std::vector<float> times;
    if (runs.empty()) return times;
    for (std::size_t k = 0; k < runs.front().size(); ++k) {
        std::vector<double> all;
        for (const std::vector<float>& run : runs)
            if (run.size() == runs.front().size()) all.push_back(run[k]);
        times.push_back(float(median(std::move(all))));
    }
    return times;
}

std::vector<int> raceRanks(const RaceResult& race) { return raceRanks(allRows(race)); }

std::string busyNote(std::span<const RaceRow* const> rows) {
    const auto disturbed = std::ranges::count_if(rows, [](const RaceRow* row) { return row->disturbed(); });
    if (disturbed == 0) return {};
    return fmt::format("the machine was busy: the runs of {} of {} rows differ by more than 30 %", disturbed,
                       rows.size());
}

std::string busyNote(const RaceResult& race) { return busyNote(allRows(race)); }

RaceResult race(const linalg::FrozenSystem& system, const linalg::FrozenSystem* earlier, std::vector<Contestant> field,
                const RaceOptions& options, const RaceControl& control, WorkerPool& pool) {
    RaceResult result;
    const auto& core = system.core.offDiagonal;
    const auto has = [&core](std::uint8_t bit) {
        return std::any_of(core.begin(), core.end(), [bit](std::uint8_t bits) { return bits & bit; });
    };
    const bool shear = has(linalg::CoreMask::kShear), contact = has(linalg::CoreMask::kContact);
    std::erase_if(field, [&](const Contestant& c) {
        const preconditioners::PreconditionerTraits traits = traitsFor(c);
        return (traits.usesCore && core.empty()) || (traits.usesShear && !shear) || (traits.noContact && !contact) ||
               (traits.lag && !earlier);
    });
    result.step = system.step;
    result.threads = pool.threads();
    result.particles = system.A.rows();
    result.constrained = Index(system.constraints.constrained().size());
    result.options = options;
    result.field = std::move(field);

    const Course course{system, earlier, solveDirectly(system, control.stop, pool)};
    std::optional<Expected<ProgramFiles>> files;  // of all programs
    const std::size_t all = result.field.size() * options.tolerances.size();
    std::vector<RaceRow> direct(result.field.size());  // of the first tolerance: a direct solver knows no other
    for (const double tolerance : options.tolerances) {
        double best = 0;
        for (std::size_t c = 0; c < result.field.size(); ++c) {
            if (control.stop.stop_requested()) return result;
            RaceRow row;
            const Contestant& contestant = result.field[c];
            const bool isDirect = !contestant.isProgram() && !solvers::iterates(contestant.method.solver.kind);
            if (contestant.isProgram()) {
                if (!files) files.emplace(ProgramFiles::of(system, control.positions, pool.threads()));
                row = runProgram(contestant.program, system, *files, tolerance, options, control, pool.threads());
            } else if (isDirect && direct[c].runs > 0) {
                row = direct[c];
                row.tolerance = tolerance;
                judge(row, contestant.method.solver.kind);
            } else {
                row = ContestantRun(course, contestant, options, control, pool).run(tolerance, best);
            }
            row.contestant = c;
            if (row.converged() && !row.claimed && (best == 0 || row.totalMs < best)) best = row.totalMs;
            if (isDirect) direct[c] = row;
            result.rows.push_back(std::move(row));
            if (control.onRow) control.onRow(result, double(result.rows.size()) / double(all));
        }
    }
    return result;
}

}  // namespace clothlab::experiments
