#pragma once

#include <span>
#include <string>
#include <vector>

#include "integrators/settings.hpp"
#include "preconditioners/settings.hpp"
#include "solvers/method.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::model {

// Styles of methods in all pictures: the hue is the preconditioner's, or that of a method without one. A line is dashed
// for MPCG, dotted for a bound, else solid; marks distinguish variants of a method.

/// The style of a method, the same in every curve, row and legend. Any two differ by a CIEDE2000 of 10 for normal
/// vision and for protan, deutan and tritan vision (Machado, Oliveira, Fernandes 2009, severity 1), or by dash or mark.
widgets::Style methodStyle(preconditioners::PreconditionerKind kind);
/// The style of an integrator, where curves are distinguished by it.
widgets::Style methodStyle(integrators::IntegratorKind kind);
/// The style of a solve: a direct solver has its own, a CG solver that of its preconditioner; MPCG is dashed.
widgets::Style methodStyle(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner);
/// Styles for the methods of one picture: where several have the same style, each after the first gets its own mark.
std::vector<widgets::Style> withVariantMarks(std::vector<widgets::Style> looks);
/// The same for solves, from their methods.
std::vector<widgets::Style> methodStyles(std::span<const solvers::Method> methods);
/// The style of a user's program in a race.
widgets::Style programStyle();
/// The dotted style of a bound on a method.
widgets::Style boundStyle(widgets::Style of);
inline ImU32 methodColor(preconditioners::PreconditionerKind kind) { return methodStyle(kind).color; }
inline ImU32 methodColor(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    return methodStyle(solver, preconditioner).color;
}
/// The style of the n-th curve of a chart: a preconditioner's or an integrator's where its key names the curve.
widgets::Style curveStyle(const std::string& name, std::size_t n);

/// A name and its style.
struct NamedStyle {
    const char* name;
    widgets::Style style;
};
inline constexpr std::size_t kEnergies = 4, kStages = 5;
/// total, kinetic, elastic, gravity
std::span<const NamedStyle, kEnergies> energyStyles();
/// Areas on top of each other, from below: contact, assemble, set-up, solve, other.
std::span<const NamedStyle, kStages> stageStyles();
/// "Reduced PCG + Block Jacobi", or only the direct solver.
std::string methodName(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner);

}  // namespace clothlab::app::model
