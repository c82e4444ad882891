#pragma once

#include "factors/block_triangle.hpp"
#include "preconditioners/preconditioner.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// P = omega / (2 - omega) (D/omega + L) D^-1 (D/omega + L^T) ([P], corrected: E-25), with D the 3x3 diagonal
/// blocks or the scalar diagonal; as published, omega = 1 / max(1, largest entry of L and U).
/// Stored as T T^T: with D = G G^T the factor is T = G/omega + L G^-T, kept in Real.
template <class Real>
class Ssor final : public Preconditioner {
public:
    Ssor(Variant variant, double omega, int domains = 1) : variant_(variant), omega_(omega), domains_(domains) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return triangle_.bytes(); }

private:
    Variant variant_;
    double omega_;
    int domains_;  ///< as in IncompleteCholesky
    factors::BlockTriangle<Real> triangle_;
};

extern template class Ssor<double>;
extern template class Ssor<float>;

}  // namespace clothlab::preconditioners
