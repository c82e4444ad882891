#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "linalg/linear_system.hpp"

/// MatrixMarket text for writing and reading linear systems. Numbers have 17 digits, so that they read back to the same
/// bits.
namespace clothlab::linalg {

/// "coordinate real symmetric": the lower triangle of the occupied blocks, 3N x 3N. With a core mask, only the
/// off-diagonal blocks that belong to the core; the diagonal blocks stay whole.
std::string matrixMarketText(const BlockMatrix& A, const CoreMask* core = nullptr);

/// "coordinate integer symmetric": the lower triangle of a pattern of blocks, N x N, occupied or not, each with its
/// bits of the core mask.
std::string patternText(const BlockPattern& pattern, const CoreMask& core);

/// "array real general", 3N x 1.
std::string matrixMarketText(const BlockVector& x);
/// The same numbers as "array real general", N x 3: a particle's vector in each row.
std::string matrixMarketRows(const BlockVector& x);

/// A matrix as read from a file. A symmetric file has been completed: both triangles are here.
struct ReadMatrix {
    struct Entry {
        Index row, column;  ///< from 0
        int line;           ///< of the file, from 1
        double value;       ///< finite
    };
    Index rows = 0, columns = 0;
    int sizeLine = 0;  ///< the line with rows and columns
    std::vector<Entry> entries;

    Eigen::MatrixXd dense() const;  ///< repeated entries are added
};

/// A symmetric matrix of any size in 3x3 blocks; if the size is no multiple of three, the last block is padded with the
/// mean of the diagonal, uncoupled. Every block with an entry is occupied. An Error gives the place where the matrix is
/// not square, has an empty diagonal or is not symmetric (to 1e-12 of the largest entry of the pair of blocks).
/// `pattern` has a row and a column for each block, and lists the blocks to include, occupied or not.
Expected<BlockMatrix> toBlockMatrix(const ReadMatrix& matrix, const std::string& file,
                                    const ReadMatrix* pattern = nullptr);
/// A column for a matrix of this many rows (scalars), padded with zeros to whole blocks.
Expected<BlockVector> toBlockVector(const ReadMatrix& column, Index rows, const std::string& file);

/// Reads coordinate and array files, real or integer, general or symmetric, as in the format's paper (of
/// Boisvert, Pozo and Remington): words in any case, any blanks, empty lines, exponents of C and of Fortran. A mistake
/// is an Error with its line and column: numbers that are not finite, too many or too few entries, anything left on a
/// line.
Expected<ReadMatrix> readMatrixMarket(std::string_view text, const std::string& file);

}  // namespace clothlab::linalg
