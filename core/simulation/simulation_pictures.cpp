#include <cmath>

#include "integrators/stages/constraint_stage.hpp"
#include "integrators/stages/self_collision_stage.hpp"
#include "integrators/traits.hpp"
#include "simulation/simulation_impl.hpp"
#include "solvers/yardstick.hpp"

/// What the last step left behind, for overlays and plots.
namespace clothlab::simulation {

void Simulation::springStates(std::vector<std::uint8_t>& out) const {
    impl_->forces.springStates(impl_->state.x, impl_->state.v, out);
    if (!integrators::traitsFor(impl_->scene.settings.integrator.kind).implicit)
        for (std::uint8_t& flags : out) flags &= std::uint8_t(~cloth::kSpringImplicit);
}

void Simulation::springStrains(std::vector<float>& out) const { impl_->forces.springStrains(impl_->state.x, out); }

void Simulation::residuals(std::vector<float>& out) const {
    const Impl& m = *impl_;
    out.clear();
    const auto system = m.integrator->lastSystem();
    if (!system || !solvers::acceptable(m.outcome.solve.status) || m.state.deltaV.size() != system->A.rows()) return;
    linalg::BlockVector r;
    const linalg::BlockVector* solution = m.integrator->lastSolution();
    const double rhs = solvers::residual(*system, solution ? *solution : m.state.deltaV, r);
    const double scale = rhs > 0 ? std::sqrt(double(r.size())) / rhs : 0.0;
    for (Index i = 0; i < r.size(); ++i) out.push_back(float(scale * r[i].norm()));
}

void Simulation::ndofs(std::vector<std::uint8_t>& out) const {
    const Impl& m = *impl_;
    out.assign(m.state.x.size(), 3);
    for (const contact::ParticleContact& c : m.state.contacts.contacts) out[c.particle] = std::uint8_t(c.ndof);
    std::vector<mechanics::Prescribed> held;
    integrators::prescribePinsAndGrab(m.state, *m.world.model, m.scene.settings.grab, m.world.colliders, m.state.time,
                                      m.scene.settings.integrator.dt, held);
    // The first of a particle counts.
    for (auto p = held.rbegin(); p != held.rend(); ++p) out[p->particle] = std::uint8_t(p->ndof);
}

bool Simulation::components(linalg::Components& out) const {
    const Impl& m = *impl_;
    if (m.report.methods.integrator != m.scene.settings.integrator.kind) return false;  // of another method's step
    if (!integrators::traitsFor(m.scene.settings.integrator.kind).implicit) {
        std::vector<std::uint8_t> ndof;
        ndofs(ndof);
        linalg::separateParticles(ndof, out);
        return true;
    }
    const auto system = m.integrator->lastSystem();
    if (!system || !solvers::acceptable(m.outcome.solve.status) || system->A.rows() != m.state.x.size()) return false;
    linalg::findComponents(system->A, system->constraints, out);
    return true;
}

bool Simulation::selfContact(contact::SelfContactPicture& out) const {
    const integrators::StepOutcome& outcome = impl_->outcome;  // a jump forgets it
    if (integrators::hasFailed(outcome.status) || outcome.selfContact.passes == 0) return false;
    impl_->selfCollision->describe(impl_->state.x, out);
    return true;
}

std::span<const contact::ImpactZone> Simulation::impactZones() const { return impl_->selfCollision->zones(); }

}  // namespace clothlab::simulation
