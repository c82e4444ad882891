#include "papers/stepped_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solvers/yardstick.hpp"

namespace clothlab::simulation {

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Expected<scene::Scene> paperScene(std::string_view name, const ReproduceOptions& options,
                                  const std::vector<std::string>& sets) {
    auto scene = scene::findScene(std::string(name), options.assetsFolder);
    if (!scene) return scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(*scene, assignment); !done) return tl::unexpected(done.error());
    return scene;
}

std::vector<std::string> fastStepping() {
    return {"solver.kind=reduced-pcg", "preconditioner.kind=matrix-core", "solver.stopping=residual",
            "solver.tolerance=1e-6"};
}

Expected<SteppedSystem> systemOfStep(scene::Scene scene, const Stepping& stepping, const ReproduceOptions& options,
                                     const ReproduceControl& control) {
    auto made = Simulation::create(std::move(scene), options.threads);
    if (!made) return tl::unexpected(made.error());
    SteppedSystem out;
    out.simulation = std::move(*made);
    for (int k = 1; k <= stepping.step; ++k) {
        if (k == stepping.step - 1 && stepping.lastTwo) {
            scene::Settings settings = out.simulation->settings();
            stepping.lastTwo(settings);
            out.simulation->apply(settings);
        }
        const bool keep = stepping.onSystem || k >= stepping.step - 1;
        if (keep) out.before = out.simulation->state();
        const StepReport& report = out.simulation->step({.stop = control.stop, .keepSystem = keep, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (hasFailed(report.status)) return fail(fmt::format("step {}: {}", k, report.message));
        if (!keep) continue;
        out.earlier = std::move(out.system);
        out.system = *out.simulation->systemOfLastStep();
        out.report = report;
        if (stepping.onSystem && stepping.onSystem(report, out.system)) break;
    }
    return out;
}

linalg::LinearSystem Assembled::view(const linalg::FrozenSystem& frozen) const {
    return {.A = A,
            .b = b,
            .constraints = frozen.constraints,
            .core = &core,
            .previous = frozen.previous.empty() ? nullptr : &frozen.previous};
}

Assembled assembleAgain(const SteppedSystem& stepped, const cloth::ImplicitSplit& split, int runs, WorkerPool& pool) {
    const scene::Settings& settings = stepped.simulation->settings();
    const std::vector<cloth::MaterialSettings> materials = scene::materialsOf(stepped.simulation->scene(), settings);
    cloth::ForceModel forces;
    forces.configure(stepped.simulation->model(), materials, split);
    const cloth::Environment environment{
        .gravity = settings.gravity, .wind = settings.wind, .time = stepped.before.time};
    const auto& [x, v] = std::tie(stepped.before.x, stepped.before.v);
    const double h = settings.integrator.dt;
    Assembled out;
    std::vector<double> times;
    for (int run = 0; run <= runs; ++run) {
        const StageTimer timer;
        forces.assemble(environment, x, v, v, {.damping = h, .stiffness = h * h, .force = h, .stiffnessVector = h * h},
                        out.A, out.b, pool);
        if (run > 0) times.push_back(1e3 * timer.seconds());
    }
    out.core = forces.coreMask();
    out.assembleMs = medianOf(std::move(times));
    return out;
}

Timing timeSolve(const Method& method, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
                 int runs, WorkerPool& pool, std::stop_token stop) {
    return timeSolve(*solvers::makeSolver(method.solver, method.preconditioner), system, earlier, runs, pool,
                     std::move(stop));
}

Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
                 int runs, WorkerPool& pool, std::stop_token stop) {
    constexpr double kLongSeconds = 3;
    Timing out;
    std::vector<double> total, loop, analysis;
    for (int run = 0; run <= runs && !stop.stop_requested(); ++run) {
        solvers::SolveSummary before, summary;
        if (earlier) {
            solver.forget();
            solver.solve(*earlier, out.deltaV, before, {.stop = stop}, pool);
        }
        solver.solve(system, out.deltaV, summary, {.stop = stop}, pool);
        const bool last = summary.totalSeconds > kLongSeconds;
        // The symbolic analysis happens in the first run alone, so that its one time counts.
        if (run == 0) analysis.push_back(1e3 * std::max(before.analyzeSeconds, summary.analyzeSeconds));
        if (run > 0 || last) {
            total.push_back(1e3 * (summary.totalSeconds - summary.analyzeSeconds));
            loop.push_back(total.back() - 1e3 * summary.factorSeconds);
        }
        out.status = summary.status;
        out.iterations = summary.iterations;
        out.factorAge = summary.factorAge;
        if (last) break;
    }
    out.solveMs = medianOf(std::move(total));
    out.loopMs = medianOf(std::move(loop));
    out.analyzeMs = medianOf(std::move(analysis));
    if (solvers::acceptable(out.status)) out.trueRelativeResidual = solvers::trueRelativeResidual(system, out.deltaV);
    return out;
}

void addIterations(records::Entries& entries, const Timing& timing) {
    if (!solvers::converged(timing.status)) entries.emplace_back("status", std::string(enumKey(timing.status)));
    entries.emplace_back("iterations", double(timing.iterations));
}

}  // namespace clothlab::simulation
