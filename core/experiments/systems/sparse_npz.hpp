#pragma once

#include <string>
#include <string_view>

#include "linalg/matrix_market.hpp"

/// Matrices as scipy.sparse.save_npz writes them and load_npz reads them, vectors as numpy.save does.
namespace clothlab::experiments {

/// BSR with blocks of 3x3: the occupied blocks and the diagonal, both triangles; with a core mask only its blocks. An
/// Error beyond 4 GiB.
Expected<std::string> npzMatrix(const linalg::BlockMatrix& A, const linalg::CoreMask* core = nullptr);
/// CSR, N x N, the bits of the core mask as numbers, including zeros.
Expected<std::string> npzPattern(const linalg::BlockPattern& pattern, const linalg::CoreMask& core);
/// float64, 3N.
std::string npyVector(const linalg::BlockVector& x);
/// float64, N x 3.
std::string npyRows(const linalg::BlockVector& x);

/// Reads BSR, CSR, CSC or COO, compressed or not. An Error names the array and the problem: missing, of another type,
/// indices out of range, a number that is not finite.
Expected<linalg::ReadMatrix> readNpzMatrix(std::string_view bytes, const std::string& file);
/// Reads one column: (n,) or (n, 1), of numbers of any type; rows of three per particle, (n, 3), become a column.
Expected<linalg::ReadMatrix> readNpyVector(std::string_view bytes, const std::string& file);

}  // namespace clothlab::experiments
