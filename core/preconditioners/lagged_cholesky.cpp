#include "preconditioners/lagged_cholesky.hpp"

#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void LaggedCholesky::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) {
    part_.analyze(matrix, core);
    trouble_ =
        factor_.analyze(part_.pattern(), ordering_, factors::Factorization::Multifrontal) ? "" : factor_.message();
    forget();
}

Outcome LaggedCholesky::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) {
    if (!trouble_.empty()) return {false, trouble_};
    if (age_ != kNone && age_ + 1 < maxAge_) {
        ++age_;
        return {};
    }
    forget();
    if (!factor_.factorize(part_.of(matrix, core, pool), pool)) return {false, "lagged factor: " + factor_.message()};
    age_ = 0;
    return {};
}

double LaggedCholesky::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    factor_.solve(r, z, pool);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
