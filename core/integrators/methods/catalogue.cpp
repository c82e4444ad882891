#include "integrators/methods/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "integrators/descent/fast_mass_spring.hpp"
#include "integrators/descent/l_bfgs.hpp"
#include "integrators/descent/newton.hpp"
#include "integrators/descent/nonlinear_cg.hpp"
#include "integrators/descent/position_based.hpp"
#include "integrators/descent/vertex_block_descent.hpp"
#include "integrators/kind.hpp"
#include "integrators/methods/explicit.hpp"
#include "integrators/methods/linear_implicit.hpp"

namespace clothlab::integrators {
namespace {

template <class Method>
std::unique_ptr<Integrator> made(const IntegratorSettings& settings) {
    return std::make_unique<Method>(settings);
}

constexpr StepCoefficients kTwoSteps{.over = 3, .implicit = 2, .acting = 2, .past = 1, .windAt = 1},
    kExtrapolated{.over = 3, .implicit = 2, .acting = 2, .past = 1, .extrapolation = 1, .windAt = 1},
    kMidpoint{.over = 2, .implicit = 1, .acting = 2, .windAt = 0.5};

std::vector<IntegratorEntry> explicitEntries() {
    return {
        {.kind = IntegratorKind::ForwardEuler,
         .key = "forward-euler",
         .label = "Forward Euler",
         .help = "Explicit, first order: gains energy at any time step, until the guard stops the simulation.",
         .source = "methods §5.1 (integrators.md); [B] (4.4)",
         .look = {hue::kSand},
         .parameters = {"substeps"},
         .make = made<ExplicitIntegrator>},
        // (h w)^2 <= 2 sum and h gamma <= sum: 2.78 keeps RK4 inside both of its limits, 2.8 and 2.785.
        {.kind = IntegratorKind::Rk4,
         .key = "rk4",
         .label = "Runge-Kutta 4",
         .help = "Explicit, fourth order; stable while |h w| < 2.8.",
         .source = "methods §5.1 (integrators.md)",
         .look = {hue::kYellow},
         .traits = {.order = 4, .limit = 2.78},
         .parameters = {"substeps"},
         .make = made<ExplicitIntegrator>},
        {.kind = IntegratorKind::SymplecticEuler,
         .key = "symplectic-euler",
         .label = "Symplectic Euler",
         .help = "Explicit, first order (forward-backward Euler): energy stays bounded below the stability limit; "
                 "above it the motion explodes.",
         .source = "methods §5.2 (integrators.md); [B] (4.5)",
         .look = {hue::kOrange},
         .traits = {.limit = 2},
         .parameters = {"substeps"},
         .make = made<ExplicitIntegrator>},
    };
}

std::vector<IntegratorEntry> implicitEntries() {
    return {
        {.kind = IntegratorKind::LinearizedBackwardEuler,
         .key = "linearized-backward-euler",
         .label = "Linearized backward Euler",
         .help = "Implicit, first order, one linear solve per step: stable, with numerical damping.",
         .source = "methods §5.3 (integrators.md); [B] (4.9)-(4.11), [Y] (2), [C] (10)-(12)",
         .look = {hue::kSky},
         .traits = {.implicit = true, .takesLayers = true},
         .choice = "repeats",
         .parameters = {"active_set"},
         .make = made<LinearImplicit>},
        {.kind = IntegratorKind::Bdf2,
         .key = "bdf2",
         .label = "BDF2",
         .help = "Implicit, second order, two steps, one linear solve: damps far less than backward Euler.",
         .source = "methods §5.4 (integrators.md); [B] §4.2.1",
         .look = {hue::kGreen},
         .traits = {.implicit = true, .takesLayers = true, .coefficients = kTwoSteps, .order = 2},
         .choice = "repeats",
         .parameters = {"active_set"},
         .make = made<LinearImplicit>},
        {.kind = IntegratorKind::ImexEuler,
         .key = "imex-euler",
         .label = "IMEX Euler",
         .help = "Implicit and explicit: the implicit terms of the split below enter one linear solve, the others only "
                 "by their force. The matrix has fewer blocks; the explicit part limits the step.",
         .source = "methods §5.5 (integrators.md); [B] (4.13), [Y] §6",
         .look = {hue::kPink},
         .traits = {.implicit = true, .takesLayers = true, .explicitPart = ExplicitPart::ByFamily},
         .choice = "split",
         .parameters = {"split_stretch", "split_shear", "split_bend", "active_set"},
         .make = made<LinearImplicit>},
        {.kind = IntegratorKind::AdaptiveImex,
         .key = "adaptive-imex",
         .label = "Adaptive IMEX",
         .help = "Each spring is implicit only where its stiffness, its damping and the step require it (Boxerman).",
         .source = "methods §5.8 (integrators.md); [B] §4.4",
         .look = {hue::kLilac},
         .traits = {.implicit = true, .takesLayers = true, .explicitPart = ExplicitPart::PickedEachStep},
         .choice = "criterion",
         .parameters = {"aimex_rule", "aimex_threshold", "active_set"},
         .make = made<LinearImplicit>},
        {.kind = IntegratorKind::Sbdf2,
         .key = "sbdf2",
         .label = "SBDF2",
         .help = "Second-order IMEX: explicit forces are extrapolated. An undamped "
                 "explicit oscillation grows slowly at any step.",
         .source = "methods §5.7 (integrators.md); [B] (4.15)",
         .look = {hue::kRust},
         .traits = {.implicit = true,
                    .takesLayers = true,
                    .coefficients = kExtrapolated,
                    .explicitPart = ExplicitPart::ByFamily,
                    .order = 2},
         .choice = "split",
         .parameters = {"split_stretch", "split_shear", "split_bend", "active_set"},
         .make = made<LinearImplicit>},
        {.kind = IntegratorKind::AdaptiveSbdf2,
         .key = "adaptive-sbdf2",
         .label = "Adaptive SBDF2",
         .help =
             "Second-order IMEX in which only springs with enough damping are explicit, so that no oscillation grows.",
         .source = "methods §5.7 (integrators.md); [B] (4.15)",
         .look = {hue::kBlue},
         .traits = {.implicit = true,
                    .takesLayers = true,
                    .coefficients = kExtrapolated,
                    .explicitPart = ExplicitPart::PickedEachStep,
                    .order = 2},
         .choice = "repeats",
         .parameters = {"active_set"},
         .make = made<LinearImplicit>},
    };
}

std::vector<IntegratorEntry> particleEntries() {
    return {
        {.kind = IntegratorKind::VertexBlockDescent,
         .key = "vbd",
         .label = "Vertex block descent",
         .help =
             "Implicit Euler by moving one particle at a time down the energy of the step, all particles of a colour "
             "at once. No matrix, no factor: cheap sweeps, of which stiff fine cloth needs many.",
         .source = "methods §12.9 (local-global.md); Chen, Liu, Yang and Yuksel 2024",
         .look = {hue::kSlate, Dash::Dashed},
         .traits = {.implicit = true, .minimizes = true, .matrixFree = true, .takesLayers = true},
         .choice = "sweeps",
         .parameters = {"vbd.iterations", "vbd.halving", "vbd.chebyshev", "vbd.chebyshev_rho",
                        "fast_mass_spring.velocity_kept"},
         .shown = 1,
         .make = made<VertexBlockDescent>},
        {.kind = IntegratorKind::Xpbd,
         .key = "xpbd",
         .label = "XPBD",
         .help = "Extended position based dynamics: moves the ends of one spring at a time, with the stiffness of the "
                 "material. Ends near the implicit step, not at it.",
         .source = "methods §12.10 (local-global.md); Macklin, Müller and Chentanez 2016",
         .look = {hue::kSand, Dash::Dashed},
         .traits = {.implicit = true, .matrixFree = true, .springsAlone = true},
         .choice = "substeps",
         .parameters = {"xpbd.iterations", "xpbd.substeps", "fast_mass_spring.velocity_kept"},
         .shown = 1,
         .make = made<PositionBased>},
        {.kind = IntegratorKind::Pbd,
         .key = "pbd",
         .label = "PBD",
         .help = "Position based dynamics: springs are rules that each pass mends by a share. How stiff the sheet is "
                 "depends on iterations and step, not on the material.",
         .source = "methods §12.10 (local-global.md); Müller and others 2007",
         .look = {hue::kSand, Dash::Dotted},
         .traits = {.implicit = true, .matrixFree = true, .springsAlone = true, .order = 0},
         .choice = "stiffness",
         .parameters = {"pbd.iterations", "pbd.substeps", "pbd.stiffness", "pbd.bend_stiffness",
                        "fast_mass_spring.velocity_kept"},
         .shown = 1,
         .make = made<PositionBased>},
    };
}

std::vector<IntegratorEntry> nonlinearEntries() {
    const std::vector<std::string_view> newton{"newton.max_iterations", "newton.tolerance", "newton.hessian",
                                               "newton.matrix",         "newton.inner",     "newton.bootstrap"};
    const std::vector<std::string_view> localGlobal{"fast_mass_spring.iterations", "fast_mass_spring.acceleration",
                                                    "fast_mass_spring.chebyshev_rho", "fast_mass_spring.velocity_kept"};
    return {
        {.kind = IntegratorKind::NewtonBackwardEuler,
         .key = "newton-backward-euler",
         .label = "Newton backward Euler",
         .help = "Implicit, first order: the step as the minimum of an energy, by Newton's method with line search. "
                 "Several linear solves per step; springs that turn taut within it are seen.",
         .source = "methods §12.3 (local-global.md)",
         .look = {hue::kViolet},
         .traits = {.implicit = true, .minimizes = true, .takesLayers = true},
         .choice = "Newton",
         .parameters = newton,
         .make = made<Newton>},
        {.kind = IntegratorKind::NewtonBdf2,
         .key = "newton-bdf2",
         .label = "Newton BDF2",
         .help = "Implicit, second order, two steps: each step as the minimum of an energy, by Newton's method.",
         .source = "methods §12.3 (local-global.md)",
         .look = {hue::kViolet, Dash::Solid, Mark::Diamond},
         .traits = {.implicit = true, .minimizes = true, .takesLayers = true, .coefficients = kTwoSteps, .order = 2},
         .choice = "Newton",
         .parameters = newton,
         .make = made<Newton>},
        {.kind = IntegratorKind::FastMassSpring,
         .key = "fast-mass-spring",
         .label = "Fast mass springs",
         .help = "Implicit Euler by local/global iterations (Liu): one factor for the whole motion, a forward and a "
                 "backward solve per iteration. Few iterations are fast, and softer than the stiffness says.",
         .source = "methods §12.2 (local-global.md); [L]",
         .look = {hue::kSlate},
         .traits = {.implicit = true, .minimizes = true, .ownMatrix = true},
         .choice = "acceleration, drag",
         .parameters = localGlobal,
         .shown = 1,
         .make = made<FastMassSpring>},
        {.kind = IntegratorKind::FastMassSpringMidpoint,
         .key = "fast-mass-spring-midpoint",
         .label = "Fast mass springs, midpoint",
         .help = "Local/global iterations toward the implicit midpoint rule: second order, damps nothing. An undamped "
                 "cloth keeps its energy at short steps, and gains it at long ones.",
         .source = "methods §12.7 (local-global.md); [L]",
         .look = {hue::kSlate, Dash::Solid, Mark::Diamond},
         .traits = {.implicit = true, .minimizes = true, .ownMatrix = true, .coefficients = kMidpoint, .order = 2},
         .choice = "acceleration, drag",
         .parameters = localGlobal,
         .shown = 1,
         .make = made<FastMassSpring>},
        {.kind = IntegratorKind::LBfgs,
         .key = "l-bfgs",
         .label = "L-BFGS",
         .help = "Implicit Euler by a quasi-Newton method whose first metric is the prefactored matrix of fast mass "
                 "springs: one solve with it per iteration, and far fewer iterations.",
         .source = "methods §12.8 (local-global.md); Liu, Bouaziz and Kavan 2017",
         .look = {hue::kSlate, Dash::DashDot},
         .traits = {.implicit = true, .minimizes = true, .ownMatrix = true, .takesLayers = true},
         .choice = "pairs, drag",
         .parameters = {"fast_mass_spring.iterations", "fast_mass_spring.pairs", "fast_mass_spring.velocity_kept"},
         .shown = 1,
         .make = made<LBfgs>},
        {.kind = IntegratorKind::NonlinearCg,
         .key = "nonlinear-cg",
         .label = "Nonlinear CG",
         .help = "Implicit Euler by nonlinear conjugate gradients, preconditioned by the prefactored matrix of fast "
                 "mass springs: one solve with it per iteration, and one vector to remember.",
         .source = "methods §12.8 (local-global.md)",
         .look = {hue::kSlate, Dash::Dotted},
         .traits = {.implicit = true, .minimizes = true, .ownMatrix = true, .takesLayers = true},
         .choice = "drag",
         .parameters = {"fast_mass_spring.iterations", "fast_mass_spring.velocity_kept"},
         .shown = 1,
         .make = made<NonlinearCg>},
    };
}

const std::vector<IntegratorEntry>& entries() {
    static const std::vector<IntegratorEntry> all = [] {
        std::vector<IntegratorEntry> out = explicitEntries();
        std::ranges::move(implicitEntries(), std::back_inserter(out));
        std::ranges::move(nonlinearEntries(), std::back_inserter(out));
        std::ranges::move(particleEntries(), std::back_inserter(out));
        return out;
    }();
    return all;
}

}  // namespace

std::span<const IntegratorEntry> catalogue() { return entries(); }

const IntegratorEntry& entryFor(IntegratorKind kind) {
    const auto entry = std::ranges::find(entries(), kind, &IntegratorEntry::kind);
    assert(entry != entries().end() && "each integrator has an entry");
    return *entry;
}

std::span<const EnumEntry> enumTable(IntegratorKind) {
    static const std::vector<EnumEntry> names = [] {
        std::vector<EnumEntry> out;
        for (const IntegratorEntry& entry : entries())
            out.push_back({int(entry.kind), entry.key, entry.label, entry.help});
        return out;
    }();
    return names;
}

IntegratorTraits traitsFor(IntegratorKind kind) { return entryFor(kind).traits; }
bool usesSolver(IntegratorKind kind) {
    const IntegratorTraits& traits = entryFor(kind).traits;
    return traits.implicit && !traits.ownMatrix && !traits.matrixFree;
}

std::string whyNoSolver(IntegratorKind kind) {
    if (usesSolver(kind)) return {};
    if (traitsFor(kind).ownMatrix) return "It solves with a factor of its own.";
    if (traitsFor(kind).matrixFree) return "It solves no linear system.";
    return "An explicit integrator solves no system.";
}

std::string whyNoBudget(IntegratorKind kind) {
    if (kind != IntegratorKind::ForwardEuler) return {};
    return "forward-euler gains energy in every step, and a budget that takes it away stops the cloth: choose another "
           "integrator, or set after_solve.energy_budget to 0";
}

std::string whyNoMembrane(IntegratorKind kind) {
    if (!traitsFor(kind).springsAlone) return {};
    return fmt::format(
        "integrator {} moves the ends of springs and knows no triangles: set material.membrane to springs, or take "
        "another integrator",
        entryFor(kind).key);
}

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& settings) {
    return entryFor(settings.kind).make(settings);
}

}  // namespace clothlab::integrators
