#pragma once

#include <cmath>
#include <memory>
#include <span>

#include "experiments/systems/freeze.hpp"
#include "experiments/systems/timed_solve.hpp"
#include "experiments/systems/walk.hpp"
#include "papers/job.hpp"
#include "simulation/simulation.hpp"
#include "solvers/method.hpp"

/// Common parts of the tables: the system of one step, and timed solves of it.
namespace clothlab::papers {

struct SteppedSystem : experiments::FrozenStep {
    std::unique_ptr<simulation::Simulation> simulation;  ///< at state K
};

/// A simulation at the start of a scene, whose Error is passed on. An Error if the options set a key that the table
/// sets itself.
Expected<std::unique_ptr<simulation::Simulation>> startSimulation(Expected<scene::Scene> scene, Job& job);

using experiments::Walk;
using experiments::Walker;
using simulation::Simulation;

/// Walks on. A stop is an Error, as is a failed step if the walk cannot continue without it: Job::stopped() tells
/// which.
Expected<void> walk(std::span<Walker> walkers, Walk how, Job& job);
Expected<void> walk(Simulation& simulation, Walk how, Job& job);
/// From the start of a scene, with its own solver.
Expected<void> walk(Expected<scene::Scene> scene, Walk how, Job& job);

/// Steps a scene to state K >= 2, with its own solver. `lastTwo` changes settings for the last two steps, if those
/// before them need others.
Expected<SteppedSystem> systemOfStep(Expected<scene::Scene> scene, int K, Job& job,
                                     const std::function<void(scene::Settings&)>& lastTwo = {});

/// A built-in scene with the settings of the options, then those given, without the floor of a room.
Expected<scene::Scene> paperScene(std::string_view name, const Job& job, const std::vector<std::string>& sets = {});

/// Settings of a sheet with this many particles per side.
std::vector<std::string> square(int side);

enum class Worn : int { ShirtAndSheet, ShirtAlone };
/// `ye-tshirt` with this many particles per side of its sheet, 41 in the scene; the shirt is coarsened alike.
Expected<scene::Scene> shirtScene(int side, Worn worn, const Job& job, const std::vector<std::string>& sets = {});

/// Settings that step stiff cloth fast and accurately, for the steps before the one that counts: corePCG to 1e-6.
std::vector<std::string> fastStepping();

/// The system of a state, assembled again under a split of the families.
struct Assembled {
    linalg::BlockMatrix A;
    linalg::BlockVector b;
    linalg::CoreMask core;
    double assembleMs = 0;  ///< median

    /// With the constraints and the start of a frozen system.
    linalg::LinearSystem view(const linalg::FrozenSystem& frozen) const;
};
Assembled assembleAgain(const SteppedSystem& stepped, const cloth::ImplicitSplit& split, int runs, Job& job);

using solvers::Method;

/// A solver for one system after the other, so that only its first solve allocates.
struct KeptSolver {
    KeptSolver(const Method& method, WorkerPool& workers)
        : solver(solvers::makeSolver(method.solver, method.preconditioner)), pool(&workers) {}

    std::unique_ptr<solvers::Solver> solver;
    WorkerPool* pool;
    linalg::BlockVector deltaV;
    solvers::SolveSummary summary;
    double ms = 0;  ///< median of the last solveInTurn, without symbolic analysis
};
/// Each solves the system `times` times, in turn, in alternating order.
void solveInTurn(std::span<KeptSolver> solvers, const linalg::LinearSystem& system, int times, Job& job);

using experiments::medianMs;
using experiments::timeSolve;
using experiments::Timing;
/// `earlier`: of the previous step, from which lagged methods take a factor.
Timing timeSolve(const Method& method, const linalg::LinearSystem& system, int runs, Job& job,
                 const linalg::LinearSystem* earlier = nullptr);

/// For rows: the iterations, or why there are none.
records::Entries iterationEntries(const Timing& timing);

/// The time of the step without its solve, ms.
double restMs(const simulation::StepReport& report);

/// The largest value that holds, between one that does and one that does not, to a factor of `digits`: by bisection.
/// `holds` may be an Error.
template <class F>
Expected<double> bisect(double low, double high, double digits, F&& holds) {
    while (high / low > digits) {
        const double middle = std::sqrt(low * high);
        const Expected<bool> held = holds(middle);
        if (!held) return fail(held.error());
        (*held ? low : high) = middle;
    }
    return low;
}
}  // namespace clothlab::papers
