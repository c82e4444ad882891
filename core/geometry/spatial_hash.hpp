#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/worker_pool.hpp"

namespace clothlab::geometry {

/// All pairs of points closer than a distance d, found in a hash grid of cells of edge d.
///
/// A point's partners lie in its own cell and the 26 around it. Of these only half are looked at, those whose offset
/// comes later in the order of (z, y, x), so that each pair is seen once, from one of its cells:
///
///          +--+--+--+
///          |  |  |  |     seen from o: own cell (larger numbers only), right, the row above,
///          +--+--+--+     and all nine of the layer behind
///          |  | o|  |
///          +--+--+--+
///
/// O(#P + pairs seen) while points do not crowd into one cell. Keeps only scratch between calls.
class SpatialHash {
public:
    /// Points beyond this many cells from the origin, or with a coordinate that is not finite, have no pairs.
    static constexpr double kFarthestCell = 1 << 30;

    /// Pairs (i, j), i < j, with |x_j - x_i| < distance, sorted by i, then j; valid until the next call. `points` is #P
    /// x 3, row after row, m; distance > 0, m. The same pairs in the same order at any number of threads.
    std::span<const std::pair<Index, Index>> pairsCloserThan(double distance, std::span<const double> points,
                                                             WorkerPool& pool);

private:
    struct Cell {
        std::int32_t x, y, z;
        bool operator==(const Cell&) const = default;
    };
    static constexpr std::int32_t kNowhere = INT32_MAX;

    std::size_t bucketIndex(const Cell& cell) const;
    void placePoints(double distance, std::span<const double> points, WorkerPool& pool);
    void fillBuckets();
    void collectPairs(Index i, double squared, std::span<const double> points,
                      std::vector<std::pair<Index, Index>>& out) const;
    void sortPairs(Index points, WorkerPool& pool);

    std::size_t mask_ = 0;
    std::vector<Cell> cells_;         // per point
    std::vector<Index> bucketStart_;  // entries of bucket b: entries_[bucketStart_[b] .. bucketStart_[b + 1])
    std::vector<Index> entries_, next_;
    std::vector<std::vector<std::pair<Index, Index>>> found_;  // per chunk of points
    std::vector<Index> rowStart_;
    std::vector<std::pair<Index, Index>> pairs_;
};

}  // namespace clothlab::geometry
