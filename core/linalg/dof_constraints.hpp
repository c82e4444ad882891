#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::linalg {

/// Constraint on one particle ([Y] (3)-(6), [B] (5.1)): S projects onto its free directions,
///     ndof 3: S = I      ndof 2: S = I - p p^T      ndof 1: S = I - p p^T - q q^T      ndof 0: S = 0
/// with p, q orthonormal, and z is the prescribed change of velocity in the removed directions, z in range(I - S), m/s.
struct DofConstraint {
    Index particle = -1;
    int ndof = 0;
    Vec3 p = Vec3::Zero(), q = Vec3::Zero();
    Vec3 z = Vec3::Zero();
    bool passing = false;  ///< set by a contact or the pointer: it may vanish with the next step

    Mat3 S() const;
};

/// Whether it is valid: ndof 0 to 2, p and q orthonormal as far as ndof needs them, z finite.
bool wellFormed(const DofConstraint& constraint);

/// The constraints of all particles: sparse, because most particles are free.
class DofConstraints {
public:
    DofConstraints() = default;
    explicit DofConstraints(Index particles) { reset(particles); }

    /// All free.
    void reset(Index particles);
    Index particles() const { return Index(ndof_.size()); }

    /// Sets the constraint of a particle; a second one on the same particle replaces the first. p and q are normalised
    /// (q after removal of its part along p), z is projected onto the removed directions.
    void set(DofConstraint constraint);

    int ndof(Index particle) const { return ndof_[particle]; }
    std::span<const std::uint8_t> ndofs() const { return ndof_; }
    /// The constraint of a particle, or null when it is free.
    const DofConstraint* find(Index particle) const {
        const Index slot = slot_[particle];
        return slot < 0 ? nullptr : &constrained_[slot];
    }
    /// Constrained particles, ascending once `sort()` was called (the integrator does).
    std::span<const DofConstraint> constrained() const { return constrained_; }
    void sort();
    bool empty() const { return constrained_.empty(); }
    /// The same S with z = 0: for corrections to a vector that already satisfies z.
    DofConstraints homogeneous() const;
    /// Number of particles of each ndof 0..3.
    void counts(Index (&out)[4]) const;

    /// x <- S x
    void filter(BlockVector& x) const;
    void filter(BlockVector& x, WorkerPool& pool) const;
    /// x <- S x + z
    void filterAndPrescribe(BlockVector& x) const;
    /// out = z (zero for free particles)
    void prescribed(BlockVector& out) const;

private:
    std::vector<std::uint8_t> ndof_;  // per particle
    std::vector<DofConstraint> constrained_;
    std::vector<Index> slot_;  // per particle: index into constrained_, or -1
};

}  // namespace clothlab::linalg
