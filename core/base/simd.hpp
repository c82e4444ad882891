#pragma once

/// Four doubles at once: AVX2 where the program is built for it, plain arrays elsewhere. The only file with
/// intrinsics. Multiply-add is fused with AVX2 and not without: results differ between builds, never within one.

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
    friend Double4 multiplyAdd(const Double4& a, const Double4& b, const Double4& c) { return a * b + c; }
    double sum() const { return (v[0] + v[1]) + (v[2] + v[3]); }
    double sum3() const { return (v[0] + v[1]) + v[2]; }
};

inline void transpose3(const Double4& c0, const Double4& c1, const Double4& c2, Double4& r0, Double4& r1, Double4& r2) {
    r0 = {{c0.v[0], c1.v[0], c2.v[0], 0}};
    r1 = {{c0.v[1], c1.v[1], c2.v[1], 0}};
    r2 = {{c0.v[2], c1.v[2], c2.v[2], 0}};
}

#endif

}  // namespace clothlab::simd
