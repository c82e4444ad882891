#include "preconditioners/complete_cholesky.hpp"

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void CompleteCholesky::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) {
    part_.analyze(matrix, core);
    trouble_ =
        factor_.analyze(part_.pattern(), ordering_, factors::Factorization::Multifrontal) ? "" : factor_.message();
}

Outcome CompleteCholesky::update(const UpdateInput& input, WorkerPool& pool) {
    if (!trouble_.empty()) return {false, trouble_};
    if (!factor_.factorize(part_.of(input.matrix, input.core, pool), pool))
        return {false, "lagged factor: " + factor_.message()};
    return {};
}

double CompleteCholesky::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    factor_.solve(r, z, pool);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
