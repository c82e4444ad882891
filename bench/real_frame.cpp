#include <fmt/format.h>

#include "bench.hpp"
#include "experiments/systems/freeze.hpp"
#include "factorizations.hpp"
#include "simulation/state_file.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::bench {

/// The step after a saved state of a large cloth: its first linear solve, and the whole step with the repeats of the
/// state's settings, in readings of the matrix. scripts/bench keeps the state, since many steps lead to it.
void realFrameRatios(const std::string& stateFile, std::vector<Ratio>& out) {
    const auto saved = simulation::loadState(stateFile);
    require(saved.has_value(), "the saved state of the real frame can be read");
    const auto resumed = [&] {
        auto simulation = simulation::resume(*saved, 1);
        require(simulation.has_value(), "the saved state of the real frame fits its scene");
        return std::move(*simulation);
    };
    const auto once = resumed();
    scene::Settings plain = once->settings();
    plain.integrator.activeSet = 0;
    once->apply(plain);
    const auto frozen = experiments::freezeStep(*once, 1, {.evenIfFailed = true});
    require(frozen.has_value(), "the step after the saved state has a linear system");
    const linalg::FrozenSystem& system = frozen->system;
    MemoryReader reader(76 * std::size_t(system.A.occupiedBlocks()));
    const auto read = [&] { reader.read(); };
    for (const int threads : {1, 2}) {
        WorkerPool pool(threads);
        const auto solver = solvers::makeSolver(plain.solver, plain.preconditioner);
        linalg::BlockVector dv;
        const auto solve = [&] {
            solvers::SolveSummary summary;
            solver->solve(system.view(), dv, summary, {}, pool);
            require(solvers::converged(summary.status), "a solve of the real frame that converges");
        };
        out.push_back(compare(fmt::format("real_{}_solve_{}t", system.A.rows(), threads), solve, read, 9));
    }
    const auto moving = resumed();
    out.push_back(compare(
        fmt::format("real_{}_step_1t", system.A.rows()), [&] { moving->step(); }, read, 3));
}

}  // namespace clothlab::bench
