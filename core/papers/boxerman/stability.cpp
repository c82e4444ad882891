#include <cmath>

#include "integrators/kind.hpp"
#include "papers/boxerman/boxerman.hpp"

/// [B] §4.1.3: the critical step of forward-backward Euler, by bisection, against the criterion (4.8), on a sheet and
/// on a chain.
namespace clothlab::papers::boxerman {
namespace {

constexpr int kSwingSteps = 1000, kEnergyEvery = 20;
constexpr double kSlackest = 0.02, kStiffest = 16;  ///< (4.8) at the ends of the bisection
constexpr double kDigits = 1.01;                    ///< where it ends: two digits of the step
constexpr double kBelow = 0.98;  ///< of a criterion: what the digits leave open does not count as below it
constexpr double kChainCriterion = 1, kSheetCriterion = 0.5;

/// The largest step at which (4.8) is at most K, stretch and shear alike.
double findStepLength(const Cloth& c, double K) {
    const auto root = [&](double k, double d) {
        if (k <= 0) return d > 0 ? K * c.mass() / (2 * d) : HUGE_VAL;
        return (std::sqrt(d * d + k * K * c.mass()) - d) / k;
    };
    return std::min(root(c.stretch, c.stretchDamping), root(c.shear, c.shearDamping));
}

double stiffnessAt(const Cloth& c, double dt) {
    return std::max(numericalStiffness(c, c.stretch, c.stretchDamping, dt),
                    numericalStiffness(c, c.shear, c.shearDamping, dt));
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
        forces_.configure(*world_.model, scene::makeMaterials(world_.materials, scene_), {});
        environment_.gravity = scene_.settings.gravity;
    }

    bool stable(double dt, const std::stop_token& stop) {
        integrators::SimulationState state = world_.start, next;
        const double bound = energy(state) + 2 * energyScale_;
        for (int k = 1; k <= kSwingSteps && !stop.stop_requested(); ++k) {
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
Expected<double> critical(const Cloth& c, const scene::Scene& scene, Job& job) {
    auto world = scene::buildWorld(scene);
    if (!world) return fail(world.error());
    // Cloth that stretches falls farther than its length, and near the limit all of that energy swings.
    Swing swing(scene, std::move(*world), c.energyScale() * (1 + sag(c)));
    const auto stable = [&](double dt) -> Expected<bool> {
        const bool held = swing.stable(dt, job.control.stop);
        if (job.stopped()) return fail("stopped");
        return held;
    };
    const double low = findStepLength(c, kSlackest), high = findStepLength(c, kStiffest);
    if (swing.stable(high, job.control.stop)) return kStiffest;
    if (!swing.stable(low, job.control.stop)) return kSlackest;
    return bisect(low, high, kDigits, stable).map([&](double dt) { return stiffnessAt(c, dt); });
}

/// Two rows that move as one, along the columns: in one dimension, where (4.8) holds with 1 instead of 1/2.
scene::Scene chainScene(const Cloth& c) {
    scene::Scene scene = makeScene(c, 0);
    scene.cloths.front().rows = 2;
    scene.settings.material.tensionOnly = false;
    scene.settings.material.shearStiffness = scene.settings.material.shearDamping = 0;
    scene.settings.gravity = Vec3(9.81, 0, 0);
    scene.pins = {{.where = {.rowTo = 1}}};
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
        if (findStepLength(c, 1) < HUGE_VAL) return c;  // else there is no spring, and nothing to limit the step
    }
}

Expected<records::Entries> measureCritical(const Cloth& c, Job& job) {
    const auto sheet = critical(c, makeScene(c), job);
    if (!sheet) return fail(sheet.error());
    Cloth alone = c;
    alone.shear = alone.shearDamping = 0;
    double chain = NAN;
    if (findStepLength(alone, 1) < HUGE_VAL) {
        const auto found = critical(alone, chainScene(alone), job);
        if (!found) return fail(found.error());
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

/// (4.8) of the sets, which is the value of this key.
records::Entries computeSpread(const SetGroup& sets, const char* key, double criterion) {
    const SetGroup limited = sets.where([&](const FinishedSet& set) { return set.number(key) != kStiffest; });
    records::Entries out{{"sets", sets.count()}};
    if (limited.empty()) return out;
    const std::vector<double> found = limited.each(key);
    const double below = limited.count([&](const FinishedSet& set) { return set.number(key) < kBelow * criterion; });
    return joined(std::move(out), {{"criterion", criterion},
                                   {"least", quantile(found, 0)},
                                   {"at_5_percent", quantile(found, 0.05)},
                                   {"median", quantile(found, 0.5)},
                                   {"at_95_percent", quantile(found, 0.95)},
                                   {"most", quantile(found, 1)},
                                   {"below_criterion", below},
                                   {"never_unstable", sets.count() - limited.count()}});
}

void showCritical(const SetGroup& all, Reproduction& out, Job& job) {
    const SetGroup chains = all.where([](const FinishedSet& set) { return std::isfinite(set.number("chain")); });
    const auto isFirm = [](const FinishedSet& set) { return set.number("sag") < 0.1; };
    out.rows = {
        {{{"case", "chain"}}, computeSpread(chains, "chain", kChainCriterion)},
        {{{"case", "sheet"}}, computeSpread(all, "sheet", kSheetCriterion)},
        {{{"case", "sheet, sag below 10 %"}}, computeSpread(all.where(isFirm), "sheet", kSheetCriterion)},
        {{{"case", "sheet, sag above 10 %"}}, computeSpread(all.where(std::not_fn(isFirm)), "sheet", kSheetCriterion)},
    };
    job.tell("steps", kSwingSteps);
}

}  // namespace

Expected<Reproduction> criticalSteps(Job& job) {
    const Extent extent{.sides = job.sides({10, 20, 30}, {10, 20}), .sets = job.choose(500, 60, 8)};
    const auto cloth = [&](int set) { return drawn(randomStream(job.options, set), extent.sides); };
    return runExperiment({.name = "boxerman-section-4.1.3",
                          .extent = extent,
                          .label = [&](int set) { return fmt::format("{0} x {0}", cloth(set).side); },
                          .run = [&](int set) { return measureCritical(cloth(set), job); },
                          .show = [&](const SetGroup& all, Reproduction& out) { showCritical(all, out, job); }},
                         job);
}

}  // namespace clothlab::papers::boxerman
