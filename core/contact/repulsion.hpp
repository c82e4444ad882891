#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/settings.hpp"
#include "geometry/spatial_hash.hpp"
#include "linalg/block_vector.hpp"
#include "mechanics/pair_term.hpp"

/// Cloth-cloth repulsion between particles ([B] §3.4.2; docs/methods/contact.md).
///
/// Two particles closer than d = 0.6 of the mesh spacing get a damped spring of rest length d for this step:
///
///     force on i = k (l - d) n - k_d (v_i - v_j),   n = (x_j - x_i)/l,  l < d       [B] (3.6), (3.12)
///     J = k n n^T      the transverse part k (1 - d/l)(I - n n^T) is negative, and is left out
///     V = k_d I        unprojected on purpose: it mimics friction between the layers
///     E = k (d - l)^2 / 2
namespace clothlab::contact {

/// Views for the duration of the call, one entry per particle.
struct RepulsionInput {
    const linalg::BlockVector& x;       ///< m
    std::span<const double> spacing;    ///< m, of the mesh at rest; the smaller one for a pair of two cloths
    std::span<const double> stiffness;  ///< N/m, of the stretch springs; the smaller one as well
    /// Pairs (i, j), i < j, sorted, that never repel each other: springs that are shorter at rest.
    std::span<const std::pair<Index, Index>> exempt;
    std::span<const Index> seam;  ///< one per particle, equal for those sewn together, which never repel; or empty
    const ContactSettings& settings;
};

/// The pairs of the last search; a new search with the same input finds the same.
class Repulsion {
public:
    struct Pair {
        Index i, j;
        double distance;   ///< m, d
        double stiffness;  ///< N/m, k
    };

    /// Below this share of d two particles have no direction; the one with the larger number then counts as above.
    static constexpr double kCoincident = 1e-9;

    /// Finds the pairs with |x_j - x_i| < d, sorted by i, then j; none unless the settings ask for repulsion.
    void find(const RepulsionInput& input, WorkerPool& pool);
    void clear() { pairs_.clear(); }
    std::span<const Pair> pairs() const { return pairs_; }

    /// Terms of these pairs at (x, v), m and m/s, with damping k_d, N s/m: one per pair, implicit and in the core;
    /// zero for two that are no longer closer than d.
    void terms(const linalg::BlockVector& x, const linalg::BlockVector& v, double damping,
               std::vector<mechanics::PairTerm>& out, WorkerPool& pool) const;
    /// Sum of their energies at x, J.
    double energy(const linalg::BlockVector& x, WorkerPool& pool) const;

private:
    geometry::SpatialHash hash_;
    std::vector<Pair> pairs_;
};

}  // namespace clothlab::contact
