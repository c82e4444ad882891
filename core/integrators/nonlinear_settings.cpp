#include "integrators/nonlinear_settings.hpp"

#include <cmath>

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
              "Simplified Newton: matrix and factor of the first iteration "
              "are kept for the whole step. More iterations, each cheaper."},
};

constexpr std::array kNewtonTolerances{
    EnumEntry{int(NewtonTolerance::Fixed), "fixed", "the solver's", "Every system is solved to solver.tolerance."},
    EnumEntry{int(NewtonTolerance::Inexact), "inexact", "by Newton's residual",
              "Roughly while the residual is large, more exactly as it falls: fewer iterations of the linear solver."},
};

constexpr std::array kAccelerations{
    EnumEntry{int(Acceleration::None), "none", "none", "Plain local/global iterations, as in the paper."},
    EnumEntry{int(Acceleration::Chebyshev), "chebyshev", "Chebyshev",
              "Extrapolates from the last moves with the convergence rate rho below."},
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
    list.add("tolerance", s.tolerance,
             {.label = "Newton tolerance",
              .min = 1e-13,
              .max = 0.5,
              .sliderMin = 1e-10,
              .sliderMax = 0.1,
              .logarithmic = true,
              .help = "Newton stops when the gradient of the step's energy is this fraction of its start."});
    list.add("hessian", s.hessian, {.label = "Hessian", .help = "The choice of Newton's matrix."});
    list.add("matrix", s.matrix, {.label = "matrix", .help = "When Newton's matrix is recomputed."});
    list.add("inner", s.inner,
             {.label = "linear tolerance", .help = "The accuracy of the linear solve in each Newton iteration."});
    list.add("bootstrap", s.bootstrap,
             {.label = "local/global first",
              .min = 0,
              .max = 1000,
              .sliderMin = 0,
              .sliderMax = 100,
              .help = "Local/global iterations that find Newton's first iterate; 0: it starts from inertia only."});
}

namespace {

void addChebyshev(FieldList& list, double& rho, double sliderMin) {
    list.add("chebyshev_rho", rho,
             {.label = "rho",
              .min = 0,
              .max = 0.9999,
              .sliderMin = sliderMin,
              .sliderMax = 0.9999,
              .help = "Chebyshev: by how much a plain iteration shrinks the error at best. Too high a value makes the "
                      "first iterations slow."});
}

}  // namespace

void describe(FastMassSpringSettings& s, FieldList& list) {
    list.add(
        "iterations", s.iterations,
        {.label = "iterations",
         .min = 1,
         .max = 1000,
         .logarithmic = true,
         .help = "Iterations per step, each with one solve by the prefactored matrix. Few leave the cloth softer than "
                 "its stiffness says, and damp its motion."});
    list.add("acceleration", s.acceleration,
             {.label = "acceleration", .help = "How an iterate is made from those before it."});
    addChebyshev(list, s.chebyshevRho, 0.9);
    list.add("pairs", s.lbfgsPairs,
             {.label = "pairs",
              .min = 0,
              .max = 50,
              .sliderMin = 0,
              .sliderMax = 10,
              .help = "L-BFGS: how many iterations it looks back on; with 0 it is local/global."});
    list.add("velocity_kept", s.velocityKept,
             {.label = "velocity kept",
              .min = 0,
              .max = 1,
              .sliderMin = 0.9,
              .sliderMax = 1,
              .help = "Ether drag: the share of its velocity that each particle keeps over a step; 1 = no drag."});
}

namespace {

void addIterations(FieldList& list, std::string_view label, int& iterations, int& substeps) {
    list.add("iterations", iterations,
             {.label = label,
              .min = 1,
              .max = 1000,
              .logarithmic = true,
              .help = "Passes over all springs per substep. Few leave the cloth softer."});
    list.add("substeps", substeps,
             {.label = "substeps",
              .min = 1,
              .max = 100,
              .sliderMin = 1,
              .sliderMax = 20,
              .help = "Parts of the step, each with its iterations: many short ones with one iteration each are "
                      "stiffer than one with as many."});
}

}  // namespace

double PbdSettings::sharePerPass(double k) const { return 1 - std::pow(1 - k, 1.0 / iterations); }

void describe(VbdSettings& s, FieldList& list) {
    list.add("iterations", s.iterations,
             {.label = "sweeps",
              .min = 1,
              .max = 1000,
              .logarithmic = true,
              .help = "Sweeps over all particles per step. Few leave the cloth softer than its stiffness says."});
    list.add("halving", s.halving,
             {.label = "halving",
              .help = "A move that makes the particle's part of the energy rise is halved: the energy never rises."});
    list.add("chebyshev", s.chebyshev,
             {.label = "Chebyshev", .help = "Extrapolates from the last moves with the convergence rate rho below."});
    addChebyshev(list, s.chebyshevRho, 0.5);
}

void describe(PbdSettings& s, FieldList& list) {
    addIterations(list, "PBD iterations", s.iterations, s.substeps);
    list.add("stiffness", s.stiffness,
             {.label = "stiffness",
              .min = 0,
              .max = 1,
              .help = "The fraction of its violation that a single stretch or shear spring loses over all iterations; "
                      "1: in each. It is not in N/m: the sheet's stiffness depends on iterations and step, too."});
    list.add("bend_stiffness", s.bendStiffness,
             {.label = "bend stiffness", .min = 0, .max = 1, .help = "The same for bend springs."});
}

void describe(XpbdSettings& s, FieldList& list) { addIterations(list, "XPBD iterations", s.iterations, s.substeps); }

}  // namespace clothlab::integrators
