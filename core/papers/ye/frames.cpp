#include "papers/ye/frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "solvers/kind.hpp"

namespace clothlab::papers::ye {

Expected<Frames> walkFrames(Expected<scene::Scene> scene, const std::vector<int>& steps, Job& job) {
    const auto nearAFrame = [&](std::int64_t step, int reach) {
        return std::ranges::any_of(steps, [&](int frame) { return std::abs(step - frame) <= reach; });
    };
    Frames out;
    integrators::SimulationState start;
    int timed = 0;
    const auto after = [&](const Simulation& simulation) {
        const simulation::StepReport& report = simulation.lastReport();
        if (nearAFrame(report.step, 0))
            out.frames.push_back({*simulation.systemOfLastStep(), std::move(start), report});
        if (nearAFrame(report.step + 1, 0)) start = simulation.state();
        if (!nearAFrame(report.step, kAround)) return;
        ++timed;
        out.assembleMs += report.assembleMs;
        out.contactMs += report.contactMs;
    };
    const auto walked =
        walk(std::move(scene), {.steps = steps.back() + kAround, .systemsFrom = 1, .after = after}, job);
    if (!walked) return fail(walked.error());
    out.assembleMs /= timed;
    out.contactMs /= timed;
    return out;
}

std::vector<int> stepsFrom(int first, int frames, int apart) {
    std::vector<int> out(std::size_t(frames), first);
    for (int k = 1; k < frames; ++k) out[k] = out[k - 1] + apart;
    return out;
}

Expected<scene::Scene> clumpScene(int side, int quickSide, const std::vector<std::string>& sets, Job& job) {
    std::vector<std::string> all = square(job.side(side, quickSide));
    all.insert(all.end(), sets.begin(), sets.end());
    return paperScene("ye-clump", job, all);
}

namespace {

double energyNorm(const linalg::BlockMatrix& A, const linalg::BlockVector& x) {
    linalg::BlockVector y(x.size());
    linalg::multiply(A, x, y);
    return std::sqrt(x.flat().dot(y.flat()));
}

/// To the solution of a direct method that is not one of those compared, in the norm that conjugate gradients make
/// small.
double differenceTo(const linalg::BlockVector& deltaV, const linalg::LinearSystem& system, Job& job) {
    const Method other =
        direct(solvers::SolverKind::Cholesky, solvers::DirectForm::FixedPattern, factors::Factorization::Multifrontal);
    const linalg::BlockVector exact = timeSolve(other, system, 0, job).deltaV;
    linalg::BlockVector error = deltaV;
    error.flat() -= exact.flat();
    return energyNorm(system.A, error) / energyNorm(system.A, exact);
}

}  // namespace

Expected<Comparison> compare(const Method& method, const Frames& frames, Job& job, Kernel kernel) {
    const int runs = job.choose(5, 3, 1);
    const double share = 1 / double(frames.frames.size());
    double iterations = 0, most = 0, residual = 0, difference = 0, analyzeMs = 0;
    Comparison out{.dynamicsMs = frames.assembleMs};
    for (const Frame& frame : frames.frames) {
        const linalg::LinearSystem system = frame.system.view();
        const Timing t = timeSolve(*buildSolver(method, kernel), system, runs, job.pool, job.control.stop);
        if (job.stopped()) return fail("stopped");
        if (!solvers::converged(t.status) && out.solves.empty())
            out.solves = {{"status", std::string(enumKey(t.status))}};
        iterations += share * t.iterations;
        most = std::max(most, double(t.iterations));
        residual = std::max(residual, t.trueRelativeResidual);
        difference = std::max(difference, differenceTo(t.deltaV, system, job));
        analyzeMs += share * t.analyzeMs;
        out.dynamicsMs += share * t.solveMs;
    }
    if (solvers::usesPreconditioner(method.solver.kind))
        out.solves = joined(std::move(out.solves), {{"iterations", iterations}, {"most_iterations", most}});
    out.solves =
        joined(std::move(out.solves), {{"residual", residual}, {"difference", difference}, {"analyze_ms", analyzeMs}});
    return out;
}

void tell(const std::vector<int>& steps, Job& job) {
    job.tell("first", steps.front(), "last", steps.back(), "apart", steps[1] - steps[0], "around", kAround);
}

records::Entries sumAndRatio(double dynamicsMs, double contactMs) {
    return {{"total_ms", dynamicsMs + contactMs}, {"contact_over_dynamics", contactMs / dynamicsMs}};
}

records::Entries timeEntries(double dynamicsMs, double contactMs) {
    return joined({{"dynamics_ms", dynamicsMs}, {"contact_ms", contactMs}}, sumAndRatio(dynamicsMs, contactMs));
}

}  // namespace clothlab::papers::ye
