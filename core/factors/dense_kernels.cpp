#include "factors/dense_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd.hpp"
#include "base/simd_floats.hpp"

namespace clothlab::factors {
namespace {

constexpr int kColumns = 6;        ///< of a tile
constexpr int kDepth = 192;        ///< that is packed at a time
constexpr int kPacked = 96;        ///< columns of C whose rows of B are packed together
constexpr int kPanel = 24;         ///< columns that are eliminated one by one before a rank update
constexpr int kRowsAtOnce = 32;    ///< of B while such a panel is solved
constexpr int kRowsOfThread = 96;  ///< that one thread takes at a time

template <class T>
struct Lanes;
template <>
struct Lanes<double> {
    using Vector = simd::Double4;
    static constexpr int kWidth = 4;
    static Vector all(double a) { return Vector::all(a); }
};
template <>
struct Lanes<float> {
    using Vector = simd::Float8;
    static constexpr int kWidth = 8;
    static Vector all(float a) { return Vector::of(&a); }
};
template <class T>
constexpr int kRows = 2 * Lanes<T>::kWidth;

/// Panels of `height` rows, one after the other, each column by column; rows that are missing are zero.
template <int height, class T>
void pack(int rows, int depth, const T* from, int ld, T* to) {
    for (int first = 0; first < rows; first += height) {
        const int here = std::min(height, rows - first);
        for (int k = 0; k < depth; ++k, to += height) {
            const T* column = from + std::size_t(k) * ld + first;
            if (here == height) {
                std::copy_n(column, height, to);
            } else {
                std::copy_n(column, here, to);
                std::fill(to + here, to + height, T(0));
            }
        }
    }
}

/// The tile: out -= A B^T, or out = -A B^T, of packed panels.
template <class T>
void multiply(int depth, const T* a, const T* b, bool adds, T* out, int ld) {
    using V = typename Lanes<T>::Vector;
    constexpr int w = Lanes<T>::kWidth;
    V low0 = V::zero(), low1 = V::zero(), low2 = V::zero(), low3 = V::zero(), low4 = V::zero(), low5 = V::zero();
    V high0 = low0, high1 = low0, high2 = low0, high3 = low0, high4 = low0, high5 = low0;
    const auto add = [](const V& x, const V& y, T factor, V& low, V& high) {
        const V all = Lanes<T>::all(factor);
        low = multiplyAdd(x, all, low);
        high = multiplyAdd(y, all, high);
    };
    for (int k = 0; k < depth; ++k, a += kRows<T>, b += kColumns) {
        const V x = V::load(a), y = V::load(a + w);
        add(x, y, b[0], low0, high0);
        add(x, y, b[1], low1, high1);
        add(x, y, b[2], low2, high2);
        add(x, y, b[3], low3, high3);
        add(x, y, b[4], low4, high4);
        add(x, y, b[5], low5, high5);
    }
    const V* const sums[] = {&low0, &high0, &low1, &high1, &low2, &high2, &low3, &high3, &low4, &high4, &low5, &high5};
    for (int j = 0; j < kColumns; ++j, out += ld)
        for (int half = 0; half < 2; ++half) {
            T* to = out + half * w;
            const V before = adds ? V::load(to) : V::zero();
            (before - *sums[2 * j + half]).store(to);
        }
}

/// A tile that lies beyond C in part.
template <class T>
void multiplyPart(int depth, const T* a, const T* b, bool adds, int rows, int columns, T* out, int ld) {
    alignas(64) T tile[kRows<T> * kColumns];
    multiply(depth, a, b, false, tile, kRows<T>);
    for (int j = 0; j < columns; ++j, out += ld)
        for (int i = 0; i < rows; ++i) out[i] = (adds ? out[i] : T(0)) + tile[j * kRows<T> + i];
}

/// Columns first .. first + columns of C, with a part of the depth.
template <class T>
void updateColumns(const RankUpdate<T>& u, int first, int columns, int from, int depth, bool adds) {
    alignas(64) T packedB[kPacked * kDepth];
    alignas(64) T packedA[kRows<T> * kDepth];
    pack<kColumns>(columns, depth, u.b + std::size_t(from) * u.ldB + first, u.ldB, packedB);
    for (int row = u.lowerOnly ? first / kRows<T> * kRows<T> : 0; row < u.rows; row += kRows<T>) {
        const int rows = std::min(kRows<T>, u.rows - row);
        pack<kRows<T>>(rows, depth, u.a + std::size_t(from) * u.ldA + row, u.ldA, packedA);
        for (int column = 0; column < columns; column += kColumns) {
            if (u.lowerOnly && first + column >= row + rows) break;
            const T* b = packedB + std::size_t(column) * depth;
            T* c = u.c + std::size_t(first + column) * u.ldC + row;
            if (rows == kRows<T> && columns - column >= kColumns)
                multiply(depth, packedA, b, adds, c, u.ldC);
            else
                multiplyPart(depth, packedA, b, adds, rows, std::min(kColumns, columns - column), c, u.ldC);
        }
    }
}

/// Cholesky of a small block, column by column.
template <class T>
int choleskyOfPanel(int n, T* a, int ld) {
    for (int j = 0; j < n; ++j) {
        T* column = a + std::size_t(j) * ld;
        if (!(column[j] > 0)) return j;
        const T pivot = std::sqrt(column[j]), inverse = 1 / pivot;
        if (!std::isfinite(inverse)) return j;
        column[j] = pivot;
        for (int i = j + 1; i < n; ++i) column[i] *= inverse;
        for (int k = j + 1; k < n; ++k) {
            T* target = a + std::size_t(k) * ld;
            const T factor = column[k];
            for (int i = k; i < n; ++i) target[i] -= column[i] * factor;
        }
    }
    return -1;
}

/// X L^T = B for a panel of columns, so many rows at once in a buffer of their own.
template <class T>
void solvePanel(int rows, int n, const T* l, int ldL, T* b, int ldB) {
    using V = typename Lanes<T>::Vector;
    constexpr int w = Lanes<T>::kWidth, count = kRowsAtOnce / w;
    alignas(64) T x[kPanel * kRowsAtOnce];
    for (int first = 0; first < rows; first += kRowsAtOnce) {
        const int here = std::min(kRowsAtOnce, rows - first);
        for (int j = 0; j < n; ++j) {
            T* own = x + j * kRowsAtOnce;
            std::copy_n(b + std::size_t(j) * ldB + first, here, own);
            std::fill(own + here, own + kRowsAtOnce, T(0));
            V sum[count];
            for (int v = 0; v < count; ++v) sum[v] = V::load(own + v * w);
            for (int p = 0; p < j; ++p) {
                const V factor = Lanes<T>::all(-l[std::size_t(p) * ldL + j]);
                const T* other = x + p * kRowsAtOnce;
                for (int v = 0; v < count; ++v) sum[v] = multiplyAdd(V::load(other + v * w), factor, sum[v]);
            }
            for (int v = 0; v < count; ++v) sum[v].store(own + v * w);
            const T inverse = 1 / l[std::size_t(j) * ldL + j];
            for (int i = 0; i < kRowsAtOnce; ++i) own[i] *= inverse;
            std::copy_n(own, here, b + std::size_t(j) * ldB + first);
        }
    }
}

}  // namespace

template <class T>
void update(const RankUpdate<T>& u) {
    for (int first = 0; first < u.columns; first += kPacked) {
        const int columns = std::min(kPacked, u.columns - first);
        for (int from = 0; from < u.depth; from += kDepth)
            updateColumns(u, first, columns, from, std::min(kDepth, u.depth - from), u.adds || from > 0);
    }
}

template <class T>
int cholesky(int n, T* a, int ld) {
    for (int j = 0; j < n; j += kPanel) {
        const int columns = std::min(kPanel, n - j);
        T* corner = a + std::size_t(j) * ld + j;
        if (j > 0)
            update<T>({.rows = n - j,
                       .columns = columns,
                       .depth = j,
                       .a = a + j,
                       .b = a + j,
                       .c = corner,
                       .ldA = ld,
                       .ldB = ld,
                       .ldC = ld,
                       .lowerOnly = true});
        if (const int bad = choleskyOfPanel(columns, corner, ld); bad >= 0) return j + bad;
        solvePanel(n - j - columns, columns, corner, ld, corner + columns, ld);
    }
    return -1;
}

/// Columns after columns, left-looking; each of the two steps over rows that do not depend on each other.
template <class T>
int choleskyOfColumns(int n, int rows, T* a, int ld, WorkerPool& pool) {
    const auto overRows = [&](int begin, auto&& f) {
        const int chunks = (rows - begin + kRowsOfThread - 1) / kRowsOfThread;
        pool.forChunks(chunks, pool.inlineRows(), [&](Index chunk) {
            const int first = begin + int(chunk) * kRowsOfThread;
            f(first, std::min(kRowsOfThread, rows - first));
        });
    };
    for (int j = 0; j < n; j += kPanel) {
        const int columns = std::min(kPanel, n - j);
        T* const panel = a + std::size_t(j) * ld;
        if (j > 0)
            overRows(j, [&](int first, int count) {
                update<T>({.rows = count,
                           .columns = columns,
                           .depth = j,
                           .a = a + first,
                           .b = a + j,
                           .c = panel + first,
                           .ldA = ld,
                           .ldB = ld,
                           .ldC = ld,
                           .lowerOnly = first == j});
            });
        if (const int bad = choleskyOfPanel(columns, panel + j, ld); bad >= 0) return j + bad;
        overRows(j + columns,
                 [&](int first, int count) { solvePanel(count, columns, panel + j, ld, panel + first, ld); });
    }
    return -1;
}

template <class T>
void solveTransposed(int rows, int n, const T* l, T* b, int ld) {
    for (int j = 0; j < n; j += kPanel) {
        const int columns = std::min(kPanel, n - j);
        T* own = b + std::size_t(j) * ld;
        if (j > 0)
            update<T>({.rows = rows,
                       .columns = columns,
                       .depth = j,
                       .a = b,
                       .b = l + j,
                       .c = own,
                       .ldA = ld,
                       .ldB = ld,
                       .ldC = ld});
        solvePanel(rows, columns, l + std::size_t(j) * ld + j, ld, own, ld);
    }
}

template void update(const RankUpdate<double>&);
template void update(const RankUpdate<float>&);
template int cholesky(int, double*, int);
template int cholesky(int, float*, int);
template int choleskyOfColumns(int, int, double*, int, WorkerPool&);
template int choleskyOfColumns(int, int, float*, int, WorkerPool&);
template void solveTransposed(int, int, const double*, double*, int);
template void solveTransposed(int, int, const float*, float*, int);

}  // namespace clothlab::factors
