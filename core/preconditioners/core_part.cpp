#include "preconditioners/core_part.hpp"

#include <algorithm>

namespace clothlab::preconditioners {

void CorePart::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core) {
    if (of_ == FactorOf::Matrix || !core) {
        pattern_ = matrix.sharedPattern();
        source_.clear();
        return;
    }
    const linalg::BlockPattern& p = matrix.pattern();
    std::vector<Index> rowStart{0}, column;
    source_.clear();
    for (Index i = 0; i < p.rows; ++i) {
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (p.column[k] == i || (core->offDiagonal[k] & bits())) {
                column.push_back(p.column[k]);
                source_.push_back(k);
            }
        rowStart.push_back(Index(column.size()));
    }
    pattern_ = linalg::makePattern(p.rows, std::move(rowStart), std::move(column));
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
