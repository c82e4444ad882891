#include "preconditioners/core_part.hpp"

#include <algorithm>

namespace clothlab::preconditioners {

namespace {

/// The blocks of `p` that count as core.
CorePart::Rows rowsOfCore(const linalg::BlockPattern& p, const linalg::CoreMask& core, std::uint8_t bits) {
    CorePart::Rows rows{.start = {0}};
    for (Index i = 0; i < p.rows; ++i) {
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (p.column[k] == i || (core.offDiagonal[k] & bits)) {
                rows.column.push_back(p.column[k]);
                rows.source.push_back(k);
            }
        rows.start.push_back(Index(rows.column.size()));
    }
    return rows;
}

std::uint64_t originRevision(const linalg::BlockPattern& p) { return p.origin ? p.origin->pattern->revision : 0; }

}  // namespace

/// The origin of the part is the same part of the matrix' origin.
std::shared_ptr<const linalg::PatternOrigin> CorePart::origin(const linalg::BlockPattern& p,
                                                              const linalg::CoreMask& core) {
    if (!p.origin || !core.ofOrigin) return {};
    const linalg::BlockPattern& whole = *p.origin->pattern;
    if (!originPart_ || originOf_ != whole.revision || originCore_ != core.ofOrigin->revision) {
        originOf_ = whole.revision;
        originCore_ = core.ofOrigin->revision;
        Rows rows = rowsOfCore(whole, *core.ofOrigin, bits_);
        originPart_ = linalg::makePattern(whole.rows, std::move(rows.start), std::move(rows.column));
    }
    return std::make_shared<const linalg::PatternOrigin>(
        linalg::PatternOrigin{.pattern = originPart_, .row = p.origin->row});
}

void CorePart::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core) {
    if (of_ == FactorOf::Matrix || !core) {
        pattern_ = matrix.sharedPattern();
        source_.clear();
        return;
    }
    const linalg::BlockPattern& p = matrix.pattern();
    Rows rows = rowsOfCore(p, *core, bits_);
    auto from = origin(p, *core);
    const bool kept = !source_.empty() && pattern_->rowStart == rows.start && pattern_->column == rows.column &&
                      originRevision(*pattern_) == (from ? from->pattern->revision : 0) &&
                      (!from || pattern_->origin->row == from->row);
    source_ = std::move(rows.source);
    if (kept) return;  // what changed lies outside of the core
    pattern_ = linalg::makePattern(p.rows, std::move(rows.start), std::move(rows.column), 0, std::move(from));
    part_.reset(pattern_);
}

const linalg::BlockMatrix& CorePart::of(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core,
                                        WorkerPool& pool) {
    if (source_.empty()) return matrix;
    const bool scalar = scalar_ && core && !core->outside.empty();
    parallelRows(pool, part_.rows(), [&](Index begin, Index end) {
        const linalg::BlockPattern& p = part_.pattern();
        for (Index k = p.rowStart[begin]; k < p.rowStart[end]; ++k) {
            const Index from = source_[k];
            linalg::copyBlock(matrix.blockData(from), part_.blockData(k));
            part_.setOccupied(k, matrix.occupied(from));
        }
        for (Index i = begin; scalar && i < end; ++i) part_.diagonal(i) -= core->outside[i];
    });
    part_.setSymmetricBlocks(matrix.symmetricBlocks());
    return part_;
}

}  // namespace clothlab::preconditioners
