#include "experiments/systems/freeze.hpp"

#include <fmt/format.h>

#include "experiments/systems/walk.hpp"

namespace clothlab::experiments {
namespace {

NotFrozen findProblem(const Walked& walked) {
    using enum NotFrozen::Why;
    if (walked.end == Walked::End::Ended) return {Ended, walked.step, {}};
    return {StepFailed, walked.step, walked.error.message.empty() ? "stopped" : walked.error.message};
}

}  // namespace

tl::expected<FrozenStep, NotFrozen> freezeStep(simulation::Simulation& simulation, int steps,
                                               const FreezeOptions& options) {
    FrozenStep out;
    int unsolved = 0;  // a step without a system
    const auto before = [&](int k) -> Expected<void> {
        if (k == steps && k > 1) {
            const linalg::FrozenSystem* earlier = simulation.systemOfLastStep();
            if (!earlier) {
                unsolved = k - 1;
                return fail("no system");
            }
            out.earlier = *earlier;
        }
        if (options.before && !options.before(k)) return fail("ended");
        if (k == steps) out.origin = SystemOrigin::of(simulation);
        return {};
    };
    Walker walker{.simulation = &simulation};
    const Walked walked =
        walk({&walker, 1}, {.steps = steps,
                            .stop = options.stop,
                            .failure = options.evenIfFailed ? Walk::Failure::Counts : Walk::Failure::Ends,
                            .systemsFrom = steps - 1,
                            .before = before});
    const bool done = walked.end == Walked::End::Done;
    const linalg::FrozenSystem* system = done ? simulation.systemOfLastStep() : nullptr;
    if (done && !system) unsolved = steps;
    if (unsolved > 0) {
        const auto kind = simulation.settings().integrator.kind;
        return tl::unexpected(
            NotFrozen{NotFrozen::Why::NoSystem, unsolved, fmt::format("{} solves no linear system", enumLabel(kind))});
    }
    if (!done) return tl::unexpected(findProblem(walked));
    out.system = *system;
    out.origin.solve = simulation.lastSolve();
    out.report = simulation.lastReport();
    return out;
}

}  // namespace clothlab::experiments
