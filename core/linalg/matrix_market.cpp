#include "linalg/matrix_market.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace clothlab::linalg {
namespace {

bool takes(const BlockMatrix& A, const CoreMask* core, Index position, bool diagonal) {
    if (diagonal) return true;
    if (!A.occupied(position)) return false;
    return !core || (core->offDiagonal[static_cast<std::size_t>(position)] & CoreMask::kCore);
}

/// Calls f(row, column, value) for each scalar of the lower triangle that is written.
template <class F>
void forLower(const BlockMatrix& A, const CoreMask* core, F f) {
    const BlockPattern& p = A.pattern();
    for (Index i = 0; i < p.rows; ++i)
        for (int r = 0; r < 3; ++r)
            for (Index k = p.rowStart[static_cast<std::size_t>(i)]; k <= p.diagonal[static_cast<std::size_t>(i)]; ++k) {
                const Index j = p.column[static_cast<std::size_t>(k)];
                if (!takes(A, core, k, i == j)) continue;
                const auto block = A.block(k);
                for (int c = 0; c < (i == j ? r + 1 : 3); ++c) f(3 * i + r, 3 * j + c, block(r, c));
            }
}

/// Takes a file apart, line by line and word by word.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    /// The next line that is neither empty nor a comment; false at the end.
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
            if (number_ == 1 || (line_.find_first_not_of(" \t") != line_.npos && line_.front() != '%')) return true;
        }
        line_ = {};
        return false;
    }
    std::string_view word() {
        const std::size_t start = std::min(line_.find_first_not_of(" \t"), line_.size());
        line_.remove_prefix(start);
        const std::string_view word = line_.substr(0, line_.find_first_of(" \t"));
        line_.remove_prefix(word.size());
        return word;
    }
    bool integer(long& value) {
        const std::string_view w = word();
        const auto [end, ec] = std::from_chars(w.data(), w.data() + w.size(), value);
        return ec == std::errc{} && end == w.data() + w.size();
    }
    bool real(double& value) {
        std::string_view w = word();
        if (w.starts_with('+')) w.remove_prefix(1);
        const auto [end, ec] = std::from_chars(w.data(), w.data() + w.size(), value);
        return ec == std::errc{} && end == w.data() + w.size() && std::isfinite(value);
    }
    int number() const { return number_; }

private:
    std::string_view rest_, line_;
    int number_ = 0;
};

struct Header {
    bool coordinate = false, symmetric = false;
};

/// One file being read; the first mistake ends it.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text), file_(file), textSize_(text.size()) {}

    Expected<ReadMatrix> read() {
        if (auto done = readHeader(); !done) return tl::unexpected(done.error());
        if (auto done = readSize(); !done) return tl::unexpected(done.error());
        for (long k = 0; k < count_; ++k)
            if (auto done = header_.coordinate ? readEntry() : readValue(k); !done) return tl::unexpected(done.error());
        if (lines_.next()) return wrong("more entries than the size line says");
        return std::move(out_);
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::vector<std::string> choices = {}) const {
        return fail(Error{.message = std::move(message), .file = file_, .line = std::max(lines_.number(), 1), .column = 1,
                          .choices = std::move(choices)});
    }
    Expected<void> readHeader() {
        if (!lines_.next() || lines_.word() != "%%MatrixMarket" || lines_.word() != "matrix")
            return wrong("this is not a MatrixMarket file", {"%%MatrixMarket matrix coordinate real symmetric"});
        const std::string_view format = lines_.word(), field = lines_.word(), symmetry = lines_.word();
        if (format != "coordinate" && format != "array") return wrong("unknown format", {"coordinate", "array"});
        if (field != "real" && field != "integer") return wrong("unknown kind of numbers", {"real", "integer"});
        if (symmetry != "general" && symmetry != "symmetric") return wrong("unknown symmetry", {"general", "symmetric"});
        header_ = {format == "coordinate", symmetry == "symmetric"};
        if (!header_.coordinate && header_.symmetric) return wrong("a symmetric array is not read", {"array real general"});
        return {};
    }
    Expected<void> readSize() {
        long rows = 0, columns = 0;
        constexpr long kMax = std::numeric_limits<Index>::max();
        if (!lines_.next() || !lines_.integer(rows) || !lines_.integer(columns) || rows < 0 || columns < 0 || rows > kMax ||
            columns > kMax || (header_.coordinate && (!lines_.integer(count_) || count_ < 0)))
            return wrong("the size line is wrong", {header_.coordinate ? "rows columns entries" : "rows columns"});
        if (header_.symmetric && rows != columns) return wrong("a symmetric matrix must be square");
        // An entry takes two characters at least: a count beyond that is a lie, and nothing is allocated for it.
        const long room = static_cast<long>(textSize_) / 2;
        if (!header_.coordinate) count_ = columns > 0 && rows > room / columns ? room + 1 : rows * columns;
        if (count_ > room) return wrong("the size line promises more entries than the file can hold");
        out_.rows = static_cast<Index>(rows);
        out_.columns = static_cast<Index>(columns);
        out_.entries.reserve(static_cast<std::size_t>(count_) * (header_.symmetric ? 2 : 1));
        return {};
    }
    Expected<void> readEntry() {
        long row = 0, column = 0;
        double value = 0;
        if (!lines_.next()) return wrong("fewer entries than the size line says");
        if (!lines_.integer(row) || !lines_.integer(column) || !lines_.real(value)) return wrong("not an entry", {"row column value"});
        if (row < 1 || row > out_.rows || column < 1 || column > out_.columns)
            return wrong(fmt::format("entry ({}, {}) lies outside of the {} x {} matrix", row, column, out_.rows, out_.columns));
        if (header_.symmetric && column > row) return wrong("an entry above the diagonal of a symmetric matrix");
        const auto i = static_cast<Index>(row - 1), j = static_cast<Index>(column - 1);
        out_.entries.push_back({i, j, value});
        if (header_.symmetric && i != j) out_.entries.push_back({j, i, value});
        return {};
    }
    Expected<void> readValue(long k) {
        double value = 0;
        if (!lines_.next()) return wrong("fewer entries than the size line says");
        if (!lines_.real(value)) return wrong("not a number");
        out_.entries.push_back({static_cast<Index>(k % out_.rows), static_cast<Index>(k / out_.rows), value});
        return {};
    }

    Lines lines_;
    const std::string& file_;
    std::size_t textSize_;
    Header header_;
    long count_ = 0;
    ReadMatrix out_;
};

}  // namespace

std::string matrixMarketText(const BlockMatrix& A, const CoreMask* core) {
    std::size_t count = 0;
    forLower(A, core, [&](Index, Index, double) { ++count; });
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", 3 * A.rows(),
                   3 * A.rows(), count);
    forLower(A, core, [&](Index i, Index j, double value) {
        fmt::format_to(std::back_inserter(out), "{} {} {:.17g}\n", i + 1, j + 1, value);
    });
    return fmt::to_string(out);
}

std::string matrixMarketText(const BlockVector& x) {
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "%%MatrixMarket matrix array real general\n{} 1\n", 3 * x.size());
    for (Index i = 0; i < x.size(); ++i)
        for (int c = 0; c < 3; ++c) fmt::format_to(std::back_inserter(out), "{:.17g}\n", x[i][c]);
    return fmt::to_string(out);
}

std::string matrixMarketRows(const BlockVector& x) {
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "%%MatrixMarket matrix array real general\n{} 3\n", x.size());
    for (int c = 0; c < 3; ++c)  // the format goes down the columns
        for (Index i = 0; i < x.size(); ++i) fmt::format_to(std::back_inserter(out), "{:.17g}\n", x[i][c]);
    return fmt::to_string(out);
}

Eigen::MatrixXd ReadMatrix::dense() const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows, columns);
    for (const Entry& e : entries) m(e.row, e.column) += e.value;
    return m;
}

Expected<BlockMatrix> toBlockMatrix(const ReadMatrix& matrix, const std::string& file) {
    const auto wrong = [&](std::string what) { return fail(Error{.message = std::move(what), .file = file}); };
    if (matrix.rows != matrix.columns || matrix.rows == 0)
        return wrong(fmt::format("the matrix is {} x {}: a system needs a square one", matrix.rows, matrix.columns));
    std::vector<std::pair<Index, Index>> pairs;
    double trace = 0;
    for (const ReadMatrix::Entry& e : matrix.entries) {
        if (e.row / 3 > e.column / 3) pairs.emplace_back(e.column / 3, e.row / 3);
        if (e.row / 3 < e.column / 3) pairs.emplace_back(e.row / 3, e.column / 3);
        if (e.row == e.column) trace += e.value;
    }
    BlockMatrix A(makePattern((matrix.rows + 2) / 3, pairs));
    const BlockPattern& p = A.pattern();
    for (const ReadMatrix::Entry& e : matrix.entries) {
        const Index k = p.find(e.row / 3, e.column / 3);
        A.block(k)(e.row % 3, e.column % 3) += e.value;
        A.setOccupied(k, true);
    }
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k <= p.diagonal[i]; ++k) {
            const Mat3 block = A.block(k), mirror = A.block(p.find(p.column[k], i)).transpose();
            if ((block - mirror).cwiseAbs().maxCoeff() > 1e-12 * std::max(block.cwiseAbs().maxCoeff(), mirror.cwiseAbs().maxCoeff()))
                return wrong(fmt::format("the matrix is not symmetric in rows {} to {}, columns {} to {}", 3 * i + 1, 3 * i + 3,
                                         3 * p.column[k] + 1, 3 * p.column[k] + 3));
        }
    bool symmetric = true;
    for (Index k = 0; k < p.blocks(); ++k) symmetric = symmetric && A.block(k) == A.block(k).transpose();
    A.setSymmetricBlocks(symmetric);
    for (Index r = matrix.rows; r < 3 * p.rows; ++r) A.diagonal(p.rows - 1)(r % 3, r % 3) = trace / matrix.rows;
    return A;
}

Expected<BlockVector> toBlockVector(const ReadMatrix& column, Index rows, const std::string& file) {
    if (column.columns != 1 || column.rows > 3 * rows || column.rows <= 3 * (rows - 1))
        return fail(Error{.message = fmt::format("{} x {} does not go with a matrix of {} rows", column.rows, column.columns, 3 * rows),
                          .file = file});
    BlockVector x(rows);
    for (const ReadMatrix::Entry& e : column.entries) x[e.row / 3][e.row % 3] += e.value;
    return x;
}

Expected<ReadMatrix> readMatrixMarket(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace clothlab::linalg
