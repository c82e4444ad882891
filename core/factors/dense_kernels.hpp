#pragma once

#include <cstddef>

#include "base/worker_pool.hpp"

/// The dense kernels of the multifrontal factor, in double and in single precision. Matrices are column-major. Each
/// number is summed in one order, whatever the processor and the number of threads, so a factor has the same bits
/// everywhere; a BLAS picks its order by the processor.
///
/// All work is done by one micro-kernel: a tile of 8 x 6 (single precision 16 x 6) in registers, to which the products
/// of a column of A and a row of B^T are added. A and B are packed first, so that it reads them sequentially.

namespace clothlab::factors {

/// C = -A B^T or C -= A B^T of size rows x columns; A is rows x depth, B columns x depth.
template <class T>
struct RankUpdate {
    int rows, columns, depth;
    const T* a;
    const T* b;
    T* c;
    int ldA, ldB, ldC;
    bool adds = true;        ///< to C; otherwise C is overwritten
    bool lowerOnly = false;  ///< C begins on the diagonal of a symmetric matrix: tiles above it are left out
};
template <class T>
void update(const RankUpdate<T>& u);

/// The lower Cholesky factor of A (n x n, its lower triangle), in place. Returns -1, or the first column whose pivot is
/// not positive.
template <class T>
int cholesky(int n, T* a, int ld);

/// The same for the first n columns of a matrix of `rows` rows on several threads: the rows below become X of X L^T =
/// B, with the bits of `cholesky` and `solveTransposed`.
template <class T>
int choleskyOfColumns(int n, int rows, T* a, int ld, WorkerPool& pool);

/// X L^T = B: B (rows x n) becomes X; L is lower triangular, n x n.
template <class T>
void solveTransposed(int rows, int n, const T* l, T* b, int ld);

}  // namespace clothlab::factors
