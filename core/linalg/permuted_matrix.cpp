#include "linalg/permuted_matrix.hpp"

#include <algorithm>

namespace clothlab::linalg {

void PermutedMatrix::updatePattern(const BlockMatrix& A, std::span<const Index> order) {
    const BlockPattern& p = A.pattern();
    if (revision_ == p.revision && std::ranges::equal(order_, order)) return;
    revision_ = p.revision;
    order_.assign(order.begin(), order.end());
    std::vector<Index> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = Index(k);
    std::vector<Index> rowStart{0}, column;
    source_.clear();
    std::vector<std::pair<Index, Index>> row;  // column, position in A
    for (const Index i : order) {
        row.clear();
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) row.emplace_back(place[p.column[k]], k);
        std::sort(row.begin(), row.end());
        for (const auto& [j, k] : row) {
            column.push_back(j);
            source_.push_back(k);
        }
        rowStart.push_back(Index(column.size()));
    }
    matrix_.reset(makePattern(p.rows, std::move(rowStart), std::move(column)));
}

void PermutedMatrix::build(const BlockMatrix& A, std::span<const Index> order, WorkerPool& pool) {
    updatePattern(A, order);
    const BlockPattern& p = matrix_.pattern();
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index k = p.rowStart[begin]; k < p.rowStart[end]; ++k) {
            copyBlock(A.blockData(source_[k]), matrix_.blockData(k));
            matrix_.setOccupied(k, A.occupied(source_[k]));
        }
    });
    matrix_.setSymmetricBlocks(A.symmetricBlocks());
}

void PermutedMatrix::permute(const BlockVector& x, BlockVector& y) const {
    if (y.size() != x.size()) y.resize(x.size());
    for (Index k = 0; k < x.size(); ++k) y[k] = x[order_[k]];
}

void PermutedMatrix::restore(const BlockVector& y, BlockVector& x) const {
    if (x.size() != y.size()) x.resize(y.size());
    for (Index k = 0; k < y.size(); ++k) x[order_[k]] = y[k];
}

}  // namespace clothlab::linalg
