#include "experiments/systems/petsc_binary.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "experiments/systems/written_blocks.hpp"

namespace clothlab::experiments {
namespace {

using linalg::BlockMatrix;
using linalg::BlockPattern;
using linalg::CoreMask;
using linalg::ReadMatrix;

constexpr std::int32_t kMatrix = 1211216, kVector = 1211214;
constexpr std::int64_t kMostEntries = std::numeric_limits<std::int32_t>::max();

class BigEndian {
public:
    template <class T>
    void number(T value) {
        std::array<char, sizeof(T)> bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
        std::reverse(bytes.begin(), bytes.end());
        bytes_.append(bytes.data(), bytes.size());
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

Expected<void> checkEntries(std::int64_t entries) {
    if (entries <= kMostEntries) return {};
    return fail(fmt::format("the matrix has {} entries, and 32-bit indices count to {}", entries, kMostEntries));
}

/// One file being read; the first mistake ends it.
class PetscReader {
public:
    PetscReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    Expected<ReadMatrix> matrix() {
        if (auto done = begin(kMatrix, "matrix", 4); !done) return fail(done.error());
        ReadMatrix out{.rows = whole(), .columns = whole()};
        const std::int32_t entries = whole();
        if (entries == -1) return wrong(12, "the matrix is stored as a dense one; sparse ones are read");
        if (out.rows < 0 || out.columns < 0 || entries < 0) return wrong(4, "a size is negative");
        if (std::int64_t(at_) + 4 * std::int64_t(out.rows) + 12 * std::int64_t(entries) != std::int64_t(bytes_.size()))
            return wrong(4, fmt::format("{} rows with {} entries do not make a file of {} bytes", out.rows, entries,
                                        bytes_.size()));
        const std::size_t columnsAt = at_ + 4 * std::size_t(out.rows), valuesAt = columnsAt + 4 * std::size_t(entries);
        out.entries.reserve(std::size_t(entries));
        std::int64_t taken = 0;
        for (Index row = 0; row < out.rows; ++row) {
            const std::int32_t count = whole();
            if (count < 0 || count > entries - taken)
                return wrong(at_ - 4, fmt::format("row {} has {} entries, of the {} that are left", row, count,
                                                  entries - taken));
            for (std::int32_t k = 0; k < count; ++k, ++taken) {
                const auto column = get<std::int32_t>(columnsAt + 4 * std::size_t(taken));
                const auto value = get<double>(valuesAt + 8 * std::size_t(taken));
                if (column < 0 || column >= out.columns)
                    return wrong(
                        columnsAt + 4 * std::size_t(taken),
                        fmt::format("column {} of row {}, in a matrix of {} columns", column, row, out.columns));
                if (!std::isfinite(value))
                    return wrong(valuesAt + 8 * std::size_t(taken),
                                 fmt::format("the value in row {}, column {} is {}", row, column, value));
                out.entries.push_back({row, column, 0, value});
            }
        }
        if (taken != entries)
            return wrong(12, fmt::format("{} entries are promised, and the rows have {}", entries, taken));
        return out;
    }

    Expected<ReadMatrix> vector() {
        if (auto done = begin(kVector, "vector", 2); !done) return fail(done.error());
        ReadMatrix out{.rows = whole(), .columns = 1};
        if (out.rows < 0 || std::int64_t(at_) + 8 * std::int64_t(out.rows) != std::int64_t(bytes_.size()))
            return wrong(4, fmt::format("{} rows do not make a file of {} bytes", out.rows, bytes_.size()));
        out.entries.reserve(std::size_t(out.rows));
        for (Index row = 0; row < out.rows; ++row, at_ += 8) {
            const auto value = get<double>(at_);
            if (!std::isfinite(value)) return wrong(at_, fmt::format("row {} is {}", row, value));
            out.entries.push_back({row, 0, 0, value});
        }
        return out;
    }

private:
    tl::unexpected<Error> wrong(std::size_t byte, std::string what) const {
        return fail(Error{.message = fmt::format("byte {}: {}", byte, what), .file = file_});
    }
    Expected<void> begin(std::int32_t kind, std::string_view name, std::size_t heads) {
        if (bytes_.size() < 4 * heads)
            return wrong(bytes_.size(), fmt::format("the file ends before its {} begins", name));
        const std::int32_t found = whole();
        if (found == kind) return {};
        if (found == 0 && bytes_.size() >= 8 && get<std::int32_t>(4) == kind)
            return wrong(0, "it was written by a PETSc with 64-bit indices; 32-bit ones are read");
        if (found == kMatrix || found == kVector)
            return wrong(0,
                         fmt::format("this is a {}, and has to be a {}", found == kMatrix ? "matrix" : "vector", name));
        return wrong(0, fmt::format("this is no {} of PETSc's: it begins with {} and not with {}", name, found, kind));
    }
    template <class T>
    T get(std::size_t at) const {
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), bytes_.data() + at, sizeof(T));
        std::reverse(bytes.begin(), bytes.end());
        return std::bit_cast<T>(bytes);
    }
    std::int32_t whole() {
        at_ += 4;
        return get<std::int32_t>(at_ - 4);
    }

    std::string_view bytes_;
    const std::string& file_;
    std::size_t at_ = 0;
};

}  // namespace

Expected<std::string> petscMatrix(const BlockMatrix& A, const CoreMask* core) {
    std::vector<std::int32_t> blocksPerRow(std::size_t(A.rows()), 0);
    std::int64_t entries = 0;
    forWritten(A, core, [&](Index i, Index) { ++blocksPerRow[i], entries += 9; });
    if (auto done = checkEntries(entries); !done) return fail(done.error());
    BigEndian out;
    for (const std::int32_t head : {kMatrix, 3 * A.rows(), 3 * A.rows(), std::int32_t(entries)}) out.number(head);
    for (const std::int32_t blocks : blocksPerRow)
        for (int r = 0; r < 3; ++r) out.number(3 * blocks);
    const BlockPattern& p = A.pattern();
    const auto forRows = [&](auto f) {
        for (Index i = 0; i < p.rows; ++i)
            for (int r = 0; r < 3; ++r)
                for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
                    if (isWritten(A, core, i, k))
                        for (int c = 0; c < 3; ++c) f(k, r, c);
    };
    forRows([&](Index k, int, int c) { out.number(std::int32_t(3 * p.column[k] + c)); });
    forRows([&](Index k, int r, int c) { out.number(A.block(k)(r, c)); });
    return out.take();
}

Expected<std::string> petscPattern(const BlockPattern& p, const CoreMask& core) {
    BigEndian out;
    for (const std::int32_t head : {kMatrix, p.rows, p.rows, p.blocks()}) out.number(head);
    for (Index i = 0; i < p.rows; ++i) out.number(p.rowStart[i + 1] - p.rowStart[i]);
    for (const Index column : p.column) out.number(column);
    for (Index k = 0; k < p.blocks(); ++k) out.number(double(coreBits(core, k)));
    return out.take();
}

std::string petscVector(const linalg::BlockVector& x) {
    BigEndian out;
    out.number(kVector);
    out.number(std::int32_t(3 * x.size()));
    for (const double value : x.flat()) out.number(value);
    return out.take();
}

Expected<ReadMatrix> readPetscMatrix(std::string_view bytes, const std::string& file) {
    return PetscReader(bytes, file).matrix();
}

Expected<ReadMatrix> readPetscVector(std::string_view bytes, const std::string& file) {
    return PetscReader(bytes, file).vector();
}

}  // namespace clothlab::experiments
