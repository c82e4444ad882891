#include <algorithm>

#include "contact/robust/self_contact.hpp"

/// What the contact of a step leaves: forces for the next one, and the report.
namespace clothlab::contact {

using linalg::BlockVector;

/// The smallest distance, and who is not where a hold wanted it.
void SelfContact::finish(const SelfContactInput& input, const BlockVector& u, SelfContactCounts& counts) {
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
    for (const Wall& wall : walls_) {
        if (!yields(input, wall, u)) continue;
        ++counts.pinched;
        restrained_.push_back(wall.particle);
    }
}

/// What held pairs apart in this step, for those that are near at its end. The part of a push that drives layers apart
/// is no load: it would add up, step by step.
void SelfContact::keepForces(const SelfContactInput& input, const BlockVector& u, WorkerPool& pool) {
    std::vector<std::uint8_t> rigid(std::size_t(u.size()), 0);
    for (const Zone& zone : zones_)
        for (const Index i : zone.members) rigid[i] = 1;
    const double perStep = 1 / (input.dt * input.dt), reach = kCarriedWithin * input.thickness;
    parallelAppend(pool, RowChunks{Index(impulses_.size() - pairsFrom_)}, forces_,
                   [&](Index begin, Index end, std::vector<LayerForce>& part) {
                       for (Index k = begin; k < end; ++k) {
                           const PairImpulse& impulse = impulses_[pairsFrom_ + std::size_t(k)];
                           if (impulse.wall() || impulse.edgeWall()) continue;
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

}  // namespace clothlab::contact
