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
};

/// M x for the block at m.
template <class Real>
simd::Double4 times(const Real* m, const double* x) {
    using simd::Double4;
    return multiplyAdd(
        Double4::load(m), Double4::of(x),
        multiplyAdd(Double4::load(m + 3), Double4::of(x + 1), Double4::load(m + 6) * Double4::of(x + 2)));
}

/// M^T x for the block at m.
template <class Real>
simd::Double4 transposedTimes(const Real* m, const double* x) {
    using simd::Double4;
    Double4 r0 = Double4::zero(), r1 = r0, r2 = r0;
    transpose3(Double4::load(m), Double4::load(m + 3), Double4::load(m + 6), r0, r1, r2);
    return multiplyAdd(r0, Double4::of(x), multiplyAdd(r1, Double4::of(x + 1), r2 * Double4::of(x + 2)));
}

}  // namespace clothlab::linalg
