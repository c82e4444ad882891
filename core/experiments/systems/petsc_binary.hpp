#pragma once

#include <string>
#include <string_view>

#include "linalg/matrix_market.hpp"

/// PETSc's binary format, as MatView and VecView write it and MatLoad and VecLoad read it (PETSc manual, "Viewers"):
/// big-endian, 32-bit indices, 64-bit numbers.
///
///     matrix: 1211216, rows, columns, entries; entries of each row; columns of the entries; values
///     vector: 1211214, rows; values
///
/// Both triangles, row after row, columns ascending.
namespace clothlab::experiments {

/// The occupied blocks and the diagonal, 3N x 3N; with a core mask only its blocks. An Error where there are more than
/// 2^31 - 1 entries.
Expected<std::string> petscMatrix(const linalg::BlockMatrix& A, const linalg::CoreMask* core = nullptr);
/// N x N, the bits of the core mask as numbers.
Expected<std::string> petscPattern(const linalg::BlockPattern& pattern, const linalg::CoreMask& core);
/// 3N.
std::string petscVector(const linalg::BlockVector& x);

/// Reads a sparse matrix. An Error names the byte: another kind of file, 64-bit indices, counts beyond the size of the
/// file, a column out of range, a number that is not finite, anything after the end.
Expected<linalg::ReadMatrix> readPetscMatrix(std::string_view bytes, const std::string& file);
/// Reads a vector, as a matrix of one column.
Expected<linalg::ReadMatrix> readPetscVector(std::string_view bytes, const std::string& file);

}  // namespace clothlab::experiments
