#include "papers/boxerman/aimex.hpp"

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::papers::boxerman {

using integrators::AimexRule;
using integrators::IntegratorKind;

SplitClass classifySplit(const Cloth& c) {
    const double threshold = integrators::IntegratorSettings{}.aimexThreshold;
    const bool stretch = numericalStiffness(c, c.stretch, c.stretchDamping, c.dt) < threshold;
    const bool shear = numericalStiffness(c, c.shear, c.shearDamping, c.dt) < threshold;
    return static_cast<SplitClass>(2 * int(stretch) + int(shear));
}

bool bendIsSafe(const Cloth& c) {
    return c.dt * c.dt * cloth::MaterialSettings{}.bendLinearBranch * c.bend <= c.mass() / 4;
}

Cloth drawnForAimex(std::mt19937& random, std::span<const int> sides) {
    using List = std::initializer_list<double>;
    Cloth c;
    c.configuration = pick(random, std::initializer_list<Configuration>{Configuration::TwoCorners, Configuration::Table,
                                                                        Configuration::Sphere});
    c.side = pick(random, sides);
    c.spacing = pick(random, List{0.001, 0.01, 0.05, 0.1});
    c.density = pick(random, List{0.03, 0.1, 0.3, 1});
    c.stretch = pick(random, List{10, 100, 1000, 3000});
    c.shear = pick(random, List{10, 100, 1000, 3000});
    c.bend = pick(random, List{0.001, 0.01, 0.1});
    c.stretchDamping = pick(random, List{0, 0.01, 0.1, 1, 10});
    c.shearDamping = pick(random, List{0, 0.01, 0.1, 1, 10});
    c.drag = pick(random, List{0, 0.001, 0.003, 0.01});
    c.dt = pick(random, List{1e-4, 1e-3, 5e-3, 1e-2, 2e-2});
    return c;
}

records::Entries sortingKeys(const Cloth& c) {
    return {{"class", std::string(enumKey(classifySplit(c)))},
            {"bend_explicit", double(bendIsSafe(c))},
            {"configuration", std::string(enumKey(c.configuration))}};
}

scene::Scene steppedBy(const Cloth& cloth, Way way, const Method& method) {
    scene::Scene scene = makeScene(cloth);
    if (way != Way::Implicit) scene.settings.integrator.kind = IntegratorKind::AdaptiveImex;
    scene.settings.integrator.aimexRule = way == Way::Paper ? AimexRule::Paper : AimexRule::Safe;
    stepWith(scene, cloth.dt, method);
    return scene;
}

Method thesisMethod(double dt) { return mpcg(computeTolerance(kReadings[0], dt), kPreconditioners[kConstrained]); }

Method directMethod() { return {{.kind = solvers::SolverKind::Cholesky}, {}}; }

double linearMs(const simulation::StepReport& report) {
    return report.assembleMs + report.analyzeMs + report.factorMs + report.solveMs;
}

SpringCounts springCounts(const simulation::Simulation& simulation) {
    std::vector<std::uint8_t> states;
    simulation.springStates(states);
    SpringCounts out{};
    for (std::size_t e = 0; e < states.size(); ++e) ++out[int(simulation.model().springs[e].family)][states[e]];
    return out;
}

Expected<Runs> stepTogether(const Cloth& cloth, const Method& method, int steps,
                            const std::function<void(const Runs&)>& onStep, Job& job) {
    Runs runs;
    for (const Way way : kWays) {
        auto made = startSimulation(steppedBy(cloth, way, method), job);
        if (!made) return fail(made.error());
        const double mostJ = (*made)->lastReport().totalJ() + 2 * cloth.energyScale();
        runs.walkers[int(way)] = {.simulation = made->get(), .sound = [mostJ](const Simulation& simulation) {
                                      return simulation.lastReport().totalJ() <= mostJ;
                                  }};
        runs.owned[int(way)] = std::move(*made);
    }
    const auto walked =
        walk(runs.walkers,
             {.steps = steps, .failure = Walk::Failure::LeavesBehind, .afterAll = [&](int) { onStep(runs); }}, job);
    if (!walked) return fail(walked.error());
    return runs;
}

}  // namespace clothlab::papers::boxerman
