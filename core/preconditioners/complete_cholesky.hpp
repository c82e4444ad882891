#pragma once

#include "factors/cholmod_factor.hpp"
#include "preconditioners/core_part.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = the complete factor of a matrix, or of its core ([Y] Table 2, column Pardiso(2)): for its own matrix, a direct
/// solve. It is worth its cost if one factor is used for several steps, which the solver decides by its LagRule.
class CompleteCholesky final : public Preconditioner {
public:
    explicit CompleteCholesky(const PreconditionerSettings& s)
        : ordering_(s.ordering), part_(s.factorOf, s.coreBits()) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return part_.bytes() + factor_.bytes(); }

private:
    factors::Ordering ordering_;
    CorePart part_;
    mutable factors::CholmodFactor factor_;
    std::string trouble_;
};

}  // namespace clothlab::preconditioners
