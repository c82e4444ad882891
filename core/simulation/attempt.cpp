// One attempt at a step, and whether it failed.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "integrators/stages/holding_pins.hpp"
#include "simulation/guard.hpp"
#include "simulation/simulation_impl.hpp"

namespace clothlab::simulation {

using integrators::StepStatus;

/// What the repeats of contact left open makes the step one that has not converged.
void Simulation::Impl::judgeContact() {
    const integrators::ContactRepeats& contact = outcome.contactRepeats;
    if (outcome.status != StepStatus::Ok || !contact.undecided()) return;
    outcome.status = StepStatus::Unconverged;
    outcome.message =
        fmt::format("{:.0f} % of the friction is undecided after {} repeats of the step (contact.active_set).",
                    100 * std::min(1.0, contact.misjudged), contact.repeats);
}

/// The candidate of a step, and what acts on it after the solve.
void Simulation::Impl::solveAndCollide(integrators::StepContext& context, const std::vector<Vec3>& shifts) {
    integrator->step(layerRepeats.from(state), context, candidate, outcome);
    judgeContact();
    candidate.colliderShifts = shifts;
    // Candidates of contact grow with the way of the cloth: one that flies off would keep it busy for minutes.
    if (!integrators::hasFailed(outcome.status))
        if (std::string problem = divergence(candidate); !problem.empty()) {
            outcome.status = StepStatus::Diverged;
            outcome.message = std::move(problem);
        }
    if (!integrators::hasFailed(outcome.status)) layerRepeats.solved(state, context, candidate);
    for (const auto& stage : stages)
        if (!integrators::hasFailed(outcome.status)) stage->resolve(state, context, candidate, outcome);
}

void Simulation::Impl::runIntegrator(const StepOptions& options, const contact::ContactSettings& contact) {
    const bool drags = state.colliderGrab.active;
    std::vector<Vec3> shifts = integrators::dragColliders(
        state, drags ? integrators::holdingPins(state, *world.model) : std::vector<integrators::Pin>(),
        scene.settings.grab.solidMaxSpeed, dt, world.colliders);
    auto balls = integrators::flyBalls(state, scene.settings.gravity, contact.muK, dt, world.colliders, shifts);
    integrators::StepContext context{
        .dt = dt,
        .model = *world.model,
        .forces = forces,
        .environment = environment(),
        .colliders = world.colliders,
        .contact = contact,
        .grab = scene.settings.grab,
        .substeps = scene.settings.integrator.substeps,
        .solver = solver.get(),
        .control = {.stop = options.stop, .observer = options.observer},
        .pool = *pool,
        .keepSystem = options.keepSystem,
        .observeIterate = options.observeIterate,
        .factorMaker = factorMaker.get(),
        .adoption = options.adoption,
        .afterSolve = scene.settings.afterSolve,
    };
    outcome = {};
    if (!refusal.empty()) {
        outcome.status = StepStatus::SolveFailed;
        outcome.solve.status = solvers::SolveStatus::Refused;
        outcome.message = refusal;
        return;
    }
    layerRepeats.begin(state, context, scene.settings.integrator.kind);
    do {
        solveAndCollide(context, shifts);
    } while (layerRepeats.again(state, context, candidate, outcome));
    integrators::pushBalls(candidate.contacts, dt, scene.colliders.size(), balls);
    candidate.balls = std::move(balls);
    if (!options.stop.stop_requested()) return;
    // Whoever heard it left the step unfinished.
    outcome.status = StepStatus::SolveFailed;
    outcome.solve.status = solvers::SolveStatus::Cancelled;
    outcome.message = "stopped";
}

/// One attempt at the step; returns the energies of the candidate, zeros where it failed.
cloth::ForceModel::Energies Simulation::Impl::attempt(const StepOptions& options,
                                                      const contact::ContactSettings& contact) {
    runIntegrator(options, contact);
    return integrators::hasFailed(outcome.status) ? cloth::ForceModel::Energies{} : computeEnergies(candidate);
}

/// After an attempt that failed although contact repeated its solve: with the bounded friction of a single solve.
cloth::ForceModel::Energies Simulation::Impl::attemptWithoutRepeats(const StepOptions& options) {
    const int repeats = outcome.contactRepeats.repeats;
    contact::ContactSettings once = scene.settings.contact;
    once.activeSet = 0;
    const cloth::ForceModel::Energies energies = attempt(options, once);
    outcome.contactRepeats.repeats = repeats + 1;
    if (outcome.status == StepStatus::Ok) {
        outcome.status = StepStatus::Unconverged;
        outcome.message =
            fmt::format("The {} repeats of the step diverged; its friction is that of a single solve.", repeats);
    }
    return energies;
}

bool Simulation::Impl::usesLayerForces() const {
    const contact::ContactSettings& contact = scene.settings.contact;
    return !state.layerForces.empty() && contact.selfCollision == contact::SelfCollision::Robust &&
           (contact.carryForces || contact.solve == contact::LayerSolve::Within);
}

/// After an attempt that failed although layers began with the forces of the last step: without them. They are far too
/// large where the pointer pressed layers that now get out of its way.
cloth::ForceModel::Energies Simulation::Impl::attemptWithoutLayerForces(const StepOptions& options) {
    auto forces = std::exchange(state.layerForces, {});
    const cloth::ForceModel::Energies energies = attempt(options, scene.settings.contact);
    state.layerForces = std::move(forces);
    if (!integrators::hasFailed(outcome.status)) {
        outcome.status = StepStatus::Unconverged;
        const std::string more = outcome.message.empty() ? "" : " " + outcome.message;
        outcome.message =
            "The step failed with the forces between layers of the last one, and was solved without." + more;
    }
    return energies;
}

cloth::ForceModel::Energies Simulation::Impl::computeEnergies(const integrators::SimulationState& at) {
    cloth::Environment then = environment();
    then.time = at.time;
    auto energies = forces.energies(then, at.x, at.v, *pool);
    pairs.findPairs(*world.model, forces, scene.settings.contact, at.x, *pool);
    energies.repulsion = pairs.energy(at.x, *pool);
    energies.sewing = pairs.sewingEnergy(at.x, at.time);
    return energies;
}

bool Simulation::Impl::stoppedByUser() const {
    const solvers::SolveStatus how = outcome.solve.status;
    return how == solvers::SolveStatus::Cancelled || how == solvers::SolveStatus::Refused;
}

bool Simulation::Impl::failed(const cloth::ForceModel::Energies& energies) const {
    return integrators::hasFailed(outcome.status) || !divergence(candidate, energies).empty();
}

}  // namespace clothlab::simulation
