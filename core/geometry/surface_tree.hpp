#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/simd_floats.hpp"
#include "base/worker_pool.hpp"
#include "geometry/bounds.hpp"
#include "geometry/pair_filter.hpp"
#include "geometry/surface_patches.hpp"
#include "geometry/unfolded_regions.hpp"

/// Finds vertices and triangles, and pairs of edges, of moving surfaces that may come close.
///
/// In three rounds, each on the results of the one before. Patches of neighbouring triangles are in a tree of boxes
/// around their paths; those that meet, and that are not kept apart by being unfolded (unfolded_regions.hpp), are pairs
/// of patches: cloth that touches nothing and is not folded has none. Their members are compared, sixteen boxes at
/// once, and pairs that a plane separates are dropped (pair_filter.hpp). Work is divided by its amount, so the pairs
/// and their order do not depend on the number of threads.
namespace clothlab::geometry {

/// Pairs of features that share no corner, by number.
struct FeaturePairs {
    std::vector<std::array<Index, 2>> vertexTriangle;  ///< a vertex, a triangle
    std::vector<std::array<Index, 2>> edgeEdge;        ///< two edges

    std::size_t size() const { return vertexTriangle.size() + edgeEdge.size(); }
};

class SurfaceTree {
public:
    SurfaceTree() = default;
    SurfaceTree(const SurfaceTree&) = delete;
    SurfaceTree& operator=(const SurfaceTree&) = delete;
    /// Edges are those of the triangles; places (m) of all points only decide the neighbourhoods.
    void build(std::span<const Vec3> points, std::span<const Triangle> triangles, std::span<const MeshEdge> edges);
    /// Puts boxes around the paths of all points, widened by `pad` (m). From now on only pairs with a point that has
    /// `changed` are found (one flag per point; without flags: all). The flags hold until the next call.
    void place(const PointMotion& motion, double pad, WorkerPool& pool, std::span<const std::uint8_t> changed = {});
    /// Finds the pairs of patches with a changed point whose boxes meet, except those that surely stay farther apart
    /// than `distance` (m) since they are not folded. Returns their number.
    Index findPatchPairs(WorkerPool& pool, double distance = std::numeric_limits<double>::infinity());
    /// In these pairs of patches: all pairs of features with a changed point that no axis of their boxes (WayBounds),
    /// widened by `pad` (m), separates, each once, except some that surely stay farther apart than `gap` (m). All paths
    /// must be within the placed boxes.
    void findPairs(const PointMotion& motion, double pad, double gap, FeaturePairs& out, WorkerPool& pool);

    std::span<const Triangle> triangles() const { return patches_.triangles; }
    std::span<const std::array<Index, 2>> edges() const { return patches_.edges; }

private:
    /// Boxes of sixteen members, at the start and at the end.
    using BoxBlock = std::array<simd::SixteenBoxes<Bounds::kAxes>, 2>;
    /// Boxes of the members of one kind; a patch begins a new block.
    struct Boxes {
        const SurfacePatches::Members* of = nullptr;
        std::vector<Index> firstBlock;  // of each patch, and one more
        std::vector<WayBounds> each;
        std::vector<BoxBlock> blocks;
    };

    /// Two nodes to search for pairs of patches, or one node with itself.
    using NodePair = std::array<Index, 2>;
    /// The result of a part of the walk over the tree.
    struct Walk {
        std::vector<std::array<Index, 2>> pairs;
        std::vector<NodePair> left;  ///< for another part: small ones, and those with unknown answers
        Index smallest = 0;          ///< patches of nodes not left to other parts
        bool alone = false;          ///< no other walk runs: unknown answers can be computed
    };

    void walk(NodePair nodes, Walk& out);
    void sortPatchPairs();
    void placeFeatures(const PointMotion& motion, double pad, WorkerPool& pool);
    void placePatch(Index patch);
    void store(Boxes& boxes, Index patch) const;
    template <class VertexTriangle, class EdgeEdge>
    void comparePatches(Index a, Index b, VertexTriangle&& vertexTriangle, EdgeEdge&& edgeEdge) const;
    template <std::size_t kCorners>
    bool changed(const std::array<Index, kCorners>& corners) const;
    template <class Accept>
    void compare(const Boxes& first, Index a, const Boxes& second, Index b, Accept&& accept) const;

    SurfacePatches patches_;
    UnfoldedRegions unfolded_;
    std::vector<Bounds> patchBoxes_, nodeBoxes_;            // of the last placing
    std::span<const std::uint8_t> changed_;                 // of its points; empty: all
    std::vector<std::uint8_t> patchChanged_, nodeChanged_;  // whether they have such a point
    double apart_ = 0;                                      // m: so far unfolded patches are to be apart
    std::vector<std::array<Index, 2>> patchPairs_;          // ordered

    std::vector<Index> involved_;              // patches in a pair
    std::vector<std::uint8_t> pointInvolved_;  // and their corners
    std::vector<WayBounds> pointBoxes_;        // of these
    std::vector<RoundedWay> ways_;             // of these
    std::vector<WayBounds> featureBoxes_;      // of the members of these patches
    bool moves_ = false;                       // else a way is a place, and its end is not looked at
    Boxes faces_, corners_, sides_;            // triangles, vertices, edges
};

}  // namespace clothlab::geometry
