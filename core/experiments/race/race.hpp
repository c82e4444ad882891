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
/// `total` leaves analysis out: the cost of a step while contacts hold; `cold` counts it. A method is run several
/// times: the median counts, and the least and largest `total` are kept, so that methods are not ranked by
/// disturbances. One slower than ten times the best, and not negligibly short, is run once, for its row and its curve.
///
/// Users' programs take part, too (program.hpp): their times and iterations are their own claims, marked as such and
/// not ranked.
///
/// Error. One more direct solve, not charged to any row, gives dv, against which the energy norm of each iterate's
/// error is known (solvers/energy_error.hpp).
namespace clothlab::experiments {

struct Contestant {
    solvers::Method method = {};
    bool active = false;   ///< the method of the simulation, parameters included
    Program program = {};  ///< in place of the method, if it has a name

    bool isProgram() const { return !program.name.empty(); }
    /// "program" for a program.
    std::string solverKey() const;
    /// "incomplete-cholesky fill_level=1"; for a direct solver its own parameters, for a program its name.
    std::string methodText() const;
    /// For display: "MPCG · Incomplete Cholesky, fill level 1". Reduced PCG is not mentioned.
    std::string label() const;
    /// Always with the solver: where both systems appear side by side.
    std::string fullLabel() const;
    /// Whether it begins with the factor of the previous step.
    bool isLagged() const;
    /// "mpcg constrained-block", as a race prints it; only the method for reduced PCG, only the solver for direct ones.
    std::string name() const;
};

/// The contestants.
enum class RaceChoice : int { All, Preconditioners };
inline constexpr std::array kRaceChoices{
    EnumEntry{int(RaceChoice::All), "all", "all", "Every solver and preconditioner with its variants."},
    EnumEntry{int(RaceChoice::Preconditioners), "preconditioners", "preconditioners",
              "Each preconditioner once, with its defaults and reduced PCG, and the active method: takes seconds."},
};
constexpr std::span<const EnumEntry> enumTable(RaceChoice) { return kRaceChoices; }
bool racesAmong(const Contestant& who, RaceChoice choice);

/// All methods with their chosen variants. First the active settings, then cheap methods; complete factors come late
/// and direct solvers last, so that the first rows appear soon.
std::vector<Contestant> raceField(const scene::Settings& active, RaceChoice choice = RaceChoice::All);

/// Programs as contestants.
std::vector<Contestant> toContestants(std::span<const Program> programs);

/// The contestants of these names, in their order; reduced PCG may be omitted. An Error lists the valid names.
Expected<std::vector<Contestant>> contestantsNamed(const scene::Settings& active, std::span<const std::string> names,
                                                   std::span<const Program> programs = {});
bool goesBy(const Contestant& who, std::string_view name);

struct RaceOptions {
    RaceChoice choice = RaceChoice::All;
    std::vector<std::string> names = {};  ///< for contestantsNamed, in place of the choice; empty = by the choice
    std::vector<double> tolerances{1e-3, 1e-6};
    int runs = 5;
    int maxIterations = 2000;
    double slowFactor = 10;  ///< run once beyond this multiple of the best; cut there too, but not before `patience`
    double patienceSeconds = 0.5;
    std::vector<Program> programs = {};  ///< of the user, in addition
    double programLimitSeconds = 60;     ///< limit of each of their runs
    std::uint64_t programMemory = 0;     ///< bytes of address space of each of their processes; 0 = any
};

/// The result of one method. Wide on purpose: one member for each number of a row; kRaceColumns lists them.
struct RaceRow {
    std::size_t contestant = 0;  ///< index into the field
    double tolerance = 0;        ///< as requested
    solvers::SolveStatus status = solvers::SolveStatus::NotRun;
    bool cut = false;              ///< stopped because of its time
    bool failed = false;           ///< a program without a usable answer
    bool claimed = false;          ///< times and iterations are a program's claims; the residual is measured
    int iterations = 0, runs = 0;  ///< -1 iterations if a program gives none; its times are then NaN
    double trueRelativeResidual = -1;
    double analyzeMs = 0, setUpMs = 0, multiplyMs = 0, applyMs = 0, totalMs = 0, coldMs = 0;  ///< medians
    double totalMinMs = 0, totalMaxMs = 0;    ///< of the runs of `totalMs`
    double middleMinMs = 0, middleMaxMs = 0;  ///< of these without the shortest and the longest, from four runs on
    double processMs = 0;                     ///< of a program, from start to end, as measured; 0 = no program
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
    /// The number of iterations at an entry of `residuals`.
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
    bool live = false;  ///< the simulation ran meanwhile: times are disturbed
    RaceOptions options;
    std::vector<Contestant> field;
    std::vector<RaceRow> rows;  ///< tolerance after tolerance, in the order of the field
};

/// Tolerance after tolerance, in the order of the field.
std::vector<const RaceRow*> allRows(const RaceResult& race);

/// Per row its place by total time among the converged rows of its tolerance, 1 = first; 0 = not converged. Rows whose
/// [middleMinMs, middleMaxMs] overlap, also through others, share a place: 1, 1, 1, 4. A single disturbed run causes no
/// tie.
std::vector<int> raceRanks(std::span<const RaceRow* const> rows);
std::vector<int> raceRanks(const RaceResult& race);
/// Likewise by iterations, regardless of times; 0 for direct solvers, which have none.
std::vector<int> iterationRanks(std::span<const RaceRow* const> rows);

/// The time of each iterate, from runs of one solve: the median over the runs, since an iteration of one run may have
/// been held up. Runs with another number of iterations than the first do not count.
std::vector<float> medianTimes(std::span<const std::vector<float>> runs);

/// "the machine was busy: ..." if the runs of some row differ by more than 30 %, else empty.
std::string busyNote(std::span<const RaceRow* const> rows);
std::string busyNote(const RaceResult& race);

struct RaceControl {
    std::stop_token stop = {};
    /// Called around timed work, so that other threads can pause.
    std::function<void()> hold = {}, release = {};
    /// After each row: the result so far, and the share done.
    std::function<void(const RaceResult&, double)> onRow = {};
    const linalg::BlockVector* positions = nullptr;  ///< m, positions of the particles, for programs; null: not known
};

/// Runs the field on `system`. `earlier` is the system of the previous step, whose factor the lagged methods start
/// with; without it they are left out, as are methods that need a core, or shear in it, that the system does not have.
RaceResult race(const linalg::FrozenSystem& system, const linalg::FrozenSystem* earlier, std::vector<Contestant> field,
                const RaceOptions& options, const RaceControl& control, WorkerPool& pool);

}  // namespace clothlab::experiments
