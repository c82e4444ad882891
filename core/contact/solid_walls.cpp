#include "contact/solid_walls.hpp"

#include <algorithm>
#include <limits>

namespace clothlab::contact {
namespace {

/// Of the depth: what is asked of a mesh. A wall is a plane; what slides along a dent of the mesh ends deeper.
constexpr double kBentShare = 0.4;
/// Where the normals at both ends are as near as this (11 degrees) an edge is no deeper than kEdgeDepth, unless the
/// solid is bent more finely than the cloth.
constexpr double kSameSide = 0.98;
/// Of the length of an edge: what its middle may be deeper than that.
constexpr double kBump = 0.01;
/// Of the length: ends that are further away in sum are asked nothing about what is between them.
constexpr double kBumpReach = 0.3;
constexpr Index kEdgesPerChunk = 1024;

}  // namespace

void SolidWalls::place(const Around& around) {
    around_ = around;
    solids_.resize(around.colliders.size());
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        const Collider& collider = around.colliders[s];
        const ColliderPose end = poseAt(collider, around.time), start = poseAt(collider, around.time - around.dt);
        Placed& solid = solids_[s];
        solid.shape = &collider.shape;
        solid.position = end.position;
        solid.toWorld = end.orientation.toRotationMatrix();
        solid.positionBefore = start.position;
        solid.toWorldBefore = start.orientation.toRotationMatrix();
        solid.radius = geometry::boundingRadius(collider.shape) + around.reach;
        solid.mu = collider.muK.value_or(around.muK);
        solid.bends = std::holds_alternative<geometry::MeshSolid>(collider.shape);
        solid.flat = std::holds_alternative<geometry::Plane>(collider.shape);
    }
}

void SolidWalls::look(const linalg::BlockVector& x, const linalg::BlockVector& u, WorkerPool& pool) {
    for (Placed& solid : solids_) solid.samples.resize(std::size_t(x.size()));
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (Placed& solid : solids_) {
                geometry::DistanceSample& sample = solid.samples[i];
                sample.distance = std::numeric_limits<double>::infinity();
                const Vec3 offset = x[i] + u[i] - solid.position;
                if (!(offset.squaredNorm() <= solid.radius * solid.radius)) continue;
                sample = geometry::signedDistance(*solid.shape, solid.toWorld.transpose() * offset);
                sample.normal = solid.toWorld * sample.normal;
            }
    });
}

void SolidWalls::find(const linalg::BlockVector& u, std::vector<Wall>& out, WorkerPool& pool) const {
    out.clear();
    if (solids_.empty()) return;
    const RowChunks rows{u.size()};
    std::vector<std::vector<Wall>> parts(std::size_t(rows.count()));
    pool.forChunks(rows.count(), rows.rows, [&](Index c) {
        for (Index i = rows.begin(c); i < rows.end(c); ++i)
            for (const Placed& solid : solids_) {
                const auto& [distance, normal] = solid.samples[i];
                if (!(distance <= around_.reach)) continue;
                const double most = solid.bends ? kBentShare * around_.depth : around_.depth;
                parts[c].push_back({i, normal, normal.dot(u[i]) - distance - most});
            }
    });
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
}

/// Whether an edge may be deeper in a solid than it should.
bool SolidWalls::mayTouch(const Placed& solid, const std::array<Index, 2>& ends,
                          const std::array<Vec3, 2>& points) const {
    const auto &a = solid.samples[ends[0]], &b = solid.samples[ends[1]];
    const double length = (points[1] - points[0]).norm();
    if (!(a.distance + b.distance < (1 + 2 * kEdgeReach) * length)) return false;
    if (a.normal.dot(b.normal) < kSameSide) return true;
    // A bump between two places of a mesh that look the same way.
    if (!solid.bends || !(a.distance + b.distance < kBumpReach * length)) return false;
    const Vec3 middle = solid.local(0.5 * (points[0] + points[1]));
    return geometry::signedDistance(*solid.shape, middle).distance < -kBump * length;
}

EdgeWall SolidWalls::wallOf(std::size_t collider, const std::array<Index, 2>& ends, const std::array<Vec3, 2>& points,
                            const EdgeTouch& touch, const linalg::BlockVector& u) const {
    const Placed& solid = solids_[collider];
    const double length = (points[1] - points[0]).norm(), s = touch.share;
    const Vec3 point = solid.local((1 - s) * points[0] + s * points[1]);
    const Vec3 normal = solid.toWorld * touch.normal, moved = (1 - s) * u[ends[0]] + s * u[ends[1]];
    return {.ends = ends,
            .collider = Index(collider),
            .share = s,
            .normal = normal,
            .gap = touch.gap,
            .bound = normal.dot(moved) - touch.gap - kEdgeDepth * length,
            .drift = solid.toWorld * point + solid.position - solid.toWorldBefore * point - solid.positionBefore,
            .mu = solid.mu,
            .length = length};
}

void SolidWalls::findEdges(const linalg::BlockVector& x, const linalg::BlockVector& u,
                           std::span<const std::array<Index, 2>> edges, std::vector<EdgeWall>& out,
                           WorkerPool& pool) const {
    out.clear();
    if (std::ranges::all_of(solids_, &Placed::flat)) return;
    const RowChunks chunks{Index(edges.size()), kEdgesPerChunk};
    std::vector<std::vector<EdgeWall>> parts(std::size_t(chunks.count()));
    pool.forChunks(chunks.count(), Index(edges.size()), [&](Index c) {
        for (Index e = chunks.begin(c); e < chunks.end(c); ++e)
            for (std::size_t s = 0; s < solids_.size(); ++s) {
                const Placed& solid = solids_[s];
                const std::array<Index, 2>& ends = edges[e];
                const auto &a = solid.samples[ends[0]], &b = solid.samples[ends[1]];
                if (solid.flat || !(a.distance + b.distance < 2 * solid.radius)) continue;
                const std::array<Vec3, 2> points{x[ends[0]] + u[ends[0]], x[ends[1]] + u[ends[1]]};
                if (!mayTouch(solid, ends, points)) continue;
                const Mat3 toLocal = solid.toWorld.transpose();
                const auto touch =
                    touchOf(*solid.shape, {solid.local(points[0]), solid.local(points[1])},
                            {toLocal * a.normal, toLocal * b.normal}, kEdgeReach * (points[1] - points[0]).norm());
                if (touch) parts[c].push_back(wallOf(s, ends, points, *touch, u));
            }
    });
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
}

}  // namespace clothlab::contact
