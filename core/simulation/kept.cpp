#include "simulation/kept.hpp"

#include "simulation/simulation_impl.hpp"

namespace clothlab::simulation {

Kept Simulation::keep(std::size_t historyBytes) const {
    return {.scene = unpaintedScene(),
            .settings = settings(),
            .painting = painting(),
            .state = state(),
            .report = lastReport(),
            .history = history().newest(historyBytes)};
}

Expected<void> Simulation::takeBack(const Kept& kept) {
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

Expected<std::unique_ptr<Simulation>> Simulation::recreate(const Kept& kept, int threads) {
    auto made = create(kept.scene, threads);
    if (!made) return made;
    if (auto done = (*made)->takeBack(kept); !done) return fail(done.error());
    return made;
}

}  // namespace clothlab::simulation
