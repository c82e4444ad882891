#include "experiments/race/nonlinear_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text.hpp"
#include "integrators/descent/step_objective.hpp"
#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "preconditioners/kind.hpp"
#include "simulation/simulation.hpp"
#include "solvers/kind.hpp"

namespace clothlab::experiments {
namespace {
using integrators::Acceleration;
using integrators::IntegratorKind;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// Below this an error is round-off of g.
constexpr double kRoundOff = 1e-13;
/// The contestant whose frames are kept.
constexpr std::string_view kPlain = "local-global";
/// A method that has not come further by then is stopped.
constexpr double kPatienceSeconds = 20;
constexpr double kSearchSeconds = 60;  // for x*

/// Runs while others hold still.
class Stopwatch {
public:
    explicit Stopwatch(const NonlinearControl& control) : control_(control) {}
    ~Stopwatch() { pause(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    void go() {
        if (control_.hold) control_.hold();
        runs_ = true;
        since_ = Clock::now();
    }
    void pause() {
        if (!runs_) return;
        seconds_ += std::chrono::duration<double>(Clock::now() - since_).count();
        runs_ = false;
        if (control_.release) control_.release();
    }
    double seconds() const { return seconds_; }

private:
    using Clock = std::chrono::steady_clock;
    const NonlinearControl& control_;
    Clock::time_point since_;
    double seconds_ = 0;
    bool runs_ = false;
};

struct Steps {
    std::vector<double> values, milliseconds;
    std::vector<NonlinearFrame> frames;  ///< their errors are not known yet
    int linearIterations = 0;
    double residual = -1;
    std::string problem;
};

std::vector<float> toFloats(const linalg::BlockVector& x) {
    std::vector<float> out;
    for (Index i = 0; i < x.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) out.push_back(float(x[i][axis]));
    return out;
}

void keepFrame(const linalg::BlockVector& x, Steps& steps) {
    steps.frames.push_back({.iterations = int(steps.values.size()) - 1,
                            .milliseconds = steps.milliseconds.back(),
                            .positions = toFloats(x)});
}

/// The iterates of one step with these settings, from the state of `simulation`. With `kept` the positions of these
/// iterates and of the last one stay.
Expected<Steps> runStep(const simulation::Simulation& simulation, const scene::Settings& settings,
                        const std::vector<int>* kept, const NonlinearControl& control) {
    auto own = simulation::Simulation::create(simulation.scene(), simulation.threads());
    if (!own) return fail(own.error());
    (*own)->apply(settings);
    Steps out;
    linalg::BlockVector last;
    const NonlinearControl alone;
    for (const bool counts : {false, true}) {  // the first time makes factors
        if (control.stop.stop_requested()) break;
        (*own)->setState(simulation.state());
        out = {};
        Stopwatch watch(counts ? control : alone);
        std::stop_source patience;
        std::stop_callback relay(control.stop, [&patience] { patience.request_stop(); });
        const auto observe = [&](const linalg::BlockVector& x, integrators::StepObjective& objective) {
            watch.pause();
            out.milliseconds.push_back(1e3 * watch.seconds());
            WorkerPool pool(1);
            out.values.push_back(objective.value(x, pool));
            if (kept) {
                last = x;
                if (std::ranges::binary_search(*kept, int(out.values.size()) - 1)) keepFrame(x, out);
            }
            if (watch.seconds() > kPatienceSeconds || (!counts && out.values.size() > 1)) patience.request_stop();
            watch.go();
        };
        const simulation::StepReport& report =
            (*own)->step({.stop = patience.get_token(), .observeIterate = observe, .hash = false});
        if (integrators::hasFailed(report.status))
            out.problem = watch.seconds() > kPatienceSeconds ? fmt::format("stopped after {} s", kPatienceSeconds)
                                                             : report.message;
        out.linearIterations = int(report.linearIterations);
        out.residual = report.outerResidual;
    }
    const int end = int(out.values.size()) - 1;
    if (kept && end >= 0 && (out.frames.empty() || out.frames.back().iterations < end)) keepFrame(last, out);
    return out;
}

/// x*, by Newton with the blended Hessian.
Expected<void> findMinimum(const simulation::Simulation& simulation, const NonlinearControl& control,
                           NonlinearRace& race) {
    auto own = simulation::Simulation::create(simulation.scene(), simulation.threads());
    if (!own) return fail(own.error());
    scene::Settings settings = simulation.settings();
    settings.integrator.kind = IntegratorKind::NewtonBackwardEuler;
    settings.integrator.newton = {
        .maxIterations = 500, .tolerance = 1e-10, .hessian = integrators::NewtonHessian::Blended};
    settings.integrator.dtSchedule = integrators::DtSchedule::Fixed;
    settings.solver = {.kind = SolverKind::Cholesky};
    settings.contact.activeSet = 0;  // one energy for all: that of the contacts of the start
    settings.contact.solve = contact::LayerSolve::After;
    (*own)->setState(simulation.state());
    (*own)->apply(settings);
    std::stop_source patience;
    std::stop_callback relay(control.stop, [&patience] { patience.request_stop(); });
    Stopwatch watch(control);
    linalg::BlockVector lowest, gradient;
    double first = 0;
    int iterations = -1;
    const auto observe = [&](const linalg::BlockVector& x, integrators::StepObjective& objective) {
        watch.pause();
        WorkerPool pool(simulation.threads());
        race.leastEnergy = objective.value(x, pool);
        objective.gradient(x, gradient, pool);
        objective.filter(gradient);
        const double norm = gradient.flat().norm();
        lowest = x;
        if (++iterations == 0) {
            first = norm;
            race.startEnergy = race.leastEnergy;
        }
        race.gradientLeft = first > 0 ? norm / first : norm;
        if (control.onSearch) control.onSearch(iterations, race.gradientLeft);
        if (watch.seconds() > kSearchSeconds) patience.request_stop();
        watch.go();
    };
    const simulation::StepReport& report =
        (*own)->step({.stop = patience.get_token(), .observeIterate = observe, .hash = false});
    watch.pause();
    race.minimumFound = report.status == integrators::StepStatus::Ok;
    if (control.stop.stop_requested() && !race.minimumFound) return fail("stopped before the minimum was found");
    const bool finite = std::isfinite(race.gradientLeft) && std::isfinite(race.leastEnergy);
    if (iterations < 0 || !finite || (!race.minimumFound && race.gradientLeft >= 1))
        return fail("Newton finds no minimum of this step: " + report.message);
    if (!control.frames.empty())
        race.frames.push_back({.iterations = iterations,
                               .exact = true,
                               .milliseconds = 1e3 * watch.seconds(),
                               .positions = toFloats(lowest)});
    return {};
}

double distanceRms(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += (double(a[k]) - b[k]) * (double(a[k]) - b[k]);
    return std::sqrt(3 * sum / double(std::max<std::size_t>(a.size(), 1)));
}

/// (15) of all iterates, anew when one has ended below what was the lowest.
void measureErrors(NonlinearRace& race) {
    const double all = race.startEnergy - race.leastEnergy;
    for (NonlinearRow& row : race.rows) {
        row.error.clear();
        for (const double value : row.value)
            row.error.push_back(all > 0 ? std::max((value - race.leastEnergy) / all, kRoundOff) : 0);
    }
    for (NonlinearFrame& frame : race.frames)
        for (const NonlinearRow& row : race.rows)
            if (!frame.exact && race.field[row.contestant].key == kPlain) frame.error = row.error[frame.iterations];
}

/// The frames of local/global stand before that of x*.
void addFrames(std::vector<NonlinearFrame> frames, NonlinearRace& race) {
    for (NonlinearFrame& frame : frames) {
        frame.distance = distanceRms(frame.positions, race.frames.back().positions);
        race.frames.insert(race.frames.end() - 1, std::move(frame));
    }
}

/// Newton with one kind of linear solver.
struct NewtonEntry {
    std::string_view key, label;
    SolverKind solver = SolverKind::Cholesky;
    PreconditionerKind preconditioner = PreconditionerKind::Identity;
    integrators::NewtonSettings newton = {};
};

NonlinearContestant makeContestant(const NewtonEntry& entry, const scene::Settings& base) {
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
        field.push_back({plain ? std::string(kPlain) : fmt::format("local-global-{}", entry.key),
                         plain ? "Local/global" : fmt::format("Local/global, {}", entry.label), settings});
    }
    for (const integrators::IntegratorEntry& entry : integrators::catalogue()) {
        const integrators::IntegratorTraits& traits = entry.traits;
        // What takes the step of backward Euler: another rule has another energy.
        const bool passes = traits.implicit && !integrators::usesSolver(entry.kind) && traits.coefficients.over == 1;
        if (!passes || entry.kind == IntegratorKind::FastMassSpring) continue;
        scene::Settings settings = base;
        settings.integrator.kind = entry.kind;
        settings.integrator.fastMassSpring.velocityKept = 1;
        settings.integrator.pbd.substeps = settings.integrator.xpbd.substeps = 1;
        field.push_back({std::string(entry.key), std::string(entry.label), settings});
        if (field.back().neighbouring()) field.back().label += " (neighbouring problem)";
    }
    using enum PreconditionerKind;
    using integrators::NewtonHessian, integrators::NewtonMatrix, integrators::NewtonTolerance;
    for (const NewtonEntry& entry : {
             NewtonEntry{.key = "cholesky", .label = "CHOLMOD"},
             NewtonEntry{
                 .key = "exact", .label = "CHOLMOD, exact Hessian", .newton = {.hessian = NewtonHessian::Exact}},
             NewtonEntry{
                 .key = "blended", .label = "CHOLMOD, blended Hessian", .newton = {.hessian = NewtonHessian::Blended}},
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
        field.push_back(makeContestant(entry, base));
    return field;
}

bool NonlinearContestant::neighbouring() const { return !integrators::traitsFor(settings.integrator.kind).minimizes; }

double NonlinearRow::msPerIteration() const {
    return error.size() < 2 ? 0 : milliseconds.back() / double(error.size() - 1);
}

double NonlinearRow::timeTo(double wanted) const {
    const auto reached = std::ranges::find_if(error, [&](double left) { return left <= wanted; });
    return reached == error.end() ? -1 : milliseconds[reached - error.begin()];
}

Expected<NonlinearRace> raceNonlinear(const simulation::Simulation& simulation, std::vector<NonlinearContestant> field,
                                      const NonlinearControl& control) {
    NonlinearRace race{.scene = simulation.scene().name,
                       .step = int(simulation.state().step) + 1,
                       .threads = simulation.threads(),
                       .dt = simulation.settings().integrator.dt,
                       .particles = simulation.model().particles(),
                       .springs = Index(simulation.model().springs.size()),
                       .field = std::move(field),
                       .rows = {},
                       .frames = {}};
    if (auto found = findMinimum(simulation, control, race); !found) return fail(found.error());
    const auto tell = [&](std::size_t done) {
        if (control.onRow) control.onRow(race, double(done) / double(race.field.size() + 1));
    };
    tell(1);
    for (std::size_t k = 0; k < race.field.size() && !control.stop.stop_requested(); ++k) {
        scene::Settings settings = race.field[k].settings;
        const bool framed = race.field[k].key == kPlain && !control.frames.empty();
        settings.integrator.fastMassSpring.iterations =
            framed ? std::max(control.localGlobalIterations, control.frames.back()) : control.localGlobalIterations;
        for (int* passes : {&settings.integrator.vbd.iterations, &settings.integrator.pbd.iterations,
                            &settings.integrator.xpbd.iterations})
            *passes = control.localGlobalIterations;
        settings.integrator.newton.maxIterations = control.newtonIterations;
        settings.contact.activeSet = 0;
        settings.contact.solve = contact::LayerSolve::After;
        auto steps = runStep(simulation, settings, framed ? &control.frames : nullptr, control);
        if (!steps) return fail(steps.error());
        if (control.stop.stop_requested()) break;
        for (const double value : steps->values) race.leastEnergy = std::min(race.leastEnergy, value);
        race.rows.push_back({.contestant = k,
                             .value = std::move(steps->values),
                             .error = {},
                             .milliseconds = std::move(steps->milliseconds),
                             .linearIterations = steps->linearIterations,
                             .residual = steps->residual,
                             .problem = std::move(steps->problem)});
        if (framed) addFrames(std::move(steps->frames), race);
        measureErrors(race);
        tell(k + 2);
    }
    return race;
}

}  // namespace clothlab::experiments
