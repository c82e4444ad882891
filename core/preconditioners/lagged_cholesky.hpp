#pragma once

#include "factors/cholmod_factor.hpp"
#include "preconditioners/core_part.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = the complete factor of an earlier matrix, or of its core ([Y] Table 2, column Pardiso(2)).
///
/// It is made afresh when it is `max_age` updates old, when the pattern changes, and when a solve with it takes more
/// than `patience` iterations: that solve stops, factors its own matrix and goes on, which with the whole matrix is a
/// direct solve. The one method whose result depends on what came before: a jump in time forgets the factor.
class LaggedCholesky final : public Preconditioner {
public:
    explicit LaggedCholesky(const PreconditionerSettings& s)
        : ordering_(s.ordering), maxAge_(s.maxAge), patience_(s.patience), part_(s.factorOf, s.shearInCore) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return part_.bytes() + factor_.bytes(); }
    int age() const override { return age_; }
    int patience() const override { return patience_; }
    void forget() override { age_ = kNone; }

private:
    static constexpr int kNone = -1;

    factors::Ordering ordering_;
    int maxAge_, patience_;
    int age_ = kNone;  ///< updates since the factor was made, kNone = there is none
    CorePart part_;
    mutable factors::CholmodFactor factor_;
    std::string trouble_;
};

}  // namespace clothlab::preconditioners
