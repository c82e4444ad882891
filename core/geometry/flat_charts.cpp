#include "geometry/flat_charts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace clothlab::geometry {
namespace {

using ChartPoint = FlatCharts::ChartPoint;

/// Cosine of the largest angle between a normal and the mean of its chart: 60 degrees.
constexpr double kTurned = 0.5;
/// Share of the size of a hull: what is so near its rim counts as outside.
constexpr double kRim = 1e-7;
/// Share of a full turn that rounding may add to a sum of angles.
constexpr double kTurnRounding = 1e-6;

double cross(const ChartPoint& a, const ChartPoint& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Counter-clockwise, by Andrew's monotone chain; the points are sorted.
std::vector<ChartPoint> convexHull(std::vector<ChartPoint>& points) {
    std::ranges::sort(points, [](const ChartPoint& a, const ChartPoint& b) {
        return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
    });
    std::vector<ChartPoint> hull;
    const auto add = [&](const ChartPoint& p, std::size_t least) {
        while (hull.size() > least && !(cross(hull.back() - hull[hull.size() - 2], p - hull.back()) > 0))
            hull.pop_back();
        hull.push_back(p);
    };
    for (const ChartPoint& p : points) add(p, 1);
    const std::size_t lower = hull.size();
    for (auto p = points.rbegin() + 1; p < points.rend(); ++p) add(*p, lower);
    if (hull.size() > 1) hull.pop_back();
    return hull;
}

/// The inside of a convex polygon, without a narrow rim.
class Inside {
public:
    explicit Inside(const std::vector<ChartPoint>& hull) {
        ChartPoint lo = hull[0], hi = hull[0];
        for (const ChartPoint& p : hull) {
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        const double rim = kRim * (hi - lo).norm();
        for (std::size_t k = 0; k < hull.size(); ++k) {
            const ChartPoint side = hull[(k + 1) % hull.size()] - hull[k];
            const ChartPoint inward = ChartPoint(-side.y(), side.x()) / side.norm();
            planes_.push_back({inward, inward.dot(hull[k]) + rim});
        }
    }
    /// Whether the way from a to b comes inside.
    bool meets(const ChartPoint& a, const ChartPoint& b) const {
        double from = 0, to = 1;
        for (const auto& [inward, offset] : planes_) {
            const double first = inward.dot(a) - offset, second = inward.dot(b) - offset;
            if (first <= 0 && second <= 0) return false;
            if (first < 0) from = std::max(from, first / (first - second));
            if (second < 0) to = std::min(to, first / (first - second));
            if (from >= to) return false;
        }
        return true;
    }

private:
    struct Plane {
        ChartPoint inward;
        double offset;
    };
    std::vector<Plane> planes_;
};

}  // namespace

std::array<ChartPoint, 3> FlatCharts::corners(Index triangle) const {
    const Index chart = patchChart_[patchOf_[triangle]];
    const Triangle& t = patches_->triangles[triangle];
    return {at(chart, t[0]), at(chart, t[1]), at(chart, t[2])};
}

double FlatCharts::gap(Index a, Index b) const {
    return (box_[a].lo - box_[b].hi).cwiseMax(box_[b].lo - box_[a].hi).cwiseMax(0).norm();
}

double FlatCharts::extent(Index patch) const { return (box_[patch].hi - box_[patch].lo).maxCoeff(); }

void FlatCharts::chart(Index node, std::span<const Vec3> areas, std::span<const Vec3> points) {
    const SurfacePatches::Node& n = patches_->nodes[node];
    Vec3 mean = Vec3::Zero();
    const auto eachFace = [&](auto&& f) {
        for (Index k = patches_->faces.begin(n.firstPatch); k < patches_->faces.end(n.lastPatch); ++k)
            f(patches_->faces.id[k]);
    };
    eachFace([&](Index t) { mean += areas[t]; });
    bool one = mean.norm() > 0;
    if (one) {
        mean.normalize();
        eachFace([&](Index t) { one = one && areas[t].norm() > 0 && areas[t].dot(mean) >= kTurned * areas[t].norm(); });
    }
    if (!one && n.right >= 0) {
        chart(node + 1, areas, points);
        chart(n.right, areas, points);
        return;
    }
    if (!one) return;
    const Vec3 u = mean.unitOrthogonal();
    axes_.emplace_back();
    axes_.back() << u, mean.cross(u);
    // The nodes below it are those up to the last with a patch of its own.
    for (Index below = node; below < Index(patches_->nodes.size()); ++below) {
        const SurfacePatches::Node& part = patches_->nodes[below];
        if (part.firstPatch > n.lastPatch) break;
        nodeChart_[below] = Index(axes_.size()) - 1;
    }
    for (Index patch = n.firstPatch; patch <= n.lastPatch; ++patch) patchChart_[patch] = Index(axes_.size()) - 1;
}

void FlatCharts::markBranches(std::span<const Vec3> points) {
    std::vector<double> turn(points.size(), 0);
    for (Index t = 0; t < Index(patches_->triangles.size()); ++t) {
        if (patchChart_[patchOf_[t]] < 0) continue;
        const auto c = corners(t);
        for (int k = 0; k < 3; ++k) {
            const ChartPoint a = c[(k + 1) % 3] - c[k], b = c[(k + 2) % 3] - c[k];
            turn[patches_->triangles[t][k]] += std::atan2(cross(a, b), a.dot(b));
        }
    }
    branch_.assign(patches_->triangles.size(), 0);
    for (std::size_t t = 0; t < branch_.size(); ++t)
        branch_[t] = std::ranges::any_of(
            patches_->triangles[t], [&](Index i) { return !(turn[i] <= 2 * std::numbers::pi * (1 + kTurnRounding)); });
}

void FlatCharts::build(const SurfacePatches& patches, std::span<const Vec3> points) {
    patches_ = &patches;
    points_.assign(points.begin(), points.end());
    axes_.clear();
    nodeChart_.assign(patches.nodes.size(), -1);
    patchChart_.assign(std::size_t(patches.size()), -1);
    std::vector<Vec3> areas;
    for (const Triangle& t : patches.triangles) areas.push_back(areaVector(points[t[0]], points[t[1]], points[t[2]]));
    if (!patches.nodes.empty()) chart(0, areas, points);
    patchOf_.assign(patches.triangles.size(), -1);
    finest_.assign(std::size_t(patches.size()), 0);
    box_.assign(std::size_t(patches.size()), {ChartPoint::Zero(), ChartPoint::Zero()});
    for (Index patch = 0; patch < patches.size(); ++patch)
        for (const Index t : patches.faces.of(patch)) patchOf_[t] = patch;
    for (Index patch = 0; patch < patches.size(); ++patch) {
        if (patchChart_[patch] < 0) continue;
        double finest = HUGE_VAL;
        Box box{ChartPoint::Constant(HUGE_VAL), ChartPoint::Constant(-HUGE_VAL)};
        for (const Index t : patches.faces.of(patch)) {
            const auto c = corners(t);
            double longest = 0;
            for (int k = 0; k < 3; ++k) {
                longest = std::max(longest, (c[(k + 1) % 3] - c[k]).norm());
                box = {box.lo.cwiseMin(c[k]), box.hi.cwiseMax(c[k])};
            }
            finest = std::min(finest, cross(c[1] - c[0], c[2] - c[0]) / longest);
        }
        finest_[patch] = float(finest * (1 - 1e-6));
        box_[patch] = box;
    }
    markBranches(points);

    std::vector<std::array<Index, 3>> ofEdge(patches.edges.size(), {-1, -1, 0});  // two triangles, and how many
    for (Index t = 0; t < Index(patches.triangles.size()); ++t)
        for (int k = 0; k < 3; ++k) {
            auto& of = ofEdge[patches.findEdge(patches.triangles[t][k], patches.triangles[t][(k + 1) % 3])];
            if (of[2] < 2) of[of[2]] = t;
            ++of[2];
        }
    across_.assign(patches.triangles.size(), {-1, -1, -1});
    for (Index t = 0; t < Index(patches.triangles.size()); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto& of = ofEdge[patches.findEdge(patches.triangles[t][k], patches.triangles[t][(k + 1) % 3])];
            if (of[2] == 2) across_[t][k] = of[0] == t ? of[1] : of[0];
        }
    seen_.assign(patches.triangles.size(), 0);
    call_ = 0;
}

std::optional<std::vector<Index>> FlatCharts::cover(std::span<const Index> patches) {
    const Index chart = patchChart_[patches[0]];
    std::vector<ChartPoint> points;
    for (const Index patch : patches) {
        if (chart < 0 || patchChart_[patch] != chart) return {};
        for (const Index t : patches_->faces.of(patch))
            for (const Index i : patches_->triangles[t]) points.push_back(at(chart, i));
    }
    const std::vector<ChartPoint> hull = convexHull(points);
    if (hull.size() < 3) return {};
    const Inside inside(hull);
    ++call_;
    std::vector<Index> open{patches_->faces.of(patches[0])[0]}, out;
    seen_[open[0]] = call_;
    while (!open.empty()) {
        const Index t = open.back();
        open.pop_back();
        if (branch_[t] || patchChart_[patchOf_[t]] != chart) return {};
        out.push_back(patchOf_[t]);
        const auto c = corners(t);
        for (int k = 0; k < 3; ++k) {
            if (!inside.meets(c[k], c[(k + 1) % 3])) continue;
            const Index next = across_[t][k];
            if (next < 0) return {};
            if (seen_[next] == call_) continue;
            seen_[next] = call_;
            open.push_back(next);
        }
    }
    for (const Index patch : patches)
        for (const Index t : patches_->faces.of(patch))
            if (seen_[t] != call_) return {};
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace clothlab::geometry
