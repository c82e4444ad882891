#include "solvers/iteration_matrix.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {

void IterationMatrix::build(const linalg::BlockMatrix& A, linalg::Packing packing, WorkerPool& pool,
                            const linalg::DofConstraints* constraints) {
    ndofs_ = constraints && !constraints->empty() ? constraints->ndofs() : std::span<const std::uint8_t>{};
    storage_ = packing.storage;
    packed_.build(A, pool, packing, ndofs_);
    rounded_ = packing.precision == linalg::Precision::Double ? nullptr : &A;
    known_.resize(0);
    if (constraints && !rounded_) computeKnown(A, *constraints, pool);
}

bool IterationMatrix::sharpen(WorkerPool& pool) {
    if (exact()) return false;
    packed_.build(*rounded_, pool, {linalg::Precision::Double, storage_}, ndofs_);
    return true;
}

void IterationMatrix::computeKnown(const linalg::BlockMatrix& A, const linalg::DofConstraints& constraints,
                                   WorkerPool& pool) {
    const auto moves = [](const linalg::DofConstraint& c) { return c.ndof == 0 && !c.z.isZero(0.0); };
    if (std::ranges::none_of(constraints.constrained(), moves)) return;
    const linalg::BlockPattern& p = A.pattern();
    known_.resize(A.rows());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (Index k = p.rowStart[i]; constraints.ndof(i) > 0 && k < p.rowStart[i + 1]; ++k)
                if (constraints.ndof(p.column[k]) == 0 && A.occupied(k))
                    sum += A.block(k) * constraints.find(p.column[k])->z;
            known_[i] = sum;
        }
    });
}

void IterationMatrix::residual(const linalg::BlockVector& b, const linalg::BlockVector& x, linalg::BlockVector& r,
                               WorkerPool& pool) const {
    if (rounded_)
        linalg::multiply(*rounded_, x, r, pool);
    else
        packed_.multiplyDot(x, r, pool);
    linalg::subtractFrom(b, r, pool);
    if (known_.size() == 0) return;
    parallelRows(pool, r.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) r[i] -= known_[i];
    });
}

}  // namespace clothlab::solvers
