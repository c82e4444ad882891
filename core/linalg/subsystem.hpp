#pragma once

#include "linalg/components.hpp"
#include "linalg/linear_system.hpp"

namespace clothlab::linalg {

/// The system of one component by itself, rows numbered from 0 in the order of the particles: its rows of A with the
/// columns of the component, and b_c - A_c0 z_0, because its neighbours of ndof 0 are known ([B] §6.2).
///
/// The pattern holds every block that the whole pattern has between two particles of the component, occupied or not. So
/// it lasts, with its symbolic work, as long as the component keeps its particles.
class Subsystem {
public:
    /// `localRow`: #P, the row of each particle in its component.
    void take(const LinearSystem& system, const Components& components, Index component,
              std::span<const Index> localRow);

    std::span<const Index> particles() const { return particles_; }
    Index rows() const { return Index(particles_.size()); }
    LinearSystem view() const {
        return {.A = A_,
                .b = b_,
                .constraints = constraints_,
                .core = hasCore_ ? &core_ : nullptr,
                .previous = previous_.empty() ? nullptr : &previous_,
                .startsThere = startsThere_,
                .icShift = icShift_,
                .positions = positions_.empty() ? nullptr : &positions_,
                .dt = dt_};
    }
    /// full[particle] = local[row]
    void scatter(const BlockVector& local, BlockVector& full) const;

private:
    void copyPattern(const LinearSystem& system, const Components& components, Index component,
                     std::span<const Index> localRow);
    void copyCore(const CoreMask* core);

    std::vector<Index> particles_;
    std::vector<Index> source_;  // per block: its position in the whole matrix
    std::uint64_t wholePattern_ = 0;
    BlockMatrix A_;
    BlockVector b_, previous_, positions_;
    DofConstraints constraints_;
    CoreMask core_;
    bool hasCore_ = false, startsThere_ = false;
    std::uint64_t wholeCore_ = 0;
    double icShift_ = 0, dt_ = 0;
};

/// b_i - sum over the neighbours j of ndof 0 of A_ij z_j: the right-hand side left to row i. A neighbour behind a cut
/// is assumed to change its velocity as in the previous step: one sweep of block Jacobi, from there, over the cut
/// system.
Vec3 withoutKnown(const LinearSystem& system, const Components& components, Index i);

}  // namespace clothlab::linalg
