#include "dense_inverse.hpp"

namespace clothlab::preconditioners {

testing::DenseMatrix denseInverse(const Preconditioner& p, Index particles) {
    WorkerPool pool;
    const Index n = 3 * particles;
    testing::DenseMatrix inverse = testing::DenseMatrix::zero(n, n);
    linalg::BlockVector r(particles), z(particles);
    for (Index k = 0; k < n; ++k) {
        r.setZero();
        r.data()[k] = 1;
        p.applyDot(r, z, pool);
        inverse.setColumn(k, z);
    }
    return inverse;
}

Outcome prepare(Preconditioner& p, const linalg::BlockMatrix& A, const linalg::CoreMask* core) {
    WorkerPool pool;
    p.analyze(A, core, pool);
    return p.update({A, core}, pool);
}

}  // namespace clothlab::preconditioners
