#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/decomposition.hpp"

/// [B] §6.4.3, the discussion of decomposition: a loose piece of fabric that falls to the ground, and the clothing that
/// the thesis leaves to further research.
namespace clothlab::papers::boxerman {
namespace {

/// A built-in scene.
struct Fall {
    const char *name, *scene;
    std::optional<Worn> worn = {};    ///< of `ye-tshirt`
    std::optional<double> tilt = {};  ///< degrees from level, about an edge, in place of a fall on a corner
};
constexpr std::array kFalls{
    Fall{"floor, corner first", "drop"},
    Fall{.name = "floor, level", .scene = "drop", .tilt = 0},
    Fall{.name = "floor, tilted by 20 degrees", .scene = "drop", .tilt = 20},
    Fall{.name = "floor, tilted by 50 degrees", .scene = "drop", .tilt = 50},
    Fall{"table", "decomposed-table"},
    Fall{"sphere", "decomposed-sphere"},
    Fall{"T-shirt", "ye-tshirt", Worn::ShirtAlone},
    Fall{"T-shirt and sheet", "ye-tshirt", Worn::ShirtAndSheet},
};

/// Its lowest edge 0.3 m above the floor.
std::vector<std::string> tilted(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {"cloth.column_axis=1,0,0", fmt::format("cloth.row_axis=0,{},{}", std::sin(angle), std::cos(angle)),
            "cloth.origin=-0.5,0.3,-0.5"};
}

/// A slack spring that is kept in the matrix would be an edge.
Expected<scene::Scene> makeScene(const Fall& fall, const Job& job) {
    const int side = job.side(41, 21);
    std::vector<std::string> sets = fall.worn ? std::vector<std::string>{} : square(side);
    if (fall.tilt)
        for (std::string& each : tilted(*fall.tilt)) sets.push_back(std::move(each));
    sets.insert(sets.end(), {"integrator.kind=adaptive-imex", "material.jac_slack=false"});
    auto scene = fall.worn ? shirtScene(side, *fall.worn, job, sets) : paperScene(fall.scene, job, sets);
    if (!scene) return scene;
    const double dt = scene->settings.integrator.dt;
    stepWith(*scene, dt, mpcg(computeTolerance(kReadings[0], dt), kPreconditioners[kConstrained]));
    return scene;
}

/// A share of the springs that act.
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
    auto made = startSimulation(makeScene(fall, job), job);
    if (!made) return fail(made.error());
    Simulation& simulation = **made;
    const double tolerance = computeTolerance(kReadings[0], simulation.settings().integrator.dt);
    std::array both{KeptSolver(wholeOrDecomposed(tolerance, false), job.pool),
                    KeptSolver(wholeOrDecomposed(tolerance, true), job.pool)};
    const int steps = job.choose(simulation.scene().steps, 150, 60), systems = job.choose(50, 15, 6);
    BySplit sampled;
    const auto before = [&](int step) -> Expected<void> {
        if (step % (steps / systems) != 0) return {};
        return sample(simulation, both, sampled, job);
    };
    if (auto done = walk(simulation, {.steps = steps, .before = before}, job); !done) return done;
    for (std::size_t i = 0; i < sampled.size(); ++i) {
        rows.push_back({{{"scene", fall.name},
                         {"particles", double(simulation.model().mass.size())},
                         {"implicit", std::string(kImplicits[i].key)}},
                        sampled[i].entries()});
    }
    return {};
}

}  // namespace

Expected<Reproduction> productsByScene(Job& job) {
    return tableOfCases(
        kFalls, job, [](const Fall& fall) { return std::string(fall.name); },
        [&](const Fall& fall, auto& rows) { return addRows(fall, job, rows); });
}

}  // namespace clothlab::papers::boxerman
