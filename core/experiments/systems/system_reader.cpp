#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/input.hpp"
#include "experiments/systems/constraints_file.hpp"
#include "experiments/systems/system_files.hpp"

namespace clothlab::experiments {
namespace {

constexpr InputLimits kConstraintsLimits{.bytes = 64u << 20};  // some 90,000 constrained particles

/// A folder with a system, being read; the first mistake ends it.
class SystemReader {
public:
    explicit SystemReader(const std::string& folder) : folder_(folder) {}

    Expected<linalg::FrozenSystem> read() {
        for (auto part : {&SystemReader::findFormat, &SystemReader::readA, &SystemReader::readB,
                          &SystemReader::readCore, &SystemReader::readConstraintsFile, &SystemReader::readZ,
                          &SystemReader::readS, &SystemReader::readPositions})
            if (auto done = (this->*part)(); !done) return fail(done.error());
        return std::move(system_);
    }

private:
    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    bool there(const std::string& name) const { return somethingAt(path(name)); }
    std::string matrixName(std::string_view stem) const { return format_->matrixName(stem); }
    std::string vectorName(std::string_view stem) const { return format_->vectorName(stem); }
    static tl::unexpected<Error> wrong(std::string message, const std::string& file, int line) {
        return fail(Error{.message = std::move(message), .file = file, .line = line});
    }
    Expected<linalg::ReadMatrix> readMatrix(std::string_view stem) const {
        const std::string file = path(matrixName(stem));
        auto text = readFile(file);
        if (!text) return fail(text.error());
        return format_->readMatrix(*text, file);
    }

    /// A says it.
    Expected<void> findFormat() {
        std::vector<std::string> found;
        for (const SystemFormat& format : systemFormats())
            if (const std::string name = format.matrixName("A"); there(name)) {
                if (found.empty()) format_ = &format;
                found.push_back(name);
            }
        if (found.size() > 1)
            return wrong(fmt::format("the folder has {}: leave the one that is meant", fmt::join(found, " and ")),
                         folder_, 0);
        if (!found.empty()) return {};
        if (!somethingAt(folder_)) return fail(readFile(path(matrixName("A"))).error());
        Error error{.message = "the folder has no A", .file = folder_};
        for (const SystemFormat& format : systemFormats()) error.choices.push_back(path(format.matrixName("A")));
        return fail(std::move(error));
    }
    Expected<void> readA() {
        const std::string file = path(matrixName("A"));
        const auto matrix = readMatrix("A");
        if (!matrix) return fail(matrix.error());
        if (auto done = readPattern((matrix->rows + 2) / 3); !done) return done;
        auto A = linalg::toBlockMatrix(*matrix, file, pattern_ ? &*pattern_ : nullptr);
        if (!A) return fail(A.error());
        system_.A = std::move(*A);
        rows_ = matrix->rows;
        system_.constraints.reset(system_.A.rows());
        return {};
    }
    /// The blocks of A, of which its file has the occupied ones alone.
    Expected<void> readPattern(Index blockRows) {
        const std::string file = path(matrixName("pattern"));
        if (!somethingAt(file)) return {};
        auto read = readMatrix("pattern");
        if (!read) return fail(read.error());
        if (read->rows != blockRows || read->columns != blockRows)
            return wrong(fmt::format("the pattern is {} x {}, and {} has {} rows of 3 x 3 blocks", read->rows,
                                     read->columns, matrixName("A"), blockRows),
                         file, read->sizeLine);
        constexpr int kMost = linalg::CoreMask::kUsual | linalg::CoreMask::kShear;
        for (const linalg::ReadMatrix::Entry& e : read->entries)
            if (!(e.value >= 0 && e.value <= kMost && e.value == int(e.value)))
                return wrong(fmt::format("{} is no part of the core: 0 .. {}", e.value, kMost), file, e.line);
        pattern_ = std::move(*read);
        return {};
    }
    Expected<linalg::BlockVector> readVector(std::string_view stem) const {
        const std::string file = path(vectorName(stem));
        const auto text = readFile(file);
        if (!text) return fail(text.error());
        const auto column = format_->readVector(*text, file);
        if (!column) return fail(column.error());
        return linalg::toBlockVector(*column, rows_, file);
    }
    Expected<void> readB() {
        auto b = readVector("b");
        if (!b) return fail(b.error());
        system_.b = std::move(*b);
        return {};
    }
    /// Marks the blocks of the core: those that its file has, and the empty ones of which the pattern says so.
    Expected<void> readCore() {
        const std::string file = path(matrixName("core"));
        if (!somethingAt(file)) return {};
        const auto read = readMatrix("core");
        if (!read) return fail(read.error());
        if (read->rows != rows_ || read->columns != rows_)
            return wrong(fmt::format("the core is {} x {}, {} {} x {}", read->rows, read->columns, matrixName("A"),
                                     rows_, rows_),
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
            if (k >= 0 && pattern_ && !(core.offDiagonal[k] & linalg::CoreMask::kUsual))
                return wrong(fmt::format("entry ({}, {}) is of the core, and not by {}", e.row + 1, e.column + 1,
                                         matrixName("pattern")),
                             file, e.line);
            if (k < 0)
                return wrong(fmt::format("entry ({}, {}) is missing in {}", e.row + 1, e.column + 1, matrixName("A")),
                             file, e.line);
            if (!pattern_) core.offDiagonal[k] |= linalg::CoreMask::kCore;
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
    /// z says again what constraints.json says.
    Expected<void> readZ() {
        if (!there(vectorName("z"))) return {};
        const auto z = readVector("z");
        if (!z) return fail(z.error());
        linalg::BlockVector prescribed;
        system_.constraints.prescribed(prescribed);
        const double scale = std::max(z->flat().cwiseAbs().maxCoeff(), prescribed.flat().cwiseAbs().maxCoeff());
        for (Index r = 0; r < rows_; ++r) {
            const double here = z->flat()[r], there = prescribed.flat()[r];
            if (!(std::abs(here - there) <= 1e-6 * scale))
                return wrong(fmt::format("row {} is {}, and {} by constraints.json", r + 1, here, there),
                             path(vectorName("z")), 0);
        }
        return {};
    }
    /// So does S.
    Expected<void> readS() {
        const std::string file = path(matrixName("S"));
        if (!somethingAt(file)) return {};
        const auto read = readMatrix("S");
        if (!read) return fail(read.error());
        if (read->rows != rows_ || read->columns != rows_)
            return wrong(
                fmt::format("S is {} x {}, {} {} x {}", read->rows, read->columns, matrixName("A"), rows_, rows_), file,
                read->sizeLine);
        linalg::BlockMatrix left = filterMatrix(system_.constraints);  // S less what the file has of it
        for (const linalg::ReadMatrix::Entry& e : read->entries) {
            const Index k = left.pattern().find(e.row / 3, e.column / 3);
            if (k >= 0)
                left.block(k)(e.row % 3, e.column % 3) -= e.value;
            else if (e.value != 0)
                return wrong(fmt::format("S joins particles: it has an entry ({}, {})", e.row + 1, e.column + 1), file,
                             e.line);
        }
        for (Index r = 0; r < rows_; ++r)
            if (const double off = left.diagonal(r / 3).row(r % 3).cwiseAbs().maxCoeff(); !(off <= 1e-6))
                return wrong(fmt::format("row {} differs by {:.2g} from constraints.json", r + 1, off), file, 0);
        return {};
    }

    /// x, where v is beside it: the state that the system is of. An x without v is somebody's solution.
    Expected<void> readPositions() {
        const std::string file = path(vectorName("x"));
        if (!there(vectorName("x")) || !there(vectorName("v"))) return {};
        const auto text = readFile(file);
        if (!text) return fail(text.error());
        const auto x = format_->readVector(*text, file);
        if (!x) return fail(x.error());
        const Index particles = system_.A.rows();
        const bool byParticle = x->rows == particles && x->columns == 3;
        if (!byParticle && !(x->rows == 3 * particles && x->columns == 1))
            return wrong(fmt::format("the positions are {} x {}, and the system has {} particles", x->rows, x->columns,
                                     particles),
                         file, x->sizeLine);
        system_.positions.resize(particles);
        for (const linalg::ReadMatrix::Entry& e : x->entries)
            system_.positions.data()[byParticle ? 3 * e.row + e.column : e.row] = e.value;
        return {};
    }

    const std::string& folder_;
    const SystemFormat* format_ = &systemFormats().front();
    linalg::FrozenSystem system_;
    std::optional<linalg::ReadMatrix> pattern_;  // of blocks, each with its bits of the core mask
    Index rows_ = 0;                             // of A as its file has it; its blocks may hold two more
};

}  // namespace

Expected<linalg::FrozenSystem> importSystem(const std::string& folder) { return SystemReader(folder).read(); }

}  // namespace clothlab::experiments
