#include "contact/robust/solid_walls.hpp"

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

/// The bound of a wall that the step may begin behind, m: `atOnce` of the way out and a share of the rest. The solid
/// itself moves by `drift` along the normal.
double gradual(double bound, double drift, double atOnce) {
    const double rest = bound - drift - atOnce;
    return rest > 0 ? bound - (1 - SolidWalls::kOutShare) * rest : bound;
}

}  // namespace

void SolidWalls::place(const Around& around) {
    around_ = around;
    ContactSettings friction;
    friction.muK = around.muK;
    std::vector<MovingSolid> moving;
    placeSolids(around.colliders, around.time - around.dt, around.dt, friction, moving);
    solids_.resize(moving.size());
    for (std::size_t s = 0; s < solids_.size(); ++s) {
        solids_[s].moving = moving[s];
        solids_[s].bends = std::holds_alternative<geometry::MeshSolid>(*moving[s].shape);
        solids_[s].flat = std::holds_alternative<geometry::Plane>(*moving[s].shape);
    }
}

/// Of a place inside a thin solid the nearest side may be the wrong one: it is that from which the particle came.
geometry::DistanceSample SolidWalls::Placed::sample(const Vec3& x, const Vec3& end, double reach) const {
    const Vec3 there = local(end), before = moving.toWorld.transpose() * (x - moving.position);
    const double way = (there - before).norm(), most = moving.radius + reach + way;
    if (!(there.squaredNorm() <= most * most)) return {std::numeric_limits<double>::infinity(), Vec3::Zero()};
    geometry::DistanceSample sample = geometry::signedDistance(*moving.shape, there);
    if (way > 0 && sample.distance < way) {
        const geometry::DistanceSample beginning = geometry::signedDistance(*moving.shape, before);
        constexpr double kSameFace = 0.5;
        if (beginning.distance < 0) {
            if (sample.distance < 0 && beginning.normal.dot(sample.normal) < 0)
                sample = {beginning.distance + beginning.normal.dot(there - before), beginning.normal};
        } else if (const auto touch = geometry::firstTouch(*moving.shape, before, there);
                   touch && touch->normal.dot(sample.normal) < kSameFace) {
            sample = {touch->normal.dot(there - touch->point), touch->normal};
        }
    }
    sample.normal = moving.endToWorld * sample.normal;
    return sample;
}

void SolidWalls::look(const linalg::BlockVector& x, const linalg::BlockVector& u, WorkerPool& pool) {
    for (Placed& solid : solids_) solid.samples.resize(std::size_t(x.size()));
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (Placed& solid : solids_) solid.samples[i] = solid.sample(x[i], x[i] + u[i], around_.reach);
    });
}

void SolidWalls::find(const linalg::BlockVector& x, const linalg::BlockVector& u, std::vector<Wall>& out,
                      WorkerPool& pool) const {
    out.clear();
    if (solids_.empty()) return;
    parallelAppend(pool, RowChunks{u.size()}, out, [&](Index begin, Index end, std::vector<Wall>& part) {
        for (Index i = begin; i < end; ++i)
            for (const Placed& solid : solids_) {
                const auto& [distance, normal] = solid.samples[i];
                if (!(distance <= around_.reach)) continue;
                const double most = solid.bends ? kBentShare * around_.depth : around_.depth;
                const double drift = normal.dot(solid.drift(solid.local(x[i] + u[i])));
                part.push_back(
                    {i, normal, gradual(normal.dot(u[i]) - distance - most, drift, kOutAtOnce * around_.reach)});
            }
    });
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
    return geometry::signedDistance(*solid.moving.shape, middle).distance < -kBump * length;
}

EdgeWall SolidWalls::wallOf(std::size_t collider, const std::array<Index, 2>& ends, const std::array<Vec3, 2>& points,
                            const EdgeTouch& touch, const linalg::BlockVector& u) const {
    const Placed& solid = solids_[collider];
    const double length = (points[1] - points[0]).norm(), s = touch.share;
    const Vec3 point = solid.local((1 - s) * points[0] + s * points[1]);
    const Vec3 normal = solid.moving.endToWorld * touch.normal, moved = (1 - s) * u[ends[0]] + s * u[ends[1]];
    const Vec3 drift = solid.drift(point);
    return {
        .ends = ends,
        .collider = Index(collider),
        .share = s,
        .normal = normal,
        .gap = touch.gap,
        .bound = gradual(normal.dot(moved) - touch.gap - kEdgeDepth * length, normal.dot(drift), kOutAtOnce * length),
        .drift = drift,
        .mu = solid.moving.muK,
        .length = length};
}

void SolidWalls::findEdges(const linalg::BlockVector& x, const linalg::BlockVector& u,
                           std::span<const std::array<Index, 2>> edges, std::vector<EdgeWall>& out,
                           WorkerPool& pool) const {
    out.clear();
    if (std::ranges::all_of(solids_, &Placed::flat)) return;
    const RowChunks chunks{Index(edges.size()), kEdgesPerChunk};
    parallelAppend(pool, chunks, out, [&](Index begin, Index end, std::vector<EdgeWall>& part) {
        for (Index e = begin; e < end; ++e)
            for (std::size_t s = 0; s < solids_.size(); ++s) {
                const Placed& solid = solids_[s];
                const std::array<Index, 2>& ends = edges[e];
                const auto &a = solid.samples[ends[0]], &b = solid.samples[ends[1]];
                if (solid.flat || !(a.distance + b.distance < 2 * (solid.moving.radius + around_.reach))) continue;
                const std::array<Vec3, 2> points{x[ends[0]] + u[ends[0]], x[ends[1]] + u[ends[1]]};
                if (!mayTouch(solid, ends, points)) continue;
                const Mat3 toLocal = solid.moving.endToWorld.transpose();
                const auto touch =
                    touchOf(*solid.moving.shape, {solid.local(points[0]), solid.local(points[1])},
                            {toLocal * a.normal, toLocal * b.normal}, kEdgeReach * (points[1] - points[0]).norm());
                if (touch) part.push_back(wallOf(s, ends, points, *touch, u));
            }
    });
}

}  // namespace clothlab::contact
