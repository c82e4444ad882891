#include "geometry/surface_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/simd_floats.hpp"
#include "geometry/plane_filter.hpp"

namespace clothlab::geometry {
namespace {

constexpr Index kTrianglesPerPatch = 16;
constexpr Index kPatchesPerChunk = 32;
constexpr Index kMostBlocks = 3 * kTrianglesPerPatch / 8;  ///< of a patch: of its edges
constexpr double kDiagonal = 1.41421356237309515;  ///< length of a direction that is a sum of two axes, rounded up

float roundedDown(double value) {
    const float f = float(value);
    return double(f) > value ? std::nextafterf(f, -std::numeric_limits<float>::infinity()) : f;
}

}  // namespace

void Bounds::include(const Bounds& other) {
    for (int axis = 0; axis < kAxes; ++axis) {
        lo[axis] = std::min(lo[axis], other.lo[axis]);
        hi[axis] = std::max(hi[axis], other.hi[axis]);
    }
}

bool Bounds::meets(const Bounds& other) const {
    for (int axis = 0; axis < kAxes; ++axis)
        if (!(other.lo[axis] <= hi[axis] && other.hi[axis] >= lo[axis])) return false;
    return true;
}

Bounds Bounds::empty() {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    Bounds box;
    box.lo.fill(kFar);
    box.hi.fill(-kFar);
    return box;
}

Bounds Bounds::around(const Vec3& a, const Vec3& b, double pad) {
    const auto places = [](const Vec3& p) {
        return std::array<double, kAxes>{p.x(),         p.y(),         p.z(),         p.x() + p.y(), p.x() - p.y(),
                                         p.y() + p.z(), p.y() - p.z(), p.z() + p.x(), p.z() - p.x()};
    };
    const auto first = places(a), second = places(b);
    Bounds box;
    for (int axis = 0; axis < kAxes; ++axis) {
        // The sums are rounded themselves, by less than a step of a float.
        const double by = axis < 3 ? pad : kDiagonal * pad + 1e-15 * std::abs(first[axis]);
        box.lo[axis] = roundedDown(std::min(first[axis], second[axis]) - by);
        box.hi[axis] = -roundedDown(-std::max(first[axis], second[axis]) - by);
    }
    return box;
}

PointWay PointWay::of(const Vec3& from, const Vec3& to, double pad) {
    const auto rounded = [](const Vec3& p) { return std::array{float(p.x()), float(p.y()), float(p.z())}; };
    return {Bounds::around(from, to, pad), rounded(from), rounded(to)};
}

void SurfaceTree::Members::close() {
    const Index patchSize = Index(id.size()) - firstId.back();
    firstId.push_back(Index(id.size()));
    firstBlock.push_back(firstBlock.back() + (patchSize + 7) / 8);
}

Index SurfaceTree::split(std::span<Index> triangles, std::span<const Vec3> centers) {
    const Index node = Index(nodes_.size());
    nodes_.emplace_back();
    nodes_[node].firstPatch = Index(faces_.firstId.size()) - 1;
    if (Index(triangles.size()) <= kTrianglesPerPatch) {
        std::ranges::sort(triangles);
        faces_.id.insert(faces_.id.end(), triangles.begin(), triangles.end());
        faces_.close();
    } else {
        Vec3 lo = centers[triangles[0]], hi = lo;
        for (const Index t : triangles) {
            lo = lo.cwiseMin(centers[t]);
            hi = hi.cwiseMax(centers[t]);
        }
        int axis = 0;
        (hi - lo).maxCoeff(&axis);
        const auto middle = triangles.begin() + std::ptrdiff_t(triangles.size() / 2);
        std::nth_element(triangles.begin(), middle, triangles.end(), [&](Index a, Index b) {
            return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b;
        });
        split({triangles.begin(), middle}, centers);
        nodes_[node].right = split({middle, triangles.end()}, centers);
    }
    nodes_[node].lastPatch = Index(faces_.firstId.size()) - 2;
    return node;
}

void SurfaceTree::build(std::span<const Vec3> points, std::span<const Triangle> triangles,
                        std::span<const MeshEdge> edges) {
    triangles_.assign(triangles.begin(), triangles.end());
    edges_.clear();
    for (const MeshEdge& e : edges) edges_.push_back({e.a, e.b});
    nodes_.clear();
    for (Members* members : {&faces_, &corners_, &sides_}) *members = {.id = {}, .firstId = {0}, .firstBlock = {0}};
    std::vector<Vec3> centers;
    for (const Triangle& t : triangles_) centers.push_back((points[t[0]] + points[t[1]] + points[t[2]]) / 3);
    std::vector<Index> order(triangles_.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = Index(t);
    if (!order.empty()) split(order, centers);

    // A vertex and an edge go to the first patch that has them.
    std::vector<std::uint8_t> taken(points.size(), 0), edgeTaken(edges_.size(), 0);
    const auto edgeOf = [&](Index a, Index b) {
        const std::array<Index, 2> wanted{std::min(a, b), std::max(a, b)};
        return Index(std::ranges::lower_bound(edges_, wanted) - edges_.begin());
    };
    for (Index patch = 0; patch + 1 < Index(faces_.firstId.size()); ++patch) {
        for (Index k = faces_.begin(patch); k < faces_.end(patch); ++k) {
            const Triangle& t = triangles_[faces_.id[k]];
            for (int c = 0; c < 3; ++c) {
                if (!std::exchange(taken[t[c]], std::uint8_t(1))) corners_.id.push_back(t[c]);
                const Index e = edgeOf(t[c], t[(c + 1) % 3]);
                if (!std::exchange(edgeTaken[e], std::uint8_t(1))) sides_.id.push_back(e);
            }
        }
        corners_.close();
        sides_.close();
    }
    for (Members* members : {&faces_, &corners_, &sides_}) {
        members->boxes.resize(members->id.size());
        members->blocks.resize(members->firstBlock.back());
    }
    for (Members* members : {&faces_, &sides_}) members->corners.resize(members->blocks.size());
    patchBoxes_.resize(faces_.firstId.size() - 1);
    patchChanged_.resize(patchBoxes_.size());
    nodeChanged_.resize(nodes_.size());
}

/// Slots of a block beyond the members meet no box, not even one without end: no comparison with NaN holds.
void SurfaceTree::store(Members& members, Index patch) const {
    Bounds none;
    none.lo.fill(std::numeric_limits<float>::quiet_NaN());
    none.hi = none.lo;
    Index slot = members.firstBlock[patch] * 8;
    const Index end = members.firstBlock[patch + 1] * 8;
    for (Index k = members.begin(patch); slot < end; ++k, ++slot) {
        const Bounds box = k < members.end(patch) ? members.boxes[k] : none;
        BoxBlock& block = members.blocks[slot / 8];
        for (int axis = 0; axis < Bounds::kAxes; ++axis) {
            block.lo[axis][slot % 8] = box.lo[axis];
            block.hi[axis][slot % 8] = box.hi[axis];
        }
    }
}

/// `of` gives the points of a member.
template <class CornersOf>
void SurfaceTree::storeCorners(Members& members, Index patch, CornersOf&& of) const {
    Index slot = members.firstBlock[patch] * 8;
    for (Index k = members.begin(patch); k < members.end(patch); ++k, ++slot) {
        CornerBlock& block = members.corners[slot / 8];
        const auto& points = of(members.id[k]);
        for (std::size_t c = 0; c < points.size(); ++c)
            for (int axis = 0; axis < 3; ++axis) {
                block.from[c][axis][slot % 8] = ways_[points[c]].from[axis];
                block.to[c][axis][slot % 8] = ways_[points[c]].to[axis];
            }
    }
}

void SurfaceTree::placePatch(Index patch) {
    Bounds whole = Bounds::empty();
    for (Index k = faces_.begin(patch); k < faces_.end(patch); ++k) {
        const Triangle& t = triangles_[faces_.id[k]];
        Bounds& box = faces_.boxes[k] = ways_[t[0]].box;
        box.include(ways_[t[1]].box);
        box.include(ways_[t[2]].box);
        whole.include(box);
    }
    for (Index k = corners_.begin(patch); k < corners_.end(patch); ++k) corners_.boxes[k] = ways_[corners_.id[k]].box;
    for (Index k = sides_.begin(patch); k < sides_.end(patch); ++k) {
        sides_.boxes[k] = ways_[edges_[sides_.id[k]][0]].box;
        sides_.boxes[k].include(ways_[edges_[sides_.id[k]][1]].box);
    }
    for (Members* members : {&faces_, &corners_, &sides_}) store(*members, patch);
    storeCorners(faces_, patch, [&](Index t) -> const Triangle& { return triangles_[t]; });
    storeCorners(sides_, patch, [&](Index e) -> const std::array<Index, 2>& { return edges_[e]; });
    patchBoxes_[patch] = whole;
}

bool SurfaceTree::changed(const Triangle& t) const {
    return changed_.empty() || changed_[t[0]] || changed_[t[1]] || changed_[t[2]];
}

void SurfaceTree::place(std::span<const PointWay> points, WorkerPool& pool, std::span<const std::uint8_t> changed) {
    ways_ = points;
    changed_ = changed;
    float largest = changed.empty() ? 0 : float(largest_);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!changed.empty() && !changed[i]) continue;
        for (const auto* ends : {&points[i].from, &points[i].to})
            for (const float c : *ends)
                if (!(std::abs(c) <= largest)) largest = std::isfinite(c) ? std::abs(c) : HUGE_VALF;
    }
    largest_ = largest;
    const RowChunks chunks{Index(patchBoxes_.size()), kPatchesPerChunk};
    pool.forChunks(chunks.count(), Index(points.size()), [&](Index c) {
        for (Index patch = chunks.begin(c); patch < chunks.end(c); ++patch) {
            patchChanged_[patch] =
                std::any_of(faces_.id.begin() + faces_.begin(patch), faces_.id.begin() + faces_.end(patch),
                            [&](Index t) { return this->changed(triangles_[t]); });
            if (patchChanged_[patch]) placePatch(patch);
        }
    });
    for (Index n = Index(nodes_.size()) - 1; n >= 0; --n) {
        Node& node = nodes_[n];
        const bool leaf = node.right < 0;
        nodeChanged_[n] = leaf ? patchChanged_[node.firstPatch] : nodeChanged_[n + 1] || nodeChanged_[node.right];
        if (!nodeChanged_[n]) continue;
        node.box = leaf ? patchBoxes_[node.firstPatch] : nodes_[n + 1].box;
        if (!leaf) node.box.include(nodes_[node.right].box);
    }
}

bool SurfaceTree::share(Index vertex, Index triangle) const {
    const Triangle& t = triangles_[triangle];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

bool SurfaceTree::edgesShare(Index a, Index b) const {
    const auto &e = edges_[a], &f = edges_[b];
    return e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1];
}

/// Members of patch a against those of patch b, eight at once. `of` gives the points of a member of a, `kFirst` of
/// them; with the members of b they are four.
template <int kFirst, class CornersOf, class Accept>
void SurfaceTree::compare(const Members& first, Index a, const Members& second, Index b, float gap, CornersOf&& of,
                          Accept&& accept) const {
    const auto meeting = [](const BoxBlock& eight, const Bounds& box) {
        return simd::meetingBoxes(eight.lo, eight.hi, box.lo.data(), box.hi.data());
    };
    // Blocks of b with a member that meets the patch a.
    std::array<Index, kMostBlocks> near;
    Index nearBlocks = 0;
    for (Index block = second.firstBlock[b]; block < second.firstBlock[b + 1]; ++block)
        if (meeting(second.blocks[block], patchBoxes_[a]) != 0) near[nearBlocks++] = block;
    if (nearBlocks == 0) return;
    Corners8 start[4], end[4];
    for (Index blockA = first.firstBlock[a]; blockA < first.firstBlock[a + 1]; ++blockA)
        for (unsigned own = meeting(first.blocks[blockA], patchBoxes_[b]); own != 0; own &= own - 1) {
            const Index k = first.begin(a) + 8 * (blockA - first.firstBlock[a]) + std::countr_zero(own);
            bool spread = false;
            for (Index n = 0; n < nearBlocks; ++n) {
                unsigned mask = meeting(second.blocks[near[n]], first.boxes[k]);
                if (mask == 0) continue;
                if (!std::exchange(spread, true)) {
                    const auto& points = of(first.id[k]);
                    for (int c = 0; c < kFirst; ++c)
                        for (int axis = 0; axis < 3; ++axis) {
                            start[c][axis] = simd::Float8::of(&ways_[points[c]].from[axis]);
                            end[c][axis] = simd::Float8::of(&ways_[points[c]].to[axis]);
                        }
                }
                const CornerBlock& corners = second.corners[near[n]];
                for (int c = kFirst; c < 4; ++c)
                    for (int axis = 0; axis < 3; ++axis) {
                        start[c][axis] = simd::Float8::load(corners.from[c - kFirst][axis]);
                        end[c][axis] = simd::Float8::load(corners.to[c - kFirst][axis]);
                    }
                mask &= ~keptApart<kFirst>(start, end, gap);
                const Index firstId = second.begin(b) + 8 * (near[n] - second.firstBlock[b]);
                for (; mask != 0; mask &= mask - 1) accept(first.id[k], second.id[firstId + std::countr_zero(mask)]);
            }
        }
}

void SurfaceTree::comparePatches(Index a, Index b, float gap, FeaturePairs& out) const {
    const auto pointOf = [](Index vertex) { return std::array{vertex}; };
    const auto pointsOf = [&](Index e) -> const std::array<Index, 2>& { return edges_[e]; };
    const auto vertexTriangle = [&](Index vertex, Index triangle) {
        if (!changed(triangles_[triangle]) && !changed_[vertex]) return;
        if (!share(vertex, triangle)) out.vertexTriangle.push_back({vertex, triangle});
    };
    compare<1>(corners_, a, faces_, b, gap, pointOf, vertexTriangle);
    if (a != b) compare<1>(corners_, b, faces_, a, gap, pointOf, vertexTriangle);
    compare<2>(sides_, a, sides_, b, gap, pointsOf, [&](Index e, Index f) {
        const auto &p = edges_[e], &q = edges_[f];
        if (!changed_.empty() && !(changed_[p[0]] || changed_[p[1]] || changed_[q[0]] || changed_[q[1]])) return;
        if ((a != b || e < f) && !edgesShare(e, f)) out.edgeEdge.push_back({std::min(e, f), std::max(e, f)});
    });
}

void SurfaceTree::findPairs(FeaturePairs& out, WorkerPool& pool, double gap) const {
    out.vertexTriangle.clear();
    out.edgeEdge.clear();
    const RowChunks chunks{Index(patchBoxes_.size()), kPatchesPerChunk};
    const float wide = gapInFloats(gap, largest_);
    std::vector<FeaturePairs> found(std::size_t(chunks.count()));
    pool.forChunks(chunks.count(), Index(triangles_.size()), [&](Index c) {
        std::vector<Index> open;
        for (Index patch = chunks.begin(c); patch < chunks.end(c); ++patch) {
            open.assign(1, 0);
            while (!open.empty()) {
                const Index n = open.back();
                open.pop_back();
                const Node& node = nodes_[n];
                if (!(patchChanged_[patch] || nodeChanged_[n])) continue;
                if (node.lastPatch < patch || !node.box.meets(patchBoxes_[patch])) continue;
                if (node.right < 0) {
                    comparePatches(patch, node.firstPatch, wide, found[c]);
                } else {
                    open.push_back(node.right);
                    open.push_back(n + 1);
                }
            }
        }
    });
    for (const FeaturePairs& part : found) {
        out.vertexTriangle.insert(out.vertexTriangle.end(), part.vertexTriangle.begin(), part.vertexTriangle.end());
        out.edgeEdge.insert(out.edgeEdge.end(), part.edgeEdge.begin(), part.edgeEdge.end());
    }
}

}  // namespace clothlab::geometry
