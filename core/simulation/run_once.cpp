// How one step is taken, and what its contact makes of its status.
#include <fmt/format.h>

#include <algorithm>

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

void Simulation::Impl::runIntegrator(const StepOptions& options, const contact::ContactSettings& contact) {
    std::vector<Vec3> shifts = integrators::dragColliders(state, settings.grab.solidMaxSpeed, dt, world.colliders);
    auto balls = integrators::flyBalls(state, settings.gravity, dt, world.colliders, shifts);
    integrators::StepContext context{
        .dt = dt,
        .model = *world.model,
        .forces = forces,
        .environment = environment(),
        .colliders = world.colliders,
        .contact = contact,
        .grab = settings.grab,
        .substeps = settings.integrator.substeps,
        .solver = solver.get(),
        .control = {.stop = options.stop, .observer = options.observer},
        .pool = *pool,
        .keepSystem = options.keepSystem,
        .observeIterate = options.observeIterate,
        .factorMaker = factorMaker.get(),
        .adoption = options.adoption,
    };
    outcome = {};
    if (!refusal.empty()) {
        outcome.status = StepStatus::SolveFailed;
        outcome.solve.status = solvers::SolveStatus::Refused;
        outcome.message = refusal;
        return;
    }
    integrator->step(state, context, candidate, outcome);
    judgeContact();
    candidate.colliderShifts = std::move(shifts);
    integrators::pushBalls(candidate.contacts, dt, scene.colliders.size(), balls);
    candidate.balls = std::move(balls);
    for (const auto& stage : stages)
        if (!integrators::hasFailed(outcome.status)) stage->resolve(state, context, candidate, outcome);
}

/// Of the candidate; none where there is none. What diverges with friction that was decided again and again is taken
/// once more with the bounded friction of a single solve.
cloth::ForceModel::Energies Simulation::Impl::runOnce(const StepOptions& options) {
    const auto energies = [&] {
        return integrators::hasFailed(outcome.status) ? cloth::ForceModel::Energies{} : energiesOf(candidate);
    };
    runIntegrator(options, settings.contact);
    const cloth::ForceModel::Energies first = energies();
    const integrators::ContactRepeats repeats = outcome.contactRepeats;
    if (repeats.repeats == 0 || stoppedByUser() || !failed(first)) return first;
    contact::ContactSettings once = settings.contact;
    once.activeSet = 0;
    runIntegrator(options, once);
    const cloth::ForceModel::Energies second = energies();
    outcome.contactRepeats.repeats = repeats.repeats + 1;
    if (outcome.status == StepStatus::Ok) {
        outcome.status = StepStatus::Unconverged;
        outcome.message =
            fmt::format("Friction is that of a single solve: the {} repeats of the step diverged.", repeats.repeats);
    }
    return second;
}

cloth::ForceModel::Energies Simulation::Impl::energiesOf(const integrators::SimulationState& at) {
    cloth::Environment then = environment();
    then.time = at.time;
    auto energies = forces.energies(then, at.x, at.v, *pool);
    pairs.findPairs(*world.model, forces, settings.contact, at.x, *pool);
    energies.repulsion = pairs.energy(at.x, *pool);
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
