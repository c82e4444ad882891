#include "linalg/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/text.hpp"

namespace clothlab::linalg {
namespace {

bool takes(const BlockMatrix& A, const CoreMask* core, Index position, bool diagonal) {
    if (diagonal) return true;
    if (!A.occupied(position)) return false;
    return !core || (core->offDiagonal[position] & CoreMask::kUsual);
}

/// Calls f(row, column, value) for each scalar of the lower triangle that is written.
template <class F>
void forLower(const BlockMatrix& A, const CoreMask* core, F f) {
    const BlockPattern& p = A.pattern();
    for (Index i = 0; i < p.rows; ++i)
        for (int r = 0; r < 3; ++r)
            for (Index k = p.rowStart[i]; k <= p.diagonal[i]; ++k) {
                const Index j = p.column[k];
                if (!takes(A, core, k, i == j)) continue;
                const auto block = A.block(k);
                for (int c = 0; c < (i == j ? r + 1 : 3); ++c) f(3 * i + r, 3 * j + c, block(r, c));
            }
}

/// A number as C or Fortran writes it: 1.0D+00 is 1.
std::optional<double> parseReal(std::string_view word) {
    if (word.find_first_of("Dd") == word.npos) return parseNumber(word);
    std::string plain(word);
    std::ranges::replace(plain, 'D', 'e');
    std::ranges::replace(plain, 'd', 'e');
    return parseNumber(plain);
}

/// Words of the format are the same in any case. `lower` is in lower case.
bool isWord(std::string_view word, std::string_view lower) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + ('a' - 'A')) : a) == b; };
    return std::ranges::equal(word, lower, same);
}

/// Takes a file apart, line by line and word by word.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {
        if (constexpr std::string_view kMark = "\xef\xbb\xbf"; rest_.starts_with(kMark))
            rest_.remove_prefix(kMark.size());
    }

    /// The next line that is neither empty nor a comment; false at the end.
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            column_ = 1;
            taken_ = 0;
            const std::size_t start = line_.find_first_not_of(kBlanks);
            if (number_ == 1 || (start != line_.npos && line_[start] != '%')) return true;
        }
        line_ = {};
        return false;
    }
    std::string_view word() {
        const std::size_t start = std::min(line_.find_first_not_of(kBlanks), line_.size());
        line_.remove_prefix(start);
        const std::string_view word = line_.substr(0, line_.find_first_of(kBlanks));
        line_.remove_prefix(word.size());
        column_ = taken_ + int(start) + 1;
        taken_ += int(start + word.size());
        return word;
    }
    bool integer(long& value) {
        const auto parsed = parseWhole(word());
        value = parsed.value_or(0);
        return parsed.has_value();
    }
    bool real(double& value) {
        const auto parsed = parseReal(word());
        value = parsed.value_or(0);
        return parsed && std::isfinite(value);
    }
    /// Whether the line has no further word; moves to it otherwise.
    bool ended() { return word().empty(); }
    int number() const { return number_; }
    /// Where the last word begins, from 1.
    int column() const { return column_; }

private:
    static constexpr std::string_view kBlanks = " \t\r\f\v";

    std::string_view rest_, line_;
    int number_ = 0, column_ = 1, taken_ = 0;
};

struct Header {
    bool coordinate = false, symmetric = false;
};

/// One file being read; the first mistake ends it.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text), file_(file), textSize_(text.size()) {}

    Expected<ReadMatrix> read() {
        if (auto done = readHeader(); !done) return fail(done.error());
        if (auto done = readSize(); !done) return fail(done.error());
        for (long k = 0; k < count_; ++k)
            if (auto done = header_.coordinate ? readEntry() : readValue(k); !done) return fail(done.error());
        if (lines_.next()) return wrong("more entries than the size line says");
        return std::move(out_);
    }

private:
    tl::unexpected<Error> wrong(std::string message, std::vector<std::string> choices = {}) const {
        return fail(Error{.message = std::move(message),
                          .file = file_,
                          .line = std::max(lines_.number(), 1),
                          .column = lines_.column(),
                          .choices = std::move(choices)});
    }
    /// The number of the word in a list of those that are read; -1: none of them.
    int readChoice(std::span<const std::string_view> choices) {
        const std::string_view word = lines_.word();
        const auto found = std::ranges::find_if(choices, [&](std::string_view one) { return isWord(word, one); });
        return found == choices.end() ? -1 : int(found - choices.begin());
    }
    Expected<void> readHeader() {
        if (!lines_.next() || !isWord(lines_.word(), "%%matrixmarket") || !isWord(lines_.word(), "matrix"))
            return wrong("this is not a MatrixMarket file", {"%%MatrixMarket matrix coordinate real symmetric"});
        constexpr std::array<std::string_view, 2> kFormats{"coordinate", "array"}, kSymmetries{"general", "symmetric"};
        constexpr std::array<std::string_view, 2> kNumbers{"real", "integer"};
        const auto words = [](const auto& list) { return std::vector<std::string>(list.begin(), list.end()); };
        const int format = readChoice(kFormats);
        if (format < 0) return wrong("unknown format", words(kFormats));
        if (readChoice(kNumbers) < 0) return wrong("unknown kind of numbers", words(kNumbers));
        const int symmetry = readChoice(kSymmetries);
        if (symmetry < 0) return wrong("unknown symmetry", words(kSymmetries));
        if (!lines_.ended()) return wrong("unexpected text at the end of the line");
        header_ = {format == 0, symmetry == 1};
        return {};
    }
    Expected<void> readSize() {
        long rows = 0, columns = 0;
        constexpr long kMax = std::numeric_limits<Index>::max();
        if (!lines_.next() || !lines_.integer(rows) || !lines_.integer(columns) || rows < 0 || columns < 0 ||
            rows > kMax || columns > kMax || (header_.coordinate && (!lines_.integer(count_) || count_ < 0)))
            return wrong("the size line is wrong", {header_.coordinate ? "rows columns entries" : "rows columns"});
        if (!lines_.ended()) return wrong("unexpected text at the end of the line");
        if (header_.symmetric && rows != columns) return wrong("a symmetric matrix must be square");
        // An entry takes two characters at least: a count beyond that is a lie, and nothing is allocated for it.
        const long room = static_cast<long>(textSize_) / 2;
        if (!header_.coordinate) count_ = columns > 0 && rows > room / columns ? room + 1 : rows * columns;
        if (!header_.coordinate && header_.symmetric)  // the lower triangle alone; its rows fit into an Index
            count_ = rows * (rows + 1) / 2;
        if (count_ > room) return wrong("the size line promises more entries than the file can hold");
        out_.rows = Index(rows);
        out_.columns = Index(columns);
        out_.sizeLine = lines_.number();
        out_.entries.reserve(count_ * (header_.symmetric ? 2 : 1));
        return {};
    }
    Expected<void> readEntry() {
        long row = 0, column = 0;
        double value = 0;
        if (!lines_.next()) return wrong("fewer entries than the size line says");
        if (!lines_.integer(row) || !lines_.integer(column) || !lines_.real(value))
            return wrong("not an entry", {"row column value, finite: 1 1 1.5, 1 1 1.5e-3 or 1 1 1.5D-03"});
        if (!lines_.ended()) return wrong("unexpected text at the end of the line", {"row column value"});
        if (row < 1 || row > out_.rows || column < 1 || column > out_.columns)
            return wrong(
                fmt::format("entry ({}, {}) lies outside of the {} x {} matrix", row, column, out_.rows, out_.columns));
        if (header_.symmetric && column > row) return wrong("an entry above the diagonal of a symmetric matrix");
        const auto i = Index(row - 1), j = Index(column - 1);
        out_.entries.push_back({i, j, lines_.number(), value});
        if (header_.symmetric && i != j) out_.entries.push_back({j, i, lines_.number(), value});
        return {};
    }
    Expected<void> readValue(long k) {
        double value = 0;
        if (!lines_.next()) return wrong("fewer entries than the size line says");
        if (!lines_.real(value)) return wrong("not a finite number", {"1.5, 1.5e-3 or 1.5D-03"});
        if (!lines_.ended()) return wrong("unexpected text at the end of the line", {"one number per line"});
        if (!header_.symmetric) {
            out_.entries.push_back({Index(k % out_.rows), Index(k / out_.rows), lines_.number(), value});
            return {};
        }
        out_.entries.push_back({row_, column_, lines_.number(), value});
        if (row_ != column_) out_.entries.push_back({column_, row_, lines_.number(), value});
        if (++row_ == out_.rows) row_ = ++column_;  // down the columns of the lower triangle
        return {};
    }

    Lines lines_;
    const std::string& file_;
    std::size_t textSize_;
    Header header_;
    long count_ = 0;
    Index row_ = 0, column_ = 0;  // of the next value of a symmetric array
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

std::string patternText(const BlockPattern& pattern, const CoreMask& core) {
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "%%MatrixMarket matrix coordinate integer symmetric\n{} {} {}\n",
                   pattern.rows, pattern.rows, (pattern.blocks() + pattern.rows) / 2);
    for (Index i = 0; i < pattern.rows; ++i)
        for (Index k = pattern.rowStart[i]; k <= pattern.diagonal[i]; ++k)
            fmt::format_to(std::back_inserter(out), "{} {} {}\n", i + 1, pattern.column[k] + 1,
                           core.offDiagonal.empty() ? CoreMask::kCore : core.offDiagonal[k]);
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

namespace {

/// Every row needs a diagonal entry: a matrix without is not positive definite. As the file has room for the entries,
/// nothing is allocated that it does not hold.
Expected<void> checkDiagonal(const ReadMatrix& matrix, const std::string& file) {
    const auto wrong = [&](std::string what) {
        return fail(Error{.message = std::move(what), .file = file, .line = matrix.sizeLine});
    };
    if (matrix.rows != matrix.columns || matrix.rows == 0)
        return wrong(fmt::format("the matrix is {} x {}: a system needs a square one", matrix.rows, matrix.columns));
    constexpr std::string_view kWhy = "has no entry on the diagonal: the matrix is not positive definite";
    if (matrix.entries.size() < std::size_t(matrix.rows))
        return wrong(
            fmt::format("there are {} rows and {} entries: some row {}", matrix.rows, matrix.entries.size(), kWhy));
    std::vector<bool> there(matrix.rows, false);
    for (const ReadMatrix::Entry& e : matrix.entries)
        if (e.row == e.column) there[e.row] = true;
    if (const auto row = std::find(there.begin(), there.end(), false); row != there.end())
        return wrong(fmt::format("row {} {}", row - there.begin() + 1, kWhy));
    return {};
}

/// The block matrix with the sums of the entries; a sum can leave the range of a double.
Expected<BlockMatrix> assemble(const ReadMatrix& matrix, const std::string& file, const ReadMatrix* pattern) {
    std::vector<std::pair<Index, Index>> pairs;
    if (pattern)
        for (const ReadMatrix::Entry& e : pattern->entries)
            if (e.row < e.column) pairs.emplace_back(e.row, e.column);
    for (const ReadMatrix::Entry& e : matrix.entries) {
        if (e.row / 3 > e.column / 3) pairs.emplace_back(e.column / 3, e.row / 3);
        if (e.row / 3 < e.column / 3) pairs.emplace_back(e.row / 3, e.column / 3);
    }
    BlockMatrix A(makePattern((matrix.rows + 2) / 3, pairs));
    double mean = 0;
    for (const ReadMatrix::Entry& e : matrix.entries) {
        const Index k = A.pattern().find(e.row / 3, e.column / 3);
        double& sum = A.block(k)(e.row % 3, e.column % 3);
        sum += e.value;
        if (!std::isfinite(sum))
            return fail(Error{.message = "the entries at this place add up to infinity", .file = file, .line = e.line});
        A.setOccupied(k, true);
        if (e.row == e.column) mean += e.value / matrix.rows;
    }
    for (Index r = matrix.rows; r < 3 * A.rows(); ++r) A.diagonal(A.rows() - 1)(r % 3, r % 3) = mean;
    return A;
}

bool mirrors(double a, double b, double scale) { return std::abs(a - b) <= 1e-12 * scale; }

/// The first entry whose mirror image differs.
Expected<void> checkSymmetry(const ReadMatrix& matrix, const BlockMatrix& A, const std::string& file) {
    const BlockPattern& p = A.pattern();
    for (const ReadMatrix::Entry& e : matrix.entries) {
        const auto block = A.block(p.find(e.row / 3, e.column / 3)), mirror = A.block(p.find(e.column / 3, e.row / 3));
        const double scale = std::max(block.cwiseAbs().maxCoeff(), mirror.cwiseAbs().maxCoeff());
        const double here = block(e.row % 3, e.column % 3), there = mirror(e.column % 3, e.row % 3);
        if (mirrors(here, there, scale)) continue;
        return fail(Error{
            .message = fmt::format("the matrix is not symmetric: {} in row {}, column {}, and {} in row {}, column {}",
                                   here, e.row + 1, e.column + 1, there, e.column + 1, e.row + 1),
            .file = file,
            .line = e.line});
    }
    return {};
}

}  // namespace

Expected<BlockMatrix> toBlockMatrix(const ReadMatrix& matrix, const std::string& file, const ReadMatrix* pattern) {
    if (auto done = checkDiagonal(matrix, file); !done) return fail(done.error());
    auto A = assemble(matrix, file, pattern);
    if (!A) return A;
    if (auto done = checkSymmetry(matrix, *A, file); !done) return fail(done.error());
    bool symmetric = true;
    for (Index k = 0; k < A->pattern().blocks(); ++k) symmetric = symmetric && A->block(k) == A->block(k).transpose();
    A->setSymmetricBlocks(symmetric);
    return A;
}

Expected<BlockVector> toBlockVector(const ReadMatrix& column, Index rows, const std::string& file) {
    const auto wrong = [&](std::string what, int line) {
        return fail(Error{.message = std::move(what), .file = file, .line = line});
    };
    if (column.columns != 1 || column.rows != rows)
        return wrong(
            fmt::format("this is {} x {}, which does not fit a matrix of {} rows", column.rows, column.columns, rows),
            column.sizeLine);
    BlockVector x((rows + 2) / 3);
    for (const ReadMatrix::Entry& e : column.entries) {
        double& sum = x[e.row / 3][e.row % 3];
        sum += e.value;
        if (!std::isfinite(sum)) return wrong("the entries at this place add up to infinity", e.line);
    }
    return x;
}

Expected<ReadMatrix> readMatrixMarket(std::string_view text, const std::string& file) {
    return Reader(text, file).read();
}

}  // namespace clothlab::linalg
