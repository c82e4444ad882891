#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cloth/forces.hpp"
#include "contact/collider.hpp"
#include "contact/contact_changes.hpp"
#include "contact/robust/self_contact_counts.hpp"
#include "contact/settings.hpp"
#include "integrators/settings.hpp"
#include "integrators/state/state.hpp"
#include "solvers/solver.hpp"

namespace clothlab::contact {
class LayerPairs;
}

namespace clothlab::factors {
class FactorMaker;
}

namespace clothlab::integrators {

class StepObjective;
/// Called with each iterate (m) of a method that minimizes an energy, including the start; may query the energy.
using IterateObserver = std::function<void(const linalg::BlockVector&, StepObjective&)>;

/// When a factor made in the background is adopted. WhenReady depends on the clock; the step it chose is in its report,
/// and a replay uses Now for that step and Later before it.
enum class FactorAdoption : int { WhenReady, Now, Later };

/// Inputs of a step, which it must not keep.
struct StepContext {
    double dt;  ///< s
    cloth::ClothModel const& model;
    cloth::ForceModel& forces;       ///< caches only
    cloth::Environment environment;  ///< its anchors are filled in by the integrator from the grab
    std::span<const contact::Collider> colliders;
    const contact::ContactSettings& contact;
    const GrabSettings& grab;
    int substeps = 0;  ///< 0 = auto
    solvers::Solver* solver = nullptr;
    solvers::SolveControl control;
    WorkerPool& pool;
    bool keepSystem = false;  ///< fill StepOutcome::system
    IterateObserver observeIterate = {};
    factors::FactorMaker* factorMaker = nullptr;  ///< null: a new factor is made at once, within the step
    FactorAdoption adoption = FactorAdoption::WhenReady;
    AfterSolveSettings afterSolve = {};
    contact::LayerPairs* layers = nullptr;  ///< contact within the solve; null: after it
};

enum class StepStatus : int { Ok, Unconverged, Diverged, SolveFailed };
inline constexpr std::array kStepStatuses{
    EnumEntry{int(StepStatus::Ok), "ok", "ok"},
    EnumEntry{int(StepStatus::Unconverged), "unconverged", "unconverged"},
    EnumEntry{int(StepStatus::Diverged), "diverged", "diverged"},
    EnumEntry{int(StepStatus::SolveFailed), "solve_failed", "solve failed"},
};
constexpr std::span<const EnumEntry> enumTable(StepStatus) { return kStepStatuses; }
/// Whether the step has no new state.
constexpr bool hasFailed(StepStatus status) {
    return status == StepStatus::Diverged || status == StepStatus::SolveFailed;
}

/// One pass of a method with several solves per step.
struct OuterIteration {
    double merit = 0;         ///< residual that the method reduces, at its start, relative to that of the step
    int solveIterations = 0;  ///< of the linear solve in it; 0 for a direct one
    double seconds = 0;
};

/// Latest times of a method with its own factor, s; negative: none yet.
struct FactorTimes {
    double anew = -1;     ///< a new factor, at once or in the background
    double columns = -1;  ///< the last change, by extra columns
};

/// Repeats of a solve because contacts differed from those it assumed.
struct ContactRepeats {
    int repeats = 0;  ///< solves after the first; of all substeps
    /// The share of the friction that solids can exert which the last check found wrong, in the last substep.
    double misjudged = 0;
    /// Whether it is so much that the step has not converged.
    bool undecided() const { return misjudged > contact::ContactChanges::kUndecided; }
};

/// The effect of the strain limit after the solve.
struct LimitedSprings {
    Index springs = 0;  ///< beyond the limit after the solve, by more than a thousandth of it
    Index left = 0;     ///< likewise after the passes
    int passes = 0;     ///< that moved something
};

/// Diagnostics of a step.
struct StepOutcome {
    StepStatus status = StepStatus::Ok;
    solvers::SolveSummary solve;  ///< NotRun for explicit integrators
    double assembleSeconds = 0, contactSeconds = 0, solveSeconds = 0;
    std::vector<OuterIteration> outer;  ///< in order; empty for methods with one solve per step
    int substeps = 1;                   ///< explicit integrators: how many were taken
    FactorTimes factorTimes;
    bool factorAdopted = false;  ///< this step adopted one made in the background; StepContext::adoption
    Index implicitSprings = 0,
          explicitSprings = 0;  ///< with and without a Jacobian, including slack ones, without membranes
    bool uncoupled = false;     ///< no force couples two particles: A is diagonal and nothing had to be solved
    Index repulsionPairs = 0;   ///< that acted at its start; explicit integrators: at the start of the last substep
    ContactRepeats contactRepeats;
    contact::SelfContactCounts selfContact;
    LimitedSprings limited;
    double energyGiven = 0;  ///< J, by the energy budget; negative: removed
    Index ndofCounts[4] = {0, 0, 0, 0};
    /// On request. Immutable: if others still hold it, the next step fills a new one.
    std::shared_ptr<const linalg::FrozenSystem> system;
    std::string message;  ///< for the user: what happened and what to change
};

/// One step of a method. Integrators keep no state that can change a result.
class Integrator {
public:
    virtual ~Integrator() = default;
    /// From `state` to `out` (which may not alias it). `out` is meaningful if the status is Ok or Unconverged.
    virtual void step(const SimulationState& state, StepContext& context, SimulationState& out,
                      StepOutcome& outcome) = 0;
    /// Takes new settings and keeps its caches; false: impossible, a new object is needed.
    virtual bool take(const IntegratorSettings&) { return false; }
    /// The system of the last step, without its core, valid until the next step; none for explicit methods.
    virtual std::optional<linalg::LinearSystem> lastSystem() const { return {}; }
    /// Its solution, if that is not the dv of the state.
    virtual const linalg::BlockVector* lastSolution() const { return nullptr; }
};

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& settings);

/// Number of substeps of `auto` for an explicit integrator: the smallest power of two at which its own limit holds, at
/// most 256 (symplectic Euler: the sum test; RK4: |h w| < 2.8 from the same sum; forward Euler has no useful limit: 1).
/// The pairs given to the forces count like springs.
int automaticSubsteps(IntegratorKind kind, const cloth::ForceModel& forces, double dt);

}  // namespace clothlab::integrators
