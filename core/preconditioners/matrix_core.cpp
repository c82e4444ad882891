#include "preconditioners/matrix_core.hpp"

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void MatrixCore::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) {
    part_.analyze(matrix, core);
    trouble_ = factor_.analyze(part_.pattern(), ordering_, phase_) ? "" : factor_.message();
    if (permute_ == Permute::Once) order_ = factor_.order();
}

Outcome MatrixCore::update(const UpdateInput& input, WorkerPool& pool) {
    if (!trouble_.empty()) return {false, trouble_};
    if (!factor_.factorize(part_.of(input.matrix, input.core, pool), pool))
        return {false, "matrix core: " + factor_.message()};
    return {};
}

double MatrixCore::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    factor_.solve(r, z, pool, permute_ == Permute::Once ? factors::VectorOrder::Factor : factors::VectorOrder::Matrix);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
