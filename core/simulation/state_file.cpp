#include "simulation/state_file.hpp"

#include "base/input.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

namespace clothlab::simulation {
namespace {

constexpr InputLimits kStateLimits{.bytes = std::uintmax_t{2} << 30};

}  // namespace

std::string stateBytes(const Simulation& simulation) { return stateBytes(simulation.scene(), simulation.state()); }

Expected<void> saveState(const Simulation& simulation, const std::string& path, const InputFiles& inputs) {
    return writeFile(path, stateBytes(simulation), inputs);
}

Expected<SavedState> loadState(const std::string& path) {
    const auto bytes = readFile(path, kStateLimits);
    if (!bytes) return fail(bytes.error());
    return readStateBytes(*bytes, path);
}

std::string lostFactor(const scene::Settings& settings) {
    if (!solvers::usesPreconditioner(settings.solver.kind) || !preconditioners::traitsFor(settings.preconditioner).lag)
        return {};
    return "a state has no factor of earlier steps: the lagged preconditioner begins with a new one, and last bits may "
           "differ from those of a run without a break";
}

Expected<std::unique_ptr<Simulation>> resume(const SavedState& saved, int threads) {
    auto made = Simulation::create(saved.scene, threads);
    if (!made) return made;
    if (std::string why = misfit(saved.state, **made); !why.empty())
        return fail(Error{.message = "the saved state does not fit its scene: " + why});
    (*made)->setState(saved.state);
    return made;
}

}  // namespace clothlab::simulation
