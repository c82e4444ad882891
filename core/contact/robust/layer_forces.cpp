#include "contact/robust/layer_forces.hpp"

#include <algorithm>
#include <cstdint>

namespace clothlab::contact {
namespace {

/// The corners, packed two per number for faster comparison.
std::array<std::uint64_t, 2> cornersKey(const std::array<Index, 4>& corners) {
    const auto both = [](Index a, Index b) { return std::uint64_t(std::uint32_t(a)) << 32 | std::uint32_t(b); };
    return {both(corners[0], corners[1]), both(corners[2], corners[3])};
}

bool before(const LayerForce& a, const LayerForce& b) {
    const auto first = cornersKey(a.corners), second = cornersKey(b.corners);
    if (first[0] != second[0]) return first[0] < second[0];
    return first[1] != second[1] ? first[1] < second[1] : a.kind < b.kind;
}

}  // namespace

void joinLayerForces(std::vector<LayerForce>& forces) {
    std::ranges::stable_sort(forces, before);
    std::size_t kept = 0;
    for (const LayerForce& force : forces) {
        if (kept == 0 || before(forces[kept - 1], force)) {
            forces[kept++] = force;
            continue;
        }
        forces[kept - 1].push += force.push;
        forces[kept - 1].friction += force.friction;
    }
    forces.resize(kept);
}

const LayerForce* findLayerForce(std::span<const LayerForce> forces, const std::array<Index, 4>& corners,
                                 geometry::PairKind kind) {
    const LayerForce wanted{corners, kind};
    const auto found = std::ranges::lower_bound(forces, wanted, before);
    return found != forces.end() && !before(wanted, *found) ? &*found : nullptr;
}

void addLayerForces(std::span<const LayerForce> forces, const linalg::BlockVector& x, double time,
                    linalg::BlockVector& b) {
    for (const LayerForce& force : forces) {
        const auto& [p, q, r, s] = force.corners;
        const geometry::ClosestPoints closest = closestPoints(force.kind, {x[p], x[q], x[r], x[s]});
        const double distance = closest.distance();
        if (!(distance > 0)) continue;
        const Vec3 total = double(force.push) / distance * closest.apart + force.friction.cast<double>();
        for (int k = 0; k < 4; ++k) b[force.corners[k]] += time * closest.weights[k] * total;
    }
}

}  // namespace clothlab::contact
