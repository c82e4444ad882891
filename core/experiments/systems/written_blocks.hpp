#pragma once

#include "linalg/linear_system.hpp"

namespace clothlab::experiments {

/// Whether a block is written: diagonal or occupied ones; with a core mask those of the core.
inline bool isWritten(const linalg::BlockMatrix& A, const linalg::CoreMask* core, Index row, Index position) {
    if (A.pattern().column[position] == row) return true;
    return A.occupied(position) && (!core || (core->offDiagonal[position] & linalg::CoreMask::kUsual));
}

/// Calls f(row, position) for each block that is written, row after row, columns ascending.
template <class F>
void forWritten(const linalg::BlockMatrix& A, const linalg::CoreMask* core, F f) {
    const linalg::BlockPattern& p = A.pattern();
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (isWritten(A, core, i, k)) f(i, k);
}

/// The bits of the core mask of a block; without one, all is core.
inline std::uint8_t coreBits(const linalg::CoreMask& core, Index position) {
    return core.offDiagonal.empty() ? linalg::CoreMask::kCore : core.offDiagonal[position];
}

}  // namespace clothlab::experiments
