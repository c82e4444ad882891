#include <algorithm>
#include <numeric>
#include <optional>

#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/decomposition.hpp"

/// [B] §6.4.3, the discussion of decomposition: a loose piece of fabric that falls to the ground, and the clothing that
/// the thesis leaves to further research.
namespace clothlab::papers::boxerman {
namespace {

/// A built-in scene. `saves`, `best`: the ratio of row-vector products that the thesis has of it in words.
struct Fall {
    const char *name, *scene;
    const char *saves = nullptr, *best = nullptr;
    std::optional<Worn> worn = {};  ///< of `ye-tshirt`
};
constexpr std::array kFalls{
    Fall{"floor", "drop", "0.6 to 0.7", "below 0.2"},
    Fall{"table", "decomposed-table"},
    Fall{"sphere", "decomposed-sphere", "about 0.8"},
    Fall{"T-shirt", "ye-tshirt", "below 0.8, expected", nullptr, Worn::ShirtAlone},
    Fall{"T-shirt and sheet", "ye-tshirt", nullptr, nullptr, Worn::ShirtAndSheet},
};

/// A slack spring that is kept in the matrix would be an edge.
Expected<scene::Scene> sceneOf(const Fall& fall, const Job& job) {
    const int side = job.side(41, 21);
    std::vector<std::string> sets = fall.worn ? std::vector<std::string>{} : square(side);
    sets.insert(sets.end(), {"integrator.kind=adaptive-imex", "material.jac_slack=false"});
    auto scene = fall.worn ? shirtScene(side, *fall.worn, job, sets) : paperScene(fall.scene, job, sets);
    if (!scene) return scene;
    const double dt = scene->settings.integrator.dt;
    stepWith(*scene, dt, mpcg(toleranceOf(kReadings[0], dt), kPreconditioners[kConstrained]));
    return scene;
}

/// Of the springs that act.
double explicitShare(const simulation::Simulation& simulation) {
    double acting = 0, explicitOnes = 0;
    for (const auto& family : springCounts(simulation))
        for (std::size_t flags = 0; flags < family.size(); ++flags) {
            if ((flags & cloth::kSpringActive) == 0) continue;
            acting += family[flags];
            if ((flags & cloth::kSpringImplicit) == 0) explicitOnes += family[flags];
        }
    return explicitOnes / std::max(1.0, acting);
}

/// The sampled systems of a scene with one choice of implicit springs.
struct Sampled {
    BothWays sums;
    std::vector<double> ratios;
    double explicitShare = 0;  ///< sum

    records::Entries entries() const {
        const double n = std::max(1.0, double(ratios.size()));
        const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / n;
        const auto [best, worst] = std::ranges::minmax(ratios);
        return {{"systems", double(ratios.size())},
                {"ratio", mean},
                {"best", best},
                {"worst", worst},
                {"of_means", sums.decomposed / std::max(1.0, sums.whole)},
                {"skipping_alone", sums.skipping / std::max(1.0, sums.whole)},
                {"components", sums.components / n},
                {"largest", sums.largest / n},
                {"held", sums.held / n},
                {"explicit", explicitShare / n}};
    }
};

using BySplit = std::array<Sampled, kImplicits.size()>;

Expected<void> sample(simulation::Simulation& simulation, std::span<KeptSolver, 2> both, BySplit& out, Job& job) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        Sampled& of = out[i];
        const auto look = [&](const simulation::Simulation& after) { of.explicitShare += explicitShare(after); };
        const auto system = systemOfNextStep(simulation, Implicit{int(i)}, job, look);
        if (!system) return fail(system.error());
        const double whole = of.sums.whole, decomposed = of.sums.decomposed;
        of.sums.add(both, *system, 1, job);
        of.ratios.push_back((of.sums.decomposed - decomposed) / std::max(1.0, of.sums.whole - whole));
    }
    return {};
}

Expected<void> addRows(const Fall& fall, Job& job, std::vector<ReproductionRow>& rows) {
    auto made = simulationOf(sceneOf(fall, job), job);
    if (!made) return fail(made.error());
    simulation::Simulation& simulation = **made;
    const double tolerance = toleranceOf(kReadings[0], simulation.settings().integrator.dt);
    std::array both{KeptSolver(wholeOrDecomposed(tolerance, false), job.pool),
                    KeptSolver(wholeOrDecomposed(tolerance, true), job.pool)};
    const int steps = job.choose(simulation.scene().steps, 150, 60), systems = job.choose(50, 15, 6);
    BySplit sampled;
    for (int step = 1; step <= steps; ++step) {
        if (step % (steps / systems) == 0)
            if (auto done = sample(simulation, both, sampled, job); !done) return done;
        if (auto done = walk(simulation, 1, job); !done) return done;
    }
    for (std::size_t i = 0; i < sampled.size(); ++i) {
        rows.push_back({{{"scene", fall.name},
                         {"particles", double(simulation.model().mass.size())},
                         {"implicit", std::string(kImplicits[i].key)}},
                        sampled[i].entries(),
                        {}});
        if (fall.saves) rows.back().paper.emplace_back("ratio", std::string(fall.saves));
        if (fall.best) rows.back().paper.emplace_back("best", std::string(fall.best));
    }
    return {};
}

std::vector<std::string> notesOf(const Job& job) {
    std::vector<std::string> notes{
        "The scenes `drop`, `decomposed-table`, `decomposed-sphere` and `ye-tshirt` under adaptive IMEX, systems at "
        "equal distances over their whole motion, each solved whole and by components by MPCG with CP to the strictest "
        "reading of the thesis' tolerance, 0.01 h^2. `drop` without jac_slack: a slack spring is no edge.",
        "RV: iterations x particles, held ones too for the whole. ratio: by components over whole, mean of the "
        "systems; best, worst: the least and the largest of them; of_means: of the mean counts.",
        "The thesis of the floor: reductions of \"30-40%, and at times over 80%\". Its 20 % of the sphere are a mean "
        "over 500 sets (figure 6.10). Of clothing it has no number: savings \"better than\" on the sphere, \"a "
        "promising avenue\".",
        "implicit: adaptive: the thesis' rule, spring by spring; stretch: stretch alone, on the same states. explicit: "
        "share of the acting springs that are explicit. components, largest, held: number, share of the particles in "
        "the largest, share with ndof 0. skipping_alone: what leaving the held particles out of the whole would give.",
        "Every in-plane edge of the shirt is a stretch spring, so both choices have the same edges there. `T-shirt and "
        "sheet` are two cloths in one system: that they fall apart from each other is part of what is saved.",
    };
    if (job.options.quick) notes.emplace_back("--quick: half as many particles a side, 150 steps, 15 systems.");
    return notes;
}

}  // namespace

Expected<Reproduction> productsByScene(Job& job) {
    return tableOfCases(
        kFalls, job, [](const Fall& fall) { return std::string(fall.name); },
        [&](const Fall& fall, auto& rows) { return addRows(fall, job, rows); }, notesOf(job));
}

}  // namespace clothlab::papers::boxerman
