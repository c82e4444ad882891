#pragma once

#include <memory>

#include "base/stage_timer.hpp"
#include "papers/reproduction.hpp"
#include "simulation/simulation.hpp"

/// What the tables have in common: the system of one step, and timed solves of it.
namespace clothlab::simulation {

struct SteppedSystem {
    std::unique_ptr<Simulation> simulation;  ///< at state K
    integrators::SimulationState before;     ///< state K-1
    linalg::FrozenSystem system, earlier;    ///< of steps K and K-1
    StepReport report;                       ///< of step K
};

/// Called after every step with its report and the system that it solved; true ends the stepping there.
using OnSystem = std::function<bool(const StepReport&, const linalg::FrozenSystem&)>;

struct Stepping {
    int step;  ///< K >= 2
    OnSystem onSystem = {};
    /// Changes settings for the last two steps, where those before them ran with others.
    std::function<void(scene::Settings&)> lastTwo = {};
};

/// Steps a scene to state K, with its own solver. A step that fails is an Error, as is a stop.
Expected<SteppedSystem> systemOfStep(scene::Scene scene, const Stepping& stepping, const ReproduceOptions& options,
                                     const ReproduceControl& control);

/// A built-in scene with settings; a mistake in one is a programmer's.
Expected<scene::Scene> paperScene(std::string_view name, const ReproduceOptions& options,
                                  const std::vector<std::string>& sets);

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
Assembled assembleAgain(const SteppedSystem& stepped, const cloth::ImplicitSplit& split, int runs, WorkerPool& pool);

struct Method {
    solvers::SolverSettings solver;
    preconditioners::PreconditionerSettings preconditioner;
};

struct Timing {
    solvers::SolveStatus status = solvers::SolveStatus::NotRun;
    int iterations = 0;
    double solveMs = 0, analyzeMs = 0;  ///< medians; symbolic analysis apart
    double loopMs = 0;                  ///< of the solve, without set-up
    int factorAge = 0;
    double trueRelativeResidual = -1;
    linalg::BlockVector deltaV;

    double msPerIteration() const { return iterations > 0 ? loopMs / iterations : 0; }
};

/// Median of `runs` solves after one that is not counted; a solve of more than three seconds is taken once. `earlier`
/// is solved before each, so that lagged methods bring a factor.
Timing timeSolve(const Method& method, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
                 int runs, WorkerPool& pool, std::stop_token stop = {});
Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
                 int runs, WorkerPool& pool, std::stop_token stop = {});

/// For rows: the iterations, or why there are none.
void addIterations(records::Entries& entries, const Timing& timing);

double medianOf(std::vector<double> values);

}  // namespace clothlab::simulation
