#pragma once

/// Four doubles or eight floats at once: AVX2 where the program is built for it, plain arrays elsewhere. The only file
/// with intrinsics. Multiply-add is fused with AVX2 and not without: results differ between builds, never within one.

#include <cmath>
#include <cstddef>

#include "base/types.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#define CLOTHLAB_AVX2 1
#include <immintrin.h>
#endif

namespace clothlab::simd {

/// Asks for the cache line of p, which will be written soon. Any address will do: a bad one is ignored.
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
    /// Lanes 0 to 2; what lies behind stays as it is.
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
    /// value where a < b, else 0; 0 where one of them is not a number.
    friend Double4 whereLess(Double4 a, Double4 b, Double4 value) {
        return {_mm256_and_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ), value.v)};
    }
    friend Double4 whereLessOrEqual(Double4 a, Double4 b, Double4 value) {
        return {_mm256_and_pd(_mm256_cmp_pd(a.v, b.v, _CMP_LE_OQ), value.v)};
    }
    /// a * b + c
    friend Double4 multiplyAdd(Double4 a, Double4 b, Double4 c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
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

/// Four points x y z x y z .. as one register an axis.
inline void loadPoints(const double* p, Double4 (&axis)[3]) {
    const __m256d a = _mm256_loadu_pd(p), b = _mm256_loadu_pd(p + 4), c = _mm256_loadu_pd(p + 8);
    const __m256d xy = _mm256_permute2f128_pd(a, b, 0x30);  // x0 y0 x2 y2
    const __m256d zx = _mm256_permute2f128_pd(a, c, 0x21);  // z0 x1 z2 x3
    const __m256d yz = _mm256_permute2f128_pd(b, c, 0x30);  // y1 z1 y3 z3
    axis[0].v = _mm256_shuffle_pd(xy, zx, 0b1010);
    axis[1].v = _mm256_shuffle_pd(xy, yz, 0b0101);
    axis[2].v = _mm256_shuffle_pd(zx, yz, 0b1010);
}

/// p += the other way round.
inline void addPoints(const Double4 (&axis)[3], double* p) {
    const __m256d xy = _mm256_unpacklo_pd(axis[0].v, axis[1].v);         // x0 y0 x2 y2
    const __m256d zx = _mm256_shuffle_pd(axis[2].v, axis[0].v, 0b1010);  // z0 x1 z2 x3
    const __m256d yz = _mm256_unpackhi_pd(axis[1].v, axis[2].v);         // y1 z1 y3 z3
    const __m256d row[3] = {_mm256_permute2f128_pd(xy, zx, 0x20), _mm256_permute2f128_pd(yz, xy, 0x30),
                            _mm256_permute2f128_pd(zx, yz, 0x31)};
    for (std::size_t k = 0; k < 3; ++k) _mm256_storeu_pd(p + 4 * k, _mm256_add_pd(_mm256_loadu_pd(p + 4 * k), row[k]));
}

struct Float8 {
    __m256 v;

    static Float8 zero() { return {_mm256_setzero_ps()}; }
    static Float8 of(const float* p) { return {_mm256_broadcast_ss(p)}; }  ///< *p in all lanes
    static Float8 load(const float* p) { return {_mm256_loadu_ps(p)}; }
    void store(float* p) const { _mm256_storeu_ps(p, v); }
    /// a * b + c
    friend Float8 multiplyAdd(Float8 a, Float8 b, Float8 c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
    friend Float8 operator+(Float8 a, Float8 b) { return {_mm256_add_ps(a.v, b.v)}; }
};

/// Eight rows of four floats (x, y, z, surplus), row k at rows + offset[k], as one register an axis.
inline void gatherRows(const float* rows, const Index* offset, Float8 (&axis)[3]) {
    __m256 pair[4];  // rows k and k + 4
    for (int k = 0; k < 4; ++k)
        pair[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows + offset[k])),
                                       _mm_loadu_ps(rows + offset[k + 4]), 1);
    const __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(pair[0], pair[1]));
    const __m256d xy23 = _mm256_castps_pd(_mm256_unpacklo_ps(pair[2], pair[3]));
    axis[0].v = _mm256_castpd_ps(_mm256_unpacklo_pd(xy01, xy23));
    axis[1].v = _mm256_castpd_ps(_mm256_unpackhi_pd(xy01, xy23));
    axis[2].v = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(_mm256_unpackhi_ps(pair[0], pair[1])),
                                                    _mm256_castps_pd(_mm256_unpackhi_ps(pair[2], pair[3]))));
}

/// The other way: rows k and k + 4 of the eight, the fourth float of each 0.
inline void toRows(const Float8 (&axis)[3], __m256 (&row)[4]) {
    const __m256 zero = _mm256_setzero_ps();
    const __m256d low = _mm256_castps_pd(_mm256_unpacklo_ps(axis[0].v, axis[1].v));
    const __m256d high = _mm256_castps_pd(_mm256_unpackhi_ps(axis[0].v, axis[1].v));
    const __m256d lowZ = _mm256_castps_pd(_mm256_unpacklo_ps(axis[2].v, zero));
    const __m256d highZ = _mm256_castps_pd(_mm256_unpackhi_ps(axis[2].v, zero));
    row[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low, lowZ));
    row[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low, lowZ));
    row[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high, highZ));
    row[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high, highZ));
}

/// Eight rows one after another.
inline void storeRows(const Float8 (&axis)[3], float* rows) {
    __m256 row[4];
    toRows(axis, row);
    for (std::size_t k = 0; k < 4; ++k) {
        _mm_storeu_ps(rows + 4 * k, _mm256_castps256_ps128(row[k]));
        _mm_storeu_ps(rows + 4 * (k + 4), _mm256_extractf128_ps(row[k], 1));
    }
}

/// to += from, rows of four floats.
inline void addRow(const float* from, float* to) {
    _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), _mm_loadu_ps(from)));
}

/// Row k is added at rows + offset[k], one after another: two may have the same offset.
inline void addRows(const Float8 (&axis)[3], float* rows, const Index* offset) {
    __m256 row[4];
    toRows(axis, row);
    const auto add = [&](int k, __m128 each) {
        float* to = rows + offset[k];
        _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), each));
    };
    for (int k = 0; k < 4; ++k) add(k, _mm256_castps256_ps128(row[k]));
    for (int k = 0; k < 4; ++k) add(k + 4, _mm256_extractf128_ps(row[k], 1));
}

/// a0 + a1, a2 + a3, b0 + b1, b2 + b3 of each half. As hadd, which takes twice as long.
inline __m256 addNeighbours(__m256 a, __m256 b) {
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xDD));
}

/// Each axis summed over its lanes, ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)): a row of four floats for a and one for
/// b behind it, the fourth of each anything.
inline void storeSums(const Float8 (&a)[3], const Float8 (&b)[3], float* rows) {
    const __m256 ofA = addNeighbours(a[0].v, a[1].v), ofB = addNeighbours(b[0].v, b[1].v);
    const __m256 z = addNeighbours(a[2].v, b[2].v);
    const __m256 rowA = _mm256_add_ps(_mm256_shuffle_ps(ofA, z, 0x88), _mm256_shuffle_ps(ofA, z, 0xDD));
    const __m256 rowB = _mm256_add_ps(_mm256_shuffle_ps(ofB, z, 0x28), _mm256_shuffle_ps(ofB, z, 0x7D));
    _mm256_storeu_ps(rows,
                     _mm256_add_ps(_mm256_permute2f128_ps(rowA, rowB, 0x20), _mm256_permute2f128_ps(rowA, rowB, 0x31)));
}
inline void storeSums(const Float8 (&a)[3], float* row) {
    const __m256 xy = addNeighbours(a[0].v, a[1].v), z = addNeighbours(a[2].v, a[2].v);
    const __m256 sum = addNeighbours(xy, z);
    _mm_storeu_ps(row, _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1)));
}

/// Bit k: box k of eight, lo[axis][k] to hi[axis][k], meets the box from `low` to `high`, borders included.
template <int kAxes>
unsigned meetingBoxes(const float (&lo)[kAxes][8], const float (&hi)[kAxes][8], const float* low, const float* high) {
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int axis = 0; axis < kAxes; ++axis) {
        const __m256 under = _mm256_cmp_ps(_mm256_loadu_ps(lo[axis]), _mm256_set1_ps(high[axis]), _CMP_LE_OQ);
        const __m256 over = _mm256_cmp_ps(_mm256_loadu_ps(hi[axis]), _mm256_set1_ps(low[axis]), _CMP_GE_OQ);
        all = _mm256_and_ps(all, _mm256_and_ps(under, over));
    }
    return unsigned(_mm256_movemask_ps(all));
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
    friend Double4 whereLess(const Double4& a, const Double4& b, Double4 value) {
        for (int i = 0; i < 4; ++i) value.v[i] = a.v[i] < b.v[i] ? value.v[i] : 0.0;
        return value;
    }
    friend Double4 whereLessOrEqual(const Double4& a, const Double4& b, Double4 value) {
        for (int i = 0; i < 4; ++i) value.v[i] = a.v[i] <= b.v[i] ? value.v[i] : 0.0;
        return value;
    }
    friend Double4 multiplyAdd(const Double4& a, const Double4& b, const Double4& c) { return a * b + c; }
    double sum() const { return (v[0] + v[1]) + (v[2] + v[3]); }
    double sum3() const { return (v[0] + v[1]) + v[2]; }
};

inline void transpose3(const Double4& c0, const Double4& c1, const Double4& c2, Double4& r0, Double4& r1, Double4& r2) {
    r0 = {{c0.v[0], c1.v[0], c2.v[0], 0}};
    r1 = {{c0.v[1], c1.v[1], c2.v[1], 0}};
    r2 = {{c0.v[2], c1.v[2], c2.v[2], 0}};
}

inline void loadPoints(const double* p, Double4 (&axis)[3]) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) axis[c].v[k] = p[3 * k + c];
}

inline void addPoints(const Double4 (&axis)[3], double* p) {
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) p[3 * k + c] += axis[c].v[k];
}

struct Float8 {
    float v[8];

    static Float8 zero() { return {{0, 0, 0, 0, 0, 0, 0, 0}}; }
    static Float8 of(const float* p) { return {{*p, *p, *p, *p, *p, *p, *p, *p}}; }
    static Float8 load(const float* p) { return {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}}; }
    void store(float* p) const {
        for (int i = 0; i < 8; ++i) p[i] = v[i];
    }
    friend Float8 multiplyAdd(const Float8& a, const Float8& b, Float8 c) {
        for (int i = 0; i < 8; ++i) c.v[i] += a.v[i] * b.v[i];
        return c;
    }
    friend Float8 operator+(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] += b.v[i];
        return a;
    }
};

inline void gatherRows(const float* rows, const Index* offset, Float8 (&axis)[3]) {
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c) axis[c].v[k] = rows[offset[k] + c];
}

inline void storeRows(const Float8 (&axis)[3], float* rows) {
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 4; ++c) rows[4 * k + c] = c < 3 ? axis[c].v[k] : 0.0f;
}

inline void addRow(const float* from, float* to) {
    for (int c = 0; c < 4; ++c) to[c] += from[c];
}

inline void addRows(const Float8 (&axis)[3], float* rows, const Index* offset) {
    for (int k = 0; k < 8; ++k)
        for (int c = 0; c < 3; ++c) rows[offset[k] + c] += axis[c].v[k];
}

inline void storeSums(const Float8 (&a)[3], float* row) {
    for (int k = 0; k < 3; ++k) {
        const float* s = a[k].v;
        row[k] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
}
inline void storeSums(const Float8 (&a)[3], const Float8 (&b)[3], float* rows) {
    storeSums(a, rows);
    storeSums(b, rows + 4);
}

template <int kAxes>
unsigned meetingBoxes(const float (&lo)[kAxes][8], const float (&hi)[kAxes][8], const float* low, const float* high) {
    unsigned all = 0;
    for (int k = 0; k < 8; ++k) {
        bool meets = true;
        for (int axis = 0; axis < kAxes; ++axis) meets = meets && lo[axis][k] <= high[axis] && hi[axis][k] >= low[axis];
        all |= unsigned(meets) << k;
    }
    return all;
}

#endif

}  // namespace clothlab::simd
