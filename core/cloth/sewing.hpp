#pragma once

#include <vector>

#include "cloth/forces.hpp"
#include "cloth/seam_counts.hpp"
#include "mechanics/pair_term.hpp"

/// Sewing: threads between particles of a mesh, which grow shorter until their ends meet (docs/methods/sewing.md).
///
/// A thread that is L long at the start has the rest length r(t) = L max(0, 1 - t / T), so that it closes evenly and is
/// closed at the time T. With d = x_j - x_i, l = |d|, n = d / l it is a damped spring where it is taut, l > r, and
/// nothing where it is not:
///
///     force on i = k (l - r) n + k_d n n^T (v_j - v_i)
///     J = k n n^T + k (1 - r/l)(I - n n^T)                 E = k (l - r)^2 / 2
///
/// which for r = 0 is k d and k I: a thread without length needs no direction. So that what is caught somewhere is not
/// torn, it pulls no harder than a stretch spring does that is longer by a fifth of the mesh spacing: beyond the c at
/// which k c is that force, k c / (l - r) takes the place of k, and E = k c (l - r - c/2). Threads act in every method
/// in the way in which the repulsion of two particles does (mechanics::PairTerm).
namespace clothlab::cloth {

/// m: a thread that is no longer is closed.
double closedLength(const SewingThread& thread);
/// m, of a thread at this time (s).
double restLengthAt(const SewingThread& thread, double time);
/// For each particle the first one of those that are sewn into one place with it, itself included. Empty where nothing
/// is sewn.
std::vector<Index> seamsOf(const ClothModel& model);
/// The threads of a model at positions x, m.
SeamCounts countSeams(const ClothModel& model, const linalg::BlockVector& x);

/// The threads of a model with the stiffness that its materials give them. Holds that alone.
class Sewing {
public:
    /// Each thread is `stiffness` times as stiff as the stretch springs at the softer one of its ends; its damping is
    /// theirs. Cheap when nothing has changed.
    void configure(const ClothModel& model, const ForceModel& forces);
    /// Adds a term for each thread at (x, v), m and m/s, with the rest lengths of this time (s): implicit, in the
    /// core. A slack one has a term that is zero, so that the pattern stays.
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
