#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "linalg/block_kernels.hpp"
#include "linalg/block_matrix.hpp"

/// The formats in which a packed matrix keeps its blocks. Each has the number of values of a block, converts a block of
/// nine (false: the block does not have this form), and multiplies with a block from both sides at once: upper = B x_j
/// and lower = B^T x_i. Blocks are read four numbers wide, so some padding must follow the last.
namespace clothlab::linalg::packed {

using simd::Double4;

/// Any block, as it is.
struct Nine {
    static constexpr std::size_t kNumbers = 9;

    template <class Real>
    static bool take(const double* from, Real* to) {
        copyBlock(from, to);
        return true;
    }
    template <class Real>
    static Double4 times(const Real* b, const double* x) {
        return linalg::times(b, x);
    }
    template <class Real>
    static void products(const Real* b, const double* xi, const double* xj, Double4& upper, Double4& lower) {
        const Columns3 block = Columns3::load(b);
        upper = block.times(xj);
        lower = block.transposed().times(xi);
    }
};

/// A symmetric block, as it is.
struct SymmetricNine : Nine {
    template <class Real>
    static void products(const Real* b, const double* xi, const double* xj, Double4& upper, Double4& lower) {
        const Columns3 block = Columns3::load(b);
        upper = block.times(xj);
        lower = block.times(xi);
    }
};

/// The upper half of a symmetric block: a00 a01 a11 a02 a12 a22.
struct Six {
    static constexpr std::size_t kNumbers = 6;

    /// Bitwise: zeros of different sign differ, too.
    template <class Real>
    static bool take(const double* b, Real* to) {
        simd::storeSymmetric(b, to);
        const auto bits = [b](int k) { return std::bit_cast<std::uint64_t>(b[k]); };
        return ((bits(1) ^ bits(3)) | (bits(2) ^ bits(6)) | (bits(5) ^ bits(7))) == 0;
    }
    template <class Real>
    static Double4 times(const Real* b, const double* x) {
        return load(b).times(x);
    }
    template <class Real>
    static void products(const Real* b, const double* xi, const double* xj, Double4& upper, Double4& lower) {
        const Columns3 block = load(b);
        upper = block.times(xj);
        lower = block.times(xi);
    }

private:
    template <class Real>
    static Columns3 load(const Real* b) {
        Columns3 block;
        simd::loadSymmetric(b, block.c[0], block.c[1], block.c[2]);
        return block;
    }
};

/// The block of a spring, a I - m m^T: m, then a. Its eigenvalues are a, twice, and a - |m|^2, so trace and norm
/// determine a.
struct Four {
    static constexpr std::size_t kNumbers = 4;

    template <class Real>
    static bool take(const double* b, Real* to) {
        const double third = (b[0] + b[4] + b[8]) / 3;
        const double d0 = b[0] - third, d1 = b[4] - third, d2 = b[8] - third;
        const double squared = d0 * d0 + d1 * d1 + d2 * d2 + 2 * (b[3] * b[3] + b[6] * b[6] + b[7] * b[7]);
        const double a = third + std::sqrt(squared / 6);
        // m is the column that has the largest number on the diagonal of a I - B, divided by that number's root.
        const double *column = b, *pivot = b;
        column = b[4] < *pivot ? b + 3 : column;
        pivot = b[4] < *pivot ? b + 4 : pivot;
        column = b[8] < *pivot ? b + 6 : column;
        pivot = b[8] < *pivot ? b + 8 : pivot;
        const double largest = a - *pivot, scale = largest > 0 ? 1 / std::sqrt(largest) : 0;
        const double m0 = ((column == b ? a : 0) - column[0]) * scale;
        const double m1 = ((column == b + 3 ? a : 0) - column[1]) * scale;
        const double m2 = ((column == b + 6 ? a : 0) - column[2]) * scale;
        const auto off = [](double product, double is) { return std::abs(product + is); };
        const double error = std::max({off(m0 * m0 - a, b[0]), off(m1 * m1 - a, b[4]), off(m2 * m2 - a, b[8]),
                                       off(m0 * m1, b[3]), off(m0 * m2, b[6]), off(m1 * m2, b[7])});
        const double most = std::max({std::abs(b[0]), std::abs(b[4]), std::abs(b[8])});
        const bool fits = error <= 16 * std::numeric_limits<double>::epsilon() * most;
        const double on = fits ? 1 : 0;
        to[0] = Real(on * m0);
        to[1] = Real(on * m1);
        to[2] = Real(on * m2);
        to[3] = Real(on * a);
        return fits;
    }
    template <class Real>
    static void products(const Real* b, const double* xi, const double* xj, Double4& upper, Double4& lower) {
        const Double4 m = Double4::load(b), a = Double4::of(b + 3), i = Double4::load(xi), j = Double4::load(xj);
        Double4 mi, mj;
        simd::dots3(m, i, j, mi, mj);
        upper = subtractProduct(m, mj, a * j);
        lower = subtractProduct(m, mi, a * i);
    }
};

}  // namespace clothlab::linalg::packed
