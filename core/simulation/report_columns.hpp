#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/statistics.hpp"
#include "records/entries.hpp"
#include "simulation/report.hpp"

/// What a step reports, said once. NDJSON lines, summaries of runs and sweeps, the plots of the window and their
/// chooser, labels of charts and the table in docs/command-line.md walk this table: a new number is a member of
/// StepReport, its name in visitReport (state_bytes.cpp, which does not compile without it) and one line here.
namespace clothlab::simulation {

/// How the numbers of the steps become one number of a run.
enum class SummedUp : unsigned char {
    No,
    Mean,    ///< key "mean_..."
    Spread,  ///< the mean, and what kSpreadParts has; and the step of the largest, the key before kSpreadStep
    Most,    ///< the largest, under the key itself
    Last,    ///< at the end, under the key itself; and where it began ("start_...") and its largest ("peak_...")
    Peak,    ///< the largest alone, "peak_..."
};

/// What a summary has beside the mean of a column: its key is that of the column, followed by this.
struct SpreadPart {
    std::string_view suffix, words;  ///< "_p95", "95th percentile"
    double clothlab::Spread::*value;
};
inline constexpr std::array kSpreadParts{
    SpreadPart{"_p50", "median", &clothlab::Spread::p50},
    SpreadPart{"_p95", "95th percentile", &clothlab::Spread::p95},
    SpreadPart{"_p99", "99th percentile", &clothlab::Spread::p99},
    SpreadPart{"_max", "largest", &clothlab::Spread::most},
};
inline constexpr std::string_view kSpreadStep = "_max_step";

struct ReportColumn {
    std::string_view key;    ///< of NDJSON, `plot --y`, sweeps
    std::string_view label;  ///< of an axis or a chooser, without the unit
    std::string_view unit;   ///< empty: a count or a ratio
    std::string_view help;
    /// Not a number where there is a gap: what was not measured, or does not apply to this step.
    double (*value)(const StepReport&);
    SummedUp summedUp = SummedUp::No;
    bool whole = false;  ///< a count: written without a point
};

namespace columns {

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

template <auto Member>
double member(const StepReport& r) {
    return double(r.*Member);
}
/// What is negative was not measured.
template <auto Member>
double measured(const StepReport& r) {
    return r.*Member >= 0 ? double(r.*Member) : kGap;
}
template <int Ndof>
double withNdof(const StepReport& r) {
    return double(r.ndofCounts[Ndof]);
}

}  // namespace columns

inline constexpr auto kReportColumns = [] {
    using namespace columns;
    using R = StepReport;
    using enum SummedUp;
    return std::to_array<ReportColumn>({
        {"step", "number of the step", "", "of the state that the step leads to", member<&R::step>, No, true},
        {"time_s", "time", "s", "simulated, after the step", member<&R::timeSeconds>},
        {"iterations", "iterations", "", "of conjugate gradients, in the first solve where contact repeats it",
         member<&R::iterations>, Mean, true},
        {"linear_iterations", "linear iterations", "",
         "of all linear solves of the step; the same as iterations where there is one", member<&R::linearIterations>,
         No, true},
        {"double_iterations", "iterations in double precision", "",
         "with solver.matrix_precision = \"single\": the last ones, with the matrix in double precision",
         member<&R::doubleIterations>, No, true},
        {"outer_iterations", "outer iterations", "",
         "passes of a method that solves more than once per step; null for one that solves once",
         [](const R& r) { return r.outerIterations > 0 ? double(r.outerIterations) : kGap; }, No, true},
        {"outer_residual", "outer residual", "",
         "what the last of these passes found left, relative to the first: the gradient of the step's energy, the move "
         "of the particles (vertex block descent), the equations of the springs (PBD, XPBD), or the move of layers "
         "(contact.solve = within)",
         [](const R& r) { return r.outerResidual >= 0 ? r.outerResidual : kGap; }},
        {"dt", "length of the step", "s", "", member<&R::dt>},
        {"substep_s", "substep", "s", "when the method divides the step",
         [](const R& r) { return r.substeps > 1 ? r.dt / r.substeps : kGap; }},
        {"explicit_limit_s", "explicit limit", "s",
         "longest step that the explicit forces allow (all forces, with a fully implicit or explicit method)",
         [](const R& r) { return std::isfinite(r.explicitLimit) && r.explicitLimit > 0 ? r.explicitLimit : kGap; }},
        {"rejected", "rejected attempts", "", "longer steps that the adaptive schedule rejected before this step",
         member<&R::rejected>, No, true},
        {"substeps", "substeps", "", "", member<&R::substeps>, No, true},
        {"implicit_springs", "implicit springs", "", "with a Jacobian in this step, slack springs included",
         member<&R::implicitSprings>, No, true},
        {"explicit_springs", "explicit springs", "", "without a Jacobian", member<&R::explicitSprings>, No, true},
        {"true_relative_residual", "true relative residual", "",
         "|S(b - A Δv)| / |S(b - A (I-S) z)|, measured after the solve", measured<&R::trueRelativeResidual>},
        {"ic_shift", "shift of incomplete Cholesky", "",
         "share of the diagonal blocks added by incomplete Cholesky; without a drop tolerance 0 = no breakdown",
         member<&R::icShift>},
        {"coarse_unknowns", "coarse unknowns", "", "of a deflation; 0 = there is none", member<&R::coarseUnknowns>, No,
         true},
        {"domains", "domains", "", "of the solver `interface`; 0 = another one", member<&R::domains>, No, true},
        {"interface_rows", "interface", "", "particles between the domains", member<&R::interfaceRows>, No, true},
        {"coarse_ms", "coarse space", "ms", "set-up of a deflation's coarse space, part of factor_ms",
         member<&R::coarseMs>},
        {"factor_age", "age of the factor", "steps",
         "steps since a lagged factor was made; local/global: steps taken with a factor of "
         "other settings while the new one is made in the background",
         member<&R::factorAge>, No, true},
        {"factor_adopted", "factor adopted", "", "1: the step began to use a factor that was made in the background",
         member<&R::factorAdopted>, No, true},
        {"new_factor_ms", "new factor", "ms", "local/global: what the last new factor needed, in the background or not",
         measured<&R::newFactorMs>},
        {"factor_columns_ms", "change by columns", "ms", "local/global: the last pin or grab taken in by extra columns",
         measured<&R::factorColumnsMs>},
        {"factor_entries", "entries of the factor", "", "of a direct solver, or of incomplete Cholesky",
         member<&R::fill>},
        {"factor_fill", "fill of the factor", "",
         "blocks of incomplete Cholesky, in multiples of those of the lower half of its matrix",
         [](const R& r) { return r.relativeFill > 0 ? r.relativeFill : kGap; }},
        {"factor_flops", "operations of the factor", "", "floating-point operations of the factorization",
         member<&R::flops>},
        {"solver_bytes", "memory of the solver", "bytes", "of the factor or preconditioner", member<&R::solverBytes>},
        {"step_ms", "whole step", "ms", "", member<&R::stepMs>, Spread},
        {"assemble_ms", "assembly", "ms", "of forces and matrix", member<&R::assembleMs>, Mean},
        {"analyze_ms", "symbolic analysis", "ms", "of the pattern", member<&R::analyzeMs>, Mean},
        {"factor_ms", "numeric set-up", "ms", "of factor or preconditioner", member<&R::factorMs>, Mean},
        {"solve_ms", "solve", "ms", "the iteration, or the triangular solves", member<&R::solveMs>, Mean},
        {"contact_ms", "contacts", "ms", "detection and decision", member<&R::contactMs>, Spread},
        {"other_ms", "other work", "ms", "rest of the step", member<&R::otherMs>, Mean},
        {"set_up_ms", "set-up", "ms", "analysis, numeric set-up and the search for components",
         [](const R& r) { return r.analyzeMs + r.factorMs + r.decomposeMs; }},
        {"kinetic_j", "kinetic energy", "J", "", member<&R::kineticJ>, Peak},
        {"gravity_j", "potential energy", "J", "of gravity", member<&R::gravityJ>},
        {"stretch_j", "stretch energy", "J", "", member<&R::stretchJ>},
        {"shear_j", "shear energy", "J", "", member<&R::shearJ>},
        {"bend_j", "bend energy", "J", "", member<&R::bendJ>},
        {"repulsion_j", "repulsion energy", "J", "of pairs closer than the repulsion distance", member<&R::repulsionJ>},
        {"sewing_j", "energy of threads", "J", "", member<&R::sewingJ>},
        {"elastic_j", "elastic energy", "J", "stretch, shear, bend, repulsion, threads",
         [](const R& r) { return r.elasticJ(); }},
        {"total_j", "total energy", "J", "", [](const R& r) { return r.totalJ(); }, Last},
        {"max_strain", "largest strain", "", "of the stretch springs, (l - L)/L", member<&R::maxStrain>, Most},
        {"max_shear_strain", "largest shear strain", "", "of the shear springs, (l - L)/L", member<&R::maxShearStrain>},
        {"contacts", "particles in contact", "", "", member<&R::contacts>, No, true},
        {"contact_repeats", "repeats of contact", "",
         "times that the step was solved again because a contact turned to sliding or sticking, or was found",
         [](const R& r) { return double(r.contactRepeats.repeats); }, Peak, true},
        {"broken_springs", "broken springs", "", "torn or cut so far", member<&R::brokenSprings>, No, true},
        {"limited_springs", "limited springs", "",
         "that the solve left beyond after_solve.strain_limit, by more than a thousandth of it",
         [](const R& r) { return double(r.limited.springs); }, Peak, true},
        {"over_limit_springs", "springs over the limit", "", "the same after the passes",
         [](const R& r) { return double(r.limited.left); }, Peak, true},
        {"open_threads", "open threads", "", "of sewing: longer than a tenth of the mesh spacing after the step",
         [](const R& r) { return double(r.seams.open); }, No, true},
        {"longest_thread_m", "longest thread", "m", "of sewing, after the step",
         [](const R& r) { return r.seams.longest; }},
        {"energy_given_j", "energy given back", "J", "to the velocities by after_solve.energy_budget; negative: taken",
         member<&R::energyGivenJ>},
        {"repulsion_pairs", "repelling pairs", "", "at the start of the step (explicit methods: of its last substep)",
         member<&R::repulsionPairs>, No, true},
        {"near_pairs", "near pairs", "", "robust: closer than the thickness at the start of the step",
         [](const R& r) { return double(r.selfContact.near); }, Peak, true},
        {"smallest_distance_m", "smallest distance", "m",
         "robust: between two sides of the cloth that may meet, at the start of the step; null: none is that close",
         [](const R& r) { return r.selfContact.smallestDistance < 0 ? kGap : r.selfContact.smallestDistance; }},
        {"tangled", "tangled edges", "", "robust with untangle: that go through the cloth at the start of the step",
         [](const R& r) { return double(r.selfContact.tangled); }, Peak, true},
        {"impacts", "impacts", "", "robust: pairs that would have met within the step",
         [](const R& r) { return double(r.selfContact.impacts); }, Peak, true},
        {"layer_repeats", "repeats with layers", "",
         "contact.solve = within: times that the step was solved again with what contact had found",
         [](const R& r) { return double(r.selfContact.repeats); }, Peak, true},
        {"layers_moved_m", "moved by layers", "m",
         "contact.solve = within: a particle, by what contact found after the last solve, at most; null under after",
         [](const R& r) { return r.selfContact.moved < 0 ? kGap : r.selfContact.moved; }},
        {"layers_angular", "angular momentum by layers", "kg m2/s",
         "robust: added by the forces between layers, with the particles where the step begins; null where motions are "
         "bounded",
         [](const R& r) { return r.selfContact.angular < 0 ? kGap : r.selfContact.angular; }},
        {"contact_j", "energy of contact", "J",
         "robust: in the springs that keep edges out of solids, with the largest stretch stiffness, and in those of "
         "layers, after the solve; no part of total_j",
         [](const R& r) { return r.selfContact.energy; }},
        {"in_zones", "particles in zones", "", "robust: that moved as rigid bodies",
         [](const R& r) { return double(r.selfContact.inZones); }, Peak, true},
        {"bounded", "bounded particles", "", "robust: with a bound on their motion",
         [](const R& r) { return double(r.selfContact.bounded); }, Peak, true},
        {"held_back", "held back", "", "robust: kept from where a pin or the pointer wanted them",
         [](const R& r) { return double(r.selfContact.heldBack); }, Peak, true},
        {"pinched", "pinched particles", "", "robust: kept by the cloth from where a solid pushes them",
         [](const R& r) { return double(r.selfContact.pinched); }, Peak, true},
        {"unresolved", "unresolved pairs", "", "robust: that may still intersect",
         [](const R& r) { return double(r.selfContact.unresolved); }, Peak, true},
        {"ndof_counts.0", "held particles", "", "without a free direction", withNdof<0>, No, true},
        {"ndof_counts.1", "particles on a line", "", "one free direction", withNdof<1>, No, true},
        {"ndof_counts.2", "particles on a plane", "", "two free directions", withNdof<2>, No, true},
        {"ndof_counts.3", "free particles", "", "three free directions", withNdof<3>, No, true},
        {"components", "components", "", "of the implicit graph; null unless solver.decompose is on",
         measured<&R::components>, No, true},
        {"largest_component", "largest component", "particles", "null unless solver.decompose is on",
         [](const R& r) { return r.components < 0 ? kGap : double(r.largestComponent); }, No, true},
        {"row_iterations", "row iterations", "",
         "iterations x particles, summed over the systems solved separately (Boxerman's RV)",
         member<&R::rowIterations>},
        {"cut_pairs", "cut springs", "", "cut by solver.cut_speed; the residual is then that of the whole system",
         member<&R::cutPairs>, No, true},
        {"decompose_ms", "decomposition", "ms", "search for components and copies of their rows, part of the solve",
         member<&R::decomposeMs>},
        {"ghost_distance_m", "largest distance of the second cloth", "m", "null without --branch",
         measured<&R::ghostDistance>},
        {"ghost_rms_m", "rms distance of the second cloth", "m", "null without --branch", measured<&R::ghostRms>},
        {"threads", "threads", "", "", member<&R::threads>, No, true},
    });
}();

/// The index of a key; an unknown key is a compile error.
consteval std::size_t columnOf(std::string_view key) {
    for (std::size_t k = 0; k < kReportColumns.size(); ++k)
        if (kReportColumns[k].key == key) return k;
    throw "no such column";
}

/// The column of a key, or null.
const ReportColumn* findColumn(std::string_view key);

/// Sums up the columns of a run, step by step.
class ReportSums {
public:
    /// Begins with the state before the first step.
    void start(const StepReport& report);
    /// A step that failed leaves the state before: its times and iterations count, and nothing that is last or largest.
    /// A gap counts nowhere.
    void add(const StepReport& report);
    /// "mean_iterations" ..., "total_j", "start_total_j", "peak_total_j" ...; means over the steps so far.
    records::Entries numbers() const;

private:
    struct Sum {
        double start = columns::kGap, largest = columns::kGap, last = columns::kGap;
        double sum = 0;
        int count = 0;
        std::vector<double> values = {};  ///< of each step, for a spread
    };
    /// `at` is the number of the step.
    clothlab::Spread spreadOver(const std::vector<double>& values) const;

    std::array<Sum, kReportColumns.size()> sums_;
    std::vector<std::int64_t> steps_;  ///< their numbers
};

}  // namespace clothlab::simulation
