#include "panels/method_styles.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "solvers/solver.hpp"

namespace clothlab::app::panels {
namespace hue = widgets::hue;
using widgets::rgb;
using widgets::Style;

namespace {

/// A row a method: what is told apart by colour, by dash, by mark.
template <class E>
struct MethodRow {
    E kind;
    Style style;
};

using Preconditioner = preconditioners::PreconditionerKind;
constexpr MethodRow<Preconditioner> kPreconditionerRows[] = {
    {Preconditioner::Identity, hue::kSand},
    {Preconditioner::Jacobi, hue::kOrange},
    {Preconditioner::BlockJacobi, hue::kSky},
    {Preconditioner::ConstrainedBlock, hue::kGreen},
    {Preconditioner::Ssor, hue::kBlue},
    {Preconditioner::IncompleteCholesky, hue::kYellow},
    {Preconditioner::IncompletePoisson, hue::kRust},
    {Preconditioner::MatrixCore, hue::kPink},
    {Preconditioner::LaggedCholesky, hue::kLilac},
    {Preconditioner::Chebyshev, hue::kViolet},
};
static_assert(std::size(kPreconditionerRows) == preconditioners::kPreconditionerKinds.size(),
              "a look for each preconditioner");

using Solver = solvers::SolverKind;
constexpr MethodRow<Solver> kDirectRows[] = {{Solver::Cholesky, hue::kWhite},
                                             {Solver::EigenLdlt, {hue::kWhite, widgets::Dash::Dashed}},
                                             {Solver::CombinedLu, hue::kSlate}};

using Integrator = integrators::IntegratorKind;
constexpr MethodRow<Integrator> kIntegratorRows[] = {
    {Integrator::ForwardEuler, hue::kSand},
    {Integrator::Rk4, hue::kYellow},
    {Integrator::SymplecticEuler, hue::kOrange},
    {Integrator::LinearizedBackwardEuler, hue::kSky},
    {Integrator::Bdf2, hue::kGreen},
    {Integrator::ImexEuler, hue::kPink},
    {Integrator::AdaptiveImex, hue::kLilac},
    {Integrator::Sbdf2, hue::kRust},
    {Integrator::AdaptiveSbdf2, hue::kBlue},
};
static_assert(std::size(kIntegratorRows) == integrators::kIntegratorKinds.size(), "a look for each integrator");

template <class E, std::size_t N>
Style styleIn(const MethodRow<E> (&rows)[N], E kind) {
    const auto row = std::ranges::find(rows, kind, &MethodRow<E>::kind);
    assert(row != std::end(rows));
    return row->style;
}

}  // namespace

Style methodStyle(integrators::IntegratorKind kind) { return styleIn(kIntegratorRows, kind); }

Style methodStyle(preconditioners::PreconditionerKind kind) { return styleIn(kPreconditionerRows, kind); }

Style methodStyle(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    if (!solvers::usesPreconditioner(solver)) return styleIn(kDirectRows, solver);
    Style style = methodStyle(preconditioner);
    if (solver == solvers::SolverKind::Mpcg) style.dash = widgets::Dash::Dashed;
    return style;
}

Style curveStyle(const std::string& name, std::size_t n) {
    for (const EnumEntry& entry : enumTable(preconditioners::PreconditionerKind{}))
        if (entry.key == name) return methodStyle(static_cast<preconditioners::PreconditionerKind>(entry.value));
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{}))
        if (entry.key == name) return methodStyle(static_cast<integrators::IntegratorKind>(entry.value));
    return widgets::seriesStyle(n);
}

std::span<const NamedStyle, kEnergies> energyStyles() {
    static constexpr NamedStyle kRows[] = {
        {"total", hue::kWhite}, {"kinetic", rgb(0x54a0cd)}, {"elastic", rgb(0xe39d00)}, {"gravity", rgb(0x9ee8a4)}};
    return kRows;
}

std::span<const NamedStyle, kStages> stageStyles() {
    static constexpr NamedStyle kRows[] = {{"contact", rgb(0xa691ef)},
                                           {"assemble", rgb(0xb8a34c)},
                                           {"set-up", rgb(0x19a182)},
                                           {"solve", rgb(0x69799e)},
                                           {"other", rgb(0x545861)}};
    return kRows;
}

std::string methodName(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    std::string name(enumLabel(solver));
    if (solvers::usesPreconditioner(solver)) name += " + " + std::string(enumLabel(preconditioner));
    return name;
}

}  // namespace clothlab::app::panels
