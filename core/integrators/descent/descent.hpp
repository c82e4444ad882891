#pragma once

#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// A method that takes the implicit step by a number of iterations from inertia alone on: down its energy g
/// (step_objective.hpp), or toward something near its minimum. What such methods differ in is how the next iterate
/// comes.
class Descent : public Integrator {
public:
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) final;
    bool take(const IntegratorSettings& settings) final;

    /// A step on its way.
    struct Way {
        StepObjective& objective;  ///< begun
        const SimulationState& state;
        StepContext& context;
        linalg::BlockVector& x;  ///< the iterate, m
    };
    /// `count` iterations from x on. Returns why it cannot, or nothing.
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
    /// Forgets the step before, and makes ready for this one. Returns why it cannot, or nothing. `again`: contacts have
    /// changed, and the step begins once more.
    virtual std::string start(const Way& way, bool again) = 0;
    struct Pass {
        double merit = 0;  ///< what the method drives down, at the start of the pass; 0: it is there, x stays
        int solves = 1;    ///< with a matrix; 0: one failed
        std::string problem = {};
    };
    /// The next iterate, in x.
    virtual Pass advance(const Way& way) = 0;
    /// What it tells beside its passes.
    virtual void report(StepOutcome&) const {}
    /// What the next step must know beside positions and velocities.
    virtual void leave(SimulationState&) const {}

private:
    IntegratorSettings settings_;
    StepObjective objective_;
    linalg::BlockVector x_;
    double first_ = 0;  // merit of the first pass of the step
};

}  // namespace clothlab::integrators
