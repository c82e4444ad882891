#include "preconditioners/jacobi.hpp"

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void Jacobi::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) {
    if (inverse_.size() != matrix.rows()) inverse_.resize(matrix.rows());
}

Outcome Jacobi::update(const UpdateInput& input, WorkerPool& pool) {
    const linalg::BlockMatrix& matrix = input.matrix;
    const Index bad = parallelSum(pool, matrix.rows(), Index{0}, [&](Index begin, Index end) {
        Index nonPositive = 0;
        for (Index i = begin; i < end; ++i) {
            const Vec3 d = matrix.diagonal(i).diagonal();
            nonPositive += !(d.minCoeff() > 0.0);
            inverse_[i] = d.cwiseInverse();
        }
        return nonPositive;
    });
    if (bad > 0) return nonPositiveDiagonal();
    return {};
}

double Jacobi::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    return linalg::scaleDot(inverse_, r, z, pool);
}

}  // namespace clothlab::preconditioners
