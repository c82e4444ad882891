#pragma once

#include "experiments/race/column.hpp"
#include "experiments/race/race.hpp"

/// The columns of a race, used by JSON, CSV, the table of `clothlab race`, that of the window and the one in
/// docs/methods/race.md: a new quantity is a member of RaceRow and one line here.
namespace clothlab::experiments {

/// A row of a race with what follows from the others.
struct RaceEntry {
    const RaceResult* race = nullptr;
    const RaceRow* row = nullptr;
    int rank = 0;     ///< 0: none
    int sharing = 1;  ///< rows of the same tolerance that have this rank

    const Contestant& who() const { return race->field[row->contestant]; }
};

enum class RankBy : unsigned char { Time, Iterations };
/// In the order of `rows`, ranked among themselves.
std::vector<RaceEntry> toEntries(const RaceResult& race, std::span<const RaceRow* const> rows,
                                 RankBy by = RankBy::Time);
std::vector<RaceEntry> toEntries(const RaceResult& race);

using RaceColumn = Column<RaceEntry>;

namespace race_columns {

using Entry = RaceEntry;

template <auto Member>
double member(const Entry& e) {
    return double(e.row->*Member);
}
/// Zero means not measured or not applicable.
template <auto Member>
double positive(const Entry& e) {
    return e.row->*Member > 0 ? double(e.row->*Member) : kNoValue;
}

inline double iterations(const Entry& e) { return e.row->iterations >= 0 ? e.row->iterations : kNoValue; }
inline double residual(const Entry& e) {
    return e.row->trueRelativeResidual >= 0 ? e.row->trueRelativeResidual : kNoValue;
}
inline double condition(const Entry& e) { return e.row->condition() > 0 ? e.row->condition() : kNoValue; }
/// Times claimed by a program sort behind measured ones.
inline bool measuredTime(const Entry& e) { return e.row->converged() && !e.row->claimed; }

std::string statusKey(const Entry& e);
std::string statusLabel(const Entry& e);
std::string methodInTable(const Entry& e);    ///< the active one with a star
std::string timesBy(const Entry& e);          ///< "race" or "program": the source of the times
std::string runsOfTotal(const Entry& e);      ///< "2.70..3.40", "once", "as it says"
std::string spreadOfTotal(const Entry& e);    ///< " (2.7 to 3.4)"
std::string rankRange(const Entry& e);        ///< "3", or "3-5" where three rows share it
std::string residualInTable(const Entry& e);  ///< "5.0e-04"
std::string conditionInTable(const Entry& e);
std::string megabytes(const Entry& e);

}  // namespace race_columns

inline constexpr auto kRaceColumns = [] {
    using namespace race_columns;
    using R = RaceRow;
    using enum RaceColumn::Kind;
    return std::to_array<RaceColumn>({
        {.key = "solver",
         .help = "The key of the solver.",
         .words = [](const Entry& e) { return e.who().solverKey(); },
         .text = {"solver", -12, 2}},
        {.key = "method",
         .help = "Preconditioner, or form and ordering of a direct solver, with parameters other than its defaults.",
         .words = [](const Entry& e) { return e.who().methodText(); },
         .text = {.head = "method", .width = -42, .place = 3, .cell = methodInTable},
         .window =
             {.id = "method", .name = "method", .place = 1, .cell = [](const Entry& e) { return e.who().label(); }}},
        {.key = "tolerance",
         .help = "The true relative residual that was asked for.",
         .value = member<&R::tolerance>,
         .digits = 6},
        {.key = "status",
         .help = "How the solve ended. Rows that do not converge stay in the table, with the residual reached.",
         .words = statusKey,
         .text = {"status", -14, 4},
         .window = {.id = "status", .name = "status", .width = 78, .place = 2, .worth = 4, .cell = statusLabel}},
        {.key = "iterations",
         .help = "Iterations of conjugate gradients; a direct solver has none.",
         .value = iterations,
         .kind = Whole,
         .text = {"iter", 6, 5},
         .window = {.id = "iter.", .name = "iterations", .width = 58, .place = 3, .worth = 1, .digits = 6}},
        {.key = "runs", .help = "How many runs were timed.", .value = member<&R::runs>, .kind = Whole},
        {.key = "true_relative_residual",
         .help =
             "The true relative residual at the end of the solve; a direct solver reaches round-off whatever the tolerance.",
         .value = residual,
         .digits = 4,
         .text = {.head = "residual", .width = 9, .place = 12, .cell = residualInTable}},
        {.key = "analyze_ms",
         .unit = "ms",
         .help = "Symbolic analysis, which is kept while the pattern lasts.",
         .value = member<&R::analyzeMs>},
        {.key = "set_up_ms",
         .unit = "ms",
         .help =
             "Copies, diagonals and numeric factors, for reduced solvers the reduced matrix: needed for every matrix.",
         .value = member<&R::setUpMs>,
         .text = {"set-up", 9, 6},
         .window = {.id = "set-up", .name = "set-up, ms", .width = 62, .place = 4, .worth = 6}},
        {.key = "multiply_ms",
         .unit = "ms",
         .help = "Products with A.",
         .value = member<&R::multiplyMs>,
         .text = {"product", 9, 7}},
        {.key = "apply_ms",
         .unit = "ms",
         .help = "Applications of the preconditioner; of a direct solver its triangular solves.",
         .value = member<&R::applyMs>,
         .text = {"apply", 9, 8}},
        {.key = "total_ms",
         .unit = "ms",
         .help =
             "Set-up and solve without symbolic analysis: the cost of a step while the pattern stays. The median of several "
             "runs; in the window, in brackets, the shortest and the longest of them.",
         .value = member<&R::totalMs>,
         .placed = measuredTime,
         .text = {"total ms", 9, 9},
         .window = {.id = "total", .name = "total, ms", .width = 58, .place = 5, .worth = 2, .more = spreadOfTotal}},
        {.key = "total_min_ms",
         .unit = "ms",
         .help = "The shortest total of the runs.",
         .value = member<&R::totalMinMs>,
         .text = {.head = "of the runs", .width = 19, .place = 10, .cell = runsOfTotal}},
        {.key = "total_max_ms",
         .unit = "ms",
         .help = "The longest total of the runs.",
         .value = member<&R::totalMaxMs>},
        {.key = "rank",
         .help =
             "Place by total time. Rows whose runs (but the shortest and the longest) overlap in time, also by way of "
             "other rows, share it: the times do not tell which of them is faster.",
         .value = [](const Entry& e) { return e.rank > 0 ? double(e.rank) : kNoValue; },
         .kind = Whole,
         .text = {"rank", 4, 1},
         .window = {.id = "rank", .name = "rank", .width = 40, .place = 9, .worth = 3, .cell = rankRange}},
        {.key = "times_by",
         .help =
             "Source of times and iterations: \"race\", which measured them, or \"program\", a user's contestant, which is "
             "not ranked. The residual is measured in any case.",
         .words = timesBy},
        {.key = "process_ms",
         .unit = "ms",
         .help = "Of a program from its start to its end, as measured: with its reading and writing of files.",
         .value = positive<&R::processMs>},
        {.key = "cold_ms",
         .unit = "ms",
         .help =
             "Total with the symbolic analysis: the cost of the first step, and of a step after a change of pattern.",
         .value = member<&R::coldMs>,
         .placed = measuredTime,
         .text = {"first solve", 11, 11},
         .window = {.id = "cold", .name = "first solve, ms", .width = 84, .place = 6, .worth = 7}},
        {.key = "bytes",
         .unit = "bytes",
         .help = "Memory of the preconditioner or factor, in tables in megabytes.",
         .value = member<&R::bytes>,
         .kind = Whole,
         .text = {.head = "MB", .width = 8, .place = 14, .cell = megabytes},
         .window = {.id = "MB", .name = "MB", .width = 36, .place = 8, .worth = 8, .scale = 1e-6}},
        {.key = "factor_entries",
         .help = "Entries of the factor of a direct solver or of incomplete Cholesky.",
         .value = positive<&R::fill>,
         .kind = Whole},
        {.key = "factor_fill",
         .help = "Blocks of incomplete Cholesky, in multiples of those of the lower half of its matrix.",
         .value = positive<&R::relativeFill>},
        {.key = "ic_shift",
         .help = "Share of the diagonal blocks that incomplete Cholesky added.",
         .value = positive<&R::shift>,
         .digits = 6},
        {.key = "smallest_ritz",
         .help = "The smallest Ritz value of the preconditioned matrix.",
         .value = positive<&R::smallestRitz>,
         .digits = 6},
        {.key = "largest_ritz",
         .help = "The largest Ritz value of the preconditioned matrix.",
         .value = positive<&R::largestRitz>,
         .digits = 6},
        {.key = "threads",
         .help = "Threads of each method.",
         .value = [](const Entry& e) { return double(e.race->threads); },
         .kind = Whole},
        {.key = "particles",
         .help = "Particles of the system.",
         .value = [](const Entry& e) { return double(e.race->particles); },
         .kind = Whole},
        {.key = "condition",
         .help = "Condition number of the preconditioned matrix: largest over smallest Ritz value. Conjugate gradients "
                 "compute them as they go; they lie inside of the spectrum, so this is a lower bound, close once the "
                 "solve has converged. They need at most about its square root in iterations for each digit.",
         .value = condition,
         .digits = 6,
         .text = {.head = "condition", .width = 9, .place = 13, .cell = conditionInTable},
         .window = {.id = "cond.", .name = "condition", .width = 58, .place = 7, .worth = 5}},
        {.key = "coarse_unknowns",
         .help = "Unknowns of the coarse space of a deflation.",
         .value = member<&R::coarseUnknowns>,
         .kind = Whole},
        {.key = "domains",
         .help = "Domains of the solver `interface`; 0 = another one.",
         .value = member<&R::domains>,
         .kind = Whole},
        {.key = "interface_rows",
         .help = "Particles between the domains.",
         .value = member<&R::interfaceRows>,
         .kind = Whole},
        {.key = "factor_age",
         .unit = "steps",
         .help = "Age of the factor that a lagged method brings along.",
         .value = member<&R::factorAge>,
         .kind = Whole},
        {.key = "active",
         .help = "Whether the simulation runs with this method; a star in the table of a terminal.",
         .value = [](const Entry& e) { return double(e.who().active); },
         .kind = Truth},
        {.key = "message",
         .help = "Why it did not converge, or the fault of a program's answer.",
         .words = [](const Entry& e) { return e.row->message; }},
    });
}();

}  // namespace clothlab::experiments
