#include "geometry/surface_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/simd_floats.hpp"
#include "geometry/plane_filter.hpp"

namespace clothlab::geometry {
namespace {

constexpr Index kPatchesPerChunk = 32, kPairsPerChunk = 64;
constexpr Index kMostBlocks = 3 * SurfacePatches::kTriangles / 8;  ///< of a patch: of its edges

}  // namespace

void SurfaceTree::build(std::span<const Vec3> points, std::span<const Triangle> triangles,
                        std::span<const MeshEdge> edges) {
    patches_ = cutIntoPatches(points, triangles, edges);
    unfolded_.build(patches_, points);
    faces_.of = &patches_.faces;
    corners_.of = &patches_.corners;
    sides_.of = &patches_.sides;
    for (Boxes* boxes : {&faces_, &corners_, &sides_}) {
        boxes->firstBlock.assign(1, 0);
        for (Index patch = 0; patch < patches_.size(); ++patch)
            boxes->firstBlock.push_back(boxes->firstBlock.back() + (Index(boxes->of->of(patch).size()) + 7) / 8);
        boxes->each.resize(boxes->of->id.size());
        boxes->blocks.resize(boxes->firstBlock.back());
        if (boxes != &corners_) boxes->corners.resize(boxes->blocks.size());
    }
    for (auto* ofPatch : {&patchBoxes_, &featureBoxes_}) ofPatch->resize(std::size_t(patches_.size()));
    nodeBoxes_.resize(patches_.nodes.size());
    patchChanged_.resize(patchBoxes_.size());
    nodeChanged_.resize(nodeBoxes_.size());
    ways_.resize(points.size());
    patchPairs_.clear();
}

bool SurfaceTree::changed(const Triangle& t) const {
    return changed_.empty() || changed_[t[0]] || changed_[t[1]] || changed_[t[2]];
}

void SurfaceTree::place(const PointMotion& motion, double pad, WorkerPool& pool,
                        std::span<const std::uint8_t> changed) {
    changed_ = changed;
    const RowChunks chunks{patches_.size(), kPatchesPerChunk};
    pool.forChunks(chunks.count(), motion.size(), [&](Index c) {
        for (Index patch = chunks.begin(c); patch < chunks.end(c); ++patch) {
            patchChanged_[patch] = changed.empty() || std::ranges::any_of(patches_.faces.of(patch), [&](Index t) {
                                       return this->changed(patches_.triangles[t]);
                                   });
            if (patchChanged_[patch]) patchBoxes_[patch] = unfolded_.take(patch, motion, pad);
        }
    });
    for (Index n = Index(patches_.nodes.size()) - 1; n >= 0; --n) {
        const SurfacePatches::Node& node = patches_.nodes[n];
        const bool leaf = node.right < 0;
        nodeChanged_[n] = leaf ? patchChanged_[node.firstPatch] : nodeChanged_[n + 1] || nodeChanged_[node.right];
        if (!nodeChanged_[n]) continue;
        nodeBoxes_[n] = leaf ? patchBoxes_[node.firstPatch] : nodeBoxes_[n + 1];
        if (!leaf) nodeBoxes_[n].include(nodeBoxes_[node.right]);
        unfolded_.join(n);
    }
}

void SurfaceTree::pairWithin(Index node) {
    if (!nodeChanged_[node] || unfolded_.apart(node, apart_)) return;
    const SurfacePatches::Node& n = patches_.nodes[node];
    if (n.right < 0) {
        patchPairs_.push_back({n.firstPatch, n.firstPatch});
        return;
    }
    pairWithin(node + 1);
    pairWithin(n.right);
    pairAcross(node + 1, n.right);
}

/// All patches of m come before those of n.
void SurfaceTree::pairAcross(Index m, Index n) {
    if (!(nodeChanged_[m] || nodeChanged_[n]) || !nodeBoxes_[m].meets(nodeBoxes_[n])) return;
    const SurfacePatches::Node &first = patches_.nodes[m], &second = patches_.nodes[n];
    if (first.right < 0 && second.right < 0) {
        if (!unfolded_.apart(first.firstPatch, second.firstPatch, apart_))
            patchPairs_.push_back({first.firstPatch, second.firstPatch});
        return;
    }
    const Index sizeOfFirst = first.lastPatch - first.firstPatch, sizeOfSecond = second.lastPatch - second.firstPatch;
    if (sizeOfFirst >= sizeOfSecond) {
        pairAcross(m + 1, n);
        pairAcross(first.right, n);
    } else {
        pairAcross(m, n + 1);
        pairAcross(m, second.right);
    }
}

/// By the second patch, then, keeping that, by the first: counting takes no time that matters.
void SurfaceTree::sortPatchPairs() {
    std::vector<std::array<Index, 2>> scratch(patchPairs_.size());
    for (const std::size_t by : {std::size_t(1), std::size_t(0)}) {
        std::vector<Index> next(patchBoxes_.size() + 1, 0);
        for (const auto& pair : patchPairs_) ++next[pair[by] + 1];
        for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
        for (const auto& pair : patchPairs_) scratch[next[pair[by]]++] = pair;
        patchPairs_.swap(scratch);
    }
}

Index SurfaceTree::findPatchPairs(double distance) {
    apart_ = distance;
    patchPairs_.clear();
    if (!patches_.nodes.empty()) pairWithin(0);
    sortPatchPairs();
    return Index(patchPairs_.size());
}

/// Slots of a block beyond the members meet no box, not even one without end: no comparison with NaN holds.
void SurfaceTree::store(Boxes& boxes, Index patch) const {
    Bounds none;
    none.lo.fill(std::numeric_limits<float>::quiet_NaN());
    none.hi = none.lo;
    Index slot = boxes.firstBlock[patch] * 8;
    const Index end = boxes.firstBlock[patch + 1] * 8;
    for (Index k = boxes.of->begin(patch); slot < end; ++k, ++slot) {
        const Bounds box = k < boxes.of->end(patch) ? boxes.each[k] : none;
        BoxBlock& block = boxes.blocks[slot / 8];
        for (int axis = 0; axis < Bounds::kAxes; ++axis) {
            block.lo[axis][slot % 8] = box.lo[axis];
            block.hi[axis][slot % 8] = box.hi[axis];
        }
    }
}

/// `of` gives the points of a member.
template <class CornersOf>
void SurfaceTree::storeCorners(Boxes& boxes, Index patch, CornersOf&& of) const {
    Index slot = boxes.firstBlock[patch] * 8;
    for (const Index member : boxes.of->of(patch)) {
        CornerBlock& block = boxes.corners[slot / 8];
        const auto& points = of(member);
        for (std::size_t c = 0; c < points.size(); ++c)
            for (int axis = 0; axis < 3; ++axis) {
                block.from[c][axis][slot % 8] = ways_[points[c]].from[axis];
                block.to[c][axis][slot % 8] = ways_[points[c]].to[axis];
            }
        ++slot;
    }
}

void SurfaceTree::placePatch(Index patch) {
    Bounds whole = Bounds::empty();
    for (Index k = faces_.of->begin(patch); k < faces_.of->end(patch); ++k) {
        const Triangle& t = patches_.triangles[faces_.of->id[k]];
        Bounds& box = faces_.each[k] = ways_[t[0]].box;
        box.include(ways_[t[1]].box);
        box.include(ways_[t[2]].box);
        whole.include(box);
    }
    for (Index k = corners_.of->begin(patch); k < corners_.of->end(patch); ++k)
        corners_.each[k] = ways_[corners_.of->id[k]].box;
    for (Index k = sides_.of->begin(patch); k < sides_.of->end(patch); ++k) {
        const auto& [a, b] = patches_.edges[sides_.of->id[k]];
        sides_.each[k] = ways_[a].box;
        sides_.each[k].include(ways_[b].box);
    }
    for (Boxes* boxes : {&faces_, &corners_, &sides_}) store(*boxes, patch);
    storeCorners(faces_, patch, [&](Index t) -> const Triangle& { return patches_.triangles[t]; });
    storeCorners(sides_, patch, [&](Index e) -> const std::array<Index, 2>& { return patches_.edges[e]; });
    featureBoxes_[patch] = whole;
}

void SurfaceTree::placeFeatures(const PointMotion& motion, double pad, WorkerPool& pool) {
    std::vector<std::uint8_t> in(patchBoxes_.size(), 0);
    for (const auto& pair : patchPairs_) in[pair[0]] = in[pair[1]] = 1;
    involved_.clear();
    pointInvolved_.assign(ways_.size(), 0);
    for (Index patch = 0; patch < patches_.size(); ++patch) {
        if (!in[patch]) continue;
        involved_.push_back(patch);
        for (const Index face : patches_.faces.of(patch))
            for (const Index i : patches_.triangles[face]) pointInvolved_[i] = 1;
    }
    parallelRows(pool, motion.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (pointInvolved_[i]) ways_[i] = PointWay::of(motion.from(i), motion.to(i), pad);
    });
    const RowChunks chunks{Index(involved_.size()), kPatchesPerChunk};
    pool.forChunks(chunks.count(), SurfacePatches::kTriangles * chunks.rows, [&](Index c) {
        for (Index k = chunks.begin(c); k < chunks.end(c); ++k) placePatch(involved_[k]);
    });
}

bool SurfaceTree::share(Index vertex, Index triangle) const {
    const Triangle& t = patches_.triangles[triangle];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

bool SurfaceTree::edgesShare(Index a, Index b) const {
    const auto &e = patches_.edges[a], &f = patches_.edges[b];
    return e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1];
}

/// Members of patch a against those of patch b, eight at once. `of` gives the points of a member of a, `kFirst` of
/// them; with the members of b they are four.
template <int kFirst, class CornersOf, class Accept>
void SurfaceTree::compare(const Boxes& first, Index a, const Boxes& second, Index b, float gap, CornersOf&& of,
                          Accept&& accept) const {
    const auto meeting = [](const BoxBlock& eight, const Bounds& box) {
        return simd::meetingBoxes(eight.lo, eight.hi, box.lo.data(), box.hi.data());
    };
    // Blocks of b with a member that meets the patch a.
    std::array<Index, kMostBlocks> near;
    Index nearBlocks = 0;
    for (Index block = second.firstBlock[b]; block < second.firstBlock[b + 1]; ++block)
        if (meeting(second.blocks[block], featureBoxes_[a]) != 0) near[nearBlocks++] = block;
    if (nearBlocks == 0) return;
    Corners8 start[4], end[4];
    for (Index blockA = first.firstBlock[a]; blockA < first.firstBlock[a + 1]; ++blockA)
        for (unsigned own = meeting(first.blocks[blockA], featureBoxes_[b]); own != 0; own &= own - 1) {
            const Index k = first.of->begin(a) + 8 * (blockA - first.firstBlock[a]) + std::countr_zero(own);
            bool spread = false;
            for (Index n = 0; n < nearBlocks; ++n) {
                unsigned mask = meeting(second.blocks[near[n]], first.each[k]);
                if (mask == 0) continue;
                if (!std::exchange(spread, true)) {
                    const auto& points = of(first.of->id[k]);
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
                const Index firstId = second.of->begin(b) + 8 * (near[n] - second.firstBlock[b]);
                for (; mask != 0; mask &= mask - 1)
                    accept(first.of->id[k], second.of->id[firstId + std::countr_zero(mask)]);
            }
        }
}

void SurfaceTree::comparePatches(Index a, Index b, float gap, FeaturePairs& out) const {
    const auto pointOf = [](Index vertex) { return std::array{vertex}; };
    const auto pointsOf = [&](Index e) -> const std::array<Index, 2>& { return patches_.edges[e]; };
    const auto vertexTriangle = [&](Index vertex, Index triangle) {
        if (!changed(patches_.triangles[triangle]) && !changed_[vertex]) return;
        if (!share(vertex, triangle)) out.vertexTriangle.push_back({vertex, triangle});
    };
    compare<1>(corners_, a, faces_, b, gap, pointOf, vertexTriangle);
    if (a != b) compare<1>(corners_, b, faces_, a, gap, pointOf, vertexTriangle);
    compare<2>(sides_, a, sides_, b, gap, pointsOf, [&](Index e, Index f) {
        const auto &p = patches_.edges[e], &q = patches_.edges[f];
        if (!changed_.empty() && !(changed_[p[0]] || changed_[p[1]] || changed_[q[0]] || changed_[q[1]])) return;
        if ((a != b || e < f) && !edgesShare(e, f)) out.edgeEdge.push_back({std::min(e, f), std::max(e, f)});
    });
}

void SurfaceTree::findPairs(const PointMotion& motion, double pad, double gap, FeaturePairs& out, WorkerPool& pool) {
    out.vertexTriangle.clear();
    out.edgeEdge.clear();
    if (patchPairs_.empty()) return;
    placeFeatures(motion, pad, pool);
    float largest = 0;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
        if (!pointInvolved_[i]) continue;
        for (const auto* ends : {&ways_[i].from, &ways_[i].to})
            for (const float c : *ends)
                if (!(std::abs(c) <= largest)) largest = std::isfinite(c) ? std::abs(c) : HUGE_VALF;
    }
    const float wide = gapInFloats(gap, double(largest));
    const RowChunks chunks{Index(patchPairs_.size()), kPairsPerChunk};
    std::vector<FeaturePairs> found(std::size_t(chunks.count()));
    pool.forChunks(chunks.count(), SurfacePatches::kTriangles * chunks.rows, [&](Index c) {
        for (Index k = chunks.begin(c); k < chunks.end(c); ++k)
            comparePatches(patchPairs_[k][0], patchPairs_[k][1], wide, found[c]);
    });
    for (const FeaturePairs& part : found) {
        out.vertexTriangle.insert(out.vertexTriangle.end(), part.vertexTriangle.begin(), part.vertexTriangle.end());
        out.edgeEdge.insert(out.edgeEdge.end(), part.edgeEdge.begin(), part.edgeEdge.end());
    }
}

}  // namespace clothlab::geometry
