#include "contact/robust/solid_walls.hpp"

#include <algorithm>
#include <limits>

namespace clothlab::contact {
namespace {

/// Share of the depth allowed for a mesh. A wall is a plane; a particle in a dent of the mesh slides deeper.
constexpr double kBentShare = 0.4;
/// Where the normals at both ends are as near as this (11 degrees) an edge is no deeper than kEdgeDepth, unless the
/// solid is bent more finely than the cloth.
constexpr double kSameSide = 0.98;
/// How much deeper than that its middle may be; in lengths of the edge.
constexpr double kBump = 0.01;
/// Sum of the distances of both ends, in lengths, beyond which the middle of an edge is not checked.
constexpr double kBumpReach = 0.3;
constexpr Index kEdgesPerChunk = 1024;
/// A triangle sunk further onto a tip without meeting it in the step is behind it; in lengths of its longest edge.
constexpr double kTipSunk = 0.3;
/// The depth of an edge in a rod is measured by the length of the edge, or by this many radii if that is less: an edge
/// stays on its side of the middle.
constexpr double kRodRadii = 10;
/// Half the thickness of a box, in spacings, above which the walls at the end of a step see an edge beside it.
constexpr double kBoard = 0.2;

/// Cosine of the angle (26 degrees) up to which the normals at both ends of a step are of one side of a solid.
constexpr double kOneSide = 0.9;

/// The bound of a wall that the step may begin behind, m: `atOnce` of the way out and a share of the rest. The solid
/// itself moves by `drift` along the normal.
double gradual(double bound, double drift, double atOnce) {
    const double rest = bound - drift - atOnce;
    return rest > 0 ? bound - (1 - SolidWalls::kOutShare) * rest : bound;
}

/// Adds the bound to a wall that is otherwise known.
FeatureWall bounded(FeatureWall wall, const linalg::BlockVector& u) {
    wall.bound = gradual(wall.normal.dot(wall.mean(u)) - wall.gap - SolidWalls::kEdgeDepth * wall.length,
                         wall.normal.dot(wall.drift), SolidWalls::kOutAtOnce * wall.length);
    return wall;
}

}  // namespace

/// gradual() where the point at `start` comes over a rim, or the solid is a mesh, which may have dents. On one side of
/// a convex solid the point begins outside, and the bound follows the curve of the solid, which throws nothing.
double SolidWalls::computeBound(const Placed& solid, const Vec3& start, const Vec3& normal, const Vec3& drift,
                                double bound, double atOnce) {
    const double along = normal.dot(drift);
    if (bound - along <= atOnce) return bound;
    if (solid.bends) return gradual(bound, along, atOnce);
    const Vec3 before = solid.moving.toWorld.transpose() * (start - solid.moving.position);
    const geometry::DistanceSample sample = geometry::signedDistance(*solid.moving.shape, before);
    const bool oneSide = (solid.moving.endToWorld * sample.normal).dot(normal) > kOneSide;
    return sample.distance > -atOnce && oneSide ? bound : gradual(bound, along, atOnce);
}

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
    placeRods();
    placeTips();
}

const std::vector<SolidTip>& SolidWalls::tipsOfSolid(const geometry::Shape& shape) {
    const auto* mesh = std::get_if<geometry::MeshSolid>(&shape);
    if (!mesh) return ofShape_ = findTips(shape, around_.spacing);
    for (const auto& [surface, tips] : ofMeshes_)
        if (surface == mesh->surface) return tips;
    return ofMeshes_.emplace_back(mesh->surface, findTips(shape, around_.spacing)).second;
}

void SolidWalls::placeRods() {
    rods_.clear();
    for (std::size_t s = 0; s < solids_.size(); ++s)
        for (const SolidRod& rod : findRods(*solids_[s].moving.shape, around_.spacing)) {
            const MovingSolid& solid = solids_[s].moving;
            PlacedRod placed{.motion = {{}, {}, rod.radius}, .solid = s, .low = {}, .high = {}};
            for (std::size_t k = 0; k < 2; ++k) {
                placed.motion.start[k] = solid.toWorld * rod.ends[k] + solid.position;
                placed.motion.end[k] = solid.endToWorld * rod.ends[k] + solid.endPosition;
            }
            const auto& [a, b] = placed.motion.start;
            const auto& [c, d] = placed.motion.end;
            placed.low = a.cwiseMin(b).cwiseMin(c).cwiseMin(d) - Vec3::Constant(rod.radius);
            placed.high = a.cwiseMax(b).cwiseMax(c).cwiseMax(d) + Vec3::Constant(rod.radius);
            rods_.push_back(placed);
        }
}

void SolidWalls::placeTips() {
    tips_.clear();
    std::erase_if(ofMeshes_, [&](const auto& of) {
        return std::ranges::none_of(solids_, [&](const Placed& solid) {
            const auto* mesh = std::get_if<geometry::MeshSolid>(solid.moving.shape);
            return mesh && mesh->surface == of.first;
        });
    });
    for (std::size_t s = 0; s < solids_.size(); ++s)
        for (const SolidTip& tip : tipsOfSolid(*solids_[s].moving.shape)) {
            const MovingSolid& solid = solids_[s].moving;
            const TipMotion motion{.start = solid.toWorld * tip.place + solid.position,
                                   .end = solid.endToWorld * tip.place + solid.endPosition,
                                   .outward = solid.endToWorld * tip.outward,
                                   .radius = tip.radius};
            const Vec3 around = Vec3::Constant(tip.radius);
            if (!isCovered(motion.end, s))
                tips_.push_back({motion, s, motion.start.cwiseMin(motion.end) - around,
                                 motion.start.cwiseMax(motion.end) + around});
        }
    lowTip_ = Vec3::Constant(std::numeric_limits<double>::infinity());
    highTip_ = -lowTip_;
    for (const PlacedTip& tip : tips_) {
        lowTip_ = lowTip_.cwiseMin(tip.low);
        highTip_ = highTip_.cwiseMax(tip.high);
    }
}

/// A tip on or in another solid: no cloth goes there.
bool SolidWalls::isCovered(const Vec3& tip, std::size_t own) const {
    constexpr double kOn = 0.1;  // of the spacing
    for (std::size_t s = 0; s < solids_.size(); ++s)
        if (s != own &&
            geometry::signedDistance(*solids_[s].moving.shape, solids_[s].local(tip)).distance < kOn * around_.spacing)
            return true;
    return false;
}

/// Inside a thin solid the nearest side may be the wrong one; the right one is that from which the particle came.
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
                part.push_back({i, normal,
                                computeBound(solid, x[i], normal, solid.drift(solid.local(x[i] + u[i])),
                                             normal.dot(u[i]) - distance - most, kOutAtOnce * around_.reach)});
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
    // A bump between two places of a mesh with similar normals.
    if (!solid.bends || !(a.distance + b.distance < kBumpReach * length)) return false;
    const Vec3 middle = solid.local(0.5 * (points[0] + points[1]));
    return geometry::signedDistance(*solid.moving.shape, middle).distance < -kBump * length;
}

FeatureWall SolidWalls::makeWall(std::size_t collider, const std::array<Index, 2>& ends,
                                 const std::array<Vec3, 2>& points, const EdgeTouch& touch,
                                 const linalg::BlockVector& x, const linalg::BlockVector& u) const {
    const Placed& solid = solids_[collider];
    const double length = (points[1] - points[0]).norm(), s = touch.share;
    const Vec3 point = solid.local((1 - s) * points[0] + s * points[1]);
    FeatureWall wall{.corners = {ends[0], ends[1], ends[0]},
                     .weights = {1 - s, s, 0},
                     .collider = Index(collider),
                     .normal = solid.moving.endToWorld * touch.normal,
                     .gap = touch.gap,
                     .bound = 0,
                     .drift = solid.drift(point),
                     .mu = solid.moving.muK,
                     .length = length};
    wall.bound = computeBound(solid, wall.mean(x), wall.normal, wall.drift,
                              wall.normal.dot(wall.mean(u)) - wall.gap - kEdgeDepth * length, kOutAtOnce * length);
    return wall;
}

void SolidWalls::findEdges(const linalg::BlockVector& x, const linalg::BlockVector& u,
                           std::span<const std::array<Index, 2>> edges, std::vector<FeatureWall>& out,
                           WorkerPool& pool) const {
    if (std::ranges::all_of(solids_, &Placed::flat)) return;
    const RowChunks chunks{Index(edges.size()), kEdgesPerChunk};
    parallelAppend(pool, chunks, out, [&](Index begin, Index end, std::vector<FeatureWall>& part) {
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
                    findTouch(*solid.moving.shape, {solid.local(points[0]), solid.local(points[1])},
                              {toLocal * a.normal, toLocal * b.normal}, kEdgeReach * (points[1] - points[0]).norm());
                if (touch) part.push_back(makeWall(s, ends, points, *touch, x, u));
            }
    });
}

/// Whether a triangle behind a tip is impaled on it: there, a little behind the tip, it is within the solid, and not on
/// its way out at the back. The tip of a box points along its diagonal, so that what is below it is on an edge.
bool SolidWalls::isImpaled(const PlacedTip& tip, const TipTouch& touch, const Vec3& foot, double length) const {
    constexpr double kBehind = 0.05;  // of the length
    constexpr double kBack = -0.5;    // cosine
    if (touch.gap < -kTipSunk * length) return false;
    const Placed& solid = solids_[tip.solid];
    const Vec3 there = foot - kBehind * length * tip.motion.outward;
    const geometry::DistanceSample sample = geometry::signedDistance(*solid.moving.shape, solid.local(there));
    return sample.distance < 0 && touch.normal.dot(solid.moving.endToWorld * sample.normal) > kBack;
}

std::optional<FeatureWall> SolidWalls::makeWall(const PlacedTip& tip, const geometry::Triangle& triangle,
                                                const FeatureMotion<3>& way, const linalg::BlockVector& u) const {
    const auto touch = findTouch(tip.motion, way.start, way.end, kEdgeReach * way.length);
    if (!touch) return {};
    const Placed& solid = solids_[tip.solid];
    const std::array<double, 3>& w = touch->weights;
    const Vec3 foot = w[0] * way.end[0] + w[1] * way.end[1] + w[2] * way.end[2];
    if (!touch->met && touch->gap < 0 && !isImpaled(tip, *touch, foot, way.length)) return {};
    return bounded({.corners = triangle,
                    .weights = w,
                    .collider = Index(tip.solid),
                    .normal = touch->normal,
                    .gap = touch->gap,
                    .bound = 0,
                    .drift = tip.motion.end - tip.motion.start,
                    .mu = solid.moving.muK,
                    .length = way.length},
                   u);
}

std::optional<FeatureWall> SolidWalls::makeWall(const PlacedRod& rod, const std::array<Index, 2>& edge,
                                                const FeatureMotion<2>& way, const linalg::BlockVector& u) const {
    const double length = std::min(way.length, kRodRadii * rod.motion.radius);
    const auto touch = findTouch(rod.motion, way.start, way.end, kEdgeReach * length);
    if (!touch) return {};
    // An edge beside a board is seen at the end of the step, unless it has gone through the middle.
    const bool box = std::holds_alternative<geometry::Box>(*solids_[rod.solid].moving.shape);
    if (box && rod.motion.radius > kBoard * around_.spacing && touch->gap > -rod.motion.radius) return {};
    const double a = touch->along;
    return bounded(
        {.corners = {edge[0], edge[1], edge[0]},
         .weights = {1 - touch->share, touch->share, 0},
         .collider = Index(rod.solid),
         .normal = touch->normal,
         .gap = touch->gap,
         .bound = 0,
         .drift = (1 - a) * (rod.motion.end[0] - rod.motion.start[0]) + a * (rod.motion.end[1] - rod.motion.start[1]),
         .mu = solids_[rod.solid].moving.muK,
         .length = length},
        u);
}

template <std::size_t kCorners>
SolidWalls::FeatureMotion<kCorners>::FeatureMotion(const std::array<Index, kCorners>& corners,
                                                   const linalg::BlockVector& x, const linalg::BlockVector& u) {
    for (std::size_t k = 0; k < kCorners; ++k) {
        start[k] = x[corners[k]];
        end[k] = start[k] + u[corners[k]];
    }
    low = high = start[0];
    for (std::size_t k = 0; k < kCorners; ++k) {
        length = std::max(length, (end[(k + 1) % kCorners] - end[k]).norm());
        low = low.cwiseMin(start[k]).cwiseMin(end[k]);
        high = high.cwiseMax(start[k]).cwiseMax(end[k]);
    }
    const Vec3 reach = Vec3::Constant(kEdgeReach * length);
    low -= reach;
    high += reach;
}

void SolidWalls::findFeatures(const linalg::BlockVector& x, const linalg::BlockVector& u, const Features& features,
                              std::vector<FeatureWall>& out, WorkerPool& pool) const {
    out.clear();
    findEdges(x, u, features.edges, out, pool);
    if (!rods_.empty())
        parallelAppend(pool, RowChunks{Index(features.edges.size()), kEdgesPerChunk}, out,
                       [&](Index begin, Index end, std::vector<FeatureWall>& part) {
                           for (Index e = begin; e < end; ++e) {
                               const FeatureMotion<2> way(features.edges[e], x, u);
                               for (const PlacedRod& rod : rods_)
                                   if (way.meets(rod.low, rod.high))
                                       if (auto wall = makeWall(rod, features.edges[e], way, u)) part.push_back(*wall);
                           }
                       });
    if (tips_.empty()) return;
    const RowChunks chunks{Index(features.triangles.size()), kEdgesPerChunk};
    parallelAppend(pool, chunks, out, [&](Index begin, Index end, std::vector<FeatureWall>& part) {
        for (Index t = begin; t < end; ++t) {
            const FeatureMotion<3> way(features.triangles[t], x, u);
            if (!way.meets(lowTip_, highTip_)) continue;
            for (const PlacedTip& tip : tips_)
                if (way.meets(tip.low, tip.high))
                    if (auto wall = makeWall(tip, features.triangles[t], way, u)) part.push_back(*wall);
        }
    });
}

}  // namespace clothlab::contact
