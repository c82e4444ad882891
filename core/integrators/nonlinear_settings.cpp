#include "integrators/nonlinear_settings.hpp"

namespace clothlab::integrators {
namespace {

constexpr std::array kNewtonHessians{
    EnumEntry{int(NewtonHessian::Clamped), "clamped", "clamped",
              "Each spring's part without its negative curvature: always positive definite, but near a solution with "
              "compressed or slack springs the residual falls only linearly."},
    EnumEntry{
        int(NewtonHessian::Exact), "exact", "exact, corrected",
        "The Hessian itself, with a growing diagonal where the solver finds it indefinite: quadratic at the end."},
    EnumEntry{
        int(NewtonHessian::Blended), "blended", "blended",
        "As much of the exact Hessian as leaves the matrix definite, the rest clamped: wrinkles buckle by steps of "
        "their own size, and the end is quadratic."},
};

constexpr std::array kNewtonMatrices{
    EnumEntry{int(NewtonMatrix::EachIteration), "each", "each iteration", "A new matrix, and a new factor."},
    EnumEntry{int(NewtonMatrix::First), "first", "the first, kept",
              "Simplified Newton: matrix and factor of the first iteration serve the whole step. More iterations, each "
              "cheaper."},
};

constexpr std::array kNewtonTolerances{
    EnumEntry{int(NewtonTolerance::Fixed), "fixed", "the solver's", "Every system is solved to solver.tolerance."},
    EnumEntry{int(NewtonTolerance::Inexact), "inexact", "by Newton's residual",
              "Roughly while the residual is large, more exactly as it falls: fewer iterations of the linear solver."},
};

constexpr std::array kAccelerations{
    EnumEntry{int(Acceleration::None), "none", "none", "Plain local/global iterations, as in the paper."},
    EnumEntry{int(Acceleration::Chebyshev), "chebyshev", "Chebyshev",
              "Goes on along the last moves, by the estimate of the convergence rate below."},
    EnumEntry{int(Acceleration::Anderson), "anderson", "Anderson",
              "Combines the last five iterates; falls back to the plain one where the energy would rise."},
};

}  // namespace

std::span<const EnumEntry> enumTable(NewtonHessian) { return kNewtonHessians; }
std::span<const EnumEntry> enumTable(NewtonMatrix) { return kNewtonMatrices; }
std::span<const EnumEntry> enumTable(NewtonTolerance) { return kNewtonTolerances; }
std::span<const EnumEntry> enumTable(Acceleration) { return kAccelerations; }

void describe(NewtonSettings& s, FieldList& list) {
    list.add("max_iterations", s.maxIterations,
             {.label = "Newton steps",
              .min = 1,
              .max = 1000,
              .sliderMin = 1,
              .sliderMax = 100,
              .logarithmic = true,
              .help = "Most Newton iterations per step; a step that needs more is kept and called unconverged."});
    list.add(
        "tolerance", s.tolerance,
        {.label = "Newton tolerance",
         .min = 1e-13,
         .max = 0.5,
         .sliderMin = 1e-10,
         .sliderMax = 0.1,
         .logarithmic = true,
         .help = "Newton stops when the gradient of the step's energy is this share of what it was at the start."});
    list.add("hessian", s.hessian, {.label = "Hessian", .help = "What Newton's matrix is."});
    list.add("matrix", s.matrix, {.label = "matrix", .help = "When Newton's matrix is made anew."});
    list.add(
        "inner", s.inner,
        {.label = "linear tolerance", .help = "How exactly the linear system of each Newton iteration is solved."});
    list.add("bootstrap", s.bootstrap,
             {.label = "local/global first",
              .min = 0,
              .max = 1000,
              .sliderMin = 0,
              .sliderMax = 100,
              .help = "Local/global iterations that find Newton's first iterate; 0: it starts from inertia alone."});
}

void describe(FastMassSpringSettings& s, FieldList& list) {
    list.add("iterations", s.iterations,
             {.label = "iterations",
              .min = 1,
              .max = 1000,
              .logarithmic = true,
              .help = "Local/global iterations per step. Few leave the cloth softer than its stiffness says, and damp "
                      "its motion."});
    list.add("acceleration", s.acceleration,
             {.label = "acceleration", .help = "How an iterate is made from those before it."});
    list.add("chebyshev_rho", s.chebyshevRho,
             {.label = "rho",
              .min = 0,
              .max = 0.9999,
              .sliderMin = 0.9,
              .sliderMax = 0.9999,
              .help = "Chebyshev: by how much a plain iteration shrinks the error at best. Too high a value makes the "
                      "first iterations slow."});
    list.add(
        "factor_change", s.factorChange,
        {.label = "factor follows", .help = "How the factor takes in a particle that is pinned, grabbed or let go."});
    list.add("velocity_kept", s.velocityKept,
             {.label = "velocity kept",
              .min = 0,
              .max = 1,
              .sliderMin = 0.9,
              .sliderMax = 1,
              .help = "Ether drag: the share of its velocity that each particle keeps over a step; 1 = no drag."});
}

}  // namespace clothlab::integrators
