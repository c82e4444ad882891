#pragma once

/// Four doubles at once: AVX2 where the program is built for it, plain arrays elsewhere. Intrinsics are in this file
/// and in simd_floats.hpp only. Multiply-add is fused with AVX2 and not without: results differ between builds, never
/// within one.

#include <cmath>
#include <cstddef>

#include "base/types.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#define CLOTHLAB_AVX2 1
#include <immintrin.h>
#endif

namespace clothlab::simd {

/// Prefetches the cache line of p, which will be written soon. A bad address is ignored.
inline void prefetchForWrite([[maybe_unused]] const void* p) {
#if defined(__GNUC__)
    __builtin_prefetch(p, 1);
#endif
}

inline void prefetchForRead([[maybe_unused]] const void* p) {
#if defined(__GNUC__)
    __builtin_prefetch(p, 0);
#endif
}

/// In a loop that waits for another thread: leaves the core to its twin for a moment.
inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

#if defined(CLOTHLAB_AVX2)

/// a * b + c
inline double multiplyAdd(double a, double b, double c) { return __builtin_fma(a, b, c); }

struct Double4 {
    __m256d v;

    static Double4 zero() { return {_mm256_setzero_pd()}; }
    static Double4 all(double a) { return {_mm256_set1_pd(a)}; }
    static Double4 of(const double* p) { return {_mm256_broadcast_sd(p)}; }  ///< *p in all lanes
    static Double4 of(const float* p) { return all(*p); }
    static Double4 load(const double* p) { return {_mm256_loadu_pd(p)}; }
    static Double4 load(const float* p) { return {_mm256_cvtps_pd(_mm_loadu_ps(p))}; }
    void store(double* p) const { _mm256_storeu_pd(p, v); }
    void store(float* p) const { _mm_storeu_ps(p, _mm256_cvtpd_ps(v)); }
    /// Stores lanes 0 to 2; the memory behind them is unchanged.
    void store3(double* p) const {
        _mm_storeu_pd(p, _mm256_castpd256_pd128(v));
        _mm_store_sd(p + 2, _mm256_extractf128_pd(v, 1));
    }
    void store3(float* p) const {
        const __m128 rounded = _mm256_cvtpd_ps(v);
        _mm_storel_pi(reinterpret_cast<__m64*>(p), rounded);
        _mm_store_ss(p + 2, _mm_movehl_ps(rounded, rounded));
    }

    friend Double4 operator+(Double4 a, Double4 b) { return {_mm256_add_pd(a.v, b.v)}; }
    friend Double4 operator-(Double4 a, Double4 b) { return {_mm256_sub_pd(a.v, b.v)}; }
    friend Double4 operator*(Double4 a, Double4 b) { return {_mm256_mul_pd(a.v, b.v)}; }
    friend Double4 operator/(Double4 a, Double4 b) { return {_mm256_div_pd(a.v, b.v)}; }
    friend Double4 squareRoot(Double4 a) { return {_mm256_sqrt_pd(a.v)}; }
    friend Double4 larger(Double4 a, Double4 b) { return {_mm256_max_pd(a.v, b.v)}; }
    /// value where a < b, else 0; 0 if one of them is NaN.
    friend Double4 whereLess(Double4 a, Double4 b, Double4 value) {
        return {_mm256_and_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ), value.v)};
    }
    friend Double4 whereLessOrEqual(Double4 a, Double4 b, Double4 value) {
        return {_mm256_and_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ), value.v)};
    }
    /// Whether a < b in any lane.
    friend bool anyLess(Double4 a, Double4 b) { return _mm256_movemask_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ)) != 0; }
    /// a * b + c
    friend Double4 multiplyAdd(Double4 a, Double4 b, Double4 c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
    /// c - a * b
    friend Double4 subtractProduct(Double4 a, Double4 b, Double4 c) { return {_mm256_fnmadd_pd(a.v, b.v, c.v)}; }
    /// (a0 + a1) + (a2 + a3)
    double sum() const {
        const __m128d s = _mm_hadd_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
        return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
    }
    /// (a0 + a1) + a2
    double sum3() const {
        const __m128d low = _mm256_castpd256_pd128(v);
        const __m128d s = _mm_add_sd(low, _mm_unpackhi_pd(low, low));
        return _mm_cvtsd_f64(_mm_add_sd(s, _mm256_extractf128_pd(v, 1)));
    }
};

/// Rows of the 3x3 matrix whose columns are c0, c1, c2; lane 3 is arbitrary.
inline void transpose3(Double4 c0, Double4 c1, Double4 c2, Double4& r0, Double4& r1, Double4& r2) {
    const __m256d low = _mm256_unpacklo_pd(c0.v, c1.v);
    const __m256d high = _mm256_unpackhi_pd(c0.v, c1.v);
    r0.v = _mm256_permute2f128_pd(low, c2.v, 0x20);
    r1.v = _mm256_permute2f128_pd(high, _mm256_permute_pd(c2.v, 0b0101), 0x20);
    r2.v = _mm256_permute2f128_pd(low, c2.v, 0x31);
}

/// Columns of the symmetric 3x3 matrix stored as a00 a01 a11 a02 a12 a22; lane 3 is arbitrary. Reads one number beyond.
inline void loadSymmetric(const double* p, Double4& c0, Double4& c1, Double4& c2) {
    const __m256d second = _mm256_loadu_pd(p + 1);
    c0.v = _mm256_blend_pd(_mm256_loadu_pd(p), second, 0b0100);
    c1.v = _mm256_blend_pd(second, _mm256_loadu_pd(p + 2), 0b0100);
    c2.v = _mm256_loadu_pd(p + 3);
}
inline void loadSymmetric(const float* p, Double4& c0, Double4& c1, Double4& c2) {
    const __m128 second = _mm_loadu_ps(p + 1);
    c0.v = _mm256_cvtps_pd(_mm_blend_ps(_mm_loadu_ps(p), second, 0b0100));
    c1.v = _mm256_cvtps_pd(_mm_blend_ps(second, _mm_loadu_ps(p + 2), 0b0100));
    c2.v = _mm256_cvtps_pd(_mm_loadu_ps(p + 3));
}

/// Stores a symmetric 3x3 matrix, given as nine numbers by columns, in that form.
inline void storeSymmetric(const double* m, double* to) {
    _mm_storeu_pd(to, _mm_loadu_pd(m));
    _mm_storeu_pd(to + 2, _mm_loadh_pd(_mm_load_sd(m + 4), m + 6));
    _mm_storeu_pd(to + 4, _mm_loadu_pd(m + 7));
}
inline void storeSymmetric(const double* m, float* to) {
    const __m128 first = _mm_cvtpd_ps(_mm_loadu_pd(m)), second = _mm_cvtpd_ps(_mm_loadh_pd(_mm_load_sd(m + 4), m + 6));
    _mm_storeu_ps(to, _mm_movelh_ps(first, second));
    _mm_storel_pi(reinterpret_cast<__m64*>(to + 4), _mm_cvtpd_ps(_mm_loadu_pd(m + 7)));
}

/// m . a and m . b over lanes 0 to 2, each in all lanes.
inline void dots3(Double4 m, Double4 a, Double4 b, Double4& ma, Double4& mb) {
    const __m256d p = _mm256_mul_pd(m.v, a.v), q = _mm256_mul_pd(m.v, b.v);
    const __m256d even = _mm256_unpacklo_pd(p, q);  // p0 q0 p2 q2
    const __m128d odd = _mm_unpackhi_pd(_mm256_castpd256_pd128(p), _mm256_castpd256_pd128(q));
    const __m128d both = _mm_add_pd(_mm_add_pd(_mm256_castpd256_pd128(even), odd), _mm256_extractf128_pd(even, 1));
    ma.v = _mm256_broadcastsd_pd(both);
    mb.v = _mm256_broadcastsd_pd(_mm_unpackhi_pd(both, both));
}

/// Four points x y z x y z .. as one register per axis.
inline void loadPoints(const double* p, Double4 (&axis)[3]) {
    const __m256d a = _mm256_loadu_pd(p), b = _mm256_loadu_pd(p + 4), c = _mm256_loadu_pd(p + 8);
    const __m256d xy = _mm256_permute2f128_pd(a, b, 0x30);  // x0 y0 x2 y2
    const __m256d zx = _mm256_permute2f128_pd(a, c, 0x21);  // z0 x1 z2 x3
    const __m256d yz = _mm256_permute2f128_pd(b, c, 0x30);  // y1 z1 y3 z3
    axis[0].v = _mm256_shuffle_pd(xy, zx, 0b1010);
    axis[1].v = _mm256_shuffle_pd(xy, yz, 0b0101);
    axis[2].v = _mm256_shuffle_pd(zx, yz, 0b1010);
}

/// The inverse, added: p += axes.
inline void addPoints(const Double4 (&axis)[3], double* p) {
    const __m256d xy = _mm256_unpacklo_pd(axis[0].v, axis[1].v);         // x0 y0 x2 y2
    const __m256d zx = _mm256_shuffle_pd(axis[2].v, axis[0].v, 0b1010);  // z0 x1 z2 x3
    const __m256d yz = _mm256_unpackhi_pd(axis[1].v, axis[2].v);         // y1 z1 y3 z3
    const __m256d row[3] = {_mm256_permute2f128_pd(xy, zx, 0x20), _mm256_permute2f128_pd(yz, xy, 0x30),
                            _mm256_permute2f128_pd(zx, yz, 0x31)};
    for (std::size_t k = 0; k < 3; ++k) _mm256_storeu_pd(p + 4 * k, _mm256_add_pd(_mm256_loadu_pd(p + 4 * k), row[k]));
}

/// Four aligned rows of four doubles, row k at rows + offset[k], as one register per column.
inline void gatherRows(const double* rows, const Index (&offset)[4], Double4 (&column)[4]) {
    __m256d r[4];
    for (int k = 0; k < 4; ++k) r[k] = _mm256_load_pd(rows + offset[k]);
    const __m256d even01 = _mm256_unpacklo_pd(r[0], r[1]), even23 = _mm256_unpacklo_pd(r[2], r[3]);
    const __m256d odd01 = _mm256_unpackhi_pd(r[0], r[1]), odd23 = _mm256_unpackhi_pd(r[2], r[3]);
    column[0].v = _mm256_permute2f128_pd(even01, even23, 0x20);
    column[1].v = _mm256_permute2f128_pd(odd01, odd23, 0x20);
    column[2].v = _mm256_permute2f128_pd(even01, even23, 0x31);
    column[3].v = _mm256_permute2f128_pd(odd01, odd23, 0x31);
}

/// The inverse.
inline void scatterRows(const Double4 (&column)[4], double* rows, const Index (&offset)[4]) {
    const __m256d low02 = _mm256_unpacklo_pd(column[0].v, column[1].v);
    const __m256d low13 = _mm256_unpackhi_pd(column[0].v, column[1].v);
    const __m256d high02 = _mm256_unpacklo_pd(column[2].v, column[3].v);
    const __m256d high13 = _mm256_unpackhi_pd(column[2].v, column[3].v);
    _mm256_store_pd(rows + offset[0], _mm256_permute2f128_pd(low02, high02, 0x20));
    _mm256_store_pd(rows + offset[1], _mm256_permute2f128_pd(low13, high13, 0x20));
    _mm256_store_pd(rows + offset[2], _mm256_permute2f128_pd(low02, high02, 0x31));
    _mm256_store_pd(rows + offset[3], _mm256_permute2f128_pd(low13, high13, 0x31));
}

#else

inline double multiplyAdd(double a, double b, double c) { return a * b + c; }

struct Double4 {
    double v[4];

    static Double4 zero() { return {{0, 0, 0, 0}}; }
    static Double4 all(double a) { return {{a, a, a, a}}; }
    template <class Real>
    static Double4 of(const Real* p) {
        return all(*p);
    }
    static Double4 load(const double* p) { return {{p[0], p[1], p[2], p[3]}}; }
    static Double4 load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
    template <class Real>
    void store(Real* p) const {
        for (int i = 0; i < 4; ++i) p[i] = Real(v[i]);
    }
    template <class Real>
    void store3(Real* p) const {
        for (int i = 0; i < 3; ++i) p[i] = Real(v[i]);
    }
    friend Double4 operator+(Double4 a, const Double4& b) {
        for (int i = 0; i < 4; ++i) a.v[i] += b.v[i];
        return a;
    }
    friend Double4 operator-(Double4 a, const Double4& b) {
        for (int i = 0; i < 4; ++i) a.v[i] -= b.v[i];
        return a;
    }
    friend Double4 operator*(Double4 a, const Double4& b) {
        for (int i = 0; i < 4; ++i) a.v[i] *= b.v[i];
        return a;
    }
    friend Double4 operator/(Double4 a, const Double4& b) {
        for (int i = 0; i < 4; ++i) a.v[i] /= b.v[i];
        return a;
    }
    friend Double4 squareRoot(Double4 a) {
        for (double& each : a.v) each = std::sqrt(each);
        return a;
    }
    friend Double4 larger(Double4 a, const Double4& b) {
        for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Double4 whereLess(const Double4& a, const Double4& b, Double4 value) {
        for (int i = 0; i < 4; ++i) value.v[i] = a.v[i] < b.v[i] ? value.v[i] : 0.0;
        return value;
    }
    friend Double4 whereLessOrEqual(const Double4& a, const Double4& b, Double4 value) {
        for (int i = 0; i < 4; ++i) value.v[i] = a.v[i] <= b.v[i] ? value.v[i] : 0.0;
        return value;
    }
    friend bool anyLess(const Double4& a, const Double4& b) {
        return a.v[0] < b.v[0] || a.v[1] < b.v[1] || a.v[2] < b.v[2] || a.v[3] < b.v[3];
    }
    friend Double4 multiplyAdd(const Double4& a, const Double4& b, const Double4& c) { return a * b + c; }
    friend Double4 subtractProduct(const Double4& a, const Double4& b, const Double4& c) { return c - a * b; }
    double sum() const { return (v[0] + v[1]) + (v[2] + v[3]); }
    double sum3() const { return (v[0] + v[1]) + v[2]; }
};

inline void transpose3(const Double4& c0, const Double4& c1, const Double4& c2, Double4& r0, Double4& r1, Double4& r2) {
    r0 = {{c0.v[0], c1.v[0], c2.v[0], 0}};
    r1 = {{c0.v[1], c1.v[1], c2.v[1], 0}};
    r2 = {{c0.v[2], c1.v[2], c2.v[2], 0}};
}

template <class Real>
void loadSymmetric(const Real* p, Double4& c0, Double4& c1, Double4& c2) {
    c0 = {{p[0], p[1], p[3], 0}};
    c1 = {{p[1], p[2], p[4], 0}};
    c2 = {{p[3], p[4], p[5], 0}};
}

template <class Real>
void storeSymmetric(const double* m, Real* to) {
    constexpr int kOf[] = {0, 1, 4, 6, 7, 8};
    for (int k = 0; k < 6; ++k) to[k] = Real(m[kOf[k]]);
}

inline void dots3(const Double4& m, const Double4& a, const Double4& b, Double4& ma, Double4& mb) {
    ma = Double4::all((m * a).sum3());
    mb = Double4::all((m * b).sum3());
}

inline void loadPoints(const double* p, Double4 (&axis)[3]) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) axis[c].v[k] = p[3 * k + c];
}

inline void addPoints(const Double4 (&axis)[3], double* p) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) p[3 * k + c] += axis[c].v[k];
}

inline void gatherRows(const double* rows, const Index (&offset)[4], Double4 (&column)[4]) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 4; ++c) column[c].v[k] = rows[offset[k] + c];
}
inline void scatterRows(const Double4 (&column)[4], double* rows, const Index (&offset)[4]) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 4; ++c) rows[offset[k] + c] = column[c].v[k];
}

#endif

}  // namespace clothlab::simd
