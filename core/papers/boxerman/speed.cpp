#include <fmt/format.h>

#include <cmath>

#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/boxerman.hpp"

/// [B] table 4.1: time and iterations of adaptive IMEX over those of backward Euler.
namespace clothlab::simulation::speed {
namespace {

using namespace boxerman;

struct Plan {
    std::vector<int> sides{10, 20, 40};
    int sets = 500;
    bool stratified = false;  ///< the classes in turn, where drawing alone would leave three of them nearly empty
    int mostSteps = 1 << 30;
    double seconds = 1;
};

/// Four classes, the first of them twice: with bend that may be explicit and with bend that may not.
constexpr int kStrata = 5;

Plan planOf(const ReproduceOptions& options) {
    Plan plan;
    if (options.quick)
        plan = {.sides = {10, 20}, .sets = 20 * kStrata, .stratified = true, .mostSteps = 200, .seconds = 1};
    if (options.side > 0)
        plan = {.sides = {options.side}, .sets = 2 * kStrata, .stratified = true, .mostSteps = 30, .seconds = 1};
    return plan;
}

Cloth clothOf(const Plan& plan, int set, const ReproduceOptions& options) {
    std::mt19937 random = randomOf(options, set);
    for (;;) {
        const Cloth c = drawnForAimex(random, plan.sides);
        if (!plan.stratified) return c;
        const int stratum = set % kStrata;
        if (int(splitClassOf(c)) == stratum % 4 && (stratum % 4 != 0 || bendIsSafe(c) == (stratum == 0))) return c;
    }
}

constexpr std::array kWayKeys{"implicit", "paper", "safe"};

Expected<records::Entries> runOne(const Cloth& c, const Plan& plan, const ReproduceOptions& options,
                                  const ReproduceControl& control) {
    const int steps = std::min(plan.mostSteps, int(std::lround(plan.seconds / c.dt)));
    std::array<double, kWays.size()> ms{}, iterations{};
    int taken = 0;
    const auto onStep = [&](const Runs& runs) {
        // What a first step allocates and analyses is not the cost of a step.
        if (++taken == 1) return;
        for (std::size_t k = 0; k < runs.size(); ++k) {
            const StepReport& report = runs[k].simulation->lastReport();
            ms[k] += report.assembleMs + report.analyzeMs + report.factorMs + report.solveMs;
            iterations[k] += report.iterations;
        }
    };
    const auto runs = stepTogether(c, thesisMethod(c.dt), steps, onStep, options, control);
    if (!runs) return tl::unexpected(runs.error());
    records::Entries out{{"class", std::string(enumKey(splitClassOf(c)))},
                         {"bend_explicit", double(bendIsSafe(c))},
                         {"configuration", std::string(enumKey(c.configuration))}};
    const records::Entries parameters = entriesOf(c);
    out.insert(out.end(), parameters.begin(), parameters.end());
    out.emplace_back("steps", double(taken));
    for (std::size_t k = 0; k < kWays.size(); ++k) {
        const std::string name = kWayKeys[k];
        out.emplace_back(name + "_ms", ms[k] / std::max(1, taken - 1));
        out.emplace_back(name + "_iterations", iterations[k] / std::max(1, taken - 1));
        out.emplace_back(name + "_diverged", double((*runs)[k].diverged));
    }
    return out;
}

/// The sets of a row.
struct Group {
    std::vector<const records::Entries*> sets;

    records::Entries measured(Way way) const {
        const std::string name = kWayKeys[static_cast<std::size_t>(way)];
        double logTime = 0, iterations = 0, ms = 0, compared = 0, diverged = 0, alone = 0;
        for (const records::Entries* set : sets) {
            const bool gone = records::numberOf(*set, name + "_diverged") != 0,
                       goneToo = records::numberOf(*set, "implicit_diverged") != 0;
            diverged += gone;
            alone += gone && !goneToo;
            if (gone || goneToo) continue;
            ++compared;
            ms += records::numberOf(*set, name + "_ms");
            logTime += std::log(records::numberOf(*set, name + "_ms") / records::numberOf(*set, "implicit_ms"));
            iterations += records::numberOf(*set, name + "_iterations") /
                          std::max(1e-9, records::numberOf(*set, "implicit_iterations"));
        }
        records::Entries out{{"sets", double(sets.size())}};
        if (compared > 0)
            out.insert(out.end(), {{"speed_ratio", std::exp(logTime / compared)},
                                   {"cg_ratio", iterations / compared},
                                   {"step_ms", ms / compared}});
        out.insert(out.end(), {{"diverged", diverged}, {"diverged_alone", alone}});
        return out;
    }
};

struct Printed {
    double runs, speed, iterations;
};
constexpr std::array kPrinted{Printed{412, 0.83, 1.00}, Printed{18, 0.71, 1.02}, Printed{37, 0.71, 0.96},
                              Printed{33, 0.47, 0.47}};

enum class Bend { Any, Explicit, Implicit };

Group groupOf(const FinishedSets& sets, SplitClass splitClass, Bend bend) {
    Group out;
    for (const FinishedSet& set : sets.sets) {
        if (textOf(set.values, "class") != enumKey(splitClass)) continue;
        const bool isExplicit = records::numberOf(set.values, "bend_explicit") != 0;
        if (bend == Bend::Any || isExplicit == (bend == Bend::Explicit)) out.sets.push_back(&set.values);
    }
    return out;
}

void addRows(Reproduction& out, const FinishedSets& sets, const char* rule, Way way, Bend bend) {
    for (const EnumEntry& entry : kSplitClasses) {
        const auto splitClass = static_cast<SplitClass>(entry.value);
        const Group group = groupOf(sets, splitClass, bend);
        if (group.sets.empty()) continue;
        ReproductionRow row;
        row.what = {{"rule", rule}, {"stretch/shear", std::string(entry.key)}};
        row.ours = group.measured(way);
        const Printed& printed = kPrinted[static_cast<std::size_t>(entry.value)];
        if (bend != Bend::Implicit)
            row.paper = {{"sets", printed.runs}, {"speed_ratio", printed.speed}, {"cg_ratio", printed.iterations}};
        out.rows.push_back(std::move(row));
    }
}

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    const Plan plan = planOf(options);
    const auto cloth = [&](int set) { return clothOf(plan, set, options); };
    const auto label = [&](int set) {
        const Cloth c = cloth(set);
        return fmt::format("{0} x {0}, {1}", c.side, enumKey(splitClassOf(c)));
    };
    const auto sets = runSets({.experiment = "boxerman-table-4.1",
                               .sets = plan.sets,
                               .label = label,
                               .run = [&](int set) { return runOne(cloth(set), plan, options, control); }},
                              options, control);
    if (!sets) return tl::unexpected(sets.error());
    Reproduction out;
    addRows(out, *sets, "paper", Way::Paper, Bend::Any);
    addRows(out, *sets, "safe, bend explicit", Way::Safe, Bend::Explicit);
    addRows(out, *sets, "safe, bend implicit", Way::Safe, Bend::Implicit);
    out.notes = {
        fmt::format("{} random sets of the thesis' grid, {}; adaptive IMEX, rules `paper` and `safe`, against backward "
                    "Euler, one step of each in "
                    "turn, up to {} s{}. MPCG with CP, tol = 0.01 h^2 in the P-norm.",
                    sets->sets.size(), plan.stratified ? "the four classes in equal shares" : "drawn freely",
                    plan.seconds, plan.stratified ? fmt::format(" and {} steps", plan.mostSteps) : ""),
        "speed_ratio: geometric mean over the sets of the time of a step, assembly and solve, contact left out. "
        "cg_ratio: mean of the ratios of "
        "iterations. step_ms: mean of ours. Sets in which either diverged do not count.",
        "diverged: sets that the guard ended, or whose energy rose by more than 2 m g L, all particles together. "
        "diverged_alone: those of them in which backward Euler did not. Bend always explicit (`paper`) is "
        "unstable where h^2 c_b / m is large; `safe` makes it implicit there.",
        "explicit/explicit: nothing is implicit, and no solver is called; the thesis calls one for A = M, which takes "
        "one iteration.",
    };
    addStopped(out.notes, *sets);
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::speed

namespace clothlab::simulation {

Expected<Reproduction> boxermanTable41(const ReproduceOptions& options, const ReproduceControl& control) {
    return speed::table(options, control);
}

}  // namespace clothlab::simulation
