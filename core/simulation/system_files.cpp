#include "simulation/system_files.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "cloth/wind.hpp"
#include "linalg/matrix_market.hpp"
#include "simulation/files.hpp"
#include "simulation/json_text.hpp"

namespace clothlab::simulation {

namespace {

constexpr std::array<std::string_view, 9> kNames{"A.mtx",       "core.mtx",         "b.mtx",         "z.mtx", "delta_v.mtx",
                                                 "constraints.json", "settings.toml", "x.mtx", "v.mtx"};

}  // namespace

SystemOrigin SystemOrigin::of(const Simulation& simulation) {
    const integrators::SimulationState& state = simulation.state();
    SystemOrigin origin{.x = state.x, .v = state.v, .time = state.time,
                        .wind = cloth::windVelocity(simulation.settings().wind, state.time), .colliders = {}, .solve = {}};
    for (const contact::Collider& collider : simulation.colliders()) origin.colliders.emplace_back(collider.name, contact::poseAt(collider, state.time));
    return origin;
}

std::span<const std::string_view> systemFileNames() { return kNames; }

NamedFiles systemFiles(const linalg::FrozenSystem& system, const scene::Settings& settings, const SystemOrigin* origin) {
    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    NamedFiles files{
        {kNames[0], linalg::matrixMarketText(system.A)},
        {kNames[1], linalg::matrixMarketText(system.A, &system.core)},
        {kNames[2], linalg::matrixMarketText(system.b)},
        {kNames[3], linalg::matrixMarketText(z)},
        {kNames[4], linalg::matrixMarketText(system.deltaV)},
        {kNames[5], constraintsJson(system.constraints, system.dt, system.step, origin)},
        {kNames[6], scene::writeSettings(settings)},
    };
    if (!origin) return files;
    files.emplace_back(kNames[7], linalg::matrixMarketRows(origin->x));
    files.emplace_back(kNames[8], linalg::matrixMarketRows(origin->v));
    return files;
}

namespace {

Expected<linalg::ReadMatrix> readMatrix(const std::string& path) {
    auto text = readFile(path);
    if (!text) return tl::unexpected(text.error());
    return linalg::readMatrixMarket(*text, path);
}

/// Marks the blocks of the core: those that core.mtx has.
Expected<void> readCore(const std::string& path, const linalg::BlockMatrix& A, linalg::CoreMask& core) {
    auto read = readMatrix(path);
    if (!read) return tl::unexpected(read.error());
    const linalg::BlockPattern& p = A.pattern();
    core.revision = p.revision;
    core.offDiagonal.assign(static_cast<std::size_t>(p.blocks()), 0);
    for (const Index d : p.diagonal) core.offDiagonal[static_cast<std::size_t>(d)] = linalg::CoreMask::kCore;
    for (const linalg::ReadMatrix::Entry& e : read->entries) {
        const Index k = e.row < 3 * p.rows && e.column < 3 * p.rows ? p.find(e.row / 3, e.column / 3) : -1;
        if (k < 0)
            return fail(Error{.message = fmt::format("entry ({}, {}) lies where A.mtx has none", e.row + 1, e.column + 1), .file = path});
        core.offDiagonal[static_cast<std::size_t>(k)] = linalg::CoreMask::kCore;
    }
    return {};
}

}  // namespace

Expected<linalg::FrozenSystem> importSystem(const std::string& folder) {
    const auto path = [&](const char* name) { return folder + "/" + name; };
    const auto there = [&](const char* name) { return std::filesystem::exists(path(name)); };
    linalg::FrozenSystem system;
    auto matrix = readMatrix(path("A.mtx"));
    if (!matrix) return tl::unexpected(matrix.error());
    auto A = linalg::toBlockMatrix(*matrix, path("A.mtx"));
    if (!A) return tl::unexpected(A.error());
    system.A = std::move(*A);
    auto column = readMatrix(path("b.mtx"));
    if (!column) return tl::unexpected(column.error());
    auto b = linalg::toBlockVector(*column, system.A.rows(), path("b.mtx"));
    if (!b) return tl::unexpected(b.error());
    system.b = std::move(*b);
    if (there("core.mtx"))
        if (auto done = readCore(path("core.mtx"), system.A, system.core); !done) return tl::unexpected(done.error());
    system.constraints.reset(system.A.rows());
    if (there("constraints.json")) {
        auto text = readFile(path("constraints.json"));
        if (!text) return tl::unexpected(text.error());
        auto constraints = readConstraints(*text, path("constraints.json"), system.A.rows());
        if (!constraints) return tl::unexpected(constraints.error());
        system.constraints = std::move(*constraints);
    }
    return system;
}

}  // namespace clothlab::simulation
