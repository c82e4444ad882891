#include <cmath>

#include "papers/boxerman/aimex.hpp"

/// [B] §4.4.3, visual results: how far adaptive IMEX and backward Euler come apart, over the mesh spacing.
namespace clothlab::papers::boxerman {
namespace {

/// Largest component of the difference of two states, m: the thesis' infinity norm of the position vectors.
double difference(const Walker& a, const Walker& b) {
    const linalg::BlockVector &x = a.simulation->state().x, &y = b.simulation->state().x;
    double most = 0;
    for (Index i = 0; i < x.size(); ++i) most = std::max(most, (x[i] - y[i]).cwiseAbs().maxCoeff());
    return most;
}

struct Apart {
    double paper = 0, safe = 0;  ///< over the spacing
    bool diverged = false;       ///< one of them: no comparison
};

/// `onStep` has the largest difference so far.
Expected<Apart> runApart(const Cloth& c, int steps, const std::function<void(const Apart&, const Runs&)>& onStep,
                         Job& job) {
    Apart apart;
    const auto look = [&](const Runs& runs) {
        const Walker& reference = runs.of(Way::Implicit);
        if (reference.failed) return;
        for (const auto& [way, most] : {std::pair(Way::Paper, &apart.paper), std::pair(Way::Safe, &apart.safe)})
            if (!runs.of(way).failed) *most = std::max(*most, difference(runs.of(way), reference) / c.spacing);
        if (onStep) onStep(apart, runs);
    };
    const auto runs = stepTogether(c, directMethod(), steps, look, job);
    if (!runs) return fail(runs.error());
    apart.diverged = runs->of(Way::Implicit).failed || runs->of(Way::Safe).failed;
    if (runs->of(Way::Paper).failed) apart.paper = NAN;
    return apart;
}

struct Case {
    const char* name;
    Cloth cloth;
    int seeds;  ///< of the noise: folds magnify it, and then one run says little
};
const Case kWorst{"worst case",
                  {.side = 40,
                   .spacing = 0.03,
                   .density = 10,
                   .stretch = 100,
                   .shear = 1000,
                   .bend = 0.001,
                   .stretchDamping = 1,
                   .drag = 0.001,
                   .dt = 0.001},
                  1};
const Case kAverage{"average case",
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
                    9};

void tell(const Cloth& c, int seeds, Job& job) {
    const auto stiffness = [&](double k, double d) { return fmt::format("{:.3g}", numericalStiffness(c, k, d, c.dt)); };
    job.tell("side", c.side, "spacing", c.spacing, "density", c.density, "stretch", c.stretch, "shear", c.shear, "bend",
             c.bend, "stretch_damping", c.stretchDamping, "shear_damping", c.shearDamping, "drag", c.drag, "dt_ms",
             1e3 * c.dt);
    job.tell("numerical_stretch", stiffness(c.stretch, c.stretchDamping), "numerical_shear",
             stiffness(c.shear, c.shearDamping), "class", enumKey(classifySplit(c)), "seeds", seeds);
}

/// At one time, over the seeds.
struct Moment {
    double time = 0, strain = 0, contacts = 0;
    std::vector<double> paper, safe;
};

ReproductionRow makeRow(const char* name, const Moment& moment) {
    return {{{"case", name}, {"time_s", moment.time}},
            {{"paper_rule", quantile(moment.paper, 0.5)},
             {"least", quantile(moment.paper, 0)},
             {"most", quantile(moment.paper, 1)},
             {"safe_rule", quantile(moment.safe, 0.5)},
             {"max_strain", moment.strain},
             {"contacts", moment.contacts}}};
}

}  // namespace

Expected<Reproduction> differencesOfExample(Example which, Job& job) {
    const Case& example = which == Example::Worst ? kWorst : kAverage;
    Cloth c = example.cloth;
    c.side = job.side(c.side, c.side);
    const Extent extent{.sides = {c.side}, .seconds = job.choose(1.0, 1.0, 0.2), .samples = 10};
    const int steps = extent.steps(c.dt), every = extent.sampledEvery(c.dt);
    std::vector<Moment> moments(steps / every);
    for (c.noiseSeed = 1; c.noiseSeed <= example.seeds; ++c.noiseSeed) {
        int step = 0;
        const auto onStep = [&](const Apart& apart, const Runs& runs) {
            if (++step % every != 0) return;
            job.say(example.name, (c.noiseSeed - 1 + double(step) / steps) / example.seeds);
            const simulation::StepReport& reference = runs.of(Way::Implicit).simulation->lastReport();
            Moment& moment = moments[step / every - 1];
            moment.time = reference.timeSeconds;
            moment.strain = reference.maxStrain;
            moment.contacts = double(reference.contacts);
            moment.paper.push_back(apart.paper);
            moment.safe.push_back(apart.safe);
        };
        if (const auto apart = runApart(c, steps, onStep, job); !apart) return fail(apart.error());
    }
    Reproduction out;
    for (const Moment& moment : moments)
        if (!moment.paper.empty()) out.rows.push_back(makeRow(example.name, moment));
    if (!out.rows.empty()) out.rows.back().paper = job.printed({{"time", "end"}});
    tell(c, example.seeds, job);
    return out;
}

namespace {

/// How the sets of a row are spread.
records::Entries computeSpread(const SetGroup& sets) {
    const SetGroup compared = sets.where("diverged", 0);
    records::Entries out{{"count", sets.count()}, {"diverged", sets.count() - compared.count()}};
    if (compared.empty()) return out;
    const std::vector<double> apart = compared.each("safe");
    const double small = compared.count([](const FinishedSet& set) { return set.number("safe") < 0.1; });
    return joined(std::move(out), {{"median", quantile(apart, 0.5)},
                                   {"at_90_percent", quantile(apart, 0.9)},
                                   {"most", quantile(apart, 1)},
                                   {"below_0.1", small / compared.count()}});
}

}  // namespace

Expected<Reproduction> differencesOfSets(Job& job) {
    const Extent extent{.sides = job.sides({10, 20, 40}, {10, 20}),
                        .sets = job.choose(500, 60, 6),
                        .mostSteps = job.choose(kAllSteps, 200, 40)};
    const auto cloth = [&](int set) {
        std::mt19937 random = randomStream(job.options, set);
        return drawnForAimex(random, extent.sides);
    };
    const auto label = [&](int set) {
        return fmt::format("{0} x {0}, h = {1:g} ms", cloth(set).side, 1e3 * cloth(set).dt);
    };
    const auto run = [&](int set) -> Expected<records::Entries> {
        const Cloth c = cloth(set);
        const auto apart = runApart(c, extent.steps(c.dt), {}, job);
        if (!apart) return fail(apart.error());
        return joined(sortingKeys(c), {{"side", double(c.side)},
                                       {"density", c.density},
                                       {"dt", c.dt},
                                       {"paper", apart->paper},
                                       {"safe", apart->safe},
                                       {"diverged", double(apart->diverged)}});
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        const auto add = [&](std::string_view name, const SetGroup& sets) {
            out.rows.push_back({{{"sets", std::string(name)}}, computeSpread(sets)});
        };
        add("all", all);
        for (const EnumEntry& entry : kSplitClasses) add(entry.key, all.where("class", entry.key));
        for (const EnumEntry& entry : kConfigurations) add(entry.key, all.where("configuration", entry.key));
        add("bend explicit", all.where("bend_explicit", 1));
        const bool cut = extent.mostSteps < kAllSteps;
        job.tell("sets", all.count(), "seconds", extent.seconds, "limit",
                 cut ? fmt::format(" and at most {} steps", extent.mostSteps) : "");
    };
    return runExperiment(
        {.name = "boxerman-section-4.4.3-results", .extent = extent, .label = label, .run = run, .show = show}, job);
}

}  // namespace clothlab::papers::boxerman
