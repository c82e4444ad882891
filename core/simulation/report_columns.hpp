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

/// The numbers that a step reports, in one table. NDJSON lines, summaries of runs and sweeps, the plots of the window
/// and their chooser, labels of charts and the table in docs/command-line.md walk this table: a new number is a member
/// of StepReport, its name in visitReport (state_bytes.cpp, which does not compile without it) and one line here.
namespace clothlab::simulation {

/// How the numbers of the steps become one number of a run.
enum class SummedUp : unsigned char {
    No,
    Mean,    ///< key "mean_..."
    Spread,  ///< the mean and kSpreadParts; and the step of the largest, under the key followed by kSpreadStep
    Most,    ///< the largest, under the key itself
    Last,    ///< at the end, under the key itself; also at the start ("start_...") and the largest ("peak_...")
    Peak,    ///< only the largest, "peak_..."
};

/// Values of a summary in addition to the mean of a column, under the column's key followed by `suffix`.
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
    /// NaN marks a gap: not measured, or not applicable to this step.
    double (*value)(const StepReport&);
    SummedUp summedUp = SummedUp::No;
    bool whole = false;  ///< a count: written without a decimal point
};

namespace columns {

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

template <auto Member>
double member(const StepReport& r) {
    return double(r.*Member);
}
/// A negative value was not measured.
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
        {"step", "step number", "", "of the state that the step leads to", member<&R::step>, No, true},
        {"time_s", "time", "s", "simulated, after the step", member<&R::timeSeconds>},
        {"iterations", "iterations", "", "of conjugate gradients; of the first solve if contact repeats it",
         member<&R::iterations>, Mean, true},
        {"linear_iterations", "linear iterations", "",
         "of all linear solves of the step; the same as iterations if there is only one", member<&R::linearIterations>,
         No, true},
        {"double_iterations", "iterations in double precision", "",
         "with solver.matrix_precision = \"single\": the last ones, with the matrix in double precision",
         member<&R::doubleIterations>, No, true},
        {"outer_iterations", "outer iterations", "",
         "passes of a method that solves more than once per step; null for one that solves once",
         [](const R& r) { return r.outerIterations > 0 ? double(r.outerIterations) : kGap; }, No, true},
        {"outer_residual", "outer residual", "",
         "residual of the last of these passes, relative to the first: the gradient of the step's energy, the move "
         "of the particles (vertex block descent), the equations of the springs (PBD, XPBD), or the move of layers "
         "(contact.solve = within)",
         [](const R& r) { return r.outerResidual >= 0 ? r.outerResidual : kGap; }},
        {"dt", "step length", "s", "", member<&R::dt>},
        {"substep_s", "substep", "s", "if the method divides the step",
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
        {"ic_shift", "incomplete Cholesky shift", "",
         "share of the diagonal blocks added by incomplete Cholesky; without a drop tolerance 0 = no breakdown",
         member<&R::icShift>},
        {"coarse_unknowns", "coarse unknowns", "", "of a deflation; 0 = none", member<&R::coarseUnknowns>, No, true},
        {"domains", "domains", "", "of the solver `interface`; 0 = another solver", member<&R::domains>, No, true},
        {"interface_rows", "interface", "", "particles between the domains", member<&R::interfaceRows>, No, true},
        {"coarse_ms", "coarse space", "ms", "set-up of a deflation's coarse space, part of factor_ms",
         member<&R::coarseMs>},
        {"factor_age", "factor age", "steps",
         "steps since a lagged factor was made; local/global: steps taken with a factor of "
         "other settings while the new one is made in the background",
         member<&R::factorAge>, No, true},
        {"factor_adopted", "factor adopted", "", "1: the step began to use a factor that was made in the background",
         member<&R::factorAdopted>, No, true},
        {"new_factor_ms", "new factor", "ms", "local/global: time of the last new factor, in the background or not",
         measured<&R::newFactorMs>},
        {"factor_columns_ms", "change by columns", "ms",
         "local/global: time to add the last pin or grab by extra columns", measured<&R::factorColumnsMs>},
        {"factor_entries", "factor entries", "", "of a direct solver, or of incomplete Cholesky", member<&R::fill>},
        {"factor_fill", "factor fill", "",
         "blocks of incomplete Cholesky, relative to those of the lower half of its matrix",
         [](const R& r) { return r.relativeFill > 0 ? r.relativeFill : kGap; }},
        {"factor_flops", "factor operations", "", "floating-point operations of the factorization", member<&R::flops>},
        {"solver_bytes", "solver memory", "bytes", "of the factor or preconditioner", member<&R::solverBytes>},
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
        {"sewing_j", "thread energy", "J", "", member<&R::sewingJ>},
        {"elastic_j", "elastic energy", "J", "stretch, shear, bend, repulsion, threads",
         [](const R& r) { return r.elasticJ(); }},
        {"total_j", "total energy", "J", "", [](const R& r) { return r.totalJ(); }, Last},
        {"max_strain", "largest strain", "", "of the stretch springs, (l - L)/L", member<&R::maxStrain>, Most},
        {"max_shear_strain", "largest shear strain", "", "of the shear springs, (l - L)/L", member<&R::maxShearStrain>},
        {"contacts", "particles in contact", "", "", member<&R::contacts>, No, true},
        {"contact_repeats", "contact repeats", "",
         "repeats of the solve because a contact began to slide or to stick, or was found",
         [](const R& r) { return double(r.contactRepeats.repeats); }, Peak, true},
        {"broken_springs", "broken springs", "", "torn or cut so far", member<&R::brokenSprings>, No, true},
        {"limited_springs", "limited springs", "",
         "beyond after_solve.strain_limit after the solve, by more than a thousandth of it",
         [](const R& r) { return double(r.limited.springs); }, Peak, true},
        {"over_limit_springs", "springs over the limit", "", "the same after the passes of the strain limit",
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
         "robust: of all pairs that may meet within the step, at its start; null: no such pair",
         [](const R& r) { return r.selfContact.smallestDistance < 0 ? kGap : r.selfContact.smallestDistance; }},
        {"tangled", "tangled edges", "",
         "robust with untangle: edges that go through the cloth at the start of the step",
         [](const R& r) { return double(r.selfContact.tangled); }, Peak, true},
        {"impacts", "impacts", "", "robust: pairs that would have met within the step",
         [](const R& r) { return double(r.selfContact.impacts); }, Peak, true},
        {"layer_repeats", "layer repeats", "",
         "contact.solve = within: repeats of the solve with the pairs that contact had found",
         [](const R& r) { return double(r.selfContact.repeats); }, Peak, true},
        {"layers_moved_m", "moved by layers", "m",
         "contact.solve = within: largest move of a particle by contact after the last solve; null if motions are "
         "bounded, or with contact.solve = after",
         [](const R& r) { return r.selfContact.moved < 0 ? kGap : r.selfContact.moved; }},
        {"layers_angular", "layer angular momentum", "kg m2/s",
         "robust: added by the forces between layers, with the particles at the start of the step; null if motions are "
         "bounded",
         [](const R& r) { return r.selfContact.angular < 0 ? kGap : r.selfContact.angular; }},
        {"contact_j", "contact energy", "J",
         "robust: in the springs that keep edges out of solids, with the largest stretch stiffness, and in those of "
         "layers, after the solve; not part of total_j",
         [](const R& r) { return r.selfContact.energy; }},
        {"in_zones", "particles in zones", "", "robust: particles that moved as rigid bodies",
         [](const R& r) { return double(r.selfContact.inZones); }, Peak, true},
        {"bounded", "bounded particles", "", "robust: with a bound on their motion",
         [](const R& r) { return double(r.selfContact.bounded); }, Peak, true},
        {"held_back", "held back", "", "robust: particles kept from where a pin or the pointer moves them",
         [](const R& r) { return double(r.selfContact.heldBack); }, Peak, true},
        {"pinched", "pinched particles", "", "robust: particles that a solid pushes while the cloth is in the way",
         [](const R& r) { return double(r.selfContact.pinched); }, Peak, true},
        {"unresolved", "unresolved pairs", "", "robust: pairs that may still intersect",
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
consteval std::size_t columnIndex(std::string_view key) {
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
    /// A failed step keeps the previous state: its times and iterations count, but not its last or largest values. Gaps
    /// are skipped.
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
