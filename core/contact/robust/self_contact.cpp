#include "contact/robust/self_contact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/continuous_collision.hpp"

namespace clothlab::contact {

using geometry::PairKind;
using linalg::BlockVector;

namespace {

/// Passes over the impacts before the last resort.
constexpr int kImpactPasses = 16;
/// From this pass on particles at solids do not yield to layers.
constexpr int kHardenFrom = 5;
/// Passes after which solids are checked again; later only particles, once layers no longer meet.
constexpr int kWallPasses = 4;
constexpr int kSweeps = 40;
/// Shares of the thickness: distance kept between the sides of an impact; moves that end the sweeps.
constexpr double kLeastShare = 0.02, kSettledShare = 1e-2;
/// Share of the distance at the start that the test requires to remain; bounds leave more.
constexpr double kLeftShare = 0.09;
/// Deviation of a particle, in thicknesses, from the displacement with which its neighbours were searched.
constexpr double kSlackShare = 0.2;
/// Factor of kSettledShare where the step is solved again with the pairs found.
constexpr double kSettledWithin = 0.1;
/// Share of the thickness up to which a pair that meets again and again is kept apart.
constexpr double kMostRoom = 0.5;
constexpr double kRoundedDown = 1 - 1e-6;
/// Way of tangled edges out of their triangle in a step, in thicknesses.
constexpr double kDrawnShare = 0.5;
constexpr Index kPairsPerChunk = 2048;

geometry::PairPoints gatherPoints(const std::array<Index, 4>& corners, const BlockVector& x) {
    return {x[corners[0]], x[corners[1]], x[corners[2]], x[corners[3]]};
}

geometry::PairMotion makeMotion(PairKind kind, const std::array<Index, 4>& corners, const BlockVector& x,
                                const BlockVector& u) {
    geometry::PairMotion motion{kind, gatherPoints(corners, x), {}};
    for (int k = 0; k < 4; ++k) motion.end[k] = motion.start[k] + u[corners[k]];
    return motion;
}

/// Two edges whose ends are the closest are near as a vertex and a triangle too.
bool worthRepelling(PairKind kind, const geometry::ClosestPoints& c) {
    return kind == PairKind::VertexTriangle ||
           std::ranges::all_of(c.weights, [](double w) { return std::abs(w) > 1e-6; });
}

/// Upper bound of the approach of the sides, from the moves of their corners relative to the first.
double approach(PairKind kind, const std::array<Index, 4>& corners, const BlockVector& u) {
    double first = 0, second = 0;
    for (int k = 1; k < 4; ++k) {
        const double by = (u[corners[k]] - u[corners[0]]).squaredNorm();
        double& side = kind == PairKind::EdgeEdge && k == 1 ? first : second;
        side = std::max(side, by);
    }
    return std::sqrt(first) + std::sqrt(second);
}

/// Distance of the sides along the direction of their earlier closest points; m.
double separation(PairKind kind, const geometry::ClosestPoints& before, const geometry::PairPoints& p) {
    std::array<double, 4> h;
    for (int k = 0; k < 4; ++k) h[k] = before.apart.dot(p[k] - p[3]);
    const double first = kind == PairKind::EdgeEdge ? std::min(h[0], h[1]) : h[0];
    const double second = kind == PairKind::EdgeEdge ? std::max(h[2], h[3]) : std::max({h[1], h[2], h[3]});
    return (first - second) / std::max(before.distance(), 1e-300);
}

/// Normals along which a held particle may leave; pins and the pointer never release.
std::array<Vec3, 2> outward(const mechanics::Prescribed& p) {
    if (p.source != mechanics::PrescribedBy::Contact) return {Vec3::Zero(), Vec3::Zero()};
    return {p.p, p.ndof < 2 ? p.q : Vec3(Vec3::Zero())};
}

/// Solids push but do not pull: particles may leave along their normals, depending on the push.
Mat3 freedom(const mechanics::Prescribed& p) {
    const Mat3 S = linalg::DofConstraint{.ndof = p.ndof, .p = p.p, .q = p.q}.S();
    const auto& [first, second] = outward(p);
    return S + first * first.transpose() + second * second.transpose();
}

std::span<const double> toNumbers(const BlockVector& v) { return {v.data(), 3 * std::size_t(v.size())}; }

geometry::PointMotion makeMotion(const BlockVector& x, const BlockVector& u) { return {toNumbers(x), toNumbers(u)}; }

bool deviates(const BlockVector& u, const BlockVector& from, Index i, double by) {
    return !((u[i] - from[i]).squaredNorm() <= by * by);
}

bool anyDeviates(const BlockVector& u, const BlockVector& from, double by, WorkerPool& pool) {
    return parallelSum(pool, u.size(), 0, [&](Index begin, Index end) {
               int out = 0;
               for (Index i = begin; i < end && out == 0; ++i) out = deviates(u, from, i, by);
               return out;
           }) > 0;
}

}  // namespace

void SelfContact::setSurface(std::span<const Vec3> rest, std::span<const geometry::Triangle> triangles,
                             std::span<const geometry::MeshEdge> edges, std::vector<Index> seam) {
    tree_.build(rest, triangles, edges);
    seam_ = std::move(seam);
}

bool SelfContact::isSewn(const Candidate& c) const {
    if (seam_.empty()) return false;
    const auto second = c.corners.begin() + (c.kind == PairKind::VertexTriangle ? 1 : 2);
    return std::any_of(c.corners.begin(), second, [&](Index a) {
        return std::any_of(second, c.corners.end(), [&](Index b) { return seam_[a] == seam_[b]; });
    });
}

/// Pair k of those found last.
SelfContact::Candidate SelfContact::pair(Index k) const {
    const Index vertexPairs = Index(pairs_.vertexTriangle.size());
    if (k < vertexPairs) {
        const auto& t = tree_.triangles()[pairs_.vertexTriangle[k][1]];
        return {{pairs_.vertexTriangle[k][0], t[0], t[1], t[2]}, PairKind::VertexTriangle, 0};
    }
    const auto [a, b] = pairs_.edgeEdge[k - vertexPairs];
    const auto &e = tree_.edges()[a], &f = tree_.edges()[b];
    return {{e[0], e[1], f[0], f[1]}, PairKind::EdgeEdge, 0};
}

double SelfContact::nearWithin(const SelfContactInput& input) {
    return (input.carried.empty() ? 1 : kCarriedWithin) * input.thickness;
}

/// Pairs of patches that may be near at the start or meet on the way: none if the cloth touches nothing. The result
/// holds for motions that deviate from u by at most a margin.
Index SelfContact::findPatches(const SelfContactInput& input, const BlockVector& u, WorkerPool& pool) {
    const double reach = nearWithin(input), search = (kSlackShare + kLeastShare) * input.thickness;
    placed_ = u;
    placedMargin_ = std::max(0.5 * reach - search, 0.0);
    tree_.place(makeMotion(input.x, u), std::max(0.5 * reach, search), pool);
    return tree_.findPatchPairs(pool, std::max(reach, 2 * search));
}

/// Pairs closer than the thickness at the start, and those with a carried force that are still close.
void SelfContact::findNear(const SelfContactInput& input, WorkerPool& pool) {
    const double reach = nearWithin(input);
    tree_.findPairs({.x = toNumbers(input.x)}, 0.5 * reach, reach, pairs_, pool);
    near_.clear();
    parallelAppend(pool, RowChunks{Index(pairs_.size()), kPairsPerChunk}, near_,
                   [&](Index begin, Index end, std::vector<Near>& part) {
                       for (Index k = begin; k < end; ++k) {
                           const Candidate c = pair(k);
                           const geometry::PairPoints points = gatherPoints(c.corners, input.x);
                           if (isSewn(c) || untangling_.tangled(c.corners, c.kind)) continue;
                           const geometry::ClosestPoints closest = closestPoints(c.kind, points);
                           const double distance = closest.distance();
                           if (!(distance > 0) || distance >= reach) continue;
                           const LayerForce* carried = findLayerForce(input.carried, c.corners, c.kind);
                           if (carried)
                               part.push_back({*carried, closest});
                           else if (distance < input.thickness && worthRepelling(c.kind, closest))
                               part.push_back({{c.corners, c.kind}, closest});
                       }
                   });
}

/// Candidates for impacts: pairs that may meet while no particle deviates from the displacement of its search by more
/// than the slack. Anew, or only for the particles that do: all their pairs are searched again.
void SelfContact::search(const SelfContactInput& input, const BlockVector& u, bool anew, WorkerPool& pool) {
    const double slack = kSlackShare * input.thickness, least = kLeastShare * input.thickness;
    const double gap = 2 * slack + least;
    if (anew) {
        searched_ = u;
        if (anyDeviates(u, placed_, placedMargin_, pool)) {
            tree_.place(makeMotion(input.x, u), slack + least, pool);
            tree_.findPatchPairs(pool, gap);
        }
    } else {
        changed_.resize(std::size_t(u.size()));
        parallelRows(pool, u.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                changed_[i] = deviates(u, searched_, i, slack);
                if (changed_[i]) searched_[i] = u[i];
            }
        });
        tree_.place(makeMotion(input.x, searched_), slack + least, pool, changed_);
        tree_.findPatchPairs(pool, gap);
    }
    tree_.findPairs(makeMotion(input.x, searched_), slack + least, gap, pairs_, pool);
    if (anew) {
        candidates_.clear();
        checkedAll_ = false;
    } else {
        std::erase_if(candidates_, [&](const Candidate& c) {
            return std::ranges::any_of(c.corners, [&](Index i) { return changed_[i] != 0; });
        });
    }
    const auto select = [&](Index begin, Index end, std::vector<Candidate>& part) {
        for (Index k = begin; k < end; ++k) {
            Candidate c = pair(k);
            if (isSewn(c)) continue;
            const geometry::PairMotion motion = makeMotion(c.kind, c.corners, input.x, searched_);
            const geometry::ClosestPoints closest = closestPoints(c.kind, motion.start);
            if (std::min(closest.distance(), separation(c.kind, closest, motion.end)) * kRoundedDown > gap) continue;
            c.distance = float(closest.distance() * kRoundedDown);
            if (!untangling_.tangled(c.corners, c.kind)) part.push_back(c);
        }
    };
    parallelAppend(pool, RowChunks{Index(pairs_.size()), kPairsPerChunk}, candidates_, select);
}

void SelfContact::repel(const SelfContactInput& input, WorkerPool& pool) {
    const double hh = input.dt * input.dt;
    const LayerLaw law{.dt = input.dt, .thickness = input.thickness, .repulsion = input.stiffness};
    impulses_.clear();
    walls_.clear();
    featureWalls_.clear();
    for (const Wall& wall : input.walls) addWall(input, wall);
    for (const FeatureWall& wall : input.featureWalls) addFeatureWall(wall);
    pairsFrom_ = impulses_.size();
    parallelAppend(pool, RowChunks{Index(near_.size()), kPairsPerChunk}, impulses_,
                   [&](Index begin, Index end, std::vector<PairImpulse>& part) {
                       for (Index k = begin; k < end; ++k) {
                           const auto& [carried, closest] = near_[k];
                           PairImpulse impulse(carried.kind, carried.corners, closest, 0, mobility_);
                           if (!(impulse.resistance > 0)) continue;
                           impulse.bound = layerBound(law, closest.distance(), impulse.resistance);
                           const Vec3 friction = hh * carried.friction.cast<double>();
                           impulse.lambda = hh * double(carried.push);
                           impulse.friction = friction - impulse.normal.dot(friction) * impulse.normal;
                           part.push_back(impulse);
                       }
                   });
    impactsFrom_ = impulses_.size();
    if (input.within) addImpactsWithin(input);
}

/// Takes back the forces of the solve beyond the multipliers, with masses only; another solve takes back the rest.
void SelfContact::removeExcess(const SelfContactInput& input, BlockVector& u) const {
    BlockVector back(u.size());
    back.setZero();
    for (const LayerPair& pair : input.within->all())
        for (int k = 0; k < 4; ++k)
            back[pair.corners[k]] -=
                mobility_.moved(pair.corners[k], input.dt * input.dt * pair.weights[k] * pair.excess);
    double most = 0;
    for (Index i = 0; i < back.size(); ++i) most = std::max(most, back[i].norm());
    if (most <= input.settings.solveTolerance * input.thickness) u.flat() += back.flat();
}

/// Impacts found after an earlier solve of the step, which a solve that includes them does not show again.
void SelfContact::addImpactsWithin(const SelfContactInput& input) {
    const double hh = input.dt * input.dt;
    for (const LayerPair& pair : input.within->all()) {
        if (!pair.impact || !(pair.push > 0)) continue;
        PairImpulse impulse(pair.kind, pair.corners, {pair.normal, pair.weights}, pair.bound, mobility_);
        if (!(impulse.resistance > 0)) continue;
        impulse.lambda = hh * pair.push;
        impulse.friction = hh * pair.friction;
        impulses_.push_back(impulse);
    }
}

/// Whether a particle deviates from the displacements of the search by more than its slack.
bool SelfContact::left(const SelfContactInput& input, const BlockVector& u, WorkerPool& pool) const {
    return anyDeviates(u, searched_, kSlackShare * input.thickness, pool);
}

double SelfContact::leastDistance(const SelfContactInput& input, const Candidate& c) const {
    return std::max(std::min(kLeastShare * input.thickness, kLeftShare * c.distance), 1e-300);
}

/// False if the sides move relative to each other by less than their distance: no test is needed.
bool SelfContact::mayMeet(const Candidate& c, const BlockVector& u, double least) {
    return approach(c.kind, c.corners, u) >= (c.distance - least) * kRoundedDown;
}

void SelfContact::findImpacts(const SelfContactInput& input, const BlockVector& u, const ImpactZones* zones,
                              WorkerPool& pool) {
    std::vector<std::uint8_t> moved(std::size_t(u.size()), 1);
    if (std::exchange(checkedAll_, true)) {
        for (Index i = 0; i < u.size(); ++i) moved[i] = u[i] != checked_[i];
        // Pairs that met must be tested again, even if nothing moved them.
        for (const Impact& impact : impacts_)
            for (const Index i : impact.of.corners) moved[i] = 1;
    }
    impacts_.clear();
    parallelAppend(pool, RowChunks{Index(candidates_.size()), kPairsPerChunk}, impacts_,
                   [&](Index begin, Index end, std::vector<Impact>& part) {
                       if (input.stop.stop_requested()) return;
                       for (Index k = begin; k < end; ++k) {
                           const Candidate& c = candidates_[k];
                           const auto& [p, q, r, s] = c.corners;
                           if (!(moved[p] || moved[q] || moved[r] || moved[s])) continue;
                           const double least = leastDistance(input, c);
                           if (!mayMeet(c, u, least)) continue;
                           if (zones && zones->together(p, q) && zones->together(p, r) && zones->together(p, s) &&
                               !(strays_[p] || strays_[q] || strays_[r] || strays_[s]))
                               continue;
                           if (const auto time = firstMeeting(makeMotion(c.kind, c.corners, input.x, u), least))
                               part.push_back({c, *time});
                       }
                   });
    checked_ = u;
}

/// Pairs that meet in pass after pass are kept further apart each time: a pair with just enough room is moved a little
/// by its neighbours, and meets again.
void SelfContact::stopImpacts(const SelfContactInput& input, const BlockVector& u, int pass) {
    const double room = std::min(2 * kLeastShare * std::ldexp(1.0, std::max(0, pass - 1)), kMostRoom) * input.thickness;
    for (const Impact& impact : impacts_) {
        const Candidate& c = impact.of;
        const geometry::ClosestPoints closest =
            closestPoints(c.kind, makeMotion(c.kind, c.corners, input.x, u).at(impact.time));
        if (!(closest.distance() > 0)) continue;
        PairImpulse impulse(c.kind, c.corners, closest, 0, mobility_);
        if (!(impulse.resistance > 0)) continue;
        // Along the direction in which they would meet they end no closer than they begin, or than the thickness,
        // and not without some room.
        const double gap = impulse.normal.dot(impulse.apart(input.x));
        impulse.bound = std::clamp(gap, room, input.thickness) - gap;
        impulses_.push_back(impulse);
    }
}

/// Particles of a pass: all in the first one, then those of impacts and those behind a wall.
void SelfContact::markUnsettled(const SelfContactInput& input, const BlockVector& u, bool all) {
    unsettled_.assign(std::size_t(u.size()), all);
    if (all) return;
    for (const Impact& impact : impacts_)
        for (const Index i : impact.of.corners) unsettled_[i] = 1;
    for (const Wall& wall : walls_)
        if (yields(input, wall, u)) unsettled_[wall.particle] = 1;
    for (const FeatureWall& wall : featureWalls_)
        if (yields(wall, u))
            for (const Index i : wall.corners) unsettled_[i] = 1;
}

SelfContactCounts SelfContact::resolve(const SelfContactInput& input, BlockVector& u, WorkerPool& pool) {
    SelfContactCounts counts;
    zones_.clear();
    forces_.clear();
    restrained_.clear();
    impulses_.clear();
    pairsFrom_ = impactsFrom_ = 0;
    if (tree_.triangles().empty()) return counts;
    wanted_ = u;
    mobility_.reset(input.mass);
    for (auto p = input.held.rbegin(); p != input.held.rend(); ++p) {  // the first of a particle counts
        mobility_.restrict(p->particle, freedom(*p));
        if (p->source != mechanics::PrescribedBy::Contact) mobility_.lead(p->particle);
    }
    if (input.within) removeExcess(input, u);
    untangling_ = {};
    if (input.settings.untangle) untangling_.find(input.x, tree_.triangles(), tree_.edges(), seam_);
    counts.tangled = untangling_.count();
    untangling_.draw(kDrawnShare * input.thickness, mobility_, u);
    if (findPatches(input, u, pool) == 0 && input.walls.empty() && input.featureWalls.empty()) {
        counts.passes = 1;
        return counts;
    }
    findNear(input, pool);
    counts.near = Index(near_.size());
    repel(input, pool);
    relaxation_.reset(input.x);
    const double settled = (input.within ? kSettledWithin : 1) * kSettledShare * input.thickness;
    bool clean = false, newWalls = false;
    for (int pass = 0; pass <= kImpactPasses && !(clean && !newWalls && wallsHold(input, u)); ++pass) {
        if (input.stop.stop_requested()) return counts;
        markUnsettled(input, u, pass == 0);
        if (pass >= kHardenFrom) harden(input, u);
        relaxation_.sweep(impulses_, input.settings.clothFriction, mobility_, settled, kSweeps, u, pool, unsettled_);
        if (pass == 0 || left(input, u, pool)) search(input, u, pass == 0, pool);
        findImpacts(input, u, nullptr, pool);
        ++counts.passes;
        counts.impacts += Index(impacts_.size());
        clean = impacts_.empty();
        newWalls = (clean || pass < kWallPasses) && findWalls(input, u, pass < kWallPasses, pool);
        if (pass == 0) counts.candidates = Index(candidates_.size());
        if (!clean && pass < kImpactPasses) stopImpacts(input, u, pass);
    }
    if (!clean && input.settings.lastResort == LastResort::Zones) clean = moveZones(input, u, counts, pool);
    if (!clean)
        boundMotions(input, u, counts, pool);
    else if (input.settings.carryForces || input.within)
        keepForces(input, u, pool);
    finish(input, u, counts, pool);
    return counts;
}

}  // namespace clothlab::contact
