#pragma once

#include <vector>

#include "cloth/forces.hpp"
#include "cloth/seam_counts.hpp"
#include "mechanics/pair_term.hpp"

/// Sewing: threads between particles of a mesh, which grow shorter until their ends meet (docs/methods/sewing.md).
///
/// A thread of initial length L has the rest length r(t) = L max(0, 1 - t / T), so that it closes evenly and is closed
/// at the time T. With d = x_j - x_i, l = |d|, n = d / l it is a damped spring while taut, l > r, and nothing
/// otherwise:
///
///     force on i = k (l - r) n + k_d n n^T (v_j - v_i)
///     J = k n n^T + k (1 - r/l)(I - n n^T)                 E = k (l - r)^2 / 2
///
/// which for r = 0 is k d and k I: a thread without length needs no direction. To spare cloth that is caught somewhere,
/// it pulls no harder than a stretch spring elongated by a fifth of the mesh spacing: beyond the c at which k c is that
/// force, k c / (l - r) replaces k, and E = k c (l - r - c/2). Threads act in every method in the same way as the
/// repulsion of two particles (mechanics::PairTerm).
namespace clothlab::cloth {

/// m: a thread of at most this length is closed.
double closedLength(const SewingThread& thread);
/// The rest length of a thread at this time (s), m.
double restLengthAt(const SewingThread& thread, double time);
/// For each particle the first of those sewn into one place with it, itself included. Empty if nothing is sewn.
std::vector<Index> findSeams(const ClothModel& model);
/// The threads of a model at positions x, m.
SeamCounts countSeams(const ClothModel& model, const linalg::BlockVector& x);

/// The threads of a model with the stiffness that its materials give them.
class Sewing {
public:
    /// Each thread is `stiffness` times as stiff as the stretch springs at its softer end, with their damping. Cheap
    /// when nothing has changed.
    void configure(const ClothModel& model, const ForceModel& forces);
    /// Adds a term for each thread at (x, v), m and m/s, with the rest lengths of this time (s): implicit, in the
    /// core. A slack thread has a zero term, so that the pattern stays.
    void addTerms(const linalg::BlockVector& x, const linalg::BlockVector& v, double time,
                  std::vector<mechanics::PairTerm>& terms) const;
    /// J, at x.
    double energy(const linalg::BlockVector& x, double time) const;

private:
    struct Law {
        double stiffness, damping;  // N/m, N s/m
        double most;                // m: c

        double stiffnessAt(double longer) const { return longer > most ? stiffness * most / longer : stiffness; }
    };
    std::vector<Law> laws_;  // of each thread
    const ClothModel* model_ = nullptr;
    std::uint64_t mesh_ = 0, lawRevision_ = 0;
};

}  // namespace clothlab::cloth
