#pragma once

#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = I: conjugate gradients without a preconditioner, the reference for all others.
class Identity final : public Preconditioner {
public:
    void analyze(const linalg::BlockMatrix&, const linalg::CoreMask*, WorkerPool&) override {}
    Outcome update(const UpdateInput&, WorkerPool&) override { return {}; }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return 0; }
};

}  // namespace clothlab::preconditioners
