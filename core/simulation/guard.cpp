#include "simulation/guard.hpp"

#include <fmt/format.h>

#include <cmath>

#include "integrators/traits.hpp"
#include "linalg/distances.hpp"

namespace clothlab::simulation {
namespace {

constexpr double kStrainLimit = 10.0;   // (l - L) / L
constexpr double kSpeedLimit = 1000.0;  // m/s

}  // namespace

std::string divergence(const integrators::SimulationState& candidate) {
    const double fastest = linalg::largestNorm(candidate.v);
    if (!candidate.x.flat().allFinite() || !candidate.v.flat().allFinite() || !std::isfinite(fastest))
        return fmt::format("Step {}: the state is no longer finite.", candidate.step);
    if (fastest > kSpeedLimit) return fmt::format("Step {}: a particle moves at {:.0f} m/s.", candidate.step, fastest);
    return {};
}

std::string divergence(const integrators::SimulationState& candidate, const cloth::ForceModel::Energies& energies) {
    if (!std::isfinite(energies.total())) return fmt::format("Step {}: the state is no longer finite.", candidate.step);
    if (energies.maxStrain > kStrainLimit)
        return fmt::format("Step {}: a spring is stretched to {:.0f} times its length.", candidate.step,
                           1 + energies.maxStrain);
    return divergence(candidate);
}

std::string suggestCure(const integrators::IntegratorSettings& settings, const cloth::ForceModel& forces) {
    const integrators::IntegratorTraits traits = integrators::traitsFor(settings.kind);
    if (!traits.implicit && traits.limit == 0)
        return fmt::format("{} gains energy at any time step: choose another integrator.", enumLabel(settings.kind));
    if (!traits.implicit) return "Choose a shorter time step, substeps 'auto', or an implicit integrator.";
    if (forces.explicitStabilitySum(settings.dt, cloth::ForceModel::Terms::Explicit) > 2)
        return "The explicit part is beyond its limit: choose a shorter time step, or make more of it implicit.";
    return "Choose a shorter time step, less stiffness, or a tighter solver tolerance.";
}

}  // namespace clothlab::simulation
