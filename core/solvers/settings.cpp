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
    EnumEntry{int(ToleranceRule::Fixed), "fixed", "as it stands", "The tolerance is the number that is set."},
    EnumEntry{int(ToleranceRule::StepSquared), "step-squared", "c h^2",
              "The number is c, in 1/s^2, of the tolerance c h^2: of the order of a step's error (Boxerman, 5.3.1, "
              "with c = 0.01 and the P-norm)."},
};

constexpr std::array kMpcgVariants{
    EnumEntry{int(MpcgVariant::Corrected), "corrected", "corrected",
              "Start and right-hand side filtered (Ascher and Boxerman)."},
    EnumEntry{int(MpcgVariant::Original), "original", "original",
              "Baraff and Witkin: starts at z and measures against the filtered b, so it ignores the warm start."},
};

constexpr std::array kDirectForms{
    EnumEntry{int(DirectForm::FixedPattern), "fixed-pattern", "fixed pattern",
              "SAS + s(I - S): constraints change values, not places, so that the symbolic factor outlives contacts."},
    EnumEntry{int(DirectForm::Reduced), "reduced", "reduced",
              "U^T A U: held particles leave the matrix; a contact that comes or goes costs a new symbolic factor."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Stopping) { return kStoppings; }
std::span<const EnumEntry> enumTable(ToleranceRule) { return kToleranceRules; }
std::span<const EnumEntry> enumTable(MpcgVariant) { return kMpcgVariants; }
std::span<const EnumEntry> enumTable(DirectForm) { return kDirectForms; }

void describe(SolverSettings& s, FieldList& list) {
    list.add("kind", s.kind, {.label = "solver", .help = "Which method solves A dv = b under the constraints."});
    list.add("tolerance", s.tolerance,
             {.label = "tolerance",
              .min = 1e-14,
              .max = 1.0,
              .sliderMin = 1e-10,
              .sliderMax = 1e-1,
              .logarithmic = true,
              .help = "Where conjugate gradients stop: 1e-3 for animation, 1e-6 for comparisons. Looser is faster, and "
                      "the cloth drifts and gains damping or noise."});
    list.add("stopping", s.stopping, {.label = "stopping rule", .help = "In which norm the tolerance is measured."});
    list.add("tolerance_rule", s.toleranceRule,
             {.label = "tolerance is", .help = "The tolerance itself, or a number times the square of the time step."});
    list.add("max_iterations", s.maxIterations,
             {.label = "most iterations",
              .min = 1,
              .max = 100000,
              .sliderMin = 10,
              .sliderMax = 5000,
              .logarithmic = true,
              .help = "The solve ends here at the latest; the step is then taken as unconverged."});
    list.add(
        "matrix_precision", s.matrixPrecision,
        {.label = "matrix in",
         .help = "In which numbers conjugate gradients keep the matrix. Single: a product reads half as much. Below a "
                 "residual of 1e-6 rounding would show, and the solve goes on with the matrix in double."});
    list.add("warm_start", s.warmStart,
             {.label = "warm start",
              .help = "Starts from the previous step's velocity change, if that start is closer to the solution than "
                      "zero. Helps a swing, not an impact."});
    list.add("mpcg_variant", s.mpcgVariant, {.label = "MPCG variant", .help = "Which form of MPCG runs."});
    list.add(
        "basis", s.basis,
        {.label = "basis U",
         .help = "Reduced PCG: which two directions a sliding particle keeps. The matrix has the same eigenvalues in "
                 "any; the point-wise diagonal does not."});
    list.add("form", s.form,
             {.label = "matrix", .help = "Direct solvers: how constraints enter the matrix that is factored."});
    list.add(
        "ordering", s.ordering,
        {.label = "ordering", .help = "The order of elimination, which decides how many entries a factor has (fill)."});
    list.add("factorization", s.factorization,
             {.label = "factorization", .help = "How the numeric factor is computed."});
    list.add(
        "decompose", s.decompose,
        {.label = "by components",
         .help =
             "Solves each connected component of the implicit springs by itself: slack and explicit springs and held "
             "particles take the cloth apart. Components then stop when they are done, and run on several threads."});
    list.add("cut_speed", s.cutSpeed,
             {.label = "cut below",
              .unit = "m/s",
              .min = 0,
              .max = 1000,
              .sliderMax = 1,
              .help = "By components: springs whose ends move alike, slower than this against each other, are cut as "
                      "well; what they would pass on is taken from the step before. More and smaller components, at "
                      "the price of an error, which is the true residual of the step. 0 cuts nothing."});
}

}  // namespace clothlab::solvers
