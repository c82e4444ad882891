#include "factors/scalar_upper.hpp"

namespace clothlab::factors {

std::size_t upperEntries(const linalg::BlockPattern& p) {
    std::size_t entries = 0;
    for (Index j = 0; j < p.rows; ++j) entries += 6 + 9 * std::size_t(p.diagonal[j] - p.rowStart[j]);
    return entries;
}

void upperStructure(const linalg::BlockPattern& p, int* start, int* row) {
    int slot = 0;
    for (Index j = 0; j < p.rows; ++j)
        for (int c = 0; c < 3; ++c) {
            start[3 * j + c] = slot;
            for (Index k = p.rowStart[j]; k < p.diagonal[j]; ++k)
                for (int r = 0; r < 3; ++r) row[slot++] = 3 * p.column[k] + r;
            for (int r = 0; r <= c; ++r) row[slot++] = 3 * j + r;
        }
    start[3 * std::size_t(p.rows)] = slot;
}

void upperValues(const linalg::BlockMatrix& A, double* value) {
    const linalg::BlockPattern& p = A.pattern();
    std::size_t slot = 0;
    for (Index j = 0; j < p.rows; ++j)
        for (int c = 0; c < 3; ++c) {
            // Block (i, j) = block (j, i)^T: column c of it is row c of the stored one.
            for (Index k = p.rowStart[j]; k < p.diagonal[j]; ++k)
                for (int r = 0; r < 3; ++r) value[slot++] = A.blockData(k)[3 * r + c];
            const double* own = A.blockData(p.diagonal[j]) + std::ptrdiff_t{3} * c;
            for (int r = 0; r <= c; ++r) value[slot++] = own[r];
        }
}

}  // namespace clothlab::factors
