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

/// Which vertices and triangles, and which two edges, of moving surfaces may come close.
///
/// In three rounds, each about what the one before has left. Patches of neighbouring triangles lie in a tree of boxes
/// around their ways; those that meet, and that are not kept apart by being unfolded (unfolded_regions.hpp), are pairs
/// of patches: where a cloth touches nothing and is not folded there is none. Their members are compared, sixteen
/// boxes at once, and pairs that a plane keeps apart fall out (pair_filter.hpp). Work is divided by what there is of
/// it, so the pairs and their order do not depend on the number of threads.
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
    /// Edges are those of the triangles; places (m) of all points only decide who is a neighbour of whom.
    void build(std::span<const Vec3> points, std::span<const Triangle> triangles, std::span<const MeshEdge> edges);
    /// Lays boxes around the ways of all points and what is within `pad` (m) of them. From now on only pairs are looked
    /// for that have a point that has `changed` (one flag per point; without flags: all). The flags stay until the next
    /// call.
    void place(const PointMotion& motion, double pad, WorkerPool& pool, std::span<const std::uint8_t> changed = {});
    /// Finds the pairs of patches with a changed point whose boxes meet, but for those that surely stay further apart
    /// than `distance` (m) since they are not folded. Returns how many there are.
    Index findPatchPairs(WorkerPool& pool, double distance = std::numeric_limits<double>::infinity());
    /// In these pairs of patches: all pairs of features with a changed point that no axis of their boxes (WayBounds),
    /// made wider by `pad` (m), keeps apart, each once, but for some that surely stay further apart than `gap` (m). No
    /// way is to leave what was placed.
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

    /// Two nodes of which pairs of patches are looked for, or one within itself.
    using NodePair = std::array<Index, 2>;
    /// What a part of the walk over the tree has found.
    struct Walk {
        std::vector<std::array<Index, 2>> pairs;
        std::vector<NodePair> left;  ///< for another part: small ones, and what nothing is known of yet
        Index smallest = 0;          ///< patches of what is not left to others
        bool alone = false;          ///< nothing else walks: what is not known can be looked for
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
