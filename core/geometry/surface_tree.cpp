#include "geometry/surface_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace clothlab::geometry {
namespace {

constexpr Index kPatchesPerChunk = 32, kPairsPerChunk = 64;
constexpr Index kNodes = 16;  ///< about so many small nodes are walked side by side, each with those that it meets
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
    }
    patchBoxes_.resize(std::size_t(patches_.size()));
    featureBoxes_.resize(patchBoxes_.size());
    nodeBoxes_.resize(patches_.nodes.size());
    patchChanged_.resize(patchBoxes_.size());
    nodeChanged_.resize(nodeBoxes_.size());
    pointBoxes_.resize(points.size());
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

void SurfaceTree::walk(NodePair nodes, Walk& out) {
    const auto [m, n] = nodes;
    const SurfacePatches::Node &first = patches_.nodes[m], &second = patches_.nodes[n];
    if (!(nodeChanged_[m] || nodeChanged_[n]) || (m != n && !nodeBoxes_[m].meets(nodeBoxes_[n]))) return;
    const bool leaves = first.right < 0 && second.right < 0;
    const Index sizeOfFirst = first.lastPatch - first.firstPatch, sizeOfSecond = second.lastPatch - second.firstPatch;
    if (std::max(sizeOfFirst, sizeOfSecond) < out.smallest) {
        out.left.push_back(nodes);
        return;
    }
    if (m == n || leaves) {
        using enum UnfoldedRegions::Answer;
        const Index a = first.firstPatch, b = second.firstPatch;
        const auto ask = [&, m = m, n = n] { return m == n ? unfolded_.ask(m, apart_) : unfolded_.ask(a, b, apart_); };
        auto answer = ask();
        if (answer == Unknown && !out.alone) {
            out.left.push_back(nodes);
            return;
        }
        if (answer == Unknown) {
            m == n ? unfolded_.lookFor(m) : unfolded_.lookFor(a, b);
            answer = ask();
        }
        if (answer == Apart) return;
    }
    if (leaves) {
        out.pairs.push_back({first.firstPatch, second.firstPatch});
    } else if (m == n) {
        walk({m + 1, m + 1}, out);
        walk({first.right, first.right}, out);
        walk({m + 1, first.right}, out);
    } else if (sizeOfFirst >= sizeOfSecond) {
        walk({m + 1, n}, out);
        walk({first.right, n}, out);
    } else {
        walk({m, n + 1}, out);
        walk({m, second.right}, out);
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

Index SurfaceTree::findPatchPairs(WorkerPool& pool, double distance) {
    apart_ = distance;
    patchPairs_.clear();
    if (patches_.nodes.empty()) return 0;
    // Large nodes alone, what they leave side by side, and in the end what nothing was known of.
    Walk large{.smallest = (patches_.size() + kNodes - 1) / kNodes, .alone = true};
    walk({0, 0}, large);
    std::vector<Walk> parts(large.left.size());
    pool.forChunks(Index(parts.size()), patches_.size() * SurfacePatches::kTriangles,
                   [&](Index c) { walk(large.left[c], parts[c]); });
    Walk unknown{.alone = true};
    for (const Walk& part : parts)
        for (const NodePair& nodes : part.left) walk(nodes, unknown);
    patchPairs_ = std::move(large.pairs);
    parts.push_back(std::move(unknown));
    for (const Walk& part : parts) patchPairs_.insert(patchPairs_.end(), part.pairs.begin(), part.pairs.end());
    sortPatchPairs();
    return Index(patchPairs_.size());
}

/// Slots of a block beyond the members meet no box, not even one without end.
void SurfaceTree::store(Boxes& boxes, Index patch) const {
    const WayBounds none = WayBounds::nowhere();
    Index slot = boxes.firstBlock[patch] * 16;
    const Index end = boxes.firstBlock[patch + 1] * 16;
    for (Index k = boxes.of->begin(patch); slot < end; ++k, ++slot) {
        const WayBounds& box = k < boxes.of->end(patch) ? boxes.each[k] : none;
        for (std::size_t time = 0; time < (moves_ ? 2 : 1); ++time)
            for (std::size_t axis = 0; axis < std::size_t(Bounds::kAxes); ++axis) {
                boxes.blocks[slot / 16][time].lo[axis][slot % 16] = box.at[time].lo[axis];
                boxes.blocks[slot / 16][time].hi[axis][slot % 16] = box.at[time].hi[axis];
            }
    }
}

void SurfaceTree::placePatch(Index patch) {
    WayBounds whole = WayBounds::nowhere();
    for (Index k = faces_.of->begin(patch); k < faces_.of->end(patch); ++k) {
        const Triangle& t = patches_.triangles[faces_.of->id[k]];
        WayBounds& box = faces_.each[k] = pointBoxes_[t[0]];
        box.include(pointBoxes_[t[1]]);
        box.include(pointBoxes_[t[2]]);
        whole.include(box);
    }
    for (Index k = corners_.of->begin(patch); k < corners_.of->end(patch); ++k)
        corners_.each[k] = pointBoxes_[corners_.of->id[k]];
    for (Index k = sides_.of->begin(patch); k < sides_.of->end(patch); ++k) {
        const auto& [a, b] = patches_.edges[sides_.of->id[k]];
        sides_.each[k] = pointBoxes_[a];
        sides_.each[k].include(pointBoxes_[b]);
    }
    for (Boxes* boxes : {&faces_, &corners_, &sides_}) store(*boxes, patch);
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
    moves_ = !motion.u.empty();
    const BoundsGrid grid(nodeBoxes_[0]);
    const auto placePoint = [&](Index i) {
        const auto rounded = [](const Vec3& p) { return std::array{float(p.x()), float(p.y()), float(p.z()), 0.0f}; };
        const Vec3 from = motion.from(i), to = motion.to(i);
        const GridBounds start = grid.of(Bounds::around(from, from, pad));
        pointBoxes_[i] = {{start, moves_ ? grid.of(Bounds::around(to, to, pad)) : start}};
        ways_[i] = {rounded(from), rounded(to)};
    };
    parallelRows(pool, motion.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (pointInvolved_[i]) placePoint(i);
    });
    const RowChunks chunks{Index(involved_.size()), kPatchesPerChunk};
    pool.forChunks(chunks.count(), SurfacePatches::kTriangles * chunks.rows, [&](Index c) {
        for (Index k = chunks.begin(c); k < chunks.end(c); ++k) placePatch(involved_[k]);
    });
}

/// Members of patch a against those of patch b, sixteen at once: which boxes meet.
template <class Accept>
void SurfaceTree::compare(const Boxes& first, Index a, const Boxes& second, Index b, Accept&& accept) const {
    const auto meeting = [this](const BoxBlock& block, const WayBounds& box) {
        const std::int16_t* const low[] = {box.at[0].lo.data(), box.at[1].lo.data()};
        const std::int16_t* const high[] = {box.at[0].hi.data(), box.at[1].hi.data()};
        return moves_ ? simd::meetingBoxes<2>(block, low, high) : simd::meetingBoxes<1>(block, low, high);
    };
    // Blocks of b with a member that meets the patch a.
    std::array<Index, kMostBlocks> near;
    Index nearBlocks = 0;
    for (Index block = second.firstBlock[b]; block < second.firstBlock[b + 1]; ++block)
        if (meeting(second.blocks[block], featureBoxes_[a]) != 0) near[nearBlocks++] = block;
    if (nearBlocks == 0) return;
    for (Index block = first.firstBlock[a]; block < first.firstBlock[a + 1]; ++block)
        for (unsigned own = meeting(first.blocks[block], featureBoxes_[b]); own != 0; own &= own - 1) {
            const Index k = first.of->begin(a) + 16 * (block - first.firstBlock[a]) + std::countr_zero(own);
            for (Index n = 0; n < nearBlocks; ++n) {
                const Index* ids = second.of->id.data() + second.of->begin(b) + 16 * (near[n] - second.firstBlock[b]);
                for (unsigned met = meeting(second.blocks[near[n]], first.each[k]); met != 0; met &= met - 1)
                    accept(first.of->id[k], ids[std::countr_zero(met)]);
            }
        }
}

template <class VertexTriangle, class EdgeEdge>
void SurfaceTree::comparePatches(Index a, Index b, VertexTriangle&& vertexTriangle, EdgeEdge&& edgeEdge) const {
    const auto addVertex = [&](Index vertex, Index triangle) {
        const std::array point{vertex};
        if (changed(point) || changed(patches_.triangles[triangle]))
            vertexTriangle.add({vertex, triangle}, point, patches_.triangles[triangle]);
    };
    compare(corners_, a, faces_, b, addVertex);
    if (a != b) compare(corners_, b, faces_, a, addVertex);
    compare(sides_, a, sides_, b, [&](Index e, Index f) {
        if ((a != b || e < f) && (changed(patches_.edges[e]) || changed(patches_.edges[f])))
            edgeEdge.add({std::min(e, f), std::max(e, f)}, patches_.edges[e], patches_.edges[f]);
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
        PairFilter<1> vertexTriangle(ways_, moves_, wide, found[c].vertexTriangle);
        PairFilter<2> edgeEdge(ways_, moves_, wide, found[c].edgeEdge);
        for (Index k = chunks.begin(c); k < chunks.end(c); ++k)
            comparePatches(patchPairs_[k][0], patchPairs_[k][1], vertexTriangle, edgeEdge);
    });
    for (const FeaturePairs& part : found) {
        out.vertexTriangle.insert(out.vertexTriangle.end(), part.vertexTriangle.begin(), part.vertexTriangle.end());
        out.edgeEdge.insert(out.edgeEdge.end(), part.edgeEdge.begin(), part.edgeEdge.end());
    }
}

}  // namespace clothlab::geometry
