#include "experiments/systems/freeze.hpp"

#include <fmt/format.h>

namespace clothlab::experiments {

tl::expected<FrozenStep, NotFrozen> freezeStep(simulation::Simulation& simulation, int steps,
                                               const FreezeOptions& options) {
    using enum NotFrozen::Why;
    FrozenStep out;
    for (int k = 1; k <= steps; ++k) {
        if (options.before && !options.before(k)) return tl::unexpected(NotFrozen{Ended, k, {}});
        const bool last = k == steps, keep = k >= steps - 1;
        if (last) out.origin = SystemOrigin::of(simulation);
        const simulation::StepReport& report =
            simulation.step({.stop = options.stop, .keepSystem = keep, .hash = false});
        if (hasFailed(report.status) && !options.evenIfFailed)
            return tl::unexpected(NotFrozen{StepFailed, k, report.message});
        if (!keep) continue;
        const linalg::FrozenSystem* system = simulation.systemOfLastStep();
        if (!system) {
            const auto kind = simulation.settings().integrator.kind;
            return tl::unexpected(NotFrozen{NoSystem, k, fmt::format("{} solves no linear system", enumLabel(kind))});
        }
        if (last)
            out.system = *system;
        else
            out.earlier = *system;
    }
    out.origin.solve = simulation.lastSolve();
    out.report = simulation.lastReport();
    return out;
}

}  // namespace clothlab::experiments
