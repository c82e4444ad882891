#include "integrators/stages/energy_budget.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::integrators {

double EnergyBudgetStage::computeRest(const StepContext& context, const SimulationState& at) {
    if (rest_.size() != at.v.size()) rest_.resize(at.v.size());
    rest_ = at.v;
    double left = 0;
    for (const std::vector<Index>& piece : pieces_.each()) {
        if (std::ranges::any_of(piece, [&](Index i) { return held_.holds(i); })) continue;
        double mass = 0;
        Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
        for (const Index i : piece) {
            mass += context.model.mass[i];
            momentum += context.model.mass[i] * Vec3(at.v[i]);
            moment += context.model.mass[i] * Vec3(at.x[i]);
        }
        const Vec3 velocity = momentum / mass;
        for (const Index i : piece) rest_[i] -= velocity;
        left += 0.5 * momentum.dot(velocity) - context.environment.gravity.dot(moment);
    }
    return left;
}

double EnergyBudgetStage::workOfOthers(const StepContext& context, const SimulationState& at) {
    for (linalg::BlockVector* f : {&all_, &conservative_, &still_})
        if (f->size() != at.x.size()) f->resize(at.x.size());
    still_.setZero();
    cloth::Environment vacuum;
    vacuum.gravity = context.environment.gravity;
    context.forces.forces(context.environment, at.x, at.v, all_, context.pool);
    context.forces.forces(vacuum, at.x, still_, conservative_, context.pool);
    return context.dt * rest_.flat().dot(all_.flat() - conservative_.flat());
}

void EnergyBudgetStage::resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                                StepOutcome& outcome) {
    const double share = context.afterSolve.energyBudget;
    if (!(share > 0)) return;
    held_.take(state, context, candidate);
    const bool touches = !candidate.contacts.contacts.empty() || !context.model.threads.empty() ||
                         outcome.repulsionPairs > 0 || outcome.selfContact.near > 0 || outcome.limited.passes > 0;
    if (touches || state.grab.active || !held_.still()) return;

    pieces_.find(context.model, candidate.brokenSprings);
    const auto computeEnergy = [&](const SimulationState& at) {
        return context.forces.energies(context.environment, at.x, at.v, context.pool).total();
    };
    const double before = computeEnergy(state) - computeRest(context, state);
    const double after = computeEnergy(candidate) - computeRest(context, candidate);
    const double lost = before + workOfOthers(context, candidate) - after;
    double kinetic = 0;
    for (Index i = 0; i < rest_.size(); ++i) kinetic += 0.5 * context.model.mass[i] * rest_[i].squaredNorm();
    if (!(kinetic > 0)) return;
    constexpr double kMost = 4;  // times the kinetic energy of the method; more stays lost
    const double factor = std::clamp(1 + share * lost / kinetic, 0.0, kMost);
    candidate.v.flat() += (std::sqrt(factor) - 1) * rest_.flat();
    outcome.energyGiven = (factor - 1) * kinetic;
}

}  // namespace clothlab::integrators
