#include "contact/repulsion.hpp"

#include <algorithm>

namespace clothlab::contact {

void Repulsion::find(const RepulsionInput& input, WorkerPool& pool) {
    pairs_.clear();
    const ContactSettings& settings = input.settings;
    if (settings.selfCollision != SelfCollision::Repulsion || input.spacing.empty()) return;
    const double widest = settings.repulsionDistance * *std::max_element(input.spacing.begin(), input.spacing.end());
    if (!(widest > 0)) return;
    const std::span<const double> points{input.x.data(), 3 * std::size_t(input.x.size())};
    auto exempt = input.exempt.begin();
    for (const auto& [i, j] : hash_.pairsCloserThan(widest, points, pool)) {
        const auto a = std::size_t(i), b = std::size_t(j);
        // Both lists are sorted: one walk over the two.
        while (exempt != input.exempt.end() && *exempt < std::pair{i, j}) ++exempt;
        if (exempt != input.exempt.end() && *exempt == std::pair{i, j}) continue;
        if (!input.seam.empty() && input.seam[a] == input.seam[b]) continue;
        const double d = settings.repulsionDistance * std::min(input.spacing[a], input.spacing[b]);
        if (!((input.x[j] - input.x[i]).squaredNorm() < d * d)) continue;
        pairs_.push_back({i, j, d, settings.repulsionStiffness * std::min(input.stiffness[a], input.stiffness[b])});
    }
}

void Repulsion::terms(const linalg::BlockVector& x, const linalg::BlockVector& v, double damping,
                      std::vector<mechanics::PairTerm>& out, WorkerPool& pool) const {
    out.assign(pairs_.size(), {});
    parallelRows(pool, Index(pairs_.size()), [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            const Pair& pair = pairs_[k];
            mechanics::PairTerm& term = out[k];
            term.i = pair.i;
            term.j = pair.j;
            const Vec3 edge = x[pair.j] - x[pair.i];
            const double l = edge.norm();
            if (!(l < pair.distance)) continue;
            const Vec3 n = l > kCoincident * pair.distance ? Vec3(edge / l) : Vec3(Vec3::UnitY());
            term.force = pair.stiffness * (l - pair.distance) * n + damping * (v[pair.j] - v[pair.i]);
            // Product of the directions first: symmetric to the last bit.
            term.stiffness = pair.stiffness * Mat3(n * n.transpose());
            term.damping = damping * Mat3::Identity();
        }
    });
}

double Repulsion::energy(const linalg::BlockVector& x, WorkerPool& pool) const {
    return parallelSum(pool, Index(pairs_.size()), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index k = begin; k < end; ++k) {
            const Pair& pair = pairs_[k];
            const double closer = pair.distance - (x[pair.j] - x[pair.i]).norm();
            if (closer > 0) sum += 0.5 * pair.stiffness * closer * closer;
        }
        return sum;
    });
}

}  // namespace clothlab::contact
