#include "simulation/kept.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "simulation/simulation_impl.hpp"
#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {
namespace {

/// Of another scene a state has other particles, or the same number of others. A recording may say anything.
Expected<void> requireSameScene(const scene::Scene& kept, const scene::Scene& present) {
    if (scene::writeScene(kept) == scene::writeScene(present) && meshHashes(kept) == meshHashes(present)) return {};
    return fail(fmt::format("what was put aside is of the scene {}, not of {} as it is now", shown(kept.name),
                            shown(present.name)));
}

}  // namespace

Kept Simulation::keep(std::size_t historyBytes) const {
    return {.scene = unpaintedScene(),
            .settings = settings(),
            .painting = painting(),
            .state = state(),
            .report = lastReport(),
            .history = history().newest(historyBytes)};
}

Expected<void> Simulation::takeBack(const Kept& kept) {
    if (auto same = requireSameScene(kept.scene, unpaintedScene()); !same) return same;
    Impl& m = *impl_;
    if (!(kept.painting == m.painting))
        if (auto done = paint(kept.painting); !done) return done;
    apply(kept.settings);
    m.takeState(kept.state);
    integrators::forget(m.state, integrators::Memory::Hand);
    m.solver->forget();
    m.history.take(kept.history);
    m.outcome = {};
    m.report = kept.report;
    return {};
}

Expected<void> Simulation::takePins(const Kept& from) {
    if (auto same = requireSameScene(from.scene, unpaintedScene()); !same) return same;
    takePins(from.state);
    return {};
}

Expected<std::unique_ptr<Simulation>> Simulation::recreate(const Kept& kept, int threads) {
    auto made = create(kept.scene, threads);
    if (!made) return made;
    if (auto done = (*made)->takeBack(kept); !done) return fail(done.error());
    return made;
}

}  // namespace clothlab::simulation
