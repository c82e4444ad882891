#pragma once

#include "factors/cholmod_factor.hpp"
#include "preconditioners/core_part.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = the matrix core of [Y] §6, factored. Where A is definite the spectrum of P^-1 A is in [1/(1+rho), 2], whatever
/// the stretch stiffness; stiff springs outside the core break that. An iteration costs two passes over the factor, so
/// the factor is in single precision by default.
///
/// As LDL' the core may be indefinite (core_factor = ldl): the more of A it holds, the closer P^-1 A is to the identity
/// nevertheless. Conjugate gradients that continue at negative curvature (solver.indefinite) then mostly converge.
class MatrixCore final : public Preconditioner {
public:
    explicit MatrixCore(const PreconditionerSettings& s)
        : ordering_(s.ordering),
          phase_(s.coreFactor == CoreFactor::Ldl ? factors::Factorization::Simplicial
                                                 : factors::Factorization::Multifrontal),
          permute_(s.permute),
          part_(FactorOf::Core, s.coreBits(), s.variant != Variant::Block),
          factor_(s.precision) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return part_.bytes() + factor_.bytes(); }

private:
    factors::Ordering ordering_;
    factors::Factorization phase_;
    Permute permute_;
    CorePart part_;
    mutable factors::CholmodFactor factor_;
    std::string trouble_;
};

}  // namespace clothlab::preconditioners
