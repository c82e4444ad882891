#include "geometry/flat_triangles.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace clothlab::geometry {
namespace {

/// The edges around the triangles without area, and which triangles have them.
class Surroundings {
public:
    Surroundings(std::vector<Triangle>& triangles, std::span<const Vec3> points, std::span<const Index> flat)
        : triangles_(triangles), points_(points), near_(points.size(), false) {
        out_.gone.assign(triangles.size(), false);
        for (const Index t : flat)
            for (const Index corner : triangles[t]) near_[corner] = true;
        for (Index t = 0; t < Index(triangles.size()); ++t) enter(t);
    }

    /// True when this triangle is out, or its area no longer vanishes.
    bool removeTriangle(Index t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3], c = triangles_[t][(k + 2) % 3];
            if (!isLongest(a, c, b)) continue;
            const bool opensLong = opens(a, c), opensShort = opens(a, b) || opens(b, c);
            // Without a side that would open, and where only its own flap goes, nothing comes apart.
            if (opensLong ? !opensShort : !opensShort || countSides(a, c) == 1) {
                leave(t);
                out_.gone[t] = true;
                return true;
            }
            if (opensLong && giveAway(t, a, b, c)) return true;
        }
        return false;
    }
    FlatTriangles take() { return std::move(out_); }

private:
    using Key = std::uint64_t;
    static Key sideKey(Index a, Index b) {
        const auto [low, high] = std::minmax(a, b);
        return Key(low) << 32 | Key(high);
    }
    std::size_t countSides(Index a, Index b) const {
        const auto found = around_.find(sideKey(a, b));
        return found == around_.end() ? 0 : found->second.size();
    }
    /// Whether one other triangle has this side: it would lie on a border without this one.
    bool opens(Index a, Index b) const { return countSides(a, b) == 2; }
    bool isLongest(Index a, Index c, Index b) const {
        constexpr double kAlike = 1 - 1e-9;
        const double ac = (points_[a] - points_[c]).squaredNorm(), ab = (points_[a] - points_[b]).squaredNorm(),
                     bc = (points_[b] - points_[c]).squaredNorm();
        return ac >= kAlike * std::max(ab, bc);
    }
    bool isFlat(Index a, Index b, Index c) const { return isDegenerate(points_[a], points_[b], points_[c]); }
    void enter(Index t) {
        for (std::size_t k = 0; k < 3; ++k)
            if (const Index a = triangles_[t][k], b = triangles_[t][(k + 1) % 3]; near_[a] || near_[b])
                around_[sideKey(a, b)].push_back(t);
    }
    void leave(Index t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto found = around_.find(sideKey(triangles_[t][k], triangles_[t][(k + 1) % 3]));
            if (found != around_.end()) std::erase(found->second, t);
        }
    }
    /// The flat triangle t = a b c becomes a half of its neighbour across a c.
    bool giveAway(Index t, Index a, Index b, Index c) {
        const std::vector<Index>& two = around_[sideKey(a, c)];
        const Index other = two[0] == t ? two[1] : two[0];
        Index d = -1;
        for (const Index corner : triangles_[other])
            if (corner != a && corner != c) d = corner;
        if (d == b || countSides(b, d) > 0 || isFlat(a, b, d) || isFlat(b, c, d)) return false;
        const Triangle whole = triangles_[other];
        leave(t);
        leave(other);
        triangles_[t] = triangles_[other] = whole;
        std::ranges::replace(triangles_[t], c, b);
        std::ranges::replace(triangles_[other], a, b);
        enter(t);
        enter(other);
        return true;
    }

    std::vector<Triangle>& triangles_;
    std::span<const Vec3> points_;
    std::vector<bool> near_;  // corners of flat triangles
    std::unordered_map<Key, std::vector<Index>> around_;
    FlatTriangles out_;
};

}  // namespace

FlatTriangles removeFlat(std::vector<Triangle>& triangles, std::span<const Vec3> points, std::span<const Index> flat) {
    Surroundings around(triangles, points, flat);
    std::vector<Index> left(flat.begin(), flat.end());
    // One that goes can free another, so there are rounds, of which no file that was not made for it needs many.
    constexpr int kMostRounds = 100;
    for (int round = 0; round < kMostRounds && !left.empty(); ++round) {
        std::erase_if(left, [&](Index t) { return around.removeTriangle(t); });
    }
    FlatTriangles out = around.take();
    if (!left.empty()) out.left = left.front();
    return out;
}

}  // namespace clothlab::geometry
