#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "geometry/surface_patches.hpp"

namespace clothlab::geometry {

/// The surface at rest laid into planes, part by part: each patch belongs to the chart of the largest part of the tree
/// in which no triangle is turned by more than 60 degrees from the mean. A flat piece of cloth is one chart.
class FlatCharts {
public:
    using ChartPoint = Eigen::Vector2d;

    void build(const SurfacePatches& patches, std::span<const Vec3> points);

    /// The chart of all patches of this node; -1: they have none in common, or a triangle is degenerate.
    Index chartOfNode(Index node) const { return nodeChart_[node]; }
    Index chartOfPatch(Index patch) const { return patchChart_[patch]; }
    /// Corners of a triangle in the chart of its patch, m.
    std::array<ChartPoint, 3> corners(Index triangle) const;
    /// The least altitude of a patch's triangles in its chart, m.
    float finest(Index patch) const { return finest_[patch]; }
    /// The distance of two patches of one chart in it, by boxes; m.
    double gap(Index a, Index b) const;
    /// The longer side of the box of a patch; m.
    double extent(Index patch) const;

    /// The patches, ascending, whose triangles cover the convex hull of these patches in their chart exactly once;
    /// nullopt if they do not: at a border that is not convex, at the end of a chart, or where the patches belong to
    /// different pieces.
    std::optional<std::vector<Index>> cover(std::span<const Index> patches);

private:
    struct Box {
        ChartPoint lo, hi;
    };
    void chart(Index node, std::span<const Vec3> areas, std::span<const Vec3> points);
    void markBranches(std::span<const Vec3> points);
    ChartPoint at(Index chart, Index vertex) const { return axes_[chart].transpose() * points_[vertex]; }

    const SurfacePatches* patches_ = nullptr;
    std::vector<Vec3> points_;
    std::vector<Eigen::Matrix<double, 3, 2>> axes_;  // of each chart
    std::vector<Index> nodeChart_, patchChart_, patchOf_;
    std::vector<float> finest_;
    std::vector<Box> box_;
    std::vector<std::array<Index, 3>> across_;  // of each triangle: the neighbour over side k; -1: none, or several
    std::vector<std::uint8_t> branch_;          // of each triangle: around a corner there is more than a full turn
    std::vector<std::uint32_t> seen_;           // of each triangle: the last call of cover() that has come there
    std::uint32_t call_ = 0;
};

}  // namespace clothlab::geometry
