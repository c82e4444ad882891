#pragma once

#include "integrators/descent/descent.hpp"
#include "integrators/descent/prefactored_matrix.hpp"

namespace clothlab::integrators {

/// A method that minimizes the step's energy g with one solve by the prefactored matrix F per iteration. Methods differ
/// in how they compute the next iterate from -S grad g.
class PrefactoredDescent : public Descent {
protected:
    using Descent::Descent;
    const FastMassSpringSettings& own() const { return settings().fastMassSpring; }

    struct Iteration {
        StepObjective& objective;
        const linalg::BlockVector& x;
        linalg::BlockVector& descent;  ///< -S grad g at x, kg m; it may be overwritten
        linalg::BlockVector& next;
        WorkerPool& pool;
    };
    /// Forgets the previous step.
    virtual void begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) = 0;
    /// Fills `next`. Returns the number of solves with F; 0: one failed.
    virtual int next(const Iteration& now) = 0;

    PrefactoredMatrix matrix_;

private:
    Plan plan() const final { return {.iterations = own().iterations, .velocityKept = own().velocityKept}; }
    std::string start(const Way& way, bool again) final;
    Pass advance(const Way& way) final;
    void report(StepOutcome& outcome) const final { matrix_.report(outcome); }
    void leave(SimulationState& out) const final { out.factorBase = matrix_.base(); }

    linalg::BlockVector next_, descent_;
};

}  // namespace clothlab::integrators
