#pragma once

#include "base/simd.hpp"

/// A 3x3 block, by columns, times a vector. Both are read four numbers wide: one number behind the block and one behind
/// the vector must be readable. Lane 3 of the result is arbitrary.
namespace clothlab::linalg {

/// The columns of a 3x3 block in registers; lane 3 is arbitrary.
struct Columns3 {
    simd::Double4 c[3];

    template <class Real>
    static Columns3 load(const Real* m) {
        return {simd::Double4::load(m), simd::Double4::load(m + 3), simd::Double4::load(m + 6)};
    }
    /// The third column must not touch the next block; the first two are overwritten where they spill.
    template <class Real>
    void store(Real* m) const {
        c[0].store(m);
        c[1].store(m + 3);
        c[2].store3(m + 6);
    }
    /// this -= U V^T for the blocks at u and v
    template <class Real>
    void subtractProduct(const Columns3& u, const Real* v) {
        using simd::Double4;
        for (int k = 0; k < 3; ++k) {
            const Double4 minus = Double4::zero() - u.c[k];
            for (int j = 0; j < 3; ++j) c[j] = multiplyAdd(minus, Double4::of(v + 3 * k + j), c[j]);
        }
    }
    simd::Double4 times(const double* x) const {
        using simd::Double4;
        return multiplyAdd(c[0], Double4::of(x), multiplyAdd(c[1], Double4::of(x + 1), c[2] * Double4::of(x + 2)));
    }
    Columns3 transposed() const {
        Columns3 rows;
        transpose3(c[0], c[1], c[2], rows.c[0], rows.c[1], rows.c[2]);
        return rows;
    }
    /// this L^T for a lower triangular L
    template <class Real>
    Columns3 timesTransposed(const Real* l) const {
        using simd::Double4;
        return {
            c[0] * Double4::of(l), multiplyAdd(c[0], Double4::of(l + 1), c[1] * Double4::of(l + 4)),
            multiplyAdd(c[0], Double4::of(l + 2), multiplyAdd(c[1], Double4::of(l + 5), c[2] * Double4::of(l + 8)))};
    }
};

/// M x for the block at m.
template <class Real>
simd::Double4 times(const Real* m, const double* x) {
    return Columns3::load(m).times(x);
}

/// M^T x for the block at m.
template <class Real>
simd::Double4 transposedTimes(const Real* m, const double* x) {
    return Columns3::load(m).transposed().times(x);
}

}  // namespace clothlab::linalg
