#pragma once

#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// The matrix used for the Hessian H of the step's energy g in Newton's method, and how it is made definite.
///
/// g is not convex where springs are compressed. Without their negative curvature (clamped, H_c) Newton is slow there.
/// The exact one, made definite by mu I, is quadratic at the end and slow far from it: a mu that lifts the worst
/// wrinkle stiffens all particles. Blended is t H + (1 - t) H_c, with t as near to 1 as keeps it definite: wrinkles
/// buckle by steps of their own size, and the end is quadratic.
class StepHessian {
public:
    explicit StepHessian(NewtonHessian which) : which_(which) {}

    /// Assembles at x, for iteration `iteration` of a step, from 0.
    void assemble(StepObjective& objective, const linalg::BlockVector& x, int iteration, WorkerPool& pool);
    /// Makes it more definite, after the solver found it indefinite. False: nothing more can be done.
    bool correct(const cloth::ClothModel& model);
    /// The line search took this fraction of the resulting direction.
    void taken(double share);

    const linalg::BlockMatrix& matrix() const { return A_; }

private:
    void blend();

    NewtonHessian which_;
    linalg::BlockMatrix A_, clamped_, exact_;
    double t_ = 0;
    double added_ = 0;  ///< mu, kg
    int corrections_ = 0;
};

}  // namespace clothlab::integrators
