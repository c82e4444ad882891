#include "experiments/systems/sparse_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "experiments/systems/written_blocks.hpp"
#include "records/npy.hpp"
#include "records/zip.hpp"

namespace clothlab::experiments {
namespace {

using linalg::BlockMatrix;
using linalg::BlockPattern;
using linalg::CoreMask;
using linalg::ReadMatrix;
using records::NpyArray;
using records::npyText;

using Wholes = std::vector<std::int64_t>;

/// The arrays of a matrix with compressed rows, of blocks or of numbers.
Expected<std::string> makeNpz(std::string_view form, std::int64_t rows, std::span<const std::int32_t> starts,
                              std::span<const std::int32_t> columns, std::string data) {
    const Wholes shape{rows, rows};
    const std::vector<std::pair<std::string_view, std::string>> members{
        {"indices.npy", npyText(columns)},      {"indptr.npy", npyText(starts)},
        {"format.npy", records::npyWord(form)}, {"shape.npy", npyText(std::span<const std::int64_t>(shape))},
        {"data.npy", std::move(data)},
    };
    return records::zipText(members);
}

/// One archive being read; the first mistake ends it.
class NpzReader {
public:
    NpzReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    Expected<ReadMatrix> read() {
        auto members = records::readZip(bytes_, file_);
        if (!members) return fail(members.error());
        members_ = std::move(*members);
        const auto format = array("format");
        if (!format) return fail(format.error());
        const std::string form = records::toWord(*format);
        const bool compressed = form == "csr" || form == "csc" || form == "bsr";
        if (!compressed && form != "coo")
            return fail(Error{.message = fmt::format("format.npy: '{}' is not read", shown(form)),
                              .file = file_,
                              .choices = {"bsr", "csr", "csc", "coo"}});
        if (auto done = readShape(); !done) return fail(done.error());
        if (auto done = form == "coo" ? readTriples() : readCompressed(form); !done) return fail(done.error());
        return std::move(out_);
    }

private:
    tl::unexpected<Error> wrong(std::string_view name, std::string_view what) const {
        return fail(Error{.message = fmt::format("{}.npy: {}", name, what), .file = file_});
    }
    std::string arrayPlace(std::string_view name) const { return fmt::format("{}: {}.npy", file_, name); }

    Expected<NpyArray> array(std::string_view name) const {
        const auto member = std::ranges::find_if(
            members_, [&](const records::ZipMember& m) { return m.name == fmt::format("{}.npy", name); });
        if (member == members_.end())
            return wrong(name, "the archive has no such array, as scipy.sparse.save_npz writes it");
        return records::readNpy(member->bytes, arrayPlace(name));
    }
    Expected<Wholes> indices(std::string_view name, std::size_t count) const {
        const auto read = array(name);
        if (!read) return fail(read.error());
        if (read->shape.size() != 1 || std::size_t(read->count()) != count)
            return wrong(name, fmt::format("it has the shape {}, and ({},) is needed", read->shapeText(), count));
        return records::toWholes(*read, arrayPlace(name));
    }
    Expected<void> readShape() {
        const auto shape = indices("shape", 2);
        if (!shape) return fail(shape.error());
        constexpr std::int64_t kMost = std::numeric_limits<Index>::max();
        for (const std::int64_t n : *shape)
            if (n < 0 || n > kMost) return wrong("shape", fmt::format("{} is not a number of rows", n));
        out_.rows = Index((*shape)[0]);
        out_.columns = Index((*shape)[1]);
        return {};
    }
    Expected<std::vector<double>> numbers(const NpyArray& data) const {
        auto values = records::toNumbers(data, arrayPlace("data"));
        if (!values) return values;
        const auto odd = std::ranges::find_if_not(*values, [](double value) { return std::isfinite(value); });
        if (odd != values->end()) return wrong("data", fmt::format("value {} is {}", odd - values->begin(), *odd));
        return values;
    }
    Expected<void> add(std::string_view name, std::int64_t row, std::int64_t column, double value) {
        if (row < 0 || row >= out_.rows || column < 0 || column >= out_.columns)
            return wrong(name,
                         fmt::format("entry ({}, {}) lies outside of {} x {}", row, column, out_.rows, out_.columns));
        out_.entries.push_back({Index(row), Index(column), 0, value});
        return {};
    }

    Expected<void> readTriples() {
        const auto data = array("data");
        if (!data) return fail(data.error());
        const auto values = numbers(*data);
        if (!values) return fail(values.error());
        const auto rows = indices("row", values->size()), columns = indices("col", values->size());
        if (!rows) return fail(rows.error());
        if (!columns) return fail(columns.error());
        for (std::size_t k = 0; k < values->size(); ++k)
            if (auto done = add("row", (*rows)[k], (*columns)[k], (*values)[k]); !done) return done;
        return {};
    }
    /// Rows of numbers or blocks, or columns of numbers.
    Expected<void> readCompressed(const std::string& form) {
        const auto data = array("data");
        if (!data) return fail(data.error());
        const bool blocks = form == "bsr";
        if (data->shape.size() != (blocks ? 3u : 1u) || data->fortranOrder)
            return wrong("data", fmt::format("it has the shape {}, and needs {} in C order", data->shapeText(),
                                             blocks ? "three dimensions" : "one dimension"));
        const std::int64_t height = blocks ? data->shape[1] : 1, width = blocks ? data->shape[2] : 1;
        if (height < 1 || width < 1 || out_.rows % height != 0 || out_.columns % width != 0)
            return wrong("data",
                         fmt::format("blocks of {} x {} do not fill {} x {}", height, width, out_.rows, out_.columns));
        const auto values = numbers(*data);
        if (!values) return fail(values.error());
        const std::int64_t majors = form == "csc" ? out_.columns : out_.rows / height, count = data->shape[0];
        const auto starts = indices("indptr", std::size_t(majors) + 1), minors = indices("indices", std::size_t(count));
        if (!starts) return fail(starts.error());
        if (!minors) return fail(minors.error());
        if (starts->front() != 0 || starts->back() != count || !std::ranges::is_sorted(*starts))
            return wrong("indptr", fmt::format("it has to rise from 0 to {}", count));
        out_.entries.reserve(values->size());
        for (std::int64_t i = 0; i < majors; ++i)
            for (std::int64_t k = (*starts)[i]; k < (*starts)[i + 1]; ++k) {
                const std::int64_t j = (*minors)[k];
                if (j < 0 || j > std::max(out_.rows, out_.columns))
                    return wrong("indices", fmt::format("{} is out of range", j));
                for (std::int64_t e = 0; e < height * width; ++e) {
                    const double value = (*values)[k * height * width + e];
                    const std::int64_t row = form == "csc" ? j : i * height + e / width,
                                       column = form == "csc" ? i : j * width + e % width;
                    if (auto done = add("indices", row, column, value); !done) return done;
                }
            }
        return {};
    }

    std::string_view bytes_;
    const std::string& file_;
    std::vector<records::ZipMember> members_;
    ReadMatrix out_;
};

}  // namespace

Expected<std::string> npzMatrix(const BlockMatrix& A, const CoreMask* core) {
    std::vector<std::int32_t> starts(std::size_t(A.rows()) + 1, 0), columns;
    std::vector<double> values;
    forWritten(A, core, [&](Index i, Index k) {
        ++starts[i + 1];
        columns.push_back(A.pattern().column[k]);
        const auto block = A.block(k);
        for (int r = 0; r < 3; ++r)  // ours are kept column after column
            for (int c = 0; c < 3; ++c) values.push_back(block(r, c));
    });
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    return makeNpz("bsr", 3 * std::int64_t(A.rows()), starts, columns,
                   npyText(values, {std::int64_t(columns.size()), 3, 3}));
}

Expected<std::string> npzPattern(const BlockPattern& p, const CoreMask& core) {
    std::vector<double> bits;
    bits.reserve(std::size_t(p.blocks()));
    for (Index k = 0; k < p.blocks(); ++k) bits.push_back(coreBits(core, k));
    return makeNpz("csr", p.rows, p.rowStart, p.column, npyText(bits, {p.blocks()}));
}

std::string npyVector(const linalg::BlockVector& x) {
    return npyText(std::span(x.data(), 3 * std::size_t(x.size())), {3 * std::int64_t(x.size())});
}

std::string npyRows(const linalg::BlockVector& x) {
    return npyText(std::span(x.data(), 3 * std::size_t(x.size())), {x.size(), 3});
}

Expected<ReadMatrix> readNpzMatrix(std::string_view bytes, const std::string& file) {
    return NpzReader(bytes, file).read();
}

Expected<ReadMatrix> readNpyVector(std::string_view bytes, const std::string& file) {
    const auto wrong = [&](std::string what) { return fail(Error{.message = std::move(what), .file = file}); };
    const auto array = records::readNpy(bytes, file);
    if (!array) return fail(array.error());
    const auto& shape = array->shape;
    const bool rowsOfThree = shape.size() == 2 && shape[1] == 3 && !array->fortranOrder;
    if (!(shape.size() == 1 || (shape.size() == 2 && shape[1] == 1) || rowsOfThree))
        return wrong(fmt::format("it has the shape {}{}: a vector is (n,), (n, 1) or (n/3, 3) in C order",
                                 array->shapeText(), array->fortranOrder ? " in Fortran's order" : ""));
    if (array->count() > std::numeric_limits<Index>::max()) return wrong("it has more than 2^31 - 1 values");
    const auto values = records::toNumbers(*array, file);
    if (!values) return fail(values.error());
    ReadMatrix out{.rows = Index(values->size()), .columns = 1};
    for (Index row = 0; row < out.rows; ++row) {
        const double value = (*values)[row];
        if (!std::isfinite(value)) return wrong(fmt::format("value {} is {}", row, value));
        out.entries.push_back({row, 0, 0, value});
    }
    return out;
}

}  // namespace clothlab::experiments
