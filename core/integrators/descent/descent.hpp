#pragma once

#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// A method that takes the implicit step by a number of iterations, starting from inertia only: down its energy g
/// (step_objective.hpp), or toward a point near its minimum. Methods differ in how they compute the next iterate.
class Descent : public Integrator {
public:
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) final;
    bool take(const IntegratorSettings& settings) final;

    /// A step in progress.
    struct Way {
        StepObjective& objective;  ///< begun
        const SimulationState& state;
        StepContext& context;
        linalg::BlockVector& x;  ///< the iterate, m
    };
    /// Makes `count` iterations from x on. Returns the reason for a failure, or empty.
    std::string iterate(const Way& way, int count, StepOutcome* outcome = nullptr, bool again = false);

protected:
    explicit Descent(const IntegratorSettings& settings) : settings_(settings) {}
    const IntegratorSettings& settings() const { return settings_; }

    struct Plan {
        int iterations = 1, substeps = 1;
        double velocityKept = 1;  ///< over the whole step
    };
    virtual Plan plan() const = 0;
    /// Moves the iterate before the first pass and after the last.
    virtual void settle(const Way&) const {}
    /// Forgets the previous step and prepares this one. Returns the reason for a failure, or empty. `again`: contacts
    /// have changed, and the step is repeated.
    virtual std::string start(const Way& way, bool again) = 0;
    struct Pass {
        double merit = 0;  ///< residual that the method reduces, at the start of the pass; 0: x stays
        int solves = 1;    ///< with a matrix; 0: one failed
        std::string problem = {};
    };
    /// The next iterate, in x.
    virtual Pass advance(const Way& way) = 0;
    /// Diagnostics besides its passes.
    virtual void report(StepOutcome&) const {}
    /// State for the next step besides positions and velocities.
    virtual void leave(SimulationState&) const {}

private:
    IntegratorSettings settings_;
    StepObjective objective_;
    linalg::BlockVector x_;
    double first_ = 0;  // merit of the first pass of the step
};

}  // namespace clothlab::integrators
