#include "simulation/stored_motion.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "simulation/simulation_impl.hpp"
#include "simulation/state_bytes.hpp"

namespace clothlab::simulation {
namespace {

/// A state of another scene has other particles, or as many others. A recording may contain anything.
Expected<void> requireSameScene(const StoredMotion& from, const Simulation& simulation) {
    scene::Scene kept = from.scene, present = simulation.unpaintedScene();
    kept.settings = from.loaded;
    present.settings = simulation.loadedSettings();
    if (scene::writeScene(kept) == scene::writeScene(present) && meshHashes(kept) == meshHashes(present)) return {};
    return fail(fmt::format("the stored motion is of the scene {}, not of {} as it is now", shown(kept.name),
                            shown(present.name)));
}

}  // namespace

StoredMotion Simulation::keep(std::size_t historyBytes) const {
    return {.scene = unpaintedScene(),
            .loaded = loadedSettings(),
            .painting = painting(),
            .state = state(),
            .report = lastReport(),
            .history = history().newest(historyBytes)};
}

Expected<void> Simulation::restoreMotion(const StoredMotion& kept) {
    if (auto same = requireSameScene(kept, *this); !same) return same;
    Impl& m = *impl_;
    if (!(kept.painting == m.painting))
        if (auto done = paint(kept.painting); !done) return done;
    apply(kept.scene.settings);
    m.adoptState(kept.state);
    integrators::forget(m.state, integrators::StateRole::Hand);
    m.solver->forget();
    m.history.take(kept.history);
    m.outcome = {};
    m.report = kept.report;
    return {};
}

Expected<void> Simulation::copyPins(const StoredMotion& from) {
    if (auto same = requireSameScene(from, *this); !same) return same;
    copyPins(from.state);
    return {};
}

Expected<std::unique_ptr<Simulation>> Simulation::recreate(const StoredMotion& kept, int threads) {
    auto made = create(kept.scene, threads);
    if (!made) return made;
    (*made)->impl_->loaded = kept.loaded;
    if (auto done = (*made)->restoreMotion(kept); !done) return fail(done.error());
    return made;
}

}  // namespace clothlab::simulation
