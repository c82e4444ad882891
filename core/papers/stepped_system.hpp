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

/// What the tables have in common: the system of one step, and timed solves of it.
namespace clothlab::papers {

struct SteppedSystem : experiments::FrozenStep {
    std::unique_ptr<simulation::Simulation> simulation;  ///< at state K
};

/// At the start of a scene, if there is one. An Error where the table itself sets what the options set, too.
Expected<std::unique_ptr<simulation::Simulation>> simulationOf(Expected<scene::Scene> scene, Job& job);

using experiments::Walk;
using experiments::Walker;
using simulation::Simulation;

/// Walks on. A stop is an Error, as is a step that fails where the walk does not go on without it: Job::stopped() says
/// which.
Expected<void> walk(std::span<Walker> walkers, Walk how, Job& job);
Expected<void> walk(Simulation& simulation, Walk how, Job& job);
/// From the start of a scene, with its own solver.
Expected<void> walk(Expected<scene::Scene> scene, Walk how, Job& job);

/// Steps a scene to state K >= 2, with its own solver. `lastTwo` changes settings for the last two steps, where those
/// before them ran with others.
Expected<SteppedSystem> systemOfStep(Expected<scene::Scene> scene, int K, Job& job,
                                     const std::function<void(scene::Settings&)>& lastTwo = {});

/// A built-in scene with the settings of the options, then those given, without the floor of a room.
Expected<scene::Scene> paperScene(std::string_view name, const Job& job, const std::vector<std::string>& sets = {});

/// Settings of a sheet of so many particles a side.
std::vector<std::string> square(int side);

enum class Worn : int { ShirtAndSheet, ShirtAlone };
/// `ye-tshirt` with so many particles a side of its sheet, 41 in the scene; the shirt is coarser alike.
Expected<scene::Scene> shirtScene(int side, Worn worn, const Job& job, const std::vector<std::string>& sets = {});

/// Settings that step stiff cloth fast and accurately, for the steps before the one that counts: corePCG to 1e-6.
std::vector<std::string> fastStepping();

/// The system of a state, assembled again under a split: which families are implicit.
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
/// Each solves the system so many times, one after the other, every other time in the other order.
void solveInTurn(std::span<KeptSolver> solvers, const linalg::LinearSystem& system, int times, Job& job);

using experiments::medianMs;
using experiments::timeSolve;
using experiments::Timing;
/// `earlier`: of the step before, from which lagged methods bring a factor.
Timing timeSolve(const Method& method, const linalg::LinearSystem& system, int runs, Job& job,
                 const linalg::LinearSystem* earlier = nullptr);

/// For rows: the iterations, or why there are none.
records::Entries iterationsOf(const Timing& timing);

/// The part of the step's time that is not its solve, ms.
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
