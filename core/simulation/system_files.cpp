#include "simulation/system_files.hpp"

#include <fmt/format.h>

#include <filesystem>

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
