#pragma once

#include "preconditioners/settings.hpp"
#include "preconditioners/traits.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace clothlab::solvers {

/// The preconditioner of a CG solver, with the data kept between solves: symbolic work while the pattern lasts, and
/// under the rule of a lagged one (LagRule) an old factor.
class Preconditioning {
public:
    explicit Preconditioning(const preconditioners::PreconditionerSettings& settings);
    /// For one that is in no catalogue.
    explicit Preconditioning(std::unique_ptr<preconditioners::Preconditioner> preconditioner,
                             preconditioners::PreconditionerTraits traits = {})
        : preconditioner_(std::move(preconditioner)), traits_(traits) {}

    /// Takes the current matrix, which must live as long as the solve; `same`: its values are those of the last update,
    /// whose results are reused. False = breakdown; the summary says which.
    bool update(const preconditioners::UpdateInput& input, SolveSummary& summary, WorkerPool& pool, bool same = false);

    /// Conjugate gradients; with an old factor that proves too old, stops, factors this matrix and continues.
    void run(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate, const SolveControl& control,
             WorkerPool& pool);

    const preconditioners::Preconditioner& get() const { return *preconditioner_; }
    const preconditioners::PreconditionerTraits& traits() const { return traits_; }
    /// Forgets earlier matrices: the next update is like the first.
    void forget() { age_ = kNone; }

private:
    static constexpr int kNone = -1;

    bool refresh(SolveSummary& summary, WorkerPool& pool, bool same = false);
    std::string faultOnSight(WorkerPool& pool) const;
    bool oldOneServes() const { return traits_.lag && age_ != kNone && age_ + 1 < traits_.lag->maxAge; }

    std::unique_ptr<preconditioners::Preconditioner> preconditioner_;
    preconditioners::PreconditionerTraits traits_;
    bool unseen_ = false;                                ///< it is external, and its first update has not been checked
    std::optional<preconditioners::UpdateInput> input_;  ///< of the current solve
    preconditioners::Outcome made_;                      ///< of the last update
    int age_ = kNone;  ///< updates since the preconditioner was made, kNone = there is none
    std::uint64_t analyzedPattern_ = 0;
};

}  // namespace clothlab::solvers
