#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "geometry/triangle_mesh.hpp"

/// Which vertices and triangles, and which two edges, of moving surfaces may come close: by boxes in a tree.
///
/// The surface is cut once into patches of up to sixteen neighbouring triangles, by halving their places at rest; each
/// vertex and each edge belongs to one patch, so that no pair is found twice. From step to step the tree stays, and its
/// boxes follow the points. Patches whose boxes meet compare their members, eight boxes at once, and leave out pairs
/// that a plane keeps apart (plane_filter.hpp). Work is divided by patches, so the pairs and their order do not depend
/// on the number of threads.
namespace clothlab::geometry {

/// A box whose corners and edges are cut: an interval along each of nine directions, in single precision, rounded
/// outward: what it is made of lies within. Layers of cloth that lie across the axes of the world are thin along
/// another of the nine, and most of their pairs fall out there.
struct Bounds {
    static constexpr int kAxes = 9;  ///< x, y, z, and the sums and differences of two of them
    std::array<float, kAxes> lo, hi;

    void include(const Bounds& other);
    bool meets(const Bounds& other) const;
    static Bounds empty();
    /// Around the way from a to b and everything within `pad` (m) of it.
    static Bounds around(const Vec3& a, const Vec3& b, double pad);
};

/// The way of a point.
struct PointWay {
    Bounds box;                     ///< around the way, and what is to be seen beside it
    std::array<float, 3> from, to;  ///< m, rounded

    static PointWay of(const Vec3& from, const Vec3& to, double pad);
};

/// Pairs of features that share no corner, by number.
struct FeaturePairs {
    std::vector<std::array<Index, 2>> vertexTriangle;  ///< a vertex, a triangle
    std::vector<std::array<Index, 2>> edgeEdge;        ///< two edges

    std::size_t size() const { return vertexTriangle.size() + edgeEdge.size(); }
};

class SurfaceTree {
public:
    /// Edges are those of the triangles; places (m) of all points only decide who is a neighbour of whom.
    void build(std::span<const Vec3> points, std::span<const Triangle> triangles, std::span<const MeshEdge> edges);
    /// Lays the boxes around those of the points, one a point; of points that have `changed` since the last call only
    /// (one flag a point; none: all). The points and the flags stay until the next call.
    void place(std::span<const PointWay> points, WorkerPool& pool, std::span<const std::uint8_t> changed = {});
    /// All pairs with a corner that the last placing was about, whose boxes meet, each once, but for some that surely
    /// stay further apart than `gap` (m) on their ways.
    void findPairs(FeaturePairs& out, WorkerPool& pool, double gap = std::numeric_limits<double>::infinity()) const;

    std::span<const Triangle> triangles() const { return triangles_; }
    std::span<const std::array<Index, 2>> edges() const { return edges_; }

private:
    struct alignas(32) BoxBlock {
        float lo[Bounds::kAxes][8], hi[Bounds::kAxes][8];
    };
    /// Corners of eight members, each as a lane an axis, at the start and at the end of their ways.
    struct alignas(32) CornerBlock {
        float from[3][3][8] = {}, to[3][3][8] = {};
    };
    /// Members of one kind, one patch after the other; a patch begins a new block.
    struct Members {
        std::vector<Index> id, firstId, firstBlock;  // the latter two of each patch, and one more
        std::vector<Bounds> boxes;                   // of each member
        std::vector<BoxBlock> blocks;
        std::vector<CornerBlock> corners;  // of each block; not of vertices

        void close();  ///< the patch that is being filled
        Index begin(Index patch) const { return firstId[patch]; }
        Index end(Index patch) const { return firstId[patch + 1]; }
    };
    /// In preorder: the left child follows, `right` is the other; of a patch it is -1.
    struct Node {
        Bounds box;
        Index right = -1, firstPatch = 0, lastPatch = 0;
    };

    Index split(std::span<Index> triangles, std::span<const Vec3> centers);
    void placePatch(Index patch);
    void store(Members& members, Index patch) const;
    template <class CornersOf>
    void storeCorners(Members& members, Index patch, CornersOf&& of) const;
    void comparePatches(Index a, Index b, float gap, FeaturePairs& out) const;
    bool changed(const Triangle& t) const;
    template <int kFirst, class CornersOf, class Accept>
    void compare(const Members& first, Index a, const Members& second, Index b, float gap, CornersOf&& of,
                 Accept&& accept) const;
    bool share(Index vertex, Index triangle) const;
    bool edgesShare(Index a, Index b) const;

    std::vector<Triangle> triangles_;
    std::vector<std::array<Index, 2>> edges_;
    std::vector<Node> nodes_;
    std::vector<Bounds> patchBoxes_;
    std::span<const PointWay> ways_;                        // of the last placing
    std::span<const std::uint8_t> changed_;                 // its points; empty: all
    std::vector<std::uint8_t> patchChanged_, nodeChanged_;  // whether they have such a point
    double largest_ = 0;                                    // m, of coordinates
    Members faces_, corners_, sides_;                       // triangles, vertices, edges
};

}  // namespace clothlab::geometry
