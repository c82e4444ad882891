#pragma once

#include <memory>

#include "preconditioners/coarse_space.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// Any symmetric preconditioner M with an additional coarse space Z, Q = Z E^-1 Z^T, E = Z^T A Z: the part that is
/// smooth over many particles, which takes M many iterations, is solved exactly by E.
///
///     balanced    P^-1 = (I - Q A) M^-1 (I - A Q) + Q     symmetric positive definite whatever the residual
///     deflating   P^-1 = (I - Q A) M^-1 + Q               A-DEF2: half of the coarse work; it acts like the other on
///                                                         residuals with Z^T r = 0, and keeps them so
///
/// (Tang, Nabben, Vuik and Erlangga 2009.) Z^T r = 0 holds from the start on if the start is corrected by Q r. That can
/// enlarge a rough residual, so it is done only where it makes the residual smaller (`correctStart`).
class Deflated final : public Preconditioner {
public:
    Deflated(std::unique_ptr<Preconditioner> inner, const PreconditionerSettings& s)
        : inner_(std::move(inner)), space_(s.coarseVectors, s.aggregateSize) {}

    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) override {
        inner_->analyze(matrix, core, pool);
    }
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    /// The coarse space follows each matrix, whatever the age of M: a corrected start's residual is updated by A Z.
    Outcome keep(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return inner_->bytes() + space_.bytes(); }
    const CoarseLevel* coarseLevel() const override { return &level_; }
    std::string_view failure() const override { return inner_->failure(); }

    /// x += Q r and r -= A Q r, if that makes |r| smaller.
    bool correctStart(linalg::BlockVector& x, linalg::BlockVector& r, WorkerPool& pool) override;

    const CoarseSpace& space() const { return space_; }

private:
    std::unique_ptr<Preconditioner> inner_;
    CoarseSpace space_;
    CoarseLevel level_;
    bool deflating_ = false;
    mutable linalg::BlockVector coarse_, second_, w_;
};

}  // namespace clothlab::preconditioners
