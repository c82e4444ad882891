#include <algorithm>
#include <iterator>

#include "contact/robust/self_contact.hpp"

/// Results of the contact of a step: forces for the next one, and the report.
namespace clothlab::contact {

using linalg::BlockVector;

/// A force F between two points that are `apart` has the moment apart x F, about any point: none along the gap.
double SelfContact::angularMomentum(const SelfContactInput& input) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = pairsFrom_; k < impulses_.size(); ++k) {
        const PairImpulse& impulse = impulses_[k];
        if (impulse.wall() || impulse.featureWall()) continue;
        sum += impulse.apart(input.x).cross(impulse.lambda * impulse.normal + impulse.friction);
    }
    return sum.norm() / input.dt;
}

/// The smallest distance, the angular momentum, and particles kept from where a hold moves them.
void SelfContact::finish(const SelfContactInput& input, const BlockVector& u, SelfContactCounts& counts,
                         WorkerPool& pool) {
    counts.angular = counts.bounded > 0 ? -1 : angularMomentum(input);
    for (const Candidate& c : candidates_)
        if (counts.smallestDistance < 0 || c.distance < counts.smallestDistance) counts.smallestDistance = c.distance;
    for (const Near& near : near_)
        if (const double d = near.closest.distance(); counts.smallestDistance < 0 || d < counts.smallestDistance)
            counts.smallestDistance = d;
    for (const mechanics::Prescribed& p : input.held) {
        const Vec3 by = u[p.particle] - wanted_[p.particle];
        const Vec3 against = by - linalg::DofConstraint{.ndof = p.ndof, .p = p.p, .q = p.q}.S() * by;
        if (p.source == mechanics::PrescribedBy::Contact || !(against.norm() > kYield * input.thickness)) continue;
        ++counts.heldBack;
        restrained_.push_back(p.particle);
    }
    // Zones and bounds move particles regardless of walls. A pin or the pointer may hold a particle in a solid.
    if (input.solids && (counts.zones > 0 || counts.bounded > 0)) {
        input.solids->look(input.x, u, pool);
        input.solids->find(input.x, u, foundWalls_, pool);
        std::erase_if(walls_, [&](const Wall& wall) { return !mobility_.leads(wall.particle); });
        std::ranges::copy_if(foundWalls_, std::back_inserter(walls_),
                             [&](const Wall& wall) { return !mobility_.leads(wall.particle); });
    }
    for (const Wall& wall : walls_) {
        if (!yields(input, wall, u)) continue;
        ++counts.pinched;
        restrained_.push_back(wall.particle);
    }
}

/// Forces that held pairs apart in this step, for pairs that are near at its end. The part of a push that drives layers
/// apart is not a load: it would add up, step by step.
void SelfContact::keepForces(const SelfContactInput& input, const BlockVector& u, WorkerPool& pool) {
    std::vector<std::uint8_t> rigid(std::size_t(u.size()), 0);
    for (const Zone& zone : zones_)
        for (const Index i : zone.members) rigid[i] = 1;
    const double perStep = 1 / (input.dt * input.dt), reach = kCarriedWithin * input.thickness;
    parallelAppend(pool, RowChunks{Index(impulses_.size() - pairsFrom_)}, forces_,
                   [&](Index begin, Index end, std::vector<LayerForce>& part) {
                       for (Index k = begin; k < end; ++k) {
                           const PairImpulse& impulse = impulses_[pairsFrom_ + std::size_t(k)];
                           if (impulse.wall() || impulse.featureWall()) continue;
                           const double load = impulse.lambda - std::max(impulse.bound, 0.0) * impulse.resistance;
                           if (!(load > 0)) continue;
                           if (std::ranges::any_of(impulse.corners, [&](Index i) { return rigid[i] != 0; })) continue;
                           geometry::PairPoints there;
                           for (int c = 0; c < 4; ++c) there[c] = input.x[impulse.corners[c]] + u[impulse.corners[c]];
                           if (!(closestPoints(impulse.kind, there).distance() < reach)) continue;
                           part.push_back({impulse.corners, impulse.kind, float(perStep * load),
                                           (perStep * impulse.friction).cast<float>()});
                       }
                   });
    joinLayerForces(forces_);
}

/// Multipliers of pairs in zones mean nothing, nor do those of sweeps that ended under bounds.
void SelfContact::giveLayers(const SelfContactInput& input, const BlockVector& u, SelfContactCounts& counts,
                             LayerPairs& layers) const {
    if (counts.bounded > 0 || tree_.triangles().empty()) return;
    counts.moved = 0;
    std::vector<std::uint8_t> rigid(std::size_t(u.size()), 0);
    for (const Zone& zone : zones_)
        for (const Index i : zone.members) rigid[i] = 1;
    const auto isRigid = [&](const std::array<Index, 4>& corners) {
        return std::ranges::any_of(corners, [&](Index i) { return rigid[i] != 0; });
    };
    std::vector<LayerPair> found;
    std::vector<std::pair<std::array<Index, 4>, geometry::PairKind>> known;
    const double perStep = 1 / (input.dt * input.dt);
    for (std::size_t k = pairsFrom_; k < impulses_.size(); ++k) {
        const PairImpulse& impulse = impulses_[k];
        if (impulse.wall() || impulse.featureWall() || isRigid(impulse.corners)) continue;
        known.emplace_back(impulse.corners, impulse.kind);
        if (!(impulse.lambda > 0)) continue;
        found.push_back({.corners = impulse.corners,
                         .kind = impulse.kind,
                         .weights = impulse.weights,
                         .normal = impulse.normal,
                         .bound = impulse.bound,
                         .push = perStep * impulse.lambda,
                         .friction = perStep * impulse.friction,
                         .impact = k >= impactsFrom_});
    }
    BlockVector change(u.size());
    change.setZero();
    const auto addTo = [&](const LayerPair& p, double sign) {
        const Vec3 force = sign * (p.push * p.normal + p.friction + p.excess);
        for (int k = 0; k < 4; ++k) change[p.corners[k]] += p.weights[k] * force;
    };
    for (const LayerPair& p : found) addTo(p, 1);
    std::ranges::sort(known);
    for (const LayerPair& p : layers.all()) {
        if (isRigid(p.corners)) continue;
        if (!(p.push > 0) || std::ranges::binary_search(known, std::pair{p.corners, p.kind}))
            addTo(p, -1);
        else  // held by solids on both sides: only the solve can move it
            found.push_back(p);
    }
    for (LayerPair& p : found) p.slip = p.alongPlane(p.apart(u));
    for (Index i = 0; i < u.size(); ++i)
        counts.moved = std::max(counts.moved, input.dt * input.dt * mobility_.moved(i, change[i]).norm());
    layers.take(std::move(found), input.mass);
}

}  // namespace clothlab::contact
