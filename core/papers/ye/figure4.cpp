#include <algorithm>
#include <cmath>

#include "papers/ye/clump.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, figure 4: its caption has times of a step, dynamics and contact apart.
namespace clothlab::papers::ye {
namespace {

using contact::SelfCollision;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// A row. `seconds`: what the paper prints for the dynamics of a step; 0: nothing.
struct Clumped {
    const char* name;
    Method method;
    SelfCollision selfCollision;
    double seconds;
};
const Method kCore = conjugateGradients(SolverKind::ReducedPcg, PreconditionerKind::MatrixCore);
const std::array kClumped{
    Clumped{"MPCG", conjugateGradients(SolverKind::Mpcg, PreconditionerKind::Jacobi), SelfCollision::Robust, 0.75},
    Clumped{"CHOLMOD", direct(SolverKind::Cholesky, solvers::DirectForm::Reduced), SelfCollision::Robust, 0.36},
    Clumped{"corePCG", kCore, SelfCollision::Robust, 0.21},
    Clumped{"corePCG", kCore, SelfCollision::Repulsion, 0},
};
constexpr double kContactSeconds = 1.08;

/// The states of the frames, each stepped once with repulsion in the place of robust contact. What the
/// state knows of contact stays, so that the pairs alone make another system.
Expected<Clump> withRepulsion(const Clump& robust, Job& job) {
    auto made = simulationOf(clumpScene({"contact.self_collision=repulsion"}, job), job);
    if (!made) return tl::unexpected(made.error());
    Clump out;
    for (const ClumpFrame& frame : robust.frames) {
        (*made)->setState(frame.start);
        // Layers that lie much closer than repulsion keeps them are thrown apart; their system counts all the same.
        auto frozen = experiments::freezeStep(**made, 1, {.stop = job.control.stop, .evenIfFailed = true});
        if (job.stopped()) return fail("stopped");
        if (!frozen) return fail(fmt::format("step {}: {}", frame.report.step, frozen.error().message));
        out.assembleMs += frozen->report.assembleMs / double(robust.frames.size());
        out.contactMs += frozen->report.contactMs / double(robust.frames.size());
        out.frames.push_back({std::move(frozen->system), frame.start, frozen->report});
    }
    return out;
}

double energyNorm(const linalg::BlockMatrix& A, const linalg::BlockVector& x) {
    linalg::BlockVector y(x.size());
    linalg::multiply(A, x, y);
    return std::sqrt(x.flat().dot(y.flat()));
}

/// To the solution of a direct method that is none of those compared, in the norm that conjugate gradients make small.
double differenceTo(const linalg::BlockVector& deltaV, const linalg::LinearSystem& system, Job& job) {
    const Method other =
        direct(SolverKind::Cholesky, solvers::DirectForm::FixedPattern, factors::Factorization::Multifrontal);
    const linalg::BlockVector exact = timeSolve(other, system, 0, job).deltaV;
    linalg::BlockVector error = deltaV;
    error.flat() -= exact.flat();
    return energyNorm(system.A, error) / energyNorm(system.A, exact);
}

/// With the same keys as ours. The ratio tells more than the times, which are another machine's.
records::Entries timesOf(double dynamicsMs, double contactMs) {
    return {{"dynamics_ms", dynamicsMs},
            {"contact_ms", contactMs},
            {"total_ms", dynamicsMs + contactMs},
            {"contact_over_dynamics", contactMs / dynamicsMs}};
}

Expected<void> addRow(const Clumped& m, const Clump& clump, Job& job, std::vector<ReproductionRow>& rows) {
    const int runs = job.choose(5, 3, 1);
    const double share = 1 / double(clump.frames.size());
    double iterations = 0, most = 0, residual = 0, difference = 0, analyzeMs = 0, dynamicsMs = clump.assembleMs;
    records::Entries ours;
    for (const ClumpFrame& frame : clump.frames) {
        const linalg::LinearSystem system = frame.system.view();
        const Timing t = timeSolve(m.method, system, runs, job);
        if (job.stopped()) return fail("stopped");
        if (!solvers::converged(t.status) && ours.empty()) ours = {{"status", std::string(enumKey(t.status))}};
        iterations += share * t.iterations;
        most = std::max(most, double(t.iterations));
        residual = std::max(residual, t.trueRelativeResidual);
        difference = std::max(difference, differenceTo(t.deltaV, system, job));
        analyzeMs += share * t.analyzeMs;
        dynamicsMs += share * t.solveMs;
    }
    if (solvers::usesPreconditioner(m.method.solver.kind))
        ours = joined(std::move(ours), {{"iterations", iterations}, {"most_iterations", most}});
    ours = joined(std::move(ours), {{"residual", residual}, {"difference", difference}, {"analyze_ms", analyzeMs}});
    const bool printed = m.seconds > 0 && job.side(81, 31) == 81;
    rows.push_back({{{"method", m.name}, {"self_collision", std::string(enumKey(m.selfCollision))}},
                    joined(std::move(ours), timesOf(dynamicsMs, clump.contactMs)),
                    printed ? timesOf(1e3 * m.seconds, 1e3 * kContactSeconds) : records::Entries{}});
    return {};
}

std::vector<std::string> notesOfFigure4(const std::vector<int>& steps, const Job& job) {
    std::vector<std::string> notes{
        fmt::format("`ye-clump`, {0} x {0} particles, h = 2.2 ms. The motion is walked once, with corePCG and robust "
                    "contact; each method then solves the systems of steps {1} to {2}, {3} apart. The paper names "
                    "neither its mesh, its stiffness nor its frames, so that its seconds do not compare with ours: "
                    "ratios and orders do.",
                    job.side(81, 31), steps.front(), steps.back(), steps[1] - steps[0]),
        "iterations: mean of the frames, tolerance 1e-3 in the P-norm, the start the dv of the step before where that "
        "is better than zero. residual, difference: the largest, |r| / |b|, and of dv to the solution of another "
        "direct method, in the norm that A gives, relative to that solution.",
        fmt::format("dynamics_ms: assembly and solve. Assembly and contact are means over the steps no further than {} "
                    "from a frame. Contact is the same for all methods, as in the paper.",
                    kAround),
        "analyze_ms: symbolic analysis, in no other column. Contact changes the particles that are held in nearly "
        "each step, and with them the pattern: CHOLMOD and corePCG then pay it.",
        "repulsion: the same states, stepped once each with forces between particles. Its contact_ms is that of the "
        "solids; the search for pairs is part of the assembly.",
    };
    if (job.options.quick)
        notes.emplace_back("--quick: 31 x 31 particles, three frames; the paper's values are left out.");
    return notes;
}

}  // namespace

Expected<Reproduction> figure4(Job& job) {
    const std::vector<int> steps = clumpSteps(job.choose(5, 3, 3), job.choose(50, 20, 20));
    job.say("the motion", 0);
    const auto robust = walkClump({}, steps, job);
    if (!robust) return tl::unexpected(robust.error());
    const auto repulsion = withRepulsion(*robust, job);
    if (!repulsion) return tl::unexpected(repulsion.error());
    return tableOfCases(
        kClumped, job, [](const Clumped& m) { return fmt::format("{}, {}", m.name, enumKey(m.selfCollision)); },
        [&](const Clumped& m, auto& rows) {
            return addRow(m, m.selfCollision == SelfCollision::Robust ? *robust : *repulsion, job, rows);
        },
        notesOfFigure4(steps, job));
}

}  // namespace clothlab::papers::ye
