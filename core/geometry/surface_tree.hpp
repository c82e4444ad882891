#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "geometry/triangle_mesh.hpp"

/// Which vertices and triangles, and which two edges, of moving surfaces may come close: by boxes in a tree.
///
/// The surface is cut once into patches of up to sixteen neighbouring triangles, by halving their places at rest; each
/// vertex and each edge belongs to one patch, so that no pair is found twice. From step to step the tree stays, and its
/// boxes follow the points. Patches whose boxes meet compare their members, eight boxes at once. Work is divided by
/// patches, so the pairs and their order do not depend on the number of threads.
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
    /// Lays the boxes around those of the points, one a point.
    void place(std::span<const Bounds> points, WorkerPool& pool);
    /// All pairs whose boxes meet, each once; of points that have `changed` only (one flag a point; none: all), if at
    /// least one corner has.
    void findPairs(FeaturePairs& out, WorkerPool& pool, std::span<const std::uint8_t> changed = {}) const;

    std::span<const Triangle> triangles() const { return triangles_; }
    std::span<const std::array<Index, 2>> edges() const { return edges_; }

private:
    struct alignas(32) BoxBlock {
        float lo[Bounds::kAxes][8], hi[Bounds::kAxes][8];
    };
    /// Members of one kind, one patch after the other; a patch begins a new block.
    struct Members {
        std::vector<Index> id, firstId, firstBlock;  // the latter two of each patch, and one more
        std::vector<Bounds> boxes;                   // of each member
        std::vector<BoxBlock> blocks;

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
    void placePatch(Index patch, std::span<const Bounds> points);
    void store(Members& members, Index patch) const;
    void comparePatches(Index a, Index b, std::span<const std::uint8_t> changed, FeaturePairs& out) const;
    /// Of nodes: whether a point of their triangles has changed.
    std::vector<std::uint8_t> changedNodes(std::span<const std::uint8_t> changed) const;
    template <class Accept>
    void compare(const Members& first, Index a, const Members& second, Index b, Accept&& accept) const;
    bool share(Index vertex, Index triangle) const;
    bool edgesShare(Index a, Index b) const;

    std::vector<Triangle> triangles_;
    std::vector<std::array<Index, 2>> edges_;
    std::vector<Node> nodes_;
    std::vector<Bounds> patchBoxes_;
    Members faces_, corners_, sides_;  // triangles, vertices, edges
};

}  // namespace clothlab::geometry
