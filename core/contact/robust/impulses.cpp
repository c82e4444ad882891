#include "contact/robust/impulses.hpp"

#include <algorithm>

namespace clothlab::contact {
namespace {

/// A pair that is less free along its normal than this share counts as held.
constexpr double kHeldShare = 0.05;

}  // namespace

void Mobility::reset(std::span<const double> mass) {
    inverseMass_.resize(mass.size());
    std::ranges::transform(mass, inverseMass_.begin(), [](double m) { return m > 0 ? 1 / m : 0.0; });
    slot_.assign(mass.size(), -1);
    leads_.assign(mass.size(), 0);
    S_.clear();
}

void Mobility::restrict(Index particle, const Mat3& S) {
    if (slot_[particle] < 0) {
        slot_[particle] = Index(S_.size());
        S_.push_back(S);
    }
    S_[slot_[particle]] = S;
}

void Mobility::hold(Index particle, const Vec3& n) {
    const Mat3 S = held(particle) ? S_[slot_[particle]] : Mat3(Mat3::Identity());
    const Vec3 along = S * n;
    const double size = n.dot(along);
    restrict(particle, size > 1e-12 ? Mat3(S - along * along.transpose() / size) : S);
}

PairImpulse::PairImpulse(geometry::PairKind pair, const std::array<Index, 4>& particles,
                         const geometry::ClosestPoints& closest, double least, const Mobility& mobility)
    : corners(particles),
      weights(closest.weights),
      kind(pair),
      normal(closest.apart / closest.distance()),
      bound(least) {
    weigh(mobility);
}

void PairImpulse::weigh(const Mobility& mobility) {
    double compliance = 0, free = 0;
    for (int k = 0; k < 4; ++k) {
        compliance += weights[k] * weights[k] * normal.dot(mobility.moved(corners[k], normal));
        free += weights[k] * weights[k] * mobility.inverseMass(corners[k]);
    }
    // A particle that solids hold nearly along the normal would be thrown sideways by the push it needs.
    resistance = compliance > kHeldShare * free ? 1 / compliance : 0;
    slipResistance = free > 0 && !wall() && !featureWall() ? 1 / free : 0;
}

PairImpulse::PairImpulse(const Wall& wall, const Mobility& mobility)
    : corners{wall.particle, wall.particle, wall.particle, wall.particle},
      weights{1, 0, 0, 0},
      normal(wall.normal),
      bound(wall.bound) {
    weigh(mobility);
}

PairImpulse::PairImpulse(const FeatureWall& wall, const Mobility& mobility)
    : corners{wall.corners[0], wall.corners[1], wall.corners[2], wall.ofEdge() ? wall.corners[1] : wall.corners[0]},
      weights{wall.weights[0], wall.weights[1], wall.weights[2], 0},
      normal(wall.normal),
      bound(wall.bound) {
    weigh(mobility);
}

}  // namespace clothlab::contact
