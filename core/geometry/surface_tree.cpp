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
constexpr Index kMostBlocks = 3 * SurfacePatches::kTriangles / 16;  ///< of a patch: of its edges

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
            boxes->firstBlock.push_back(boxes->firstBlock.back() + (Index(boxes->of->of(patch).size()) + 15) / 16);
        boxes->each.resize(boxes->of->id.size());
        boxes->blocks.resize(boxes->firstBlock.back());
        if (boxes != &corners_) boxes->corners.resize(2 * boxes->blocks.size());
    }
    patchBoxes_.resize(std::size_t(patches_.size()));
    featureBoxes_.resize(patchBoxes_.size());
    nodeBoxes_.resize(patches_.nodes.size());
    patchChanged_.resize(patchBoxes_.size());
    nodeChanged_.resize(nodeBoxes_.size());
    ways_.resize(points.size());
    patchPairs_.clear();
}

template <std::size_t kCorners>
bool SurfaceTree::changed(const std::array<Index, kCorners>& corners) const {
    return changed_.empty() || std::ranges::any_of(corners, [&](Index i) { return changed_[i] != 0; });
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
            patchBoxes_[patch] = unfolded_.take(patch, motion, pad);
        }
    });
    for (Index n = Index(patches_.nodes.size()) - 1; n >= 0; --n) {
        const SurfacePatches::Node& node = patches_.nodes[n];
        const bool leaf = node.right < 0;
        nodeChanged_[n] = leaf ? patchChanged_[node.firstPatch] : nodeChanged_[n + 1] || nodeChanged_[node.right];
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

/// Slots of a block beyond the members meet no box, not even one without end.
void SurfaceTree::store(Boxes& boxes, Index patch) const {
    const GridBounds none = GridBounds::nowhere();
    Index slot = boxes.firstBlock[patch] * 16;
    const Index end = boxes.firstBlock[patch + 1] * 16;
    for (Index k = boxes.of->begin(patch); slot < end; ++k, ++slot) {
        const GridBounds& box = k < boxes.of->end(patch) ? boxes.each[k] : none;
        BoxBlock& block = boxes.blocks[slot / 16];
        for (std::size_t axis = 0; axis < std::size_t(Bounds::kAxes); ++axis) {
            block.lo[axis][slot % 16] = box.lo[axis];
            block.hi[axis][slot % 16] = box.hi[axis];
        }
    }
}

/// `of` gives the points of a member.
template <class PointsOf>
void SurfaceTree::storeCorners(Boxes& boxes, Index patch, PointsOf&& of) const {
    Index slot = boxes.firstBlock[patch] * 16;
    for (const Index member : boxes.of->of(patch)) {
        CornerBlock& block = boxes.corners[slot / 8];
        const auto& points = of(member);
        const unsigned lane = unsigned(slot % 8);
        for (std::size_t c = 0; c < points.size(); ++c) {
            block.corner[c][lane] = points[c];
            for (int axis = 0; axis < 3; ++axis) {
                block.from[c][axis][lane] = ways_[points[c]].from[axis];
                block.to[c][axis][lane] = ways_[points[c]].to[axis];
            }
        }
        block.changed = (block.changed & ~(1u << lane)) | unsigned(changed(points)) << lane;
        ++slot;
    }
}

void SurfaceTree::placePatch(Index patch) {
    GridBounds whole = GridBounds::nowhere();
    for (Index k = faces_.of->begin(patch); k < faces_.of->end(patch); ++k) {
        const Triangle& t = patches_.triangles[faces_.of->id[k]];
        GridBounds& box = faces_.each[k] = ways_[t[0]].box;
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
    const BoundsGrid grid(nodeBoxes_[0]);
    const auto wayOf = [&](const Vec3& from, const Vec3& to) -> PointWay {
        const auto rounded = [](const Vec3& p) { return std::array{float(p.x()), float(p.y()), float(p.z())}; };
        return {grid.of(Bounds::around(from, to, pad)), rounded(from), rounded(to)};
    };
    parallelRows(pool, motion.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (pointInvolved_[i]) ways_[i] = wayOf(motion.from(i), motion.to(i));
    });
    const RowChunks chunks{Index(involved_.size()), kPatchesPerChunk};
    pool.forChunks(chunks.count(), SurfacePatches::kTriangles * chunks.rows, [&](Index c) {
        for (Index k = chunks.begin(c); k < chunks.end(c); ++k) placePatch(involved_[k]);
    });
}

/// Bit k: member k of b has no corner in common with these, and something has changed.
template <std::size_t kFirst>
unsigned SurfaceTree::free(const std::array<Index, kFirst>& points, bool changed, const CornerBlock& of) {
    unsigned shared = 0;
    for (const Index i : points)
        for (std::size_t c = 0; c < 4 - kFirst; ++c) shared |= simd::lanesEqual(of.corner[c], i);
    return ~shared & (changed ? 0xff : of.changed);
}

/// Members of patch a against those of patch b, sixteen at once. `of` gives the points of a member of a, `kFirst` of
/// them; with those of a member of b they are four.
template <std::size_t kFirst, class PointsOf, class Accept>
void SurfaceTree::compare(const Boxes& first, Index a, const Boxes& second, Index b, float gap, PointsOf&& of,
                          Accept&& accept) const {
    const auto meeting = [](const BoxBlock& block, const GridBounds& box) {
        return simd::meetingBoxes(block.lo, block.hi, box.lo.data(), box.hi.data());
    };
    // Blocks of b with a member that meets the patch a.
    std::array<Index, kMostBlocks> near;
    Index nearBlocks = 0;
    for (Index block = second.firstBlock[b]; block < second.firstBlock[b + 1]; ++block)
        if (meeting(second.blocks[block], featureBoxes_[a]) != 0) near[nearBlocks++] = block;
    if (nearBlocks == 0) return;
    Corners8 start[4], end[4];
    const auto eachOwn = [&](Index k) {
        const std::array<Index, kFirst> points = of(first.of->id[k]);
        const bool ownChanged = changed(points);
        bool spread = false;
        for (Index n = 0; n < nearBlocks; ++n) {
            const unsigned mask = meeting(second.blocks[near[n]], first.each[k]);
            for (Index half = 2 * near[n]; half < 2 * near[n] + 2; ++half) {
                unsigned eight = mask >> 8 * (half % 2) & 0xff;
                if (eight == 0) continue;
                const CornerBlock& corners = second.corners[half];
                eight &= free(points, ownChanged, corners);
                if (eight == 0) continue;
                if (!std::exchange(spread, true))
                    for (std::size_t c = 0; c < kFirst; ++c)
                        for (int axis = 0; axis < 3; ++axis) {
                            start[c][axis] = simd::Float8::of(&ways_[points[c]].from[axis]);
                            end[c][axis] = simd::Float8::of(&ways_[points[c]].to[axis]);
                        }
                for (std::size_t c = kFirst; c < 4; ++c)
                    for (int axis = 0; axis < 3; ++axis) {
                        start[c][axis] = simd::Float8::load(corners.from[c - kFirst][axis]);
                        end[c][axis] = simd::Float8::load(corners.to[c - kFirst][axis]);
                    }
                eight &= ~keptApart<int(kFirst)>(start, end, gap, eight);
                const Index* ids = second.of->id.data() + second.of->begin(b) + 8 * (half - 2 * second.firstBlock[b]);
                for (; eight != 0; eight &= eight - 1) accept(first.of->id[k], ids[std::countr_zero(eight)]);
            }
        }
    };
    for (Index block = first.firstBlock[a]; block < first.firstBlock[a + 1]; ++block)
        for (unsigned own = meeting(first.blocks[block], featureBoxes_[b]); own != 0; own &= own - 1)
            eachOwn(first.of->begin(a) + 16 * (block - first.firstBlock[a]) + std::countr_zero(own));
}

void SurfaceTree::comparePatches(Index a, Index b, float gap, FeaturePairs& out) const {
    const auto pointOf = [](Index vertex) { return std::array{vertex}; };
    const auto add = [&](Index vertex, Index triangle) { out.vertexTriangle.push_back({vertex, triangle}); };
    compare<1>(corners_, a, faces_, b, gap, pointOf, add);
    if (a != b) compare<1>(corners_, b, faces_, a, gap, pointOf, add);
    compare<2>(
        sides_, a, sides_, b, gap, [&](Index e) { return patches_.edges[e]; },
        [&](Index e, Index f) {
            if (a != b || e < f) out.edgeEdge.push_back({std::min(e, f), std::max(e, f)});
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
