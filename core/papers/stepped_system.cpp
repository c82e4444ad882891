#include "papers/stepped_system.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/yardstick.hpp"

namespace clothlab::papers {

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double quantileOf(std::vector<double> values, double q) {
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * double(values.size() - 1))];
}

double restMs(const simulation::StepReport& report) {
    return std::max(0.0, report.stepMs - report.analyzeMs - report.factorMs - report.solveMs);
}

Expected<scene::Scene> paperScene(std::string_view name, const Job& job, const std::vector<std::string>& sets) {
    auto scene = scene::findScene(std::string(name), job.options.assetsFolder);
    if (!scene) return scene;
    for (const std::string& assignment : sets)
        if (auto done = scene::applyOverride(*scene, assignment); !done) return tl::unexpected(done.error());
    return scene;
}

std::vector<std::string> square(int side) {
    return {fmt::format("cloth.rows={}", side), fmt::format("cloth.columns={}", side)};
}

std::vector<std::string> fastStepping() {
    return {"solver.kind=reduced-pcg", "preconditioner.kind=matrix-core", "solver.stopping=residual",
            "solver.tolerance=1e-6"};
}

Expected<void> walk(simulation::Simulation& simulation, int steps, Job& job, const OnStep& onStep, bool keepSystems) {
    for (int k = 1; k <= steps; ++k) {
        const simulation::StepReport& report =
            simulation.step({.stop = job.control.stop, .keepSystem = keepSystems, .hash = false});
        if (job.stopped()) return fail("stopped");
        if (hasFailed(report.status)) return fail(fmt::format("step {}: {}", report.step, report.message));
        if (onStep) onStep(report);
    }
    return {};
}

Expected<std::unique_ptr<simulation::Simulation>> simulationOf(Expected<scene::Scene> scene, const Job& job) {
    if (!scene) return tl::unexpected(scene.error());
    return simulation::Simulation::create(std::move(*scene), job.options.threads);
}

Expected<void> eachSystem(Expected<scene::Scene> scene, int steps, Job& job, const OnSystem& onSystem) {
    auto made = simulationOf(std::move(scene), job);
    if (!made) return tl::unexpected(made.error());
    const auto onStep = [&](const simulation::StepReport& report) { onSystem(report, *(*made)->systemOfLastStep()); };
    return walk(**made, steps, job, onStep, true);
}

Expected<SteppedSystem> systemOfStep(Expected<scene::Scene> scene, int K, Job& job,
                                     const std::function<void(scene::Settings&)>& lastTwo) {
    auto made = simulationOf(std::move(scene), job);
    if (!made) return tl::unexpected(made.error());
    SteppedSystem out;
    out.simulation = std::move(*made);
    auto walked = walk(*out.simulation, K - 2, job);
    if (walked && lastTwo) {
        scene::Settings settings = out.simulation->settings();
        lastTwo(settings);
        out.simulation->apply(settings);
    }
    const auto keep = [&](linalg::FrozenSystem& system) {
        out.before = out.simulation->state();
        return walk(
            *out.simulation, 1, job,
            [&](const simulation::StepReport&) { system = *out.simulation->systemOfLastStep(); }, true);
    };
    if (walked) walked = keep(out.earlier);
    if (walked) walked = keep(out.system);
    if (!walked) return tl::unexpected(walked.error());
    out.report = out.simulation->lastReport();
    return out;
}

linalg::LinearSystem Assembled::view(const linalg::FrozenSystem& frozen) const {
    return {.A = A,
            .b = b,
            .constraints = frozen.constraints,
            .core = &core,
            .previous = frozen.previous.empty() ? nullptr : &frozen.previous};
}

Assembled assembleAgain(const SteppedSystem& stepped, const cloth::ImplicitSplit& split, int runs, Job& job) {
    const scene::Settings& settings = stepped.simulation->settings();
    const std::vector<cloth::MaterialSettings> materials = scene::materialsOf(stepped.simulation->scene(), settings);
    cloth::ForceModel forces;
    forces.configure(stepped.simulation->model(), materials, split);
    const cloth::Environment environment{
        .gravity = settings.gravity, .wind = settings.wind, .time = stepped.before.time};
    const auto& [x, v] = std::tie(stepped.before.x, stepped.before.v);
    const double h = settings.integrator.dt;
    Assembled out;
    out.assembleMs = medianMs(runs, [&] {
        forces.assemble(environment, {x, v, v},
                        {.damping = h, .stiffness = h * h, .force = h, .stiffnessVector = h * h}, {out.A, out.b},
                        job.pool);
    });
    out.core = forces.coreMask();
    return out;
}

void solveInTurn(std::span<KeptSolver> solvers, const linalg::LinearSystem& system, int times, Job& job) {
    std::vector<std::vector<double>> ms(solvers.size());
    for (int time = 0; time < times && !job.stopped(); ++time)
        for (std::size_t turn = 0; turn < solvers.size(); ++turn) {
            const std::size_t k = time % 2 == 0 ? turn : solvers.size() - 1 - turn;
            KeptSolver& kept = solvers[k];
            kept.solver->solve(system, kept.deltaV, kept.summary, {.stop = job.control.stop}, *kept.pool);
            ms[k].push_back(1e3 * (kept.summary.totalSeconds - kept.summary.analyzeSeconds));
        }
    for (std::size_t k = 0; k < solvers.size(); ++k) solvers[k].ms = medianOf(std::move(ms[k]));
}

Timing timeSolve(const Method& method, const linalg::LinearSystem& system, int runs, Job& job,
                 const linalg::LinearSystem* earlier) {
    return timeSolve(*solvers::makeSolver(method.solver, method.preconditioner), system, runs, job.pool,
                     job.control.stop, earlier);
}

Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, int runs, WorkerPool& pool,
                 std::stop_token stop, const linalg::LinearSystem* earlier) {
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

records::Entries iterationsOf(const Timing& timing) {
    records::Entries out;
    if (!solvers::converged(timing.status)) out.emplace_back("status", std::string(enumKey(timing.status)));
    out.emplace_back("iterations", double(timing.iterations));
    return out;
}

}  // namespace clothlab::papers
