#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "geometry/bounds.hpp"
#include "geometry/surface_patches.hpp"
#include "geometry/unfolded_regions.hpp"

/// Which vertices and triangles, and which two edges, of moving surfaces may come close.
///
/// In three rounds, each about what the one before has left. Patches of neighbouring triangles lie in a tree of boxes
/// around their ways; those that meet, and that are not kept apart by being unfolded (unfolded_regions.hpp), are pairs
/// of patches: where a cloth touches nothing and is not folded there is none. Their members are compared, sixteen
/// boxes at once, and pairs that a plane keeps apart fall out (plane_filter.hpp). Work is divided by what there is of
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
    Index findPatchPairs(double distance = std::numeric_limits<double>::infinity());
    /// In these pairs of patches: all pairs of features with a changed point whose boxes around their ways and `pad`
    /// (m) meet, each once, but for some that surely stay further apart than `gap` (m). No way is to leave what was
    /// placed.
    void findPairs(const PointMotion& motion, double pad, double gap, FeaturePairs& out, WorkerPool& pool);

    std::span<const Triangle> triangles() const { return patches_.triangles; }
    std::span<const std::array<Index, 2>> edges() const { return patches_.edges; }

private:
    /// The way of a point.
    struct PointWay {
        GridBounds box;                 ///< around the way, and what is to be seen beside it
        std::array<float, 3> from, to;  ///< m, rounded
    };
    /// Boxes of sixteen members.
    struct alignas(32) BoxBlock {
        std::int16_t lo[Bounds::kAxes][16], hi[Bounds::kAxes][16];
    };
    /// Corners of eight members, each as a lane an axis, at the start and at the end of their ways; which they are; and
    /// bit k: member k has one that has changed.
    struct alignas(32) CornerBlock {
        float from[3][3][8] = {}, to[3][3][8] = {};
        Index corner[3][8] = {};
        unsigned changed = 0;
    };
    /// Boxes of the members of one kind; a patch begins a new block.
    struct Boxes {
        const SurfacePatches::Members* of = nullptr;
        std::vector<Index> firstBlock;  // of each patch, and one more
        std::vector<GridBounds> each;
        std::vector<BoxBlock> blocks;
        std::vector<CornerBlock> corners;  // two of each block; not of vertices
    };

    void pairWithin(Index node);
    void pairAcross(Index m, Index n);
    void sortPatchPairs();
    void placeFeatures(const PointMotion& motion, double pad, WorkerPool& pool);
    void placePatch(Index patch);
    void store(Boxes& boxes, Index patch) const;
    template <class PointsOf>
    void storeCorners(Boxes& boxes, Index patch, PointsOf&& of) const;
    void comparePatches(Index a, Index b, float gap, FeaturePairs& out) const;
    template <std::size_t kCorners>
    bool changed(const std::array<Index, kCorners>& corners) const;
    template <std::size_t kFirst>
    static unsigned free(const std::array<Index, kFirst>& points, bool changed, const CornerBlock& of);
    template <std::size_t kFirst, class PointsOf, class Accept>
    void compare(const Boxes& first, Index a, const Boxes& second, Index b, float gap, PointsOf&& of,
                 Accept&& accept) const;

    SurfacePatches patches_;
    UnfoldedRegions unfolded_;
    std::vector<Bounds> patchBoxes_, nodeBoxes_;            // of the last placing
    std::span<const std::uint8_t> changed_;                 // of its points; empty: all
    std::vector<std::uint8_t> patchChanged_, nodeChanged_;  // whether they have such a point
    double apart_ = 0;                                      // m: so far unfolded patches are to be apart
    std::vector<std::array<Index, 2>> patchPairs_;          // ordered

    std::vector<Index> involved_;              // patches in a pair
    std::vector<std::uint8_t> pointInvolved_;  // and their corners
    std::vector<PointWay> ways_;               // of these
    std::vector<GridBounds> featureBoxes_;     // of the members of these patches
    Boxes faces_, corners_, sides_;            // triangles, vertices, edges
};

}  // namespace clothlab::geometry
