#include "geometry/fillings/weld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "geometry/spatial_hash.hpp"

namespace clothlab::geometry {
namespace {

constexpr std::size_t kMostTogether = 64;  // no seam joins so many; it bounds the pairs that the hash grid sees

using Pair = std::pair<Index, Index>;

/// One mesh being welded; the first fault ends it.
class Welding {
public:
    Welding(const TriangleMesh& mesh, double distance, double scale, std::span<const Index> numbers)
        : mesh_(mesh),
          numbers_(numbers),
          points_(Index(mesh.points.size())),
          distance_(distance / scale),
          scale_(scale) {}

    Expected<WeldedMesh> weld() {
        for (auto part : {&Welding::checkEdges, &Welding::checkCrowds, &Welding::group, &Welding::checkGroups})
            if (auto done = (this->*part)(); !done) return fail(done.error());
        makeMesh();
        if (auto done = checkSurface(); !done) return fail(done.error());
        copyTextures();
        return std::move(out_);
    }

private:
    double metres(Index a, Index b) const { return scale_ * (mesh_.points[a] - mesh_.points[b]).norm(); }
    /// As messages call a point: its number in the file, from 1.
    Index named(Index point) const { return (numbers_.empty() ? point : numbers_[point]) + 1; }
    std::string limit() const { return fmt::format("{:.4g} m", scale_ * distance_); }

    Expected<void> checkEdges();
    Expected<void> checkCrowds();
    Expected<void> group();
    Expected<void> checkGroups();
    void makeMesh();
    Expected<void> checkSurface();
    void copyTextures();

    const TriangleMesh& mesh_;
    const std::span<const Index> numbers_;
    const Index points_;
    const double distance_, scale_;  // units of the mesh; m
    std::vector<double> places_;     // #P x 3 from the low corner on
    std::vector<Pair> pairs_;
    std::vector<Index> first_;  // of each point: the first of its group
    WeldedMesh out_;
};

/// First of all: a distance beyond the edges would collapse the mesh, and crowd the cells of a hash grid.
Expected<void> Welding::checkEdges() {
    Pair shortest{-1, -1};
    double least = distance_;
    for (const Triangle& t : mesh_.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            if (const double length = (mesh_.points[t[k]] - mesh_.points[t[(k + 1) % 3]]).norm(); length < least) {
                least = length;
                shortest = std::minmax(t[k], t[(k + 1) % 3]);
            }
    if (shortest.first < 0) return {};
    return fail(
        fmt::format("the edge between the points {} and {} is {:.4g} m long and would vanish within {}: weld "
                    "less than the edges are long",
                    named(shortest.first), named(shortest.second), scale_ * least, limit()));
}

Expected<void> Welding::checkCrowds() {
    Vec3 low = mesh_.points.front(), high = low;
    for (const Vec3& p : mesh_.points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    const double extent = (high - low).maxCoeff();
    if (!(extent / distance_ < SpatialHash::kFarthestCell))
        return fail(fmt::format("{} is too little for a mesh {:.4g} m across: at least {:.2g} m", limit(),
                                scale_ * extent, 2 * scale_ * extent / SpatialHash::kFarthestCell));
    using Cube = std::array<std::int32_t, 3>;
    std::vector<std::pair<Cube, Index>> cells;
    for (Index i = 0; i < points_; ++i) {
        Cube cell{};
        for (int k = 0; k < 3; ++k) {
            places_.push_back(mesh_.points[i][k] - low[k]);
            cell[k] = std::int32_t(places_.back() / distance_);
        }
        cells.emplace_back(cell, i);
    }
    std::ranges::sort(cells);
    for (std::size_t k = kMostTogether; k < cells.size(); ++k)
        if (cells[k].first == cells[k - kMostTogether].first)
            return fail(
                fmt::format("more than {} points lie within {} of each other, the "
                            "point {} among them: too many for a seam",
                            kMostTogether, limit(), named(cells[k].second)));
    return {};
}

Expected<void> Welding::group() {
    WorkerPool alone(1);
    SpatialHash hash;
    const auto close = hash.pairsCloserThan(distance_, places_, alone);
    pairs_.assign(close.begin(), close.end());
    first_.resize(points_);
    std::iota(first_.begin(), first_.end(), Index(0));
    const auto root = [&](Index i) {
        while (first_[i] != i) i = first_[i] = first_[first_[i]];
        return i;
    };
    for (const auto& [i, j] : pairs_) {
        const auto [low, high] = std::minmax({root(i), root(j)});
        first_[high] = low;
    }
    for (Index i = 0; i < points_; ++i) first_[i] = root(i);
    return {};
}

/// Each two of a group are a pair, or points far apart would meet by way of others.
Expected<void> Welding::checkGroups() {
    std::vector<Index> members(points_, 0), partners(points_, 0);
    for (Index i = 0; i < points_; ++i) ++members[first_[i]];
    for (const auto& [i, j] : pairs_) {
        ++partners[i];
        ++partners[j];
    }
    for (Index i = 0; i < points_; ++i) {
        if (partners[i] + 1 == members[first_[i]]) continue;
        Index far = first_[i];
        for (Index j = 0; j < points_; ++j)
            if (first_[j] == first_[i] && metres(i, j) > metres(i, far)) far = j;
        const auto [a, b] = std::minmax(i, far);
        return fail(
            fmt::format("the points {} and {} would become one by way of "
                        "others, and are {:.4g} m apart: more than {}",
                        named(a), named(b), metres(a, b), limit()));
    }
    return {};
}

void Welding::makeMesh() {
    out_.pointOf.resize(points_);
    for (Index i = 0; i < points_; ++i) {
        if (first_[i] == i) {
            out_.pointOf[i] = Index(out_.firstOf.size());
            out_.firstOf.push_back(i);
            out_.mesh.points.push_back(mesh_.points[i]);
        } else {
            out_.pointOf[i] = out_.pointOf[first_[i]];
        }
    }
    for (Triangle t : mesh_.triangles) {
        for (Index& corner : t) corner = out_.pointOf[corner];
        out_.mesh.triangles.push_back(t);
    }
}

Expected<void> Welding::checkSurface() {
    const TriangleMesh& now = out_.mesh;
    const auto corners = [&](Index triangle) {
        const Triangle& t = mesh_.triangles[triangle];
        return fmt::format("{} {} {}", named(t[0]), named(t[1]), named(t[2]));
    };
    for (std::size_t t = 0; t < now.triangles.size(); ++t) {
        const auto& [a, b, c] = now.triangles[t];
        if (isDegenerate(now.points[a], now.points[b], now.points[c]))
            return fail(fmt::format("the triangle {} would have no area", corners(Index(t))));
    }
    const auto fault = findEdgeFault(now.triangles, Index(now.points.size()));
    if (!fault) return {};
    const std::string edge =
        fmt::format("the edge of the points {} and {}", named(out_.firstOf[fault->a]), named(out_.firstOf[fault->b]));
    if (fault->third)
        return fail(fmt::format("{} would have three triangles, {} as the third: at most two can meet there", edge,
                                corners(fault->triangle)));
    return fail(fmt::format("{} would join the triangles {} and {}, which are turned differently: turn one panel over",
                            edge, corners(fault->other), corners(fault->triangle)));
}

void Welding::copyTextures() {
    if (mesh_.textures.empty()) return;
    constexpr double kSame = 1e-6;  // of the extent: digits that a file leaves out
    double extent = 0;
    for (const TextureCoordinate& t : mesh_.textures)
        for (std::size_t k = 0; k < 2; ++k) extent = std::max(extent, std::abs(t[k] - mesh_.textures[0][k]));
    for (Index i = 0; i < points_; ++i)
        for (std::size_t k = 0; k < 2; ++k)
            if (std::abs(mesh_.textures[i][k] - mesh_.textures[first_[i]][k]) > kSame * extent) return;
    for (const Index i : out_.firstOf) out_.mesh.textures.push_back(mesh_.textures[i]);
}

}  // namespace

Expected<WeldedMesh> weldPoints(const TriangleMesh& mesh, double distance, double scale,
                                std::span<const Index> numbers) {
    assert(distance > 0 && scale > 0 && !mesh.points.empty());
    return Welding(mesh, distance, scale, numbers).weld();
}

}  // namespace clothlab::geometry
