#pragma once

#include "linalg/block_triangle.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = omega / (2 - omega) (D/omega + L) D^-1 (D/omega + L^T) ([P], corrected as in methods §9.5), with D the 3x3 diagonal
/// blocks or the scalar diagonal. Stored as T T^T: with D = G G^T the factor is T = G/omega + L G^-T.
class Ssor final : public Preconditioner {
public:
    Ssor(bool block, double omega) : block_(block), omega_(omega) {}
    std::string_view name() const override { return "ssor"; }
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*) override;
    Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return triangle_.bytes(); }

private:
    bool block_;
    double omega_;
    std::vector<Index> rows_;
    linalg::BlockTriangle triangle_;
};

}  // namespace clothlab::preconditioners
