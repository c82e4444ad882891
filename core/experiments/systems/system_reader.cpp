#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/input.hpp"
#include "experiments/systems/constraints_file.hpp"
#include "experiments/systems/system_files.hpp"
#include "linalg/matrix_market.hpp"

namespace clothlab::experiments {
namespace {

constexpr InputLimits kConstraintsLimits{.bytes = 64u << 20};  // some 90,000 constrained particles

/// A folder with a system, being read; the first mistake ends it.
class SystemReader {
public:
    explicit SystemReader(const std::string& folder) : folder_(folder) {}

    Expected<linalg::FrozenSystem> read() {
        for (auto part : {&SystemReader::readA, &SystemReader::readB, &SystemReader::readCore,
                          &SystemReader::readConstraintsFile, &SystemReader::readZ})
            if (auto done = (this->*part)(); !done) return fail(done.error());
        return std::move(system_);
    }

private:
    std::string path(const char* name) const { return folder_ + "/" + name; }
    bool there(const char* name) const { return somethingAt(path(name)); }
    static tl::unexpected<Error> wrong(std::string message, const std::string& file, int line) {
        return fail(Error{.message = std::move(message), .file = file, .line = line});
    }
    static Expected<linalg::ReadMatrix> readMatrix(const std::string& path) {
        auto text = readFile(path);
        if (!text) return fail(text.error());
        return linalg::readMatrixMarket(*text, path);
    }

    Expected<void> readA() {
        const auto matrix = readMatrix(path("A.mtx"));
        if (!matrix) return fail(matrix.error());
        if (auto done = readPattern((matrix->rows + 2) / 3); !done) return done;
        auto A = linalg::toBlockMatrix(*matrix, path("A.mtx"), pattern_ ? &*pattern_ : nullptr);
        if (!A) return fail(A.error());
        system_.A = std::move(*A);
        rows_ = matrix->rows;
        system_.constraints.reset(system_.A.rows());
        return {};
    }
    /// The blocks of A, of which A.mtx has the occupied ones alone.
    Expected<void> readPattern(Index blockRows) {
        const std::string file = path("pattern.mtx");
        if (!there("pattern.mtx")) return {};
        auto read = readMatrix(file);
        if (!read) return fail(read.error());
        if (read->rows != blockRows || read->columns != blockRows)
            return wrong(fmt::format("the pattern is {} x {}, and A.mtx has {} rows of 3 x 3 blocks", read->rows,
                                     read->columns, blockRows),
                         file, read->sizeLine);
        constexpr int kMost = linalg::CoreMask::kCore | linalg::CoreMask::kShear;
        for (const linalg::ReadMatrix::Entry& e : read->entries)
            if (!(e.value >= 0 && e.value <= kMost && e.value == int(e.value)))
                return wrong(fmt::format("{} is no part of the core: 0 .. {}", e.value, kMost), file, e.line);
        pattern_ = std::move(*read);
        return {};
    }
    Expected<linalg::BlockVector> readVector(const char* name) const {
        const auto column = readMatrix(path(name));
        if (!column) return fail(column.error());
        return linalg::toBlockVector(*column, rows_, path(name));
    }
    Expected<void> readB() {
        auto b = readVector("b.mtx");
        if (!b) return fail(b.error());
        system_.b = std::move(*b);
        return {};
    }
    /// Marks the blocks of the core: those that core.mtx has, and the empty ones of which pattern.mtx says so.
    Expected<void> readCore() {
        const std::string file = path("core.mtx");
        if (!there("core.mtx")) return {};
        const auto read = readMatrix(file);
        if (!read) return fail(read.error());
        if (read->rows != rows_ || read->columns != rows_)
            return wrong(fmt::format("the core is {} x {}, A.mtx {} x {}", read->rows, read->columns, rows_, rows_),
                         file, read->sizeLine);
        const linalg::BlockPattern& p = system_.A.pattern();
        linalg::CoreMask& core = system_.core;
        core.revision = p.revision;
        core.offDiagonal.assign(p.blocks(), 0);
        for (const Index d : p.diagonal) core.offDiagonal[d] = linalg::CoreMask::kCore;
        if (pattern_)
            for (const linalg::ReadMatrix::Entry& e : pattern_->entries)
                core.offDiagonal[p.find(e.row, e.column)] |= std::uint8_t(e.value);
        for (const linalg::ReadMatrix::Entry& e : read->entries) {
            const Index k = p.find(e.row / 3, e.column / 3);
            if (k >= 0 && pattern_ && !(core.offDiagonal[k] & linalg::CoreMask::kCore))
                return wrong(
                    fmt::format("entry ({}, {}) is of the core, and not by pattern.mtx", e.row + 1, e.column + 1), file,
                    e.line);
            if (k < 0)
                return wrong(fmt::format("entry ({}, {}) lies where A.mtx has none", e.row + 1, e.column + 1), file,
                             e.line);
            core.offDiagonal[k] = linalg::CoreMask::kCore;
        }
        return {};
    }
    Expected<void> readConstraintsFile() {
        if (!there("constraints.json")) return {};
        const auto text = readFile(path("constraints.json"), kConstraintsLimits);
        if (!text) return fail(text.error());
        auto constraints = readConstraints(*text, path("constraints.json"), system_.A.rows());
        if (!constraints) return fail(constraints.error());
        system_.constraints = std::move(*constraints);
        return {};
    }
    /// z.mtx says again what constraints.json says.
    Expected<void> readZ() {
        if (!there("z.mtx")) return {};
        const auto z = readVector("z.mtx");
        if (!z) return fail(z.error());
        linalg::BlockVector prescribed;
        system_.constraints.prescribed(prescribed);
        const double scale = std::max(z->flat().cwiseAbs().maxCoeff(), prescribed.flat().cwiseAbs().maxCoeff());
        for (Index r = 0; r < rows_; ++r) {
            const double here = z->flat()[r], there = prescribed.flat()[r];
            if (!(std::abs(here - there) <= 1e-6 * scale))
                return wrong(fmt::format("row {} is {}, and {} by constraints.json", r + 1, here, there), path("z.mtx"),
                             0);
        }
        return {};
    }

    const std::string& folder_;
    linalg::FrozenSystem system_;
    std::optional<linalg::ReadMatrix> pattern_;  // of blocks, each with its bits of the core mask
    Index rows_ = 0;                             // of A.mtx; its blocks may hold two more
};

}  // namespace

Expected<linalg::FrozenSystem> importSystem(const std::string& folder) { return SystemReader(folder).read(); }

}  // namespace clothlab::experiments
