#pragma once

#include <Eigen/SparseCore>

#include "linalg/block_matrix.hpp"

namespace clothlab::bench {

/// The occupied part of a block matrix as a scalar sparse matrix, explicit zeros pruned.
template <int kOrder>
Eigen::SparseMatrix<double, kOrder> pruned(const linalg::BlockMatrix& A) {
    const linalg::BlockPattern& p = A.pattern();
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (A.occupied(k))
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        if (const double value = A.block(k)(r, c); value != 0.0)
                            entries.emplace_back(3 * i + r, 3 * p.column[k] + c, value);
    Eigen::SparseMatrix<double, kOrder> out(3 * p.rows, 3 * p.rows);
    out.setFromTriplets(entries.begin(), entries.end());
    out.makeCompressed();
    return out;
}

/// The same by blocks: a matrix whose pattern has only occupied blocks.
linalg::BlockMatrix prunedBlocks(const linalg::BlockMatrix& A);

}  // namespace clothlab::bench
