#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "geometry/plane_filter.hpp"

/// Among sixteen compared boxes only one or two pairs meet. Here eight of them are collected before they are tested
/// against planes, so that no lane of a register is idle.
namespace clothlab::geometry {

/// A point at the start and at the end of its path, m, rounded; the fourth number is arbitrary.
struct alignas(32) RoundedWay {
    std::array<float, 4> from = {}, to = {};
};

/// Pairs of a side of `kFirst` corners and one of the others: a vertex and a triangle, or two edges. The destructor
/// passes on the last of them.
template <std::size_t kFirst>
class PairFilter {
public:
    /// Drops pairs kept apart by more than `gap` (m; gapInFloats) along the paths of their corners, or with a corner on
    /// both sides; the rest is appended to `out` in the order of addition. `moves`: false uses only the starts.
    PairFilter(std::span<const RoundedWay> ways, bool moves, float gap, std::vector<std::array<Index, 2>>& out)
        : ways_(ways), moves_(moves), gap_(gap), out_(out) {}
    PairFilter(const PairFilter&) = delete;
    PairFilter& operator=(const PairFilter&) = delete;
    ~PairFilter() { pass(); }

    void add(const std::array<Index, 2>& pair, const std::array<Index, kFirst>& first,
             const std::array<Index, 4 - kFirst>& second) {
        for (std::size_t c = 0; c < 4; ++c) corner_[c][count_] = c < kFirst ? first[c] : second[c - kFirst];
        pair_[count_++] = pair;
        if (count_ == 8) pass();
    }

private:
    void pass() {
        unsigned left = (1u << count_) - 1;
        for (std::size_t c = 0; c < kFirst; ++c)
            for (std::size_t d = kFirst; d < 4; ++d) left &= ~simd::lanesEqual(corner_[c], corner_[d]);
        if (left != 0) {
            Corners8 start[4], end[4];
            for (std::size_t c = 0; c < 4; ++c) {
                Index from[8], to[8];
                for (std::size_t k = 0; k < 8; ++k) to[k] = (from[k] = 8 * corner_[c][k]) + 4;
                simd::gatherRows(ways_[0].from.data(), from, start[c]);
                if (moves_) simd::gatherRows(ways_[0].from.data(), to, end[c]);
            }
            left &= ~keptApart<int(kFirst)>(start, moves_ ? &end : nullptr, gap_, left);
        }
        for (; left != 0; left &= left - 1) out_.push_back(pair_[std::countr_zero(left)]);
        count_ = 0;
    }

    std::span<const RoundedWay> ways_;
    bool moves_;
    float gap_;
    std::vector<std::array<Index, 2>>& out_;
    alignas(32) Index corner_[4][8] = {};
    std::array<std::array<Index, 2>, 8> pair_ = {};
    unsigned count_ = 0;
};

}  // namespace clothlab::geometry
