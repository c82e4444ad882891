#include "papers/boxerman/decomposition.hpp"

#include "integrators/kind.hpp"

namespace clothlab::papers::boxerman {
namespace {

constexpr double kSheet = 1.5;  // m

/// By (3.17), with the listed k_air for its 1/2 rho c_w: a force on "the surface area represented by the particle",
/// "evaluated at the current state" ([B] §4.3.2). Its unit, N s/m, reads like a force on a particle whatever its size;
/// but explicit, that has h k_air/m up to 3.3 at 80 x 80 here and over 1000 on the grid of table 4.1, where 2 is the
/// limit, and the thesis leaves out no set. It would also let fine sheets float: with four times the particles they
/// fall at a quarter of the speed.
void resistAir(scene::Settings& settings, const Cloth& cloth) {
    settings.wind.linearDrag = 0;
    settings.wind.dragCoefficient = 2 * cloth.drag / settings.wind.airDensity;
}

/// The middle of the sheet, m.
Vec3 middleFromAbove(const simulation::Simulation& simulation) {
    const linalg::BlockVector& x = simulation.state().x;
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < x.size(); ++i) sum += x[i];
    return Vec3(sum.x(), 0, sum.z()) / double(x.size());
}

}  // namespace

Cloth drawnForDecomposition(const ReproduceOptions& options, Configuration configuration, int side, int number) {
    int parameter = 16 * side;  // the first of this size
    Cloth c = drawnOfSection531(
        [&](std::initializer_list<double> values) { return stratified(options, parameter++, number, values); });
    c.configuration = configuration;
    c.side = side;
    c.spacing = kSheet / (side - 1);
    return c;
}

scene::Scene decomposingScene(const Cloth& cloth, Friction friction) {
    scene::Scene scene = makeScene(cloth);
    scene.settings.integrator.kind = integrators::IntegratorKind::AdaptiveImex;
    constexpr std::array kCoefficients{10.0, 0.2, 0.0};
    scene.settings.contact.muS = scene.settings.contact.muK = kCoefficients[int(friction)];
    resistAir(scene.settings, cloth);
    // For the sphere "cloth/cloth collision handling is enabled, as this decreases the possibility of decomposition"
    // ([B] §6.4.2).
    if (cloth.configuration != Configuration::TwoCorners)
        scene.settings.contact.selfCollision = contact::SelfCollision::Repulsion;
    stepWith(scene, cloth.dt, mpcg(computeTolerance(kReadings[0], cloth.dt), kPreconditioners[kConstrained]));
    return scene;
}

Expected<linalg::FrozenSystem> systemOfNextStep(simulation::Simulation& simulation, Implicit which, Job& job,
                                                const std::function<void(const simulation::Simulation&)>& look) {
    const integrators::SimulationState here = simulation.state();
    const scene::Settings settings = simulation.settings();
    scene::Settings thesis = settings;
    thesis.integrator.aimexRule = integrators::AimexRule::Paper;
    if (which == Implicit::Stretch) thesis.integrator.kind = integrators::IntegratorKind::ImexEuler;
    simulation.apply(thesis);
    auto frozen = experiments::freezeStep(simulation, 1, {.stop = job.control.stop, .evenIfFailed = true});
    if (!frozen || job.stopped()) return fail(job.stopped() ? "stopped" : "no system");
    if (look) look(simulation);
    simulation.apply(settings);
    simulation.setState(here);
    return std::move(frozen->system);
}

Method wholeOrDecomposed(double tolerance, bool decompose) {
    Method method = mpcg(tolerance, kPreconditioners[kConstrained]);
    method.solver.decompose = decompose;
    return method;
}

void BothWays::add(std::span<KeptSolver, 2> both, const linalg::FrozenSystem& system, int pairs, Job& job) {
    solveInTurn(both, system.view(), pairs, job);
    const solvers::SolveSummary& byComponents = both[1].summary;
    const double particles = system.A.rows(), rv = both[0].summary.iterations * particles;
    const auto stuck = std::ranges::count_if(system.constraints.constrained(),
                                             [](const linalg::DofConstraint& c) { return c.ndof == 0; });
    Index most = 0;
    for (const solvers::ComponentSolve& component : byComponents.components) most = std::max(most, component.rows);
    whole += rv;
    decomposed += byComponents.rowIterations;
    skipping += rv * (1 - double(stuck) / particles);
    wholeMs += both[0].ms;
    decomposedMs += both[1].ms;
    components += double(byComponents.components.size());
    largest += double(most) / particles;
    held += double(stuck) / particles;
}

Expected<SampledRun> runSampled(const Cloth& cloth, const scene::Scene& scene, const Extent& extent,
                                const Sampling& sampling, Job& job) {
    auto made = startSimulation(scene, job);
    if (!made) return fail(made.error());
    Simulation& simulation = **made;
    const auto readings = std::size_t(sampling.readings);
    std::vector<KeptSolver> solvers;  // by reading, whole and decomposed
    for (std::size_t r = 0; r < readings; ++r)
        for (const bool decompose : {false, true})
            solvers.emplace_back(wholeOrDecomposed(computeTolerance(kReadings[r], cloth.dt), decompose), job.pool);
    SampledRun out;
    const int every = extent.sampledEvery(cloth.dt);
    const auto before = [&](int step) -> Expected<void> {
        if (step % every != 0) return {};
        for (std::size_t i = 0; i < (sampling.stretchAlone ? kImplicits.size() : 1); ++i) {
            const auto system = systemOfNextStep(simulation, Implicit{int(i)}, job);
            if (!system) return fail(system.error());
            for (std::size_t r = 0; r < readings; ++r)
                out.sums[i][r].add(std::span<KeptSolver, 2>(&solvers[2 * r], 2), *system, sampling.pairs, job);
        }
        ++out.systems;
        return {};
    };
    const auto after = [&](const Simulation&) {
        if (simulation.lastReport().step % every == 0) out.restMs += restMs(simulation.lastReport());
    };
    const Vec3 middle = middleFromAbove(simulation);
    Walker walker{.simulation = &simulation};
    const auto walked = walk(
        {&walker, 1},
        {.steps = extent.steps(cloth.dt), .failure = Walk::Failure::LeavesBehind, .before = before, .after = after},
        job);
    if (!walked) return fail(walked.error());
    out.diverged = walker.failed;
    out.drift = (middleFromAbove(simulation) - middle).norm();
    return out;
}

}  // namespace clothlab::papers::boxerman
