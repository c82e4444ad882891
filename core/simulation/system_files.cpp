#include "simulation/system_files.hpp"

#include <fmt/format.h>

#include "linalg/matrix_market.hpp"
#include "simulation/files.hpp"
#include "simulation/json_text.hpp"

namespace clothlab::simulation {

Expected<void> exportSystem(const linalg::FrozenSystem& system, const scene::Settings& settings, const std::string& folder) {
    if (auto done = makeFolder(folder); !done) return done;
    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    const std::pair<const char*, std::string> files[] = {
        {"A.mtx", linalg::matrixMarketText(system.A)},
        {"core.mtx", linalg::matrixMarketText(system.A, &system.core)},
        {"b.mtx", linalg::matrixMarketText(system.b)},
        {"z.mtx", linalg::matrixMarketText(z)},
        {"delta_v.mtx", linalg::matrixMarketText(system.deltaV)},
        {"constraints.json", constraintsJson(system.constraints, system.dt, system.step)},
        {"settings.toml", scene::writeSettings(settings)},
    };
    for (const auto& [name, content] : files)
        if (auto done = writeFile(folder + "/" + name, content); !done) return done;
    return {};
}

}  // namespace clothlab::simulation
