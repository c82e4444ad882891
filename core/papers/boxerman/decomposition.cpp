#include "papers/boxerman/decomposition.hpp"

#include <algorithm>

#include "papers/sets.hpp"

namespace clothlab::simulation::boxerman {
namespace {

constexpr double kSheet = 1.5;  // m

/// By (3.17), with the listed k_air for its 1/2 rho c_w: a force on "the surface area represented by the particle",
/// "evaluated at the current state" (§4.3.2). Its unit, N s/m, reads like a force on a particle whatever its size; but
/// explicit, that has h k_air/m up to 3.3 at 80 x 80 here and over 1000 on the grid of table 4.1, where 2 is the limit,
/// and the thesis leaves out no set. It would also let fine sheets float: with four times the particles they fall at a
/// quarter of the speed.
void resistAir(scene::Settings& settings, const Cloth& cloth) {
    settings.wind.linearDrag = 0;
    settings.wind.dragCoefficient = 2 * cloth.drag / settings.wind.airDensity;
}

/// For the sphere "cloth/cloth collision handling is enabled, as this decreases the possibility of decomposition"
/// (§6.4.2).
void collideWithItself(scene::Settings& settings) {
    settings.contact.selfCollision = contact::SelfCollision::Repulsion;
}

}  // namespace

Cloth drawnForDecomposition(const ReproduceOptions& options, Configuration configuration, int side, int number) {
    int pile = 16 * side;  // one a parameter
    Cloth c =
        drawnOfSection531([&](std::initializer_list<double> values) { return dealt(options, pile++, number, values); });
    c.configuration = configuration;
    c.side = side;
    c.spacing = kSheet / (side - 1);
    return c;
}

scene::Scene decomposingScene(const Cloth& cloth, Friction friction) {
    scene::Scene scene = sceneOf(cloth, 1e-4 * cloth.spacing);
    scene.settings.integrator.kind = integrators::IntegratorKind::AdaptiveImex;
    constexpr std::array kCoefficients{10.0, 0.2, 0.0};
    scene.settings.contact.muS = scene.settings.contact.muK = kCoefficients[static_cast<std::size_t>(friction)];
    resistAir(scene.settings, cloth);
    if (cloth.configuration != Configuration::TwoCorners) collideWithItself(scene.settings);
    stepWith(scene, cloth.dt, mpcg(toleranceOf(kReadings[0], cloth.dt), kPreconditioners[kConstrained]));
    return scene;
}

Expected<linalg::FrozenSystem> systemOfNextStep(Simulation& simulation, Implicit which, Job& job) {
    const integrators::SimulationState here = simulation.state();
    const scene::Settings settings = simulation.settings();
    scene::Settings thesis = settings;
    thesis.integrator.aimexRule = integrators::AimexRule::Paper;
    if (which == Implicit::Stretch) thesis.integrator.kind = integrators::IntegratorKind::ImexEuler;
    simulation.apply(thesis);
    simulation.step({.stop = job.control.stop, .keepSystem = true, .hash = false});
    const linalg::FrozenSystem* system = simulation.systemOfLastStep();
    if (!system || job.stopped()) return fail(job.stopped() ? "stopped" : "no system");
    linalg::FrozenSystem out = *system;
    simulation.apply(settings);
    simulation.setState(here);
    return out;
}

BothWays::Way BothWays::wayOf(double tolerance, bool decompose) {
    Method method = mpcg(tolerance, kPreconditioners[kConstrained]);
    method.solver.decompose = decompose;
    Way out;
    out.solver = solvers::makeSolver(method.solver, method.preconditioner);
    return out;
}

BothWays::BothWays(double tolerance) : whole_(wayOf(tolerance, false)), decomposed_(wayOf(tolerance, true)) {}

BothWays::Counts BothWays::solve(const linalg::LinearSystem& system, int pairs, Job& job) {
    whole_.ms.clear();
    decomposed_.ms.clear();
    for (int pair = 0; pair < pairs && !job.stopped(); ++pair) {
        std::array<Way*, 2> ways{&whole_, &decomposed_};
        if (pair % 2 == 1) std::swap(ways[0], ways[1]);
        for (Way* way : ways) {
            way->solver->solve(system, way->deltaV, way->summary, {.stop = job.control.stop}, job.pool);
            way->ms.push_back(1e3 * (way->summary.totalSeconds - way->summary.analyzeSeconds));
        }
    }
    Counts out{.whole = double(whole_.summary.iterations) * system.A.rows(),
               .decomposed = decomposed_.summary.rowIterations,
               .wholeMs = medianOf(whole_.ms),
               .decomposedMs = medianOf(decomposed_.ms),
               .components = static_cast<int>(decomposed_.summary.components.size())};
    for (const solvers::ComponentSolve& component : decomposed_.summary.components)
        out.largest = std::max(out.largest, component.rows);
    return out;
}

}  // namespace clothlab::simulation::boxerman
