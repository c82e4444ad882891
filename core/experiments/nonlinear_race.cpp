#include "experiments/nonlinear_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/build_info.hpp"
#include "base/platform.hpp"
#include "integrators/kind.hpp"
#include "integrators/step_objective.hpp"
#include "preconditioners/kind.hpp"
#include "records/json.hpp"
#include "solvers/kind.hpp"

namespace clothlab::experiments {
namespace {

using integrators::Acceleration;
using integrators::IntegratorKind;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// Below this an error is round-off of g.
constexpr double kRoundOff = 1e-13;
/// A method that has not come further by then is stopped.
constexpr double kPatienceSeconds = 20;

class Stopwatch {
public:
    void go() { since_ = Clock::now(); }
    void hold() { seconds_ += std::chrono::duration<double>(Clock::now() - since_).count(); }
    double seconds() const { return seconds_; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point since_;
    double seconds_ = 0;
};

struct Steps {
    std::vector<double> values, milliseconds;
    int linearIterations = 0;
    std::string problem;
};

/// The iterates of one step with these settings, from the state of `simulation`.
Expected<Steps> takeStep(const simulation::Simulation& simulation, const scene::Settings& settings,
                         const std::stop_token& stop) {
    auto own = simulation::Simulation::create(simulation.scene(), simulation.threads());
    if (!own) return tl::unexpected(own.error());
    Steps out;
    for (int run = 0; run < 2 && !stop.stop_requested(); ++run) {
        (*own)->setState(simulation.state());
        (*own)->apply(settings);
        out = {};
        Stopwatch watch;
        std::stop_source patience;
        std::stop_callback relay(stop, [&patience] { patience.request_stop(); });
        const auto observe = [&](const linalg::BlockVector& x, integrators::StepObjective& objective) {
            if (!out.values.empty()) watch.hold();
            out.milliseconds.push_back(1e3 * watch.seconds());
            WorkerPool pool(1);
            out.values.push_back(objective.value(x, pool));
            if (watch.seconds() > kPatienceSeconds) patience.request_stop();
            watch.go();
        };
        const simulation::StepReport& report =
            (*own)->step({.stop = patience.get_token(), .observeIterate = observe, .hash = false});
        if (integrators::hasFailed(report.status)) out.problem = report.message;
        out.linearIterations = int(report.linearIterations);
    }
    return out;
}

/// g(x*): Newton with the exact Hessian and a direct solver, as far as it goes.
Expected<double> leastEnergy(const simulation::Simulation& simulation, const std::stop_token& stop) {
    scene::Settings settings = simulation.settings();
    settings.integrator.kind = IntegratorKind::NewtonBackwardEuler;
    settings.integrator.newton = {
        .maxIterations = 200, .tolerance = 1e-12, .hessian = integrators::NewtonHessian::Exact};
    settings.solver = {.kind = SolverKind::Cholesky};
    const auto steps = takeStep(simulation, settings, stop);
    if (!steps) return tl::unexpected(steps.error());
    if (steps->values.empty() || !steps->problem.empty())
        return fail("Newton finds no minimum of this step: " + steps->problem);
    return *std::ranges::min_element(steps->values);
}

/// Newton with one kind of linear solver.
struct NewtonEntry {
    std::string_view key, label;
    SolverKind solver = SolverKind::Cholesky;
    PreconditionerKind preconditioner = PreconditionerKind::Identity;
    integrators::NewtonSettings newton = {};
};

NonlinearContestant contestantOf(const NewtonEntry& entry, const scene::Settings& base) {
    scene::Settings settings = base;
    settings.integrator.kind = IntegratorKind::NewtonBackwardEuler;
    settings.integrator.newton = entry.newton;
    settings.integrator.newton.tolerance = 1e-12;
    settings.solver = {.kind = entry.solver, .tolerance = 1e-6};
    settings.preconditioner = {.kind = entry.preconditioner};
    return {fmt::format("newton-{}", entry.key), fmt::format("Newton, {}", entry.label), settings};
}

}  // namespace

std::vector<NonlinearContestant> nonlinearField(const scene::Settings& active) {
    scene::Settings base = active;
    base.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    std::vector<NonlinearContestant> field;
    for (const EnumEntry& entry : enumTable(Acceleration{})) {
        scene::Settings settings = base;
        settings.integrator.kind = IntegratorKind::FastMassSpring;
        settings.integrator.fastMassSpring.acceleration = Acceleration(entry.value);
        settings.integrator.fastMassSpring.velocityKept = 1;  // the same g for all
        const bool plain = Acceleration(entry.value) == Acceleration::None;
        field.push_back({plain ? "local-global" : fmt::format("local-global-{}", entry.key),
                         plain ? "Local/global" : fmt::format("Local/global, {}", entry.label), settings});
    }
    using enum PreconditionerKind;
    using integrators::NewtonHessian, integrators::NewtonMatrix, integrators::NewtonTolerance;
    for (const NewtonEntry& entry : {
             NewtonEntry{.key = "cholesky", .label = "CHOLMOD"},
             NewtonEntry{
                 .key = "exact", .label = "CHOLMOD, exact Hessian", .newton = {.hessian = NewtonHessian::Exact}},
             NewtonEntry{
                 .key = "simplified", .label = "CHOLMOD, one matrix", .newton = {.matrix = NewtonMatrix::First}},
             NewtonEntry{"block-jacobi", "Block Jacobi", SolverKind::ReducedPcg, BlockJacobi},
             NewtonEntry{"incomplete-cholesky", "Incomplete Cholesky", SolverKind::ReducedPcg, IncompleteCholesky},
             NewtonEntry{"matrix-core", "Matrix core", SolverKind::ReducedPcg, MatrixCore},
             NewtonEntry{"inexact",
                         "Incomplete Cholesky, inexact",
                         SolverKind::ReducedPcg,
                         IncompleteCholesky,
                         {.inner = NewtonTolerance::Inexact}},
         })
        field.push_back(contestantOf(entry, base));
    return field;
}

double NonlinearRow::msPerIteration() const {
    return error.size() < 2 ? 0 : milliseconds.back() / double(error.size() - 1);
}

double NonlinearRow::timeTo(double wanted) const {
    for (std::size_t k = 0; k < error.size(); ++k)
        if (error[k] <= wanted) return milliseconds[k];
    return -1;
}

Expected<NonlinearRace> raceNonlinear(const simulation::Simulation& simulation, std::vector<NonlinearContestant> field,
                                      const NonlinearControl& control) {
    const Expected<double> least = leastEnergy(simulation, control.stop);
    if (!least) return tl::unexpected(least.error());
    NonlinearRace race{.scene = simulation.scene().name,
                       .step = int(simulation.state().step) + 1,
                       .threads = simulation.threads(),
                       .particles = simulation.model().particles(),
                       .springs = Index(simulation.model().springs.size()),
                       .leastEnergy = *least,
                       .field = std::move(field),
                       .rows = {}};
    for (std::size_t k = 0; k < race.field.size() && !control.stop.stop_requested(); ++k) {
        scene::Settings settings = race.field[k].settings;
        settings.integrator.fastMassSpring.iterations = control.localGlobalIterations;
        settings.integrator.newton.maxIterations = control.newtonIterations;
        auto steps = takeStep(simulation, settings, control.stop);
        if (!steps) return tl::unexpected(steps.error());
        if (control.stop.stop_requested()) break;
        NonlinearRow row{.contestant = k,
                         .error = {},
                         .milliseconds = std::move(steps->milliseconds),
                         .linearIterations = steps->linearIterations,
                         .problem = std::move(steps->problem)};
        if (!steps->values.empty()) race.startEnergy = steps->values.front();
        const double all = race.startEnergy - race.leastEnergy;
        for (const double value : steps->values)
            row.error.push_back(all > 0 ? std::max((value - race.leastEnergy) / all, kRoundOff) : 0);
        race.rows.push_back(std::move(row));
        if (control.onRow) control.onRow(race, double(k + 1) / double(race.field.size()));
    }
    return race;
}

std::string nonlinearTable(const NonlinearRace& race) {
    std::string text = fmt::format(
        "{}, step {}: {} particles, {} springs, {} thread{}; relative error of the step's energy\n\n"
        "{:<36} {:>5} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}\n",
        race.scene, race.step, race.particles, race.springs, race.threads, race.threads == 1 ? "" : "s", "method",
        "iter", "ms/iter", "linear", "after 1", "after 3", "after 10", "after 100", "ms to 1e-2", "ms to 1e-6");
    for (const NonlinearRow& row : race.rows) {
        const auto after = [&](std::size_t k) {
            return k < row.error.size() ? fmt::format("{:.1e}", row.error[k]) : std::string("-");
        };
        const auto to = [&](double error) {
            const double time = row.timeTo(error);
            return time < 0 ? std::string("-") : fmt::format("{:.2f}", time);
        };
        text += fmt::format("{:<36} {:>5} {:>9.3f} {:>7} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}{}{}\n",
                            race.field[row.contestant].label, row.error.empty() ? 0 : row.error.size() - 1,
                            row.msPerIteration(), row.linearIterations, after(1), after(3), after(10), after(100),
                            to(1e-2), to(1e-6), row.problem.empty() ? "" : "  ", row.problem);
    }
    return text;
}

std::string nonlinearCsv(const NonlinearRace& race) {
    std::string text = "method,iteration,milliseconds,error\n";
    for (const NonlinearRow& row : race.rows)
        for (std::size_t k = 0; k < row.error.size(); ++k)
            text += fmt::format("{},{},{},{}\n", race.field[row.contestant].key, k, row.milliseconds[k], row.error[k]);
    return text;
}

std::string toJson(const NonlinearRace& race) {
    records::Json out;
    out["scene"] = race.scene;
    out["step"] = race.step;
    out["particles"] = race.particles;
    out["springs"] = race.springs;
    out["threads"] = race.threads;
    out["version"] = buildFacts().version;
    out["machine"] = platform::cpuName();
    out["start_energy"] = race.startEnergy;
    out["least_energy"] = race.leastEnergy;
    records::Json rows = records::Json::array();
    for (const NonlinearRow& row : race.rows) {
        records::Json line;
        line["method"] = race.field[row.contestant].key;
        line["label"] = race.field[row.contestant].label;
        line["linear_iterations"] = row.linearIterations;
        line["error"] = records::Json::array(row.error);
        line["ms"] = records::Json::array(row.milliseconds);
        line["problem"] = row.problem;
        rows.push(std::move(line));
    }
    out["rows"] = std::move(rows);
    return out.text(2);
}

}  // namespace clothlab::experiments
