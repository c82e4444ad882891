#include "papers/ye/ye.hpp"

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [Y] Ye, Webber, Wang 2009, table 1.
namespace clothlab::papers::ye {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;

/// One step at 6,561 nodes, seconds with assembly.
struct Printed1 {
    const char* name;
    std::array<int, 3> mpcg, reduced;
    std::array<double, 3> mpcgSeconds, reducedSeconds;
};

constexpr std::array kPrinted1{
    Printed1{"pinned", {35, 116, 413}, {35, 115, 414}, {0.25, 0.65, 2.03}, {0.22, 0.50, 1.53}},
    Printed1{"draping", {26, 78, 267}, {24, 77, 270}, {0.23, 0.49, 1.54}, {0.11, 0.17, 0.42}},
};
/// When the counts are taken, and when the solve stops. The paper's tol "needs to be adjusted whenever M_p or b
/// changes" ([Y] §4) and "is carefully chosen to make the computation barely converge" (§5): relative to b, no one
/// number gives its growth with k. Adjusted from row to row until it barely converges, it comes to an error that is the
/// same in all rows of an experiment.
struct Stop {
    const char* name;
    solvers::Stopping stopping;
    std::array<int, 2> step;          ///< pinned, draping
    std::array<double, 2> tolerance;  ///< relative, or the square root of joule
};
constexpr std::array kStops{
    // At rest three quarters of the particles stick, and hardly one slides.
    Stop{"relative", solvers::Stopping::PNorm, {100, 300}, {kTolerance, kTolerance}},
    // Fitted, one number for six counts: as the sheet begins to sag, and as the flanks come down.
    Stop{"absolute", solvers::Stopping::Absolute, {15, 70}, {5e-6, 2.3e-3}},
};

/// "As many constraints as possible" ([Y] §4): a ball almost as large as the sheet, and friction that holds whatever
/// touches.
Expected<scene::Scene> drapedScene(const Job& job, const std::vector<std::string>& sets) {
    auto scene = paperScene("drape-sphere", job, sets);
    if (!scene) return scene;
    scene->settings.contact.muS = scene->settings.contact.muK = 10;
    contact::Collider& ball = scene->colliders.front();
    ball.shape = geometry::Sphere{.radius = 0.4};
    ball.position.y() = scene->cloths.front().origin.y() - 0.42;
    return scene;
}

/// A row.
struct Case {
    const Stop& stop;
    std::size_t which, k;  ///< of kPrinted1 and kStiffness
};

Expected<SteppedSystem> systemOf(const Case& c, int side, Job& job) {
    const auto sets = meshSettings(side, 3.67, kStiffness[c.k]);
    return systemOfStep(c.which == 0 ? paperScene("pinned-four", job, sets) : drapedScene(job, sets),
                        c.stop.step[c.which], job);
}

Timing timed(SolverKind solver, const Case& c, const SteppedSystem& stepped, int runs, Job& job) {
    Method method = conjugateGradients(solver, PreconditionerKind::Jacobi);
    method.solver.stopping = c.stop.stopping;
    method.solver.tolerance = c.stop.tolerance[c.which];
    return timeSolve(method, stepped.system.view(), runs, job);
}

records::Entries printedIn1(const Printed1& printed, std::size_t k) {
    return {{"mpcg_iterations", double(printed.mpcg[k])},
            {"upcg_iterations", double(printed.reduced[k])},
            {"mpcg_step_ms", 1e3 * printed.mpcgSeconds[k]},
            {"upcg_step_ms", 1e3 * printed.reducedSeconds[k]},
            {"step_ratio", printed.reducedSeconds[k] / printed.mpcgSeconds[k]}};
}

Expected<void> addRow(const Case& c, int side, Job& job, std::vector<ReproductionRow>& rows) {
    const int runs = job.options.quick ? 5 : 25;  // cheap, and two numbers that lie close together
    const auto stepped = systemOf(c, side, job);
    if (!stepped) return fail(stepped.error());
    const double assembleMs = assembleAgain(*stepped, {}, runs, job).assembleMs;
    const Timing full = timed(SolverKind::Mpcg, c, *stepped, runs, job),
                 reduced = timed(SolverKind::ReducedPcg, c, *stepped, runs, job);
    const Index* n = stepped->report.ndofCounts;
    const double particles = double(stepped->system.A.rows());
    const double perIteration = full.msPerIteration() > 0 ? reduced.msPerIteration() / full.msPerIteration() : 0;
    records::Entries ours{{"step", double(stepped->report.step)},
                          {"residual", full.trueRelativeResidual},
                          {"stuck", n[0] / particles},
                          {"free_unknowns", (n[1] + 2.0 * n[2] + 3.0 * n[3]) / (3 * particles)},
                          {"mpcg_iterations", double(full.iterations)},
                          {"upcg_iterations", double(reduced.iterations)},
                          {"mpcg_step_ms", assembleMs + full.solveMs},
                          {"upcg_step_ms", assembleMs + reduced.solveMs},
                          {"step_ratio", (assembleMs + reduced.solveMs) / (assembleMs + full.solveMs)},
                          {"solve_ratio", reduced.solveMs / full.solveMs},
                          {"per_iteration_ratio", perIteration}};
    for (const auto& [name, t] : {std::pair("mpcg_status", &full), std::pair("upcg_status", &reduced)})
        if (!solvers::converged(t->status)) ours.emplace_back(name, std::string(enumKey(t->status)));
    const Printed1& printed = kPrinted1[c.which];
    rows.push_back({{{"case", printed.name}, {"stop", c.stop.name}, {"stretch_stiffness", kStiffness[c.k]}},
                    std::move(ours),
                    side == 81 ? printedIn1(printed, c.k) : records::Entries{}});
    return {};
}

}  // namespace

Expected<Reproduction> table1(Job& job) {
    const int side = job.side(81, 41);
    std::vector<Case> cases;
    for (const Stop& stop : kStops)
        for (std::size_t which = 0; which < kPrinted1.size(); ++which)
            for (std::size_t k = 0; k < kStiffness.size(); ++k) cases.push_back({stop, which, k});
    const auto label = [](const Case& c) {
        return fmt::format("{}, {}, k = {:g}", c.stop.name, kPrinted1[c.which].name, kStiffness[c.k]);
    };
    std::vector<std::string> notes{
        fmt::format("{} nodes, h = 3.67 ms, diagonal preconditioner. Pinned: `pinned-four`. Draping: `drape-sphere` "
                    "with a ball of 0.4 m and friction 10. The paper names neither step, ball nor friction.",
                    side * side),
        "stuck: share of the particles with ndof 0. Where others slide (ndof 2), diag(U'AU) "
        "is not U' diag(A) U, and the counts of the two solvers differ; the paper's claim "
        "that they agree holds for particles that are held or free.",
        fmt::format("stop: the paper prints no tolerance, and no tolerance relative to b gives its growth with k, 1 : "
                    "3.3 : 12 and 1 : 3 : 10: its tol \"needs to be adjusted whenever M_p or b changes\". relative: "
                    "r'P^-1 r < ({:g})^2 b'P^-1 b. absolute: r'P^-1 r < tol^2, {:g} (pinned) and {:g} (draping) square "
                    "roots of a joule for all three k, fitted, early in the motion.",
                    kTolerance, kStops[1].tolerance[0], kStops[1].tolerance[1]),
        "Start: the dv of the step before where that is better than zero. residual: of MPCG, |r| / |b|.",
        "per_iteration_ratio: one iteration of the reduced system over one of MPCG, without set-up; to compare with "
        "free_unknowns. solve_ratio: with set-up. step_ratio: with assembly, as the paper has it.",
    };
    if (job.options.quick)
        notes.emplace_back("--quick: 41 x 41 particles; the paper's values are of 81 x 81 and left out.");
    return tableOfCases(
        cases, job, label, [&](const Case& c, auto& rows) { return addRow(c, side, job, rows); }, std::move(notes));
}

}  // namespace clothlab::papers::ye
