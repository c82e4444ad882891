#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/boxerman/aimex.hpp"

/// [B] §4.4.3, visual results: how far adaptive IMEX and backward Euler come apart, over the mesh spacing.
namespace clothlab::simulation::results {
namespace {

using namespace boxerman;

/// Largest component of the difference of two states, m: the thesis' infinity norm of the position vectors.
double difference(const Run& a, const Run& b) {
    const linalg::BlockVector &x = a.simulation->state().x, &y = b.simulation->state().x;
    double most = 0;
    for (Index i = 0; i < x.size(); ++i) most = std::max(most, (x[i] - y[i]).cwiseAbs().maxCoeff());
    return most;
}

struct Apart {
    double paper = 0, safe = 0;  ///< over the spacing
    bool diverged = false;       ///< one of them: no comparison
};

struct Span {
    double seconds = 1;
    int mostSteps = 1 << 30;
    int steps(const Cloth& c) const { return std::min(mostSteps, int(std::lround(seconds / c.dt))); }
};

/// `onStep` has the largest difference so far.
Expected<Apart> runApart(const Cloth& c, const Span& span, const std::function<void(const Apart&, const Runs&)>& onStep,
                         const ReproduceOptions& options, const ReproduceControl& control) {
    Apart apart;
    const auto look = [&](const Runs& runs) {
        const Run &reference = runs[std::size_t(Way::Implicit)], &paper = runs[std::size_t(Way::Paper)],
                  &safe = runs[std::size_t(Way::Safe)];
        if (reference.diverged) return;
        if (!paper.diverged) apart.paper = std::max(apart.paper, difference(paper, reference) / c.spacing);
        if (!safe.diverged) apart.safe = std::max(apart.safe, difference(safe, reference) / c.spacing);
        if (onStep) onStep(apart, runs);
    };
    const auto runs = stepTogether(c, directMethod(), span.steps(c), look, options, control);
    if (!runs) return tl::unexpected(runs.error());
    const auto gone = [&](Way way) { return (*runs)[std::size_t(way)].diverged; };
    apart.diverged = gone(Way::Implicit) || gone(Way::Safe);
    if (gone(Way::Paper)) apart.paper = NAN;
    return apart;
}

struct Example {
    const char* name;
    Cloth cloth;
    double printed;  ///< over the spacing
    int seeds;       ///< of the noise: folds magnify it, and then one run says little
};
const Example kWorst{"worst case",
                     {.side = 40,
                      .spacing = 0.03,
                      .density = 10,
                      .stretch = 100,
                      .shear = 1000,
                      .bend = 0.001,
                      .stretchDamping = 1,
                      .drag = 0.001,
                      .dt = 0.001},
                     1.68,
                     1};
const Example kAverage{"average case",
                       {.configuration = Configuration::Table,
                        .side = 20,
                        .spacing = 0.1,
                        .density = 0.1,
                        .stretch = 1000,
                        .shear = 1000,
                        .bend = 0.001,
                        .stretchDamping = 1,
                        .shearDamping = 1,
                        .drag = 0.003,
                        .dt = 0.01},
                       0.63,
                       9};

Cloth clothOf(const Example& example, const ReproduceOptions& options) {
    Cloth c = example.cloth;
    if (options.side > 0) c.side = options.side;
    return c;
}

double quantile(std::vector<double> values, double q) {
    if (values.empty()) return NAN;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * double(values.size() - 1))];
}

std::vector<std::string> notesOfExample(const Cloth& c, int seeds) {
    return {
        fmt::format(
            "{0} x {0} particles, spacing {1:g} m, {2:g} kg/m2, stretch {3:g}, shear {4:g}, bend {5:g} N/m, damping "
            "{6:g} and {7:g} N s/m, drag "
            "{8:g} N s/m, h = {9:g} ms; (4.8) is {10:.3g} for stretch, {11:.3g} for shear: {12}. Direct solver.",
            c.side, c.spacing, c.density, c.stretch, c.shear, c.bend, c.stretchDamping, c.shearDamping, c.drag,
            1e3 * c.dt, numericalStiffness(c, c.stretch, c.stretchDamping, c.dt),
            numericalStiffness(c, c.shear, c.shearDamping, c.dt), enumKey(splitClassOf(c))),
        "Largest component of the difference of positions up to that time, over the spacing, between adaptive IMEX and "
        "backward Euler; the "
        "thesis has one number, for a second. It prints neither the bend's scale nor its table.",
        fmt::format(
            "Median, least and most of {} seeds of a noise of 1e-4 of the spacing; strain and contacts of the last.",
            seeds),
    };
}

/// At one time, over the seeds.
struct Moment {
    double time = 0, strain = 0, contacts = 0;
    std::vector<double> paper, safe;
};

ReproductionRow rowOf(const Example& example, const Moment& moment) {
    ReproductionRow row;
    row.what = {{"case", example.name}, {"time_s", moment.time}};
    row.ours = {{"paper_rule", quantile(moment.paper, 0.5)},
                {"least", quantile(moment.paper, 0)},
                {"most", quantile(moment.paper, 1)},
                {"safe_rule", quantile(moment.safe, 0.5)},
                {"max_strain", moment.strain},
                {"contacts", moment.contacts}};
    return row;
}

Expected<Reproduction> exampleOf(const Example& example, const ReproduceOptions& options,
                                 const ReproduceControl& control) {
    Cloth c = clothOf(example, options);
    const Span span{.seconds = options.side > 0 ? 0.2 : 1.0};
    const int steps = span.steps(c), every = std::max(1, steps / 10);
    std::vector<Moment> moments(static_cast<std::size_t>(steps / every));
    for (c.noiseSeed = 1; c.noiseSeed <= example.seeds; ++c.noiseSeed) {
        int step = 0;
        const auto onStep = [&](const Apart& apart, const Runs& runs) {
            if (++step % every != 0) return;
            if (control.progress)
                control.progress(example.name, (c.noiseSeed - 1 + double(step) / steps) / example.seeds);
            const auto& reference = runs[std::size_t(Way::Implicit)].simulation->lastReport();
            Moment& moment = moments[static_cast<std::size_t>(step / every - 1)];
            moment.time = reference.timeSeconds;
            moment.strain = reference.maxStrain;
            moment.contacts = double(reference.contacts);
            moment.paper.push_back(apart.paper);
            moment.safe.push_back(apart.safe);
        };
        if (const auto apart = runApart(c, span, onStep, options, control); !apart)
            return tl::unexpected(apart.error());
    }
    Reproduction out;
    for (const Moment& moment : moments)
        if (!moment.paper.empty()) out.rows.push_back(rowOf(example, moment));
    if (!out.rows.empty()) out.rows.back().paper = {{"paper_rule", example.printed}};
    out.notes = notesOfExample(c, example.seeds);
    return out;
}

/// How the sets of a configuration are spread.
ReproductionRow rowOf(const std::string& name, const FinishedSets& sets,
                      const std::function<bool(const records::Entries&)>& wanted) {
    ReproductionRow row;
    row.what = {{"sets", name}};
    std::vector<double> apart;
    double diverged = 0, all = 0;
    for (const FinishedSet& set : sets.sets) {
        if (!wanted(set.values)) continue;
        ++all;
        if (records::numberOf(set.values, "diverged") != 0)
            ++diverged;
        else
            apart.push_back(records::numberOf(set.values, "safe"));
    }
    row.ours = {{"count", all}, {"diverged", diverged}};
    if (apart.empty()) return row;
    const auto small = std::count_if(apart.begin(), apart.end(), [](double v) { return v < 0.1; });
    row.ours.insert(row.ours.end(), {{"median", quantile(apart, 0.5)},
                                     {"at_90_percent", quantile(apart, 0.9)},
                                     {"most", quantile(apart, 1)},
                                     {"below_0.1", double(small) / double(apart.size())}});
    return row;
}

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    std::vector<int> sides{10, 20, 40};
    int planned = 500;
    Span span;
    if (options.quick) sides = {10, 20}, planned = 60, span.mostSteps = 200;
    if (options.side > 0) sides = {options.side}, planned = 6, span.mostSteps = 40;
    const auto cloth = [&](int set) {
        std::mt19937 random = randomOf(options, set);
        return drawnForAimex(random, sides);
    };
    const auto run = [&](int set) -> Expected<records::Entries> {
        const Cloth c = cloth(set);
        const auto apart = runApart(c, span, {}, options, control);
        if (!apart) return tl::unexpected(apart.error());
        return records::Entries{{"class", std::string(enumKey(splitClassOf(c)))},
                                {"bend_explicit", double(bendIsSafe(c))},
                                {"configuration", std::string(enumKey(c.configuration))},
                                {"side", double(c.side)},
                                {"density", c.density},
                                {"dt", c.dt},
                                {"paper", apart->paper},
                                {"safe", apart->safe},
                                {"diverged", double(apart->diverged)}};
    };
    const auto sets = runSets(
        {.experiment = "boxerman-section-4.4.3-results",
         .sets = planned,
         .label = [&](int set) { return fmt::format("{0} x {0}, h = {1:g} ms", cloth(set).side, 1e3 * cloth(set).dt); },
         .run = run},
        options, control);
    if (!sets) return tl::unexpected(sets.error());
    Reproduction out;
    out.rows.push_back(rowOf("all", *sets, [](const records::Entries&) { return true; }));
    out.rows.back().paper = {{"median", "under 0.1"}, {"most", kWorst.printed}, {"below_0.1", "most"}};
    for (const EnumEntry& entry : kSplitClasses)
        out.rows.push_back(rowOf(std::string(entry.key), *sets,
                                 [&](const records::Entries& set) { return textOf(set, "class") == entry.key; }));
    for (const EnumEntry& entry : kConfigurations)
        out.rows.push_back(rowOf(std::string(entry.key), *sets, [&](const records::Entries& set) {
            return textOf(set, "configuration") == entry.key;
        }));
    out.rows.push_back(rowOf("bend explicit", *sets,
                             [](const records::Entries& set) { return records::numberOf(set, "bend_explicit") != 0; }));
    out.notes = {
        fmt::format("{} random sets of the thesis' grid, adaptive IMEX (`safe`) against backward Euler, direct solver, "
                    "for {} s{}: largest component of the "
                    "difference of positions, over the mesh spacing. Median, 90 %, most.",
                    sets->sets.size(), span.seconds,
                    span.mostSteps < (1 << 30) ? fmt::format(" and at most {} steps", span.mostSteps) : ""),
        "The thesis: \"for most cases, the largest difference was under 10 % of the mesh spacing\", and differences "
        "near a spacing and more for "
        "heavy sets. Its worst and its average case are figures 4.12 and 4.13. diverged: sets without a comparison.",
        "Sets in which nothing is explicit have no difference at all.",
    };
    addStopped(out.notes, *sets);
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::results

namespace clothlab::simulation {

Expected<Reproduction> boxermanSection443Results(const ReproduceOptions& options, const ReproduceControl& control) {
    return results::table(options, control);
}
Expected<Reproduction> boxermanFigure412(const ReproduceOptions& options, const ReproduceControl& control) {
    return results::exampleOf(results::kWorst, options, control);
}
Expected<Reproduction> boxermanFigure413(const ReproduceOptions& options, const ReproduceControl& control) {
    return results::exampleOf(results::kAverage, options, control);
}

}  // namespace clothlab::simulation
