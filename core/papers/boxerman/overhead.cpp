#include "papers/boxerman/decomposition.hpp"

/// [B] §6.4.1: what the search for components costs where there are hardly any. §6.4.2: the sheet that falls apart, on
/// one thread and on two.
namespace clothlab::papers::boxerman {
namespace {

Expected<records::Entries> bothWaysAtTwoCorners(const Extent& extent, int set, int pairs, Job& job) {
    const Cloth c =
        drawnForDecomposition(job.options, Configuration::TwoCorners, extent.sideAt(set), extent.roundAt(set));
    const auto run = runSampled(c, decomposingScene(c, Friction::Sliding), extent, {.pairs = pairs}, job);
    if (!run) return fail(run.error());
    const BothWays& sums = run->sums[0][0];
    return joined(toEntries(c), {{"systems", double(run->systems)},
                                 {"components", sums.components / run->count()},
                                 {"whole_rv", sums.whole},
                                 {"decomposed_rv", sums.decomposed},
                                 {"whole_ms", sums.wholeMs},
                                 {"decomposed_ms", sums.decomposedMs},
                                 {"rest_ms", run->restMs},
                                 {"diverged", double(run->diverged)}});
}

records::Entries costs(const SetGroup& sets) {
    const auto solve = [](const FinishedSet& s) { return s.number("decomposed_ms") / s.number("whole_ms"); };
    const auto step = [](const FinishedSet& s) {
        return (s.number("rest_ms") + s.number("decomposed_ms")) / (s.number("rest_ms") + s.number("whole_ms"));
    };
    return {{"sets", sets.count()},
            {"components", sets.mean("components")},
            {"rv", sets.mean(ratio("decomposed_rv", "whole_rv"))},
            {"solve_time", median(sets.each(solve))},
            {"step_time", median(sets.each(step))}};
}

}  // namespace

Expected<Reproduction> costOfDecomposition(Job& job) {
    const int pairs = job.choose(5, 5, 1);
    const Extent extent = growingSheets(job, {500, 24, 6}, {10, 5, 3}, 0.4);
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        const SetGroup solved = all.where([](const FinishedSet& set) { return set.number("whole_rv") > 0; });
        for (const int side : extent.sides) {
            addRow(out, {{"particles", fmt::format("{}", side * side)}}, solved.where("side", side), costs);
        }
        addRow(out, {{"particles", "all"}}, solved, costs);
        job.tell("sets", all.count(), "seconds", extent.seconds, "samples", extent.samples, "pairs", pairs);
    };
    return runExperiment({.name = "boxerman-section-6.4.1, dealt",
                          .extent = extent,
                          .run = [&](int set) { return bothWaysAtTwoCorners(extent, set, pairs, job); },
                          .show = show},
                         job);
}

namespace {

Cloth fallingApart(int side) {
    return {.configuration = Configuration::Sphere,
            .side = side,
            .spacing = 1.5 / (side - 1),
            .density = 0.1,
            .stretch = 1000,
            .shear = 1000,
            .bend = 0.001,
            .dt = 0.01};
}

struct Lane {
    bool decompose;
    int threads;
};
constexpr std::array kLanes{Lane{false, 1}, Lane{true, 1}, Lane{false, 2}, Lane{true, 2}};

}  // namespace

Expected<Reproduction> timesOnTwoThreads(Job& job) {
    const Cloth c = fallingApart(job.side(60, 40));
    auto made = startSimulation(decomposingScene(c, Friction::Sticking), job);
    if (!made) return fail(made.error());
    Simulation& simulation = **made;
    std::array<WorkerPool, 2> pools{WorkerPool(1), WorkerPool(2)};
    std::vector<KeptSolver> solvers;
    solvers.reserve(std::size(kLanes));
    for (const Lane& lane : kLanes)
        solvers.emplace_back(wholeOrDecomposed(computeTolerance(kReadings[0], c.dt), lane.decompose),
                             pools[lane.threads - 1]);
    const int steps = job.choose(100, 100, 40), every = job.options.quick ? 10 : 4, runs = 5;
    double systems = 0, components = 0, rest = 0;
    std::array<double, kLanes.size()> ms{}, rv{};
    const auto before = [&](int step) -> Expected<void> {
        if (step % every != 0) return {};
        job.say(fmt::format("step {} of {}", step, steps), double(step - 1) / steps);
        const auto system = systemOfNextStep(simulation, Implicit::Adaptive, job);
        if (!system) return fail(system.error());
        solveInTurn(solvers, system->view(), runs, job);
        for (std::size_t k = 0; k < kLanes.size(); ++k) {
            const solvers::SolveSummary& solved = solvers[k].summary;
            ms[k] += solvers[k].ms;
            rv[k] += kLanes[k].decompose ? solved.rowIterations : double(solved.iterations) * system->A.rows();
        }
        components += double(solvers[1].summary.components.size());
        ++systems;
        return {};
    };
    const auto after = [&](const Simulation&) {
        if (simulation.lastReport().step % every == 0) rest += restMs(simulation.lastReport());
    };
    const auto walked = walk(simulation, {.steps = steps, .before = before, .after = after}, job);
    if (!walked) return fail(walked.error());
    Reproduction out;
    for (std::size_t k = 0; k < kLanes.size(); ++k)
        out.rows.push_back(
            {{{"solver", kLanes[k].decompose ? "by components" : "whole"}, {"threads", double(kLanes[k].threads)}},
             {{"rv", rv[k] / rv[0]},
              {"solve_ms", ms[k] / systems},
              {"solve_time", ms[k] / ms[0]},
              {"step_time", (rest + ms[k]) / (rest + ms[0])}}});
    job.tell("side", c.side, "density", c.density, "stretch", c.stretch, "dt_ms", 1e3 * c.dt, "systems", systems,
             "components", fmt::format("{:.0f}", components / systems), "runs", runs);
    return out;
}

}  // namespace clothlab::papers::boxerman
