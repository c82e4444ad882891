#include "solvers/settings.hpp"

namespace clothlab::solvers {
namespace {

constexpr std::array kStoppings{
    EnumEntry{int(Stopping::Residual), "residual", "true residual",
              "|S(b - A dv)| <= tol |S(b - A (I-S) z)|, checked on the true residual: comparable between methods."},
    EnumEntry{int(Stopping::PNorm), "p-norm", "P-norm",
              "r'P^-1 r <= tol^2 b'P^-1 b, the papers' rule: depends on the preconditioner."},
    EnumEntry{int(Stopping::Absolute), "absolute", "absolute",
              "r'P^-1 r <= tol^2 in joule: depends on scene and units (Sideris, Algorithm 1)."},
};

constexpr std::array kToleranceRules{
    EnumEntry{int(ToleranceRule::Fixed), "fixed", "fixed", "The tolerance is the number itself."},
    EnumEntry{int(ToleranceRule::StepSquared), "step-squared", "c h^2",
              "Tolerance c h^2 with the number as c, in 1/s^2: of the order of a step's error (Boxerman, section "
              "5.3.1, with c = 0.01 and the P-norm)."},
};

constexpr std::array kIndefinites{
    EnumEntry{int(Indefinite::Stop), "stop", "stop",
              "A negative p'Ap or r'P^-1 r ends the solve, and the step says so."},
    EnumEntry{int(Indefinite::GoOn), "continue", "continue",
              "The iteration continues, without a proof that it converges; the true residual decides. For a matrix "
              "core with an LDL' factor. Needs the rule on the true residual."},
};

constexpr std::array kMpcgVariants{
    EnumEntry{int(MpcgVariant::Corrected), "corrected", "corrected",
              "Start and right-hand side filtered (Ascher and Boxerman)."},
    EnumEntry{int(MpcgVariant::Original), "original", "original",
              "Baraff and Witkin: starts at z and measures against the filtered b, so it ignores the warm start."},
};

constexpr std::array kDirectForms{
    EnumEntry{int(DirectForm::FixedPattern), "fixed-pattern", "fixed pattern",
              "SAS + s(I - S): constraints change values, not the pattern, so contacts need no new symbolic factor."},
    EnumEntry{int(DirectForm::Reduced), "reduced", "reduced",
              "U^T A U: held particles leave the matrix; a contact that comes or goes costs a new symbolic factor."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Stopping) { return kStoppings; }
std::span<const EnumEntry> enumTable(ToleranceRule) { return kToleranceRules; }
std::span<const EnumEntry> enumTable(MpcgVariant) { return kMpcgVariants; }
std::span<const EnumEntry> enumTable(Indefinite) { return kIndefinites; }
std::span<const EnumEntry> enumTable(DirectForm) { return kDirectForms; }

void describe(SolverSettings& s, FieldList& list) {
    list.add("kind", s.kind,
             {.label = "solver", .help = "Which method solves A dv = b under the constraints.", .open = true});
    list.add("tolerance", s.tolerance,
             {.label = "tolerance",
              .min = 1e-14,
              .max = 1.0,
              .sliderMin = 1e-10,
              .sliderMax = 1e-1,
              .logarithmic = true,
              .help = "Residual at which conjugate gradients stop: 1e-3 for animation, 1e-6 for comparisons. A looser "
                      "tolerance is faster; the cloth then drifts and gains damping or noise."});
    list.add("stopping", s.stopping,
             {.label = "stopping rule", .help = "The norm in which the residual is compared with the tolerance."});
    list.add("tolerance_rule", s.toleranceRule,
             {.label = "tolerance rule",
              .help = "Whether the tolerance is fixed or grows with the square of the time step."});
    list.add("max_iterations", s.maxIterations,
             {.label = "max iterations",
              .min = 1,
              .max = 100000,
              .sliderMin = 10,
              .sliderMax = 5000,
              .logarithmic = true,
              .help = "Upper limit; the step is then accepted and marked unconverged."});
    list.add(
        "matrix_precision", s.matrixPrecision,
        {.label = "matrix precision",
         .help = "Precision of the matrix in conjugate gradients. With single precision a product reads half as much "
                 "memory; below a residual of 1e-6, where rounding matters, the solve continues in double precision."});
    list.add("matrix_storage", s.matrixStorage,
             {.label = "matrix storage",
              .help = "The stored part of each block of that matrix. Unsymmetric blocks are stored whole."});
    list.add("warm_start", s.warmStart,
             {.label = "warm start",
              .help = "Starts from the previous step's velocity change if its residual is smaller than that of zero. "
                      "Helps a swing, not an impact."});
    list.add(
        "indefinite", s.indefinite,
        {.label = "indefinite matrix",
         .help = "The reaction of conjugate gradients to negative curvature: a matrix that is not positive definite."});
    list.add("mpcg_variant", s.mpcgVariant, {.label = "MPCG variant", .help = "Original or corrected form of MPCG."});
    list.add("basis", s.basis,
             {.label = "basis U",
              .help = "Reduced PCG: which two directions span the plane of a sliding particle. Every basis gives the "
                      "same eigenvalues, but another diagonal, so only point-wise preconditioners notice."});
    list.add("form", s.form,
             {.label = "matrix", .help = "Direct solvers: how constraints enter the matrix that is factored."});
    list.add("ordering", s.ordering,
             {.label = "ordering", .help = "Order of elimination; it decides how many entries the factor has (fill)."});
    list.add("factorization", s.factorization,
             {.label = "factorization", .help = "How the numeric factor is computed."});
    list.add("domains", s.domains,
             {.label = "domains",
              .min = 0,
              .max = 256,
              .sliderMax = 32,
              .help = "Interface: number of strips of the cloth that are eliminated in parallel. More of them have "
                      "smaller factors, a longer interface and more iterations. The number never follows the number of "
                      "threads, because results must not depend on it.",
              .autoWord = "auto"});
    list.add("decompose", s.decompose,
             {.label = "by components",
              .help = "Solves each connected component of the implicit springs separately; slack springs, explicit "
                      "springs and held particles separate components. Each component stops when it has converged, and "
                      "components run on several threads."});
    list.add("cut_speed", s.cutSpeed,
             {.label = "cut speed",
              .unit = "m/s",
              .min = 0,
              .max = 1000,
              .sliderMax = 1,
              .help = "By components: also cut springs whose ends move at nearly the same velocity, with a relative "
                      "speed below this; their force is taken from the previous step. This gives more and smaller "
                      "components, and an error: the true residual of the step. 0 cuts nothing."});
}

}  // namespace clothlab::solvers
