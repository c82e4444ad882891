#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/shapes.hpp"
#include "geometry/triangle_mesh.hpp"

/// The signed distance of a closed surface, sampled once on a grid of cubes and interpolated from there.
///
/// A node stores the distance to the closest triangle, found in a tree of boxes, with the sign from the pseudonormal of
/// the closest face, edge or corner (Bærentzen and Aanæs 2005): the sum of the face normals around it, at a corner
/// weighted by their angles. It is exact for a closed surface without self-intersections. Between nodes the distance is
/// trilinear and the normal is its gradient, so that they are consistent: pushing a point along the normal by its depth
/// moves it out. Parts thinner than a cube are lost.
namespace clothlab::geometry {

/// An edge that has one triangle only: the surface has a hole there.
struct Hole {
    Index a, b;       ///< points
    Index edges = 0;  ///< number of such edges in total
};
std::optional<Hole> findHole(const TriangleMesh& mesh);

class DistanceField {
public:
    /// The progress of `build`, 0 to 1.
    using Progress = std::function<void(double)>;
    static constexpr int kLeastCells = 8, kMostCells = 256;

    /// `cells` cubes along the longest side of the box around the mesh. The mesh must have triangles, no hole and no
    /// EdgeFault; an inverted one is turned around. Empty when `stop` was requested.
    static std::optional<DistanceField> build(const TriangleMesh& mesh, int cells, const Progress& progress = {},
                                              const std::stop_token& stop = {});

    /// Within the box around the mesh and two cubes more; farther out the distance is a lower bound.
    DistanceSample sample(const Vec3& point) const;
    double cell() const { return cell_; }  ///< m, edge of a cube
    const Vec3& low() const { return low_; }
    Vec3 high() const { return low_ + cell_ * Vec3(count_[0] - 1, count_[1] - 1, count_[2] - 1); }

    /// The field as bytes, with a checksum, for the same machine, and back: empty unless they are complete and of this
    /// version.
    std::string bytes() const;
    static std::optional<DistanceField> fromBytes(std::string_view bytes);

private:
    double cell_ = 1;
    Vec3 low_ = Vec3::Zero();
    std::array<Index, 3> count_{};  // nodes along each axis
    std::vector<float> nodes_;      // m, x fastest
};

}  // namespace clothlab::geometry
