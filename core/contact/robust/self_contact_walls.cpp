#include <algorithm>

#include "contact/robust/self_contact.hpp"

/// Solids beside the cloth, among the impulses of its layers.
namespace clothlab::contact {

using linalg::BlockVector;

namespace {

/// How much deeper than its wall an edge or a triangle may end, in its lengths.
constexpr double kFeatureYield = 0.005;

}  // namespace

void SelfContact::addWall(const SelfContactInput& input, const Wall& wall) {
    PairImpulse impulse(wall, mobility_);
    if (!(impulse.resistance > 0)) return;
    impulse.lambda = input.dt * input.dt * wall.push;
    impulses_.push_back(impulse);
    walls_.push_back(wall);
}

void SelfContact::addFeatureWall(const FeatureWall& wall) {
    PairImpulse impulse(wall, mobility_);
    if (!(impulse.resistance > 0)) return;
    featureWalls_.push_back(wall);
    impulses_.push_back(impulse);
}

/// A wall is a plane at the end of a particle's or an edge's way: after impulses have diverted it, another one may be
/// in its way. `features`: edges and triangles, too.
bool SelfContact::findWalls(const SelfContactInput& input, const BlockVector& u, bool features, WorkerPool& pool) {
    if (!input.solids) return false;
    const std::size_t before = impulses_.size();
    input.solids->look(input.x, u, pool);
    input.solids->find(input.x, u, foundWalls_, pool);
    for (const Wall& wall : foundWalls_)
        if (yields(input, wall, u)) addWall(input, wall);
    if (!features) return impulses_.size() > before;
    input.solids->findFeatures(input.x, u, {tree_.edges(), tree_.triangles()}, foundFeatures_, pool);
    for (const FeatureWall& wall : foundFeatures_)
        if (yields(wall, u)) addFeatureWall(wall);
    return impulses_.size() > before;
}

bool SelfContact::wallsHold(const SelfContactInput& input, const BlockVector& u) const {
    return std::ranges::none_of(walls_, [&](const Wall& wall) { return yields(input, wall, u); }) &&
           std::ranges::none_of(featureWalls_, [&](const FeatureWall& wall) { return yields(wall, u); });
}

/// Whether a particle ends behind a wall.
bool SelfContact::yields(const SelfContactInput& input, const Wall& wall, const BlockVector& u) {
    return wall.bound - wall.normal.dot(u[wall.particle]) > kYield * input.thickness;
}

bool SelfContact::yields(const FeatureWall& wall, const BlockVector& u) {
    return wall.bound - wall.normal.dot(wall.mean(u)) > kFeatureYield * wall.length;
}

/// Particles that impulses press behind a wall stay there from now on, whatever pushes them.
void SelfContact::harden(const SelfContactInput& input, BlockVector& u) {
    if (wallsHold(input, u)) return;
    std::vector<std::uint8_t> changed(std::size_t(u.size()), 0);
    for (const Wall& wall : walls_) {
        if (!yields(input, wall, u)) continue;
        u[wall.particle] += (wall.bound - wall.normal.dot(u[wall.particle])) * wall.normal;
        mobility_.hold(wall.particle, wall.normal);
        changed[wall.particle] = 1;
    }
    for (PairImpulse& impulse : impulses_)
        if (std::ranges::any_of(impulse.corners, [&](Index i) { return changed[i] != 0; })) impulse.weigh(mobility_);
    relaxation_.reset(input.x);
    for (PairImpulse& impulse : impulses_) impulse.seen = -1;
}

}  // namespace clothlab::contact
