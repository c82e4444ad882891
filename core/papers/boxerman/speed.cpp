#include <cmath>

#include "papers/boxerman/aimex.hpp"

/// [B] table 4.1: time and iterations of adaptive IMEX over those of backward Euler.
namespace clothlab::papers::boxerman {
namespace {

/// Four classes, the first of them twice: with bend that may be explicit and with bend that may not.
constexpr int kStrata = 5;

/// `stratified`: the classes in turn, where drawing alone would leave three of them nearly empty.
Cloth drawnForSpeed(const Extent& extent, int set, bool stratified, Job& job) {
    std::mt19937 random = randomStream(job.options, set);
    for (;;) {
        const Cloth c = drawnForAimex(random, extent.sides);
        if (!stratified) return c;
        const int stratum = set % kStrata;
        if (int(classifySplit(c)) == stratum % 4 && (stratum % 4 != 0 || bendIsSafe(c) == (stratum == 0))) return c;
    }
}

/// The key of a way to step, before what was measured of it.
std::string wayKey(Way way, const char* what) {
    constexpr std::array kWayKeys{"implicit", "paper", "safe"};
    return fmt::format("{}_{}", kWayKeys[int(way)], what);
}

Expected<records::Entries> timesOfWays(const Cloth& c, int steps, Job& job) {
    std::array<double, kWays.size()> ms{}, iterations{};
    int taken = 0;
    const auto onStep = [&](const Runs& runs) {
        // What a first step allocates and analyses is not the cost of a step.
        if (++taken == 1) return;
        for (std::size_t k = 0; k < kWays.size(); ++k) {
            const simulation::StepReport& report = runs.of(kWays[k]).simulation->lastReport();
            ms[k] += linearMs(report);
            iterations[k] += report.iterations;
        }
    };
    const auto runs = stepTogether(c, thesisMethod(c.dt), steps, onStep, job);
    if (!runs) return fail(runs.error());
    records::Entries out = joined(sortingKeys(c), toEntries(c));
    out.emplace_back("steps", double(taken));
    for (const Way way : kWays) {
        const auto k = std::size_t(way);
        out.emplace_back(wayKey(way, "ms"), ms[k] / std::max(1, taken - 1));
        out.emplace_back(wayKey(way, "iterations"), iterations[k] / std::max(1, taken - 1));
        out.emplace_back(wayKey(way, "diverged"), double(runs->of(way).failed));
    }
    return out;
}

/// The speed of one way to step, against backward Euler.
records::Entries speedEntries(Way way, const SetGroup& sets) {
    const auto diverged = [](Way which) {
        return [key = wayKey(which, "diverged")](const FinishedSet& set) { return set.number(key) != 0; };
    };
    const auto thisDiverged = diverged(way), baseDiverged = diverged(Way::Implicit);
    const SetGroup compared =
        sets.where([&](const FinishedSet& set) { return !thisDiverged(set) && !baseDiverged(set); });
    const auto logTime = [&](const FinishedSet& set) {
        return std::log(set.number(wayKey(way, "ms")) / set.number(wayKey(Way::Implicit, "ms")));
    };
    const auto iterations = [&](const FinishedSet& set) {
        return set.number(wayKey(way, "iterations")) / std::max(1e-9, set.number(wayKey(Way::Implicit, "iterations")));
    };
    records::Entries out{{"sets", sets.count()}};
    if (!compared.empty())
        out = joined(std::move(out), {{"speed_ratio", std::exp(compared.mean(logTime))},
                                      {"cg_ratio", compared.mean(iterations)},
                                      {"step_ms", compared.mean(wayKey(way, "ms"))}});
    const double alone = sets.count([&](const FinishedSet& set) { return thisDiverged(set) && !baseDiverged(set); });
    return joined(std::move(out), {{"diverged", sets.count(thisDiverged)}, {"diverged_alone", alone}});
}

/// A row a class.
void addRows(Reproduction& out, const SetGroup& sets, const char* rule, Way way) {
    for (const EnumEntry& entry : kSplitClasses)
        addRow(out, {{"rule", rule}, {"stretch/shear", std::string(entry.key)}}, sets.where("class", entry.key),
               [&](const SetGroup& group) { return speedEntries(way, group); });
}

}  // namespace

Expected<Reproduction> speedOfAdaptiveImex(Job& job) {
    const bool stratified = job.options.quick;
    const Extent extent{.sides = job.sides({10, 20, 40}, {10, 20}),
                        .sets = job.choose(500, 20 * kStrata, 2 * kStrata),
                        .mostSteps = job.choose(kAllSteps, 200, 30)};
    const auto cloth = [&](int set) { return drawnForSpeed(extent, set, stratified, job); };
    const auto label = [&](int set) {
        const Cloth c = cloth(set);
        return fmt::format("{0} x {0}, {1}", c.side, enumKey(classifySplit(c)));
    };
    const auto run = [&](int set) {
        const Cloth c = cloth(set);
        return timesOfWays(c, extent.steps(c.dt), job);
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        const auto bendIsExplicit = [](const FinishedSet& set) { return set.number("bend_explicit") != 0; };
        addRows(out, all, "paper", Way::Paper);
        addRows(out, all.where(bendIsExplicit), "safe, bend explicit", Way::Safe);
        addRows(out, all.where(std::not_fn(bendIsExplicit)), "safe, bend implicit", Way::Safe);
        job.tell("sets", all.count(), "drawn", stratified ? "the four classes in equal shares" : "drawn freely",
                 "seconds", extent.seconds, "limit", stratified ? fmt::format(" and {} steps", extent.mostSteps) : "");
    };
    return runExperiment({.name = "boxerman-table-4.1", .extent = extent, .label = label, .run = run, .show = show},
                         job);
}

}  // namespace clothlab::papers::boxerman
