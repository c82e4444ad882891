#pragma once

#include "linalg/block_matrix.hpp"

/// The upper triangle of a symmetric block matrix as scalars, column after column with rows ascending: the form in
/// which CHOLMOD and Eigen take a symmetric matrix (and that CHOLMOD permutes in one pass; the lower one takes two).
/// Column 3j + c holds all three rows of every block (i, j) with i < j, and of the diagonal block the rows 0..c.
/// Unoccupied blocks are stored as zeros, so that a symbolic factor lasts as long as the pattern.
namespace clothlab::factors {

std::size_t upperEntries(const linalg::BlockPattern& pattern);

/// `start` has 3 rows + 1 places, `row` one per entry.
void upperStructure(const linalg::BlockPattern& pattern, int* start, int* row);

/// One value per entry.
void upperValues(const linalg::BlockMatrix& A, double* value);

}  // namespace clothlab::factors
