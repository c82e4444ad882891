#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/boxerman/decomposition.hpp"
#include "papers/sets.hpp"

/// [B] §6.4.1: what the search for components costs where there are hardly any.
namespace clothlab::simulation::overhead {
namespace {

using namespace boxerman;

struct Plan {
    std::vector<int> sides;
    int sets;
    int samples;
    int pairs = 5;  ///< timed solves of a system, each way
    double seconds = 1;
};

Plan planOf(const ReproduceOptions& options) {
    Plan plan{.sides = {}, .sets = 500, .samples = 10};
    for (int side = 5; side <= 80; side += 5) plan.sides.push_back(side);
    if (options.quick) plan = {.sides = {10, 20, 30, 40}, .sets = 24, .samples = 5};
    if (options.side > 0)
        plan = {.sides = {options.side / 2, options.side}, .sets = 6, .samples = 3, .pairs = 1, .seconds = 0.4};
    return plan;
}

Expected<records::Entries> runOne(const Plan& plan, int set, const ReproduceOptions& options,
                                  const ReproduceControl& control, WorkerPool& pool) {
    const int sides = int(plan.sides.size()), side = plan.sides[static_cast<std::size_t>(set % sides)];
    const Cloth c = drawnForDecomposition(options, Configuration::TwoCorners, side, set / sides);
    auto made = Simulation::create(decomposingScene(c, Friction::Sliding), options.threads);
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    BothWays both(toleranceOf(kReadings[0], c.dt));
    const int steps = int(std::lround(plan.seconds / c.dt)), every = std::max(1, steps / plan.samples);
    BothWays::Counts sums;
    double systems = 0, restMs = 0;
    bool diverged = false;
    for (int step = 1; step <= steps && !diverged; ++step) {
        const bool sampled = step % every == 0;
        if (sampled) {
            const auto system = systemOfNextStep(simulation, Implicit::Adaptive, control);
            if (!system) return tl::unexpected(system.error());
            const BothWays::Counts counts = both.solve(system->view(), plan.pairs, pool, control.stop);
            sums.whole += counts.whole, sums.decomposed += counts.decomposed;
            sums.wholeMs += counts.wholeMs, sums.decomposedMs += counts.decomposedMs;
            sums.components += counts.components;
            ++systems;
        }
        const StepReport& report = simulation.step({.stop = control.stop, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (sampled) restMs += std::max(0.0, report.stepMs - report.analyzeMs - report.factorMs - report.solveMs);
        diverged = hasFailed(report.status);
    }
    records::Entries out = entriesOf(c);
    out.insert(out.end(), {{"systems", systems},
                           {"components", sums.components / std::max(1.0, systems)},
                           {"whole_rv", sums.whole},
                           {"decomposed_rv", sums.decomposed},
                           {"whole_ms", sums.wholeMs},
                           {"decomposed_ms", sums.decomposedMs},
                           {"rest_ms", restMs},
                           {"diverged", double(diverged)}});
    return out;
}

ReproductionRow rowOf(std::string particles, const std::vector<const records::Entries*>& sets) {
    double rv = 0, components = 0;
    std::vector<double> solve, step;
    for (const records::Entries* set : sets) {
        const double whole = records::numberOf(*set, "whole_ms"), decomposed = records::numberOf(*set, "decomposed_ms");
        const double rest = records::numberOf(*set, "rest_ms");
        solve.push_back(decomposed / whole);
        step.push_back((rest + decomposed) / (rest + whole));
        rv += records::numberOf(*set, "decomposed_rv") / std::max(1.0, records::numberOf(*set, "whole_rv"));
        components += records::numberOf(*set, "components");
    }
    const double n = double(sets.size());
    ReproductionRow row;
    row.what = {{"particles", std::move(particles)}};
    row.ours = {{"sets", n},
                {"components", components / n},
                {"rv", rv / n},
                {"solve_time", medianOf(solve)},
                {"step_time", medianOf(step)}};
    return row;
}

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    const Plan plan = planOf(options);
    WorkerPool pool(options.threads);
    const int sides = int(plan.sides.size());
    const auto label = [&](int set) {
        return fmt::format("{0} x {0}", plan.sides[static_cast<std::size_t>(set % sides)]);
    };
    const auto sets = simulation::runSets({.experiment = "boxerman-section-6.4.1, dealt",
                                           .sets = plan.sets,
                                           .label = label,
                                           .run = [&](int set) { return runOne(plan, set, options, control, pool); }},
                                          options, control);
    if (!sets) return tl::unexpected(sets.error());
    Reproduction out;
    const auto add = [&](std::string particles, int side, records::Entries paper) {
        std::vector<const records::Entries*> of;
        for (const FinishedSet& set : sets->sets)
            if ((side == 0 || records::numberOf(set.values, "side") == side) &&
                records::numberOf(set.values, "whole_rv") > 0)
                of.push_back(&set.values);
        if (of.empty()) return;
        out.rows.push_back(rowOf(std::move(particles), of));
        out.rows.back().paper = std::move(paper);
    };
    for (const int side : plan.sides) add(fmt::format("{}", side * side), side, {});
    add("all", 0, {{"rv", 0.992}, {"step_time", 1.023}});
    out.notes = {
        fmt::format("{} random sets of the thesis' grid (it has 500), a sheet of 1.5 m held at two corners, {} s; {} "
                    "systems of each, by the rule "
                    "`paper`, solved whole and by components in turn, {} times each. MPCG with CP, tol = 0.01 h^2 in "
                    "the P-norm.",
                    sets->sets.size(), plan.seconds, plan.samples, plan.pairs),
        "By components over whole: rv, mean of the sets; solve_time, step_time: medians of the sets' ratios of sums of "
        "medians; a step "
        "is the solve and "
        "what else its step took. components: mean number.",
    };
    addStopped(out.notes, *sets);
    return out;
}

/// §6.4.2: the sheet that falls apart, on one thread and on two.
namespace parallel {

struct Lane {
    bool decompose;
    int threads;
    const char* paper;  ///< over the whole on one thread
};
constexpr std::array kLanes{Lane{false, 1, "1"}, Lane{true, 1, "0.82 (DS1)"}, Lane{false, 2, ""},
                            Lane{true, 2, "0.70 (DS2)"}};

Cloth clothOf(const ReproduceOptions& options) {
    const int side = options.side > 0 ? options.side : options.quick ? 40 : 60;
    return {.configuration = Configuration::Sphere,
            .side = side,
            .spacing = 1.5 / (side - 1),
            .density = 0.1,
            .stretch = 1000,
            .shear = 1000,
            .bend = 0.001,
            .dt = 0.01};
}

/// A solver and its pool, kept over all systems.
struct Runner {
    Runner(const Lane& lane, double tolerance) : pool(lane.threads) {
        Method method = mpcg(tolerance, kPreconditioners[kConstrained]);
        method.solver.decompose = lane.decompose;
        solver = solvers::makeSolver(method.solver, method.preconditioner);
    }
    WorkerPool pool;
    std::unique_ptr<solvers::Solver> solver;
    linalg::BlockVector deltaV;
    solvers::SolveSummary summary;
    double ms = 0, rv = 0;
};

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    const Cloth c = clothOf(options);
    auto made = Simulation::create(decomposingScene(c, Friction::Sticking), options.threads);
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    std::vector<std::unique_ptr<Runner>> runners;
    for (const Lane& lane : kLanes) runners.push_back(std::make_unique<Runner>(lane, toleranceOf(kReadings[0], c.dt)));
    const int steps = options.side > 0 ? 40 : 100, every = options.quick ? 10 : 4, runs = 5;
    double systems = 0, components = 0, restMs = 0;
    for (int step = 1; step <= steps; ++step) {
        const bool sampled = step % every == 0;
        if (sampled) {
            if (control.progress) control.progress(fmt::format("step {} of {}", step, steps), double(step - 1) / steps);
            const auto system = systemOfNextStep(simulation, Implicit::Adaptive, control);
            if (!system) return tl::unexpected(system.error());
            std::vector<std::vector<double>> ms(runners.size());
            for (int run = 0; run < runs; ++run)
                for (std::size_t k = 0; k < runners.size(); ++k) {
                    Runner& r = *runners[k];
                    r.solver->solve(system->view(), r.deltaV, r.summary, {.stop = control.stop}, r.pool);
                    ms[k].push_back(1e3 * r.summary.totalSeconds);
                }
            for (std::size_t k = 0; k < runners.size(); ++k) {
                runners[k]->ms += medianOf(ms[k]);
                const solvers::SolveSummary& solved = runners[k]->summary;
                runners[k]->rv +=
                    kLanes[k].decompose ? solved.rowIterations : double(solved.iterations) * system->A.rows();
            }
            components += double(runners[1]->summary.components.size());
            ++systems;
        }
        const StepReport& report = simulation.step({.stop = control.stop, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (hasFailed(report.status)) return fail(report.message);
        if (sampled) restMs += std::max(0.0, report.stepMs - report.analyzeMs - report.factorMs - report.solveMs);
    }
    Reproduction out;
    for (std::size_t k = 0; k < runners.size(); ++k) {
        const Runner &r = *runners[k], &first = *runners[0];
        ReproductionRow row;
        row.what = {{"solver", kLanes[k].decompose ? "by components" : "whole"},
                    {"threads", double(kLanes[k].threads)}};
        row.ours = {{"rv", r.rv / first.rv},
                    {"solve_ms", r.ms / systems},
                    {"solve_time", r.ms / first.ms},
                    {"step_time", (restMs + r.ms) / (restMs + first.ms)}};
        if (*kLanes[k].paper) row.paper = {{"step_time", std::string(kLanes[k].paper)}};
        out.rows.push_back(std::move(row));
    }
    out.notes = {
        fmt::format("{0} x {0} particles, 1.5 m, density {1}, stretch and shear {2} N/m, on a sphere that it sticks "
                    "to, dt {3:g} ms: "
                    "{4:g} systems of the "
                    "first second, {5:.0f} components on average, each solved {6} times by every row in turn; medians. "
                    "MPCG with CP, tol "
                    "= 0.01 h^2 in the "
                    "P-norm.",
                    c.side, c.density, c.stretch, 1e3 * c.dt, systems, components / systems, runs),
        "rv, solve_time, step_time: over the whole on one thread. step_time adds what else a step takes, on one "
        "thread, as in the "
        "thesis, where threads "
        "run components alone; the thesis picks \"one of the nicely-decomposing test cases\" and does not say which. "
        "Ours also shares "
        "the products "
        "of a whole system among threads.",
    };
    return out;
}

}  // namespace parallel
}  // namespace
}  // namespace clothlab::simulation::overhead

namespace clothlab::simulation {

Expected<Reproduction> boxermanSection641(const ReproduceOptions& options, const ReproduceControl& control) {
    return overhead::table(options, control);
}
Expected<Reproduction> boxermanSection642Parallel(const ReproduceOptions& options, const ReproduceControl& control) {
    return overhead::parallel::table(options, control);
}

}  // namespace clothlab::simulation
