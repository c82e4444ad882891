#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "experiments/race/program.hpp"
#include "scene/scene.hpp"
#include "solvers/method.hpp"
#include "solvers/solver.hpp"

/// A race: every solver and preconditioner on one frozen system, with one right-hand side, one start (zero) and one
/// stopping rule, the true relative residual |S(b - A dv)| / |S(b - A (I-S) z)|.
///
/// Time. A run is split into analysis (symbolic work, kept while the pattern lasts), set-up (copies and numeric
/// factors, needed for every matrix), products with A, applications of the preconditioner or factor, and the rest.
/// `total` leaves analysis out: that is what a step pays while contacts hold; `cold` counts it. A method is run several
/// times: the median is taken, and of `total` the least and the most are kept, so that nobody ranks by what the machine
/// did meanwhile. One that takes over ten times the best, and not just a moment, is run once, for its row and its
/// curve.
///
/// Programs of the user's take part, too (program.hpp): their times and iterations are what they say, marked as such
/// and not ranked.
///
/// Error. One more direct solve, that no row pays for, gives dv, against which the energy norm of each iterate's error
/// is known (solvers/energy_error.hpp).
namespace clothlab::experiments {

struct Contestant {
    solvers::Method method = {};
    bool active = false;   ///< what the simulation runs with, parameters included
    Program program = {};  ///< in place of the method, where it has a name

    bool isProgram() const { return !program.name.empty(); }
    /// "program" of a program.
    std::string solverKey() const;
    /// "incomplete-cholesky fill_level=1"; of a direct solver its own parameters; of a program its name.
    std::string methodText() const;
    /// For eyes: "MPCG · Incomplete Cholesky, fill level 1". Reduced PCG goes without saying.
    std::string label() const;
    /// The same with the solver in any case: where both systems stand side by side.
    std::string fullLabel() const;
    /// It begins with the factor of the step before.
    bool isLagged() const;
    /// "mpcg constrained-block", as a race prints it; of reduced PCG the method alone, of a direct solver the solver.
    std::string name() const;
};

/// Who takes part.
enum class RaceChoice : int { All, Preconditioners };
inline constexpr std::array kRaceChoices{
    EnumEntry{int(RaceChoice::All), "all", "all", "Every solver and preconditioner with its variants."},
    EnumEntry{int(RaceChoice::Preconditioners), "preconditioners", "preconditioners",
              "Each preconditioner once, with its defaults and reduced PCG, and the active method: takes seconds."},
};
constexpr std::span<const EnumEntry> enumTable(RaceChoice) { return kRaceChoices; }
bool racesAmong(const Contestant& who, RaceChoice choice);

/// All methods with their variants that are chosen. First the active settings, then what costs little: what factors
/// completely comes late and direct solvers last, so that the first rows are there soon.
std::vector<Contestant> raceField(const scene::Settings& active, RaceChoice choice = RaceChoice::All);

/// Programs as contestants.
std::vector<Contestant> contestantsOf(std::span<const Program> programs);

/// The contestants of these names, in their order; reduced PCG may be said or not. An Error lists the names there are.
Expected<std::vector<Contestant>> contestantsNamed(const scene::Settings& active, std::span<const std::string> names,
                                                   std::span<const Program> programs = {});
bool goesBy(const Contestant& who, std::string_view name);

struct RaceOptions {
    RaceChoice choice = RaceChoice::All;
    std::vector<std::string> names = {};  ///< of contestantsNamed, in place of the choice; empty = by the choice
    std::vector<double> tolerances{1e-3, 1e-6};
    int runs = 5;
    int maxIterations = 2000;
    double slowFactor = 10;  ///< run once from so many times the best; cut there too, but not before `patience`
    double patienceSeconds = 0.5;
    std::vector<Program> programs = {};  ///< of the user's, that take part besides
    double programLimitSeconds = 60;     ///< of each of their runs
    std::uint64_t programMemory = 0;     ///< bytes of address space of each of their processes; 0 = any
};

/// What became of one method. Wide on purpose: one member for each number of a row; kRaceColumns lists them.
struct RaceRow {
    std::size_t contestant = 0;  ///< index into the field
    double tolerance = 0;        ///< what was asked for
    solvers::SolveStatus status = solvers::SolveStatus::NotRun;
    bool cut = false;              ///< stopped for its time
    bool failed = false;           ///< a program without an answer that can be used
    bool claimed = false;          ///< times and iterations are what a program says; the residual is measured
    int iterations = 0, runs = 0;  ///< iterations of a program that has not said them: -1, and its times are no numbers
    double trueRelativeResidual = -1;
    double analyzeMs = 0, setUpMs = 0, multiplyMs = 0, applyMs = 0, totalMs = 0, coldMs = 0;  ///< medians
    double totalMinMs = 0, totalMaxMs = 0;    ///< of the runs behind `totalMs`
    double middleMinMs = 0, middleMaxMs = 0;  ///< of these without the shortest and the longest, from four runs on
    double processMs = 0;                     ///< of a program, from its start to its end, as measured; 0 = none
    double bytes = 0, fill = 0;
    double shift = 0, relativeFill = 0;  ///< of incomplete Cholesky (SolveSummary)
    int factorAge = 0;
    Index coarseUnknowns = 0, domains = 0, interfaceRows = 0;
    double smallestRitz = 0, largestRitz = 0;    ///< of P^-1 A; 0 = none (direct solvers)
    std::vector<float> ritz;                     ///< ascending
    std::vector<float> residuals, milliseconds;  ///< per iterate k = 0.. from setUpMs to totalMs; of a program its ends
    std::vector<float> errors;  ///< likewise, |dv - dv_k|_A / |dv - dv_0|_A; empty: a direct solver, or not known
    std::string message;

    bool converged() const { return solvers::converged(status); }
    /// The iterations that led to an entry of `residuals`.
    int iterationsAt(std::size_t entry) const { return claimed && entry > 0 ? iterations : int(entry); }
    /// Whether the runs differ by more than 30 %: something else ran on the machine.
    bool disturbed() const { return totalMaxMs > 1.3 * totalMinMs; }
    /// A lower bound of the condition number of P^-1 A; 0 = none.
    double condition() const { return smallestRitz > 0 ? largestRitz / smallestRitz : 0; }
};

struct RaceResult {
    std::string scene;
    int step = 0, threads = 1;
    Index particles = 0, constrained = 0;
    bool live = false;  ///< the simulation went on meanwhile: times are disturbed
    RaceOptions options;
    std::vector<Contestant> field;
    std::vector<RaceRow> rows;  ///< tolerance after tolerance, in the order of the field
};

/// Tolerance after tolerance, in the order of the field.
std::vector<const RaceRow*> allRows(const RaceResult& race);

/// Per row its place by total time among those of its tolerance that arrived, 1 = first; 0 did not arrive. Rows whose
/// [middleMinMs, middleMaxMs] overlap, also by way of others, share a place: 1, 1, 1, 4. One run that the machine
/// disturbed ties nobody.
std::vector<int> raceRanks(std::span<const RaceRow* const> rows);
std::vector<int> raceRanks(const RaceResult& race);
/// Likewise by iterations, whatever the times; of a direct solver, which has none, 0.
std::vector<int> iterationRanks(std::span<const RaceRow* const> rows);

/// When each iterate was there, of runs of one solve: of each iterate the median, since an iteration of one run may
/// have been held up for long. Runs that ended elsewhere than the first do not count.
std::vector<float> medianTimes(std::span<const std::vector<float>> runs);

/// "the machine was busy: ..." if the runs of some row differ by more than 30 %, else empty.
std::string busyNote(std::span<const RaceRow* const> rows);
std::string busyNote(const RaceResult& race);

struct RaceControl {
    std::stop_token stop = {};
    /// Called around what is timed, so that others can hold still.
    std::function<void()> hold = {}, release = {};
    /// After each row: the result so far, and the share that is done.
    std::function<void(const RaceResult&, double)> onRow = {};
    const linalg::BlockVector* positions = nullptr;  ///< m, where the particles are, for programs; null: not known
};

/// Runs the field on `system`. `earlier` is the system of a step before, whose factor the lagged methods bring along;
/// without it they are left out, as are the methods of a core, or of shear in it, that the system does not have.
RaceResult race(const linalg::FrozenSystem& system, const linalg::FrozenSystem* earlier, std::vector<Contestant> field,
                const RaceOptions& options, const RaceControl& control, WorkerPool& pool);

}  // namespace clothlab::experiments
