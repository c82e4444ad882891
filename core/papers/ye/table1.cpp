#include "papers/ye/ye.hpp"

/// [Y] Ye, Webber, Wang 2009, table 1.
namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using namespace ye;

/// One step at 6,561 nodes, seconds with assembly.
struct Case {
    const char* name;
    std::array<int, 3> mpcg, reduced;
    std::array<double, 3> mpcgSeconds, reducedSeconds;
};

constexpr std::array kCases{
    Case{"pinned", {35, 116, 413}, {35, 115, 414}, {0.25, 0.65, 2.03}, {0.22, 0.50, 1.53}},
    Case{"draping", {26, 78, 267}, {24, 77, 270}, {0.23, 0.49, 1.54}, {0.11, 0.17, 0.42}},
};
/// When the counts are taken, and when the solve stops. The paper's tol "needs to be adjusted whenever M_p or b
/// changes" (§4) and "is carefully chosen to make the computation barely converge" (§5): relative to b, no one number
/// gives its growth with k. Adjusted from row to row until it barely converges, it comes to an error that is the same
/// in all rows of an experiment.
struct Reading {
    const char* name;
    solvers::Stopping stopping;
    std::array<int, 2> step;          ///< pinned, draping
    std::array<double, 2> tolerance;  ///< relative, or the square root of joule
};
constexpr std::array kReadings{
    // At rest three quarters of the particles stick, and hardly one slides.
    Reading{"relative", solvers::Stopping::PNorm, {100, 300}, {kTolerance, kTolerance}},
    // Fitted, one number for six counts: as the sheet begins to sag, and as the flanks come down.
    Reading{"absolute", solvers::Stopping::Absolute, {15, 70}, {5e-6, 2.3e-3}},
};

/// "As many constraints as possible" ([Y] §4): a ball almost as large as the sheet, and friction that holds whatever
/// touches.
Expected<scene::Scene> drapedScene(const ReproduceOptions& options, const std::vector<std::string>& sets) {
    auto scene = paperScene("drape-sphere", options, sets);
    if (!scene) return scene;
    scene->settings.contact.muS = scene->settings.contact.muK = 10;
    contact::Collider& ball = scene->colliders.front();
    ball.shape = geometry::Sphere{.radius = 0.4};
    ball.position.y() = scene->cloths.front().origin.y() - 0.42;
    return scene;
}

Expected<SteppedSystem> systemOf(std::size_t which, const Reading& reading, int side, double stiffness,
                                 const ReproduceOptions& options, const ReproduceControl& control) {
    const auto sets = meshSettings(side, 3.67, stiffness);
    auto scene = which == 0 ? paperScene("pinned-four", options, sets) : drapedScene(options, sets);
    if (!scene) return tl::unexpected(scene.error());
    return systemOfStep(std::move(*scene), {.step = reading.step[which]}, options, control);
}

Method methodOf(SolverKind solver, const Reading& reading, std::size_t which) {
    Method method = conjugateGradients(solver, PreconditionerKind::Jacobi);
    method.solver.stopping = reading.stopping;
    method.solver.tolerance = reading.tolerance[which];
    return method;
}

ReproductionRow rowOf(std::size_t which, const Reading& reading, std::size_t k, const SteppedSystem& stepped, int runs,
                      bool printed, WorkerPool& pool, std::stop_token stop) {
    const Case& c = kCases[which];
    const linalg::LinearSystem system = stepped.system.view();
    const double assembleMs = assembleAgain(stepped, {}, runs, pool).assembleMs;
    const Timing full = timeSolve(methodOf(SolverKind::Mpcg, reading, which), system, nullptr, runs, pool, stop);
    const Timing reduced =
        timeSolve(methodOf(SolverKind::ReducedPcg, reading, which), system, nullptr, runs, pool, stop);
    const Index* n = stepped.report.ndofCounts;
    const double particles = double(stepped.system.A.rows());
    ReproductionRow row;
    row.what = {{"case", c.name}, {"stop", reading.name}, {"stretch_stiffness", kStiffness[k]}};
    row.ours = {
        {"step", double(stepped.report.step)},
        {"residual", full.trueRelativeResidual},
        {"stuck", n[0] / particles},
        {"free_unknowns", (n[1] + 2.0 * n[2] + 3.0 * n[3]) / (3 * particles)},
        {"mpcg_iterations", double(full.iterations)},
        {"upcg_iterations", double(reduced.iterations)},
        {"mpcg_step_ms", assembleMs + full.solveMs},
        {"upcg_step_ms", assembleMs + reduced.solveMs},
        {"step_ratio", (assembleMs + reduced.solveMs) / (assembleMs + full.solveMs)},
        {"solve_ratio", reduced.solveMs / full.solveMs},
        {"per_iteration_ratio", full.msPerIteration() > 0 ? reduced.msPerIteration() / full.msPerIteration() : 0}};
    for (const auto& [name, t] : {std::pair("mpcg_status", &full), std::pair("upcg_status", &reduced)})
        if (!solvers::converged(t->status)) row.ours.emplace_back(name, std::string(enumKey(t->status)));
    if (printed)
        row.paper = {{"mpcg_iterations", double(c.mpcg[k])},
                     {"upcg_iterations", double(c.reduced[k])},
                     {"mpcg_step_ms", 1e3 * c.mpcgSeconds[k]},
                     {"upcg_step_ms", 1e3 * c.reducedSeconds[k]},
                     {"step_ratio", c.reducedSeconds[k] / c.mpcgSeconds[k]}};
    return row;
}

}  // namespace

Expected<Reproduction> yeTable1(const ReproduceOptions& options, const ReproduceControl& control) {
    const int side = options.side > 0 ? options.side : options.quick ? 41 : 81;
    const int runs = options.quick ? 5 : 25;  // cheap, and two numbers that lie close together
    Reproduction out;
    WorkerPool pool(options.threads);
    double done = 0;
    for (const Reading& reading : kReadings)
        for (std::size_t c = 0; c < kCases.size(); ++c)
            for (std::size_t k = 0; k < kStiffness.size(); ++k) {
                if (control.progress)
                    control.progress(fmt::format("{}, {}, k = {:g}", reading.name, kCases[c].name, kStiffness[k]),
                                     done++ / double(kReadings.size() * kCases.size() * kStiffness.size()));
                const auto stepped = systemOf(c, reading, side, kStiffness[k], options, control);
                if (!stepped) return tl::unexpected(stepped.error());
                out.rows.push_back(rowOf(c, reading, k, *stepped, runs, side == 81, pool, control.stop));
            }
    out.notes = {
        fmt::format("{} nodes, h = 3.67 ms, diagonal preconditioner. Pinned: `pinned-four`. Draping: `drape-sphere` "
                    "with a ball of 0.4 m "
                    "and friction 10. The paper names neither step, ball nor friction.",
                    side * side),
        "stuck: share of the particles with ndof 0. Where others slide (ndof 2), diag(U'AU) is not U' diag(A) U, and "
        "the counts "
        "of the two solvers differ; the paper's claim that they agree holds for particles that are held or free.",
        fmt::format("stop: the paper prints no tolerance, and no tolerance relative to b gives its growth with k, 1 : "
                    "3.3 : 12 and "
                    "1 : 3 : 10: its tol \"needs to be adjusted whenever M_p or b changes\". relative: r'P^-1 r < "
                    "({:g})^2 b'P^-1 b. absolute: "
                    "r'P^-1 r < tol^2, {:g} (pinned) and {:g} (draping) square roots of a joule for all three k, "
                    "fitted, early in the motion.",
                    kTolerance, kReadings[1].tolerance[0], kReadings[1].tolerance[1]),
        "Start: the dv of the step before where that is better than zero. residual: of MPCG, |r| / |b|.",
        "per_iteration_ratio: a turn of the loop of the reduced system against one of MPCG, set-up apart; to compare "
        "with free_unknowns. "
        "solve_ratio: with set-up. step_ratio: with assembly, as the paper has it.",
    };
    if (options.quick)
        out.notes.emplace_back("--quick: 41 x 41 particles; the paper's values are of 81 x 81 and left out.");
    return out;
}

}  // namespace clothlab::simulation
