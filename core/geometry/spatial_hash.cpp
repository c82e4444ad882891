#include "geometry/spatial_hash.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace clothlab::geometry {
namespace {

/// The later half of the 26 neighbours.
constexpr std::int32_t kLater[13][3] = {{1, 0, 0},  {-1, 1, 0}, {0, 1, 0},  {1, 1, 0}, {-1, -1, 1},
                                        {0, -1, 1}, {1, -1, 1}, {-1, 0, 1}, {0, 0, 1}, {1, 0, 1},
                                        {-1, 1, 1}, {0, 1, 1},  {1, 1, 1}};

double squaredDistance(const double* a, const double* b) {
    const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return x * x + y * y + z * z;
}

}  // namespace

std::size_t SpatialHash::bucketIndex(const Cell& cell) const {
    // Large odd factors spread neighbouring cells; the upper half of the product is the well-mixed one.
    const std::uint64_t key = std::uint64_t(std::uint32_t(cell.x)) * 0x9E3779B97F4A7C15ull ^
                              std::uint64_t(std::uint32_t(cell.y)) * 0xC2B2AE3D27D4EB4Full ^
                              std::uint64_t(std::uint32_t(cell.z)) * 0x165667B19E3779F9ull;
    return std::size_t((key ^ (key >> 32)) * 0x9E3779B97F4A7C15ull >> 32) & mask_;
}

void SpatialHash::placePoints(double distance, std::span<const double> points, WorkerPool& pool) {
    const auto count = Index(points.size() / 3);
    cells_.resize(count);
    // A hair more than the distance: rounding in the division must not put a pair two cells apart.
    const double perMetre = 1 / (distance * (1 + 1e-9));
    parallelRows(pool, count, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const double* p = points.data() + 3 * std::size_t(i);
            std::int32_t c[3];
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
                const double at = std::floor(p[k] * perMetre);
                inside = inside && std::abs(at) <= kFarthestCell;  // false for NaN
                c[k] = inside ? std::int32_t(at) : 0;
            }
            cells_[i] = inside ? Cell{c[0], c[1], c[2]} : Cell{kNowhere, 0, 0};
        }
    });
}

void SpatialHash::fillBuckets() {
    const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(2 * cells_.size(), 16));
    mask_ = buckets - 1;
    bucketStart_.assign(buckets + 1, 0);
    for (const Cell& cell : cells_)
        if (cell.x != kNowhere) ++bucketStart_[bucketIndex(cell) + 1];
    for (std::size_t b = 0; b < buckets; ++b) bucketStart_[b + 1] += bucketStart_[b];
    next_.assign(bucketStart_.begin(), bucketStart_.end() - 1);
    entries_.resize(bucketStart_[buckets]);
    for (std::size_t i = 0; i < cells_.size(); ++i)
        if (cells_[i].x != kNowhere) entries_[next_[bucketIndex(cells_[i])]++] = Index(i);
}

void SpatialHash::collectPairs(Index i, double squared, std::span<const double> points,
                               std::vector<std::pair<Index, Index>>& out) const {
    const Cell own = cells_[i];
    if (own.x == kNowhere) return;
    const double* p = points.data() + 3 * std::size_t(i);
    const auto look = [&](const Cell& cell, bool isOwn) {
        const std::size_t bucket = bucketIndex(cell);
        for (Index e = bucketStart_[bucket]; e < bucketStart_[bucket + 1]; ++e) {
            const Index j = entries_[e];
            if (isOwn && j <= i) continue;
            // A bucket holds points of other cells, too.
            if (!(cells_[j] == cell)) continue;
            if (squaredDistance(p, points.data() + 3 * std::size_t(j)) < squared)
                out.emplace_back(std::min(i, j), std::max(i, j));
        }
    };
    look(own, true);
    for (const auto& offset : kLater) look({own.x + offset[0], own.y + offset[1], own.z + offset[2]}, false);
}

void SpatialHash::sortPairs(Index points, WorkerPool& pool) {
    rowStart_.assign(points + 1, 0);
    for (const auto& part : found_)
        for (const auto& pair : part) ++rowStart_[pair.first + 1];
    for (std::size_t i = 0; i < std::size_t(points); ++i) rowStart_[i + 1] += rowStart_[i];
    pairs_.resize(rowStart_.back());
    next_.assign(rowStart_.begin(), rowStart_.end() - 1);
    for (const auto& part : found_)
        for (const auto& pair : part) pairs_[next_[pair.first]++] = pair;
    parallelRows(pool, points, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) std::sort(pairs_.begin() + rowStart_[i], pairs_.begin() + rowStart_[i + 1]);
    });
}

std::span<const std::pair<Index, Index>> SpatialHash::pairsCloserThan(double distance, std::span<const double> points,
                                                                      WorkerPool& pool) {
    assert(distance > 0 && points.size() % 3 == 0);
    const auto count = Index(points.size() / 3);
    placePoints(distance, points, pool);
    fillBuckets();
    const RowChunks chunks{count};
    found_.resize(chunks.count());
    pool.forChunks(chunks.count(), count, [&](Index c) {
        auto& found = found_[c];
        found.clear();
        for (Index i = chunks.begin(c); i < chunks.end(c); ++i) collectPairs(i, distance * distance, points, found);
    });
    sortPairs(count, pool);
    return pairs_;
}

}  // namespace clothlab::geometry
