#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// A surface cut once into patches of up to sixteen neighbouring triangles, by halving their places at rest, and the
/// tree of the halves. Each vertex and each edge belongs to one patch, so that no pair of features is found twice.
struct SurfacePatches {
    static constexpr Index kTriangles = 16;  ///< of a patch, at most

    /// Numbers of one kind, one patch after the other.
    struct Members {
        std::vector<Index> id, first;  ///< `first` of each patch in `id`, and one more

        Index begin(Index patch) const { return first[patch]; }
        Index end(Index patch) const { return first[patch + 1]; }
        std::span<const Index> of(Index patch) const {
            return {id.data() + begin(patch), std::size_t(end(patch) - begin(patch))};
        }
    };
    /// In preorder: the left child follows, `right` is the other; of a patch it is -1. Its patches are
    /// firstPatch ... lastPatch.
    struct Node {
        Index right = -1, firstPatch = 0, lastPatch = 0;
    };

    std::vector<Triangle> triangles;
    std::vector<std::array<Index, 2>> edges;  ///< sorted
    Members faces, corners, sides;            ///< triangles, vertices, edges
    std::vector<Node> nodes;

    /// The number of an existing edge.
    Index findEdge(Index a, Index b) const;
    Index size() const { return Index(faces.first.size()) - 1; }
};

/// Edges are those of the triangles; places (m) of all points only decide the neighbourhoods.
SurfacePatches cutIntoPatches(std::span<const Vec3> points, std::span<const Triangle> triangles,
                              std::span<const MeshEdge> edges);

}  // namespace clothlab::geometry
