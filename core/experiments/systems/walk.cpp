#include "experiments/systems/walk.hpp"

#include <algorithm>

namespace clothlab::experiments {
namespace {

/// Whether the step went well.
bool step(Walker& walker, const Walk& how, bool keepSystem) {
    const simulation::StepReport& report =
        walker.simulation->step({.stop = how.stop, .keepSystem = keepSystem, .hash = false});
    return !hasFailed(report.status) && (!walker.sound || walker.sound(*walker.simulation));
}

}  // namespace

Walked walk(std::span<Walker> walkers, const Walk& how) {
    using enum Walked::End;
    for (int k = 1; k <= how.steps; ++k) {
        if (how.before)
            if (auto ready = how.before(k); !ready) return {Ended, k, std::move(ready.error())};
        for (Walker& walker : walkers) {
            if (walker.failed) continue;
            const bool good = step(walker, how, k >= how.systemsFrom);
            if (how.stop.stop_requested()) return {Stopped, k, {}};
            if (!good && how.failure == Walk::Failure::Ends)
                return {Failed, k, {.message = walker.simulation->lastReport().message}};
            walker.failed = !good && how.failure == Walk::Failure::LeavesBehind;
            if (!walker.failed && how.after) how.after(*walker.simulation);
        }
        if (std::ranges::all_of(walkers, &Walker::failed))
            return {Failed, k, {.message = walkers.back().simulation->lastReport().message}};
        if (how.afterAll) how.afterAll(k);
    }
    return {Done, how.steps, {}};
}

}  // namespace clothlab::experiments
