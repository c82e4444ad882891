#include <algorithm>
#include <limits>

#include "contact/robust/self_contact.hpp"

/// Pairs that still meet after the impulses: rigid zones, and bounds on the motions.
namespace clothlab::contact {

using linalg::BlockVector;

namespace {

/// Passes over zones before motions are bounded, and over bounds.
constexpr int kZonePasses = 10, kBoundPasses = 30;
/// Bound on the deviation of each side: a share, less than half, of the distance at the start beyond kBoundFrom
/// thicknesses. A share of the whole distance, step after step, would end in touch.
constexpr double kBoundShare = 0.45, kBoundFrom = 1e-3;

}  // namespace

/// A wall in the way of a member moves its zone as a whole.
void SelfContact::keepOut(const SelfContactInput& input, Zone& zone, BlockVector& u) {
    for (const Wall& wall : input.walls) {
        const double missing = wall.bound - wall.normal.dot(u[wall.particle]);
        if (!(missing > 0) || mobility_.leads(wall.particle)) continue;
        if (!std::ranges::binary_search(zone.members, wall.particle)) continue;
        const Vec3 by = missing * wall.normal;
        for (std::size_t k = 0; k < zone.members.size(); ++k) {
            const Index i = zone.members[k];
            if (mobility_.leads(i)) {
                strays_[i] = 1;
                continue;
            }
            u[i] += by;
            zone.velocities[k] += by / input.dt;
            zone.pushed += input.mass[i] / input.dt * by;
        }
    }
}

bool SelfContact::moveZones(const SelfContactInput& input, BlockVector& u, SelfContactCounts& counts,
                            WorkerPool& pool) {
    const BlockVector before = u;
    ImpactZones zones;
    zones.reset(u.size());
    strays_.assign(std::size_t(u.size()), 0);
    for (int pass = 0; pass < kZonePasses && !impacts_.empty() && !input.stop.stop_requested(); ++pass) {
        for (const Impact& impact : impacts_) zones.join(impact.of.corners);
        zones_.clear();
        for (std::vector<Index>& zone : zones.zones()) {
            RigidMotion motion = rigidMotion(zone, input.mass, mobility_, input.x, before, input.dt);
            for (std::size_t k = 0; k < zone.size(); ++k) {
                u[zone[k]] = motion.displacements[k];
                strays_[zone[k]] = motion.strays[k];
            }
            const bool free = std::ranges::none_of(zone, [&](Index i) { return mobility_.held(i); });
            const Momentum was = computeMomentum(zone, input.mass, input.x, before, input.dt);
            zones_.push_back({std::move(zone), std::move(motion.velocities), was, Vec3::Zero(), free});
            keepOut(input, zones_.back(), u);
        }
        if (left(input, u, pool)) search(input, u, false, pool);
        findImpacts(input, u, &zones, pool);
        ++counts.passes;
    }
    if (!impacts_.empty()) {
        u = before;
        zones_.clear();
        checkedAll_ = false;
        return false;
    }
    counts.zones = Index(zones_.size());
    for (const Zone& zone : zones_) {
        counts.inZones += Index(zone.members.size());
        counts.largestZone = std::max(counts.largestZone, Index(zone.members.size()));
    }
    return true;
}

void SelfContact::boundMotions(const SelfContactInput& input, BlockVector& u, SelfContactCounts& counts,
                               WorkerPool& pool) {
    const BlockVector before = u;
    ImpactZones zones;
    zones.reset(u.size());
    std::vector<std::vector<Index>> members;
    std::vector<double> bound(std::size_t(u.size()), std::numeric_limits<double>::infinity());
    const double least = kBoundFrom * input.thickness;
    bool searched = left(input, u, pool);
    if (searched) search(input, u, false, pool);
    findImpacts(input, u, nullptr, pool);
    for (int pass = 0; pass < kBoundPasses && !impacts_.empty() && !input.stop.stop_requested(); ++pass) {
        bool grown = false;
        for (const Impact& impact : impacts_) grown |= zones.join(impact.of.corners);
        // Should they meet within a bound, or too many passes go by, all move together.
        if ((!grown && !searched) || pass + 5 >= kBoundPasses)
            for (const geometry::Triangle& t : tree_.triangles())
                zones.join({tree_.triangles()[0][0], t[0], t[1], t[2]});
        members = zones.zones();
        for (const Candidate& c : candidates_)
            for (const Index i : c.corners)
                bound[i] = std::min(bound[i], kBoundShare * std::max(0.0, double(c.distance) - least));
        for (const auto& zone : members) {
            double total = 0;
            Vec3 common = Vec3::Zero();
            for (const Index i : zone) {
                const double weight = input.mass[i] * (mobility_.held(i) ? RigidMotion::kHeldWeight : 1);
                total += weight;
                common += weight * before[i];
            }
            common /= total;
            for (const Index i : zone) {
                const Vec3 deviation = before[i] - common;
                u[i] = common + std::min(1.0, bound[i] / std::max(deviation.norm(), 1e-300)) * deviation;
            }
        }
        searched = left(input, u, pool);
        if (searched) search(input, u, false, pool);
        findImpacts(input, u, nullptr, pool);
        ++counts.passes;
    }
    counts.unresolved = Index(impacts_.size());
    for (const auto& zone : members) restrained_.insert(restrained_.end(), zone.begin(), zone.end());
    counts.bounded = Index(restrained_.size());
}

}  // namespace clothlab::contact
