#pragma once

#include <array>
#include <cstdint>

#include "base/simd.hpp"

/// Eight floats at once, as simd.hpp has four doubles.
namespace clothlab::simd {

/// Boxes in whole numbers: k reaches from lo[axis][k] to hi[axis][k].
template <int kAxes>
struct alignas(32) SixteenBoxes {
    std::int16_t lo[kAxes][16], hi[kAxes][16];
};

#if defined(CLOTHLAB_AVX2)

struct Float8 {
    __m256 v;

    static Float8 zero() { return {_mm256_setzero_ps()}; }
    static Float8 of(const float* p) { return {_mm256_broadcast_ss(p)}; }  ///< *p in all lanes
    static Float8 load(const float* p) { return {_mm256_loadu_ps(p)}; }
    void store(float* p) const { _mm256_storeu_ps(p, v); }
    /// a * b + c
    friend Float8 multiplyAdd(Float8 a, Float8 b, Float8 c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
    friend Float8 operator+(Float8 a, Float8 b) { return {_mm256_add_ps(a.v, b.v)}; }
    friend Float8 operator-(Float8 a, Float8 b) { return {_mm256_sub_ps(a.v, b.v)}; }
    friend Float8 operator*(Float8 a, Float8 b) { return {_mm256_mul_ps(a.v, b.v)}; }
    friend Float8 operator/(Float8 a, Float8 b) { return {_mm256_div_ps(a.v, b.v)}; }
    /// If one of the numbers is NaN: b; likewise for `larger`.
    friend Float8 smaller(Float8 a, Float8 b) { return {_mm256_min_ps(a.v, b.v)}; }
    friend Float8 larger(Float8 a, Float8 b) { return {_mm256_max_ps(a.v, b.v)}; }
    friend Float8 squareRoot(Float8 a) { return {_mm256_sqrt_ps(a.v)}; }
    /// Bit k: a > b in lane k.
    friend unsigned lanesGreater(Float8 a, Float8 b) {
        return unsigned(_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)));
    }
};

/// Eight rows of four floats (x, y, z, padding), row k at rows + offset[k], as one register per axis.
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

/// The inverse: rows k and k + 4 of the eight, the fourth float of each 0.
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

/// Adds row k at rows + offset[k], one after another: two may have the same offset.
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

/// a0 + a1, a2 + a3, b0 + b1, b2 + b3 of each half. Like hadd, which takes twice as long.
inline __m256 addNeighbours(__m256 a, __m256 b) {
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xDD));
}

/// Each axis summed over its lanes, ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)): one row of four floats for a and one for
/// b behind it, their fourth floats arbitrary.
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

/// Bit k: these[k] == those[k].
inline unsigned lanesEqual(const Index (&these)[8], const Index (&those)[8]) {
    const auto load = [](const Index(&of)[8]) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(of)); };
    return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(load(these), load(those)))));
}

/// Bit k: no axis separates box k from the box `low` to `high` at all of the `kTimes` times. Touching boxes are not
/// separated.
template <int kTimes, int kAxes>
unsigned meetingBoxes(const std::array<SixteenBoxes<kAxes>, 2>& boxes, const std::int16_t* const (&low)[2],
                      const std::int16_t* const (&high)[2]) {
    const auto load = [](const std::int16_t(&of)[16]) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(of));
    };
    __m256i apart = _mm256_setzero_si256();
    for (int axis = 0; axis < kAxes; ++axis) {
        __m256i over = _mm256_cmpgt_epi16(load(boxes[0].lo[axis]), _mm256_set1_epi16(high[0][axis]));
        __m256i under = _mm256_cmpgt_epi16(_mm256_set1_epi16(low[0][axis]), load(boxes[0].hi[axis]));
        if constexpr (kTimes == 2) {
            over =
                _mm256_and_si256(over, _mm256_cmpgt_epi16(load(boxes[1].lo[axis]), _mm256_set1_epi16(high[1][axis])));
            under =
                _mm256_and_si256(under, _mm256_cmpgt_epi16(_mm256_set1_epi16(low[1][axis]), load(boxes[1].hi[axis])));
        }
        apart = _mm256_or_si256(apart, _mm256_or_si256(over, under));
        if (axis == 2 && _mm256_movemask_epi8(apart) == -1) return 0;
    }
    const unsigned bytes = unsigned(_mm256_movemask_epi8(_mm256_packs_epi16(apart, _mm256_setzero_si256())));
    return ~((bytes & 0xffu) | (bytes >> 8 & 0xff00u)) & 0xffffu;
}

#else

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
    friend Float8 operator-(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] -= b.v[i];
        return a;
    }
    friend Float8 operator*(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] *= b.v[i];
        return a;
    }
    friend Float8 operator/(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] /= b.v[i];
        return a;
    }
    friend Float8 smaller(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Float8 larger(Float8 a, const Float8& b) {
        for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Float8 squareRoot(Float8 a) {
        for (float& each : a.v) each = std::sqrt(each);
        return a;
    }
    friend unsigned lanesGreater(const Float8& a, const Float8& b) {
        unsigned mask = 0;
        for (int i = 0; i < 8; ++i) mask |= unsigned(a.v[i] > b.v[i]) << i;
        return mask;
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

inline unsigned lanesEqual(const Index (&these)[8], const Index (&those)[8]) {
    unsigned mask = 0;
    for (int i = 0; i < 8; ++i) mask |= unsigned(these[i] == those[i]) << i;
    return mask;
}

template <int kTimes, int kAxes>
unsigned meetingBoxes(const std::array<SixteenBoxes<kAxes>, 2>& boxes, const std::int16_t* const (&low)[2],
                      const std::int16_t* const (&high)[2]) {
    unsigned all = 0;
    for (int k = 0; k < 16; ++k) {
        bool apart = false;
        for (int axis = 0; axis < kAxes; ++axis) {
            bool over = true, under = true;
            for (int time = 0; time < kTimes; ++time) {
                over = over && boxes[time].lo[axis][k] > high[time][axis];
                under = under && boxes[time].hi[axis][k] < low[time][axis];
            }
            apart = apart || over || under;
        }
        all |= unsigned(!apart) << k;
    }
    return all;
}

#endif

}  // namespace clothlab::simd
