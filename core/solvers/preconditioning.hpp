#pragma once

#include "solvers/conjugate_gradients.hpp"

namespace clothlab::solvers {

/// The preconditioner of a CG solver, with what it keeps from solve to solve: symbolic work while the pattern lasts, an
/// old factor while it serves.
class Preconditioning {
public:
    explicit Preconditioning(std::unique_ptr<preconditioners::Preconditioner> preconditioner)
        : preconditioner_(std::move(preconditioner)) {}

    /// Takes the matrix at hand and its core (may be null), which must live as long as the solve. False = breakdown;
    /// the summary says which.
    bool update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, double icShift, SolveSummary& summary,
                WorkerPool& pool);
    /// The same for a preconditioner that takes a view; `matrix` is what the view is of.
    bool update(const linalg::BlockMatrix& matrix, const linalg::ConstrainedView& view, double icShift,
                SolveSummary& summary, WorkerPool& pool);

    /// Conjugate gradients; with an old factor that proves too old, stops, factors this matrix and goes on.
    void run(const CgProblem& problem, const CgRule& rule, linalg::BlockVector& x, CgScratch& scratch,
             SolveSummary& summary, const SolveControl& control, WorkerPool& pool);

    const preconditioners::Preconditioner& get() const { return *preconditioner_; }
    void forget() { preconditioner_->forget(); }

private:
    bool updateAll(double icShift, SolveSummary& summary, WorkerPool& pool);
    bool refresh(SolveSummary& summary, WorkerPool& pool);

    std::unique_ptr<preconditioners::Preconditioner> preconditioner_;
    const linalg::BlockMatrix* matrix_ = nullptr;
    const linalg::CoreMask* core_ = nullptr;
    const linalg::ConstrainedView* view_ = nullptr;  ///< what the factor is of, unless it is the matrix itself
    std::uint64_t analyzedPattern_ = 0;
};

}  // namespace clothlab::solvers
