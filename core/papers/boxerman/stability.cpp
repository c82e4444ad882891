#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/boxerman/scenes.hpp"
#include "papers/sets.hpp"
#include "papers/stepped_system.hpp"

/// [B] §4.1.3: the critical step of forward-backward Euler, by bisection, against the criterion (4.8), on a sheet and
/// on a chain.
namespace clothlab::simulation::critical_step {
namespace {

using boxerman::Cloth;

constexpr int kSteps = 1000, kEnergyEvery = 20;
constexpr double kSlackest = 0.02, kStiffest = 16;  ///< (4.8) at the ends of the bisection
constexpr double kDigits = 1.01;                    ///< where it ends: two digits of the step
constexpr double kBelow = 0.98;  ///< of a criterion: what the digits leave open does not count as below it
constexpr double kChainCriterion = 1, kSheetCriterion = 0.5;

/// The largest step at which (4.8) is at most K, stretch and shear alike.
double stepOf(const Cloth& c, double K) {
    const auto root = [&](double k, double d) {
        if (k <= 0) return d > 0 ? K * c.mass() / (2 * d) : HUGE_VAL;
        return (std::sqrt(d * d + k * K * c.mass()) - d) / k;
    };
    return std::min(root(c.stretch, c.stretchDamping), root(c.shear, c.shearDamping));
}

double stiffnessAt(const Cloth& c, double dt) {
    return std::max(boxerman::numericalStiffness(c, c.stretch, c.stretchDamping, dt),
                    boxerman::numericalStiffness(c, c.shear, c.shearDamping, dt));
}

/// How far a column of particles stretches under its own weight, over its length.
double sag(const Cloth& c) {
    return c.mass() * 9.81 * c.side / (std::max(std::max(c.stretch, c.shear), 1e-3) * c.spacing);
}

/// Steps a scene by symplectic Euler, without the guard of a Simulation, which would take cloth that stretches like
/// latex for divergence: only energy counts, as in the thesis.
class Swing {
public:
    Swing(const scene::Scene& scene, scene::World world, double energyScale)
        : scene_(scene),
          world_(std::move(world)),
          energyScale_(energyScale),
          integrator_(integrators::makeIntegrator({.kind = integrators::IntegratorKind::SymplecticEuler})) {
        forces_.configure(*world_.model, scene::materialsOf(scene_, scene_.settings), {});
        environment_.gravity = scene_.settings.gravity;
    }

    bool stable(double dt, const std::stop_token& stop) {
        integrators::SimulationState state = world_.start, next;
        const double bound = energy(state) + 2 * energyScale_;
        for (int k = 1; k <= kSteps && !stop.stop_requested(); ++k) {
            integrators::StepContext context{.dt = dt,
                                             .model = *world_.model,
                                             .forces = forces_,
                                             .environment = environment_,
                                             .colliders = {},
                                             .contact = scene_.settings.contact,
                                             .grab = scene_.settings.grab,
                                             .substeps = 1,
                                             .solver = nullptr,
                                             .control = {},
                                             .pool = pool_};
            integrators::StepOutcome outcome;
            integrator_->step(state, context, next, outcome);
            std::swap(state, next);
            if (k % kEnergyEvery == 0 && !(energy(state) <= bound)) return false;
        }
        return true;
    }

private:
    double energy(const integrators::SimulationState& s) {
        return forces_.energies(environment_, s.x, s.v, pool_).total();
    }

    scene::Scene scene_;
    scene::World world_;
    double energyScale_;
    cloth::ForceModel forces_;
    cloth::Environment environment_;
    WorkerPool pool_{1};
    std::unique_ptr<integrators::Integrator> integrator_;
};

/// (4.8) at the critical step; kStiffest where even that is stable, because hardly anything has moved.
Expected<double> critical(const Cloth& c, const scene::Scene& scene, const ReproduceControl& control) {
    auto world = scene::buildWorld(scene);
    if (!world) return tl::unexpected(world.error());
    // Cloth that stretches falls farther than its length, and near the limit all of that energy swings.
    Swing swing(scene, std::move(*world), c.energyScale() * (1 + sag(c)));
    double low = stepOf(c, kSlackest), high = stepOf(c, kStiffest);
    if (swing.stable(high, control.stop)) return kStiffest;
    if (!swing.stable(low, control.stop)) return kSlackest;
    while (high / low > kDigits && !control.stop.stop_requested()) {
        const double middle = std::sqrt(low * high);
        (swing.stable(middle, control.stop) ? low : high) = middle;
    }
    return stiffnessAt(c, low);
}

/// Two rows that move as one, along the columns: in one dimension, where (4.8) holds with 1 instead of 1/2.
scene::Scene chainOf(const Cloth& c) {
    scene::Scene scene = boxerman::sceneOf(c, 0);
    scene.cloths.front().rows = 2;
    scene.settings.material.tensionOnly = false;
    scene.settings.material.shearStiffness = scene.settings.material.shearDamping = 0;
    scene.settings.gravity = Vec3(9.81, 0, 0);
    scene.pins = {{.rowTo = 1}};
    return scene;
}

Cloth drawn(std::mt19937 random, const std::vector<int>& sides) {
    const std::initializer_list<double> stiffness{0, 10, 100, 1000, 10000}, damping{0, 0.01, 0.1, 1, 10};
    for (;;) {
        Cloth c{.side = pick(random, sides)};
        c.bend = 0;
        c.spacing = pick(random, std::initializer_list<double>{0.001, 0.01, 0.05, 0.1, 1});
        c.density = pick(random, std::initializer_list<double>{0.01, 0.1, 1, 10, 100});
        c.stretch = pick(random, stiffness);
        c.shear = pick(random, stiffness);
        c.stretchDamping = pick(random, damping);
        c.shearDamping = pick(random, damping);
        if (stepOf(c, 1) < HUGE_VAL) return c;  // else there is no spring, and nothing to limit the step
    }
}

Expected<records::Entries> runOne(const Cloth& c, const ReproduceControl& control) {
    const auto sheet = critical(c, boxerman::sceneOf(c, 1e-4 * c.spacing), control);
    if (!sheet) return tl::unexpected(sheet.error());
    Cloth alone = c;
    alone.shear = alone.shearDamping = 0;
    double chain = NAN;
    if (stepOf(alone, 1) < HUGE_VAL) {
        const auto found = critical(alone, chainOf(alone), control);
        if (!found) return tl::unexpected(found.error());
        chain = *found;
    }
    return records::Entries{{"side", double(c.side)},
                            {"spacing", c.spacing},
                            {"density", c.density},
                            {"stretch_stiffness", c.stretch},
                            {"shear_stiffness", c.shear},
                            {"stretch_damping", c.stretchDamping},
                            {"shear_damping", c.shearDamping},
                            {"sag", sag(c)},
                            {"sheet", *sheet},
                            {"chain", chain}};
}

ReproductionRow rowOf(const char* name, std::vector<double> found, double criterion) {
    ReproductionRow row;
    row.what = {{"case", name}};
    row.ours = {{"sets", double(found.size())}};
    const auto unlimited = std::count(found.begin(), found.end(), kStiffest);
    std::erase(found, kStiffest);
    std::sort(found.begin(), found.end());
    if (found.empty()) return row;
    const auto quantile = [&](double q) { return found[static_cast<std::size_t>(q * double(found.size() - 1))]; };
    const auto below = std::count_if(found.begin(), found.end(), [&](double K) { return K < kBelow * criterion; });
    row.ours.insert(row.ours.end(), {{"criterion", criterion},
                                     {"least", quantile(0)},
                                     {"at_5_percent", quantile(0.05)},
                                     {"median", quantile(0.5)},
                                     {"at_95_percent", quantile(0.95)},
                                     {"most", quantile(1)},
                                     {"below_criterion", double(below)},
                                     {"never_unstable", double(unlimited)}});
    return row;
}

Expected<Reproduction> table(const ReproduceOptions& options, const ReproduceControl& control) {
    std::vector<int> sides{10, 20, 30};
    int planned = 500;
    if (options.quick) sides = {10, 20}, planned = 60;
    if (options.side > 0) sides = {options.side}, planned = 8;
    const auto cloth = [&](int set) { return drawn(randomOf(options, set), sides); };
    const auto sets = runSets({.experiment = "boxerman-section-4.1.3",
                               .sets = planned,
                               .label = [&](int set) { return fmt::format("{0} x {0}", cloth(set).side); },
                               .run = [&](int set) { return runOne(cloth(set), control); }},
                              options, control);
    if (!sets) return tl::unexpected(sets.error());
    std::vector<double> chain, sheet, firm, loose;
    for (const FinishedSet& set : sets->sets) {
        const double K = records::numberOf(set.values, "sheet");
        sheet.push_back(K);
        (records::numberOf(set.values, "sag") < 0.1 ? firm : loose).push_back(K);
        if (std::isfinite(records::numberOf(set.values, "chain")))
            chain.push_back(records::numberOf(set.values, "chain"));
    }
    Reproduction out;
    out.rows = {rowOf("chain", chain, kChainCriterion), rowOf("sheet", sheet, kSheetCriterion),
                rowOf("sheet, sag below 10 %", firm, kSheetCriterion),
                rowOf("sheet, sag above 10 %", loose, kSheetCriterion)};
    out.rows[0].paper = {{"criterion", 1.0}};
    out.rows[1].paper = {{"sets", 500.0}, {"criterion", 0.5}, {"least", 0.35}, {"most", 2.69}};
    out.notes = {
        fmt::format("(4.8), (h/m)(h k + 2 d), the larger of stretch and shear, at the critical step of symplectic "
                    "Euler: bisection to 1 %, {} steps "
                    "each, two corners pinned, no bend. Unstable: the energy rises by more than 2 m g L (1 + sag) "
                    "above its start, all particles together.",
                    kSteps),
        "chain: one dimension, springs that act both ways, the same stretch; the thesis leaves its results out, \"the "
        "stability criterion "
        "holds exactly\". A chain of n particles has 4 / lambda_max, which is a little above 1.",
        "below_criterion: by more than the 2 % that the bisection leaves open. never_unstable: stable even at 16, "
        "nothing had time to move; left out of the other columns. sag: how far a column of "
        "particles stretches under its own weight; the thesis' violating cases are its heavy, soft ones.",
    };
    addStopped(out.notes, *sets);
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::critical_step

namespace clothlab::simulation {

Expected<Reproduction> boxermanSection413(const ReproduceOptions& options, const ReproduceControl& control) {
    return critical_step::table(options, control);
}

}  // namespace clothlab::simulation
