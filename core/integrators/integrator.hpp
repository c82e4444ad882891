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
/// Sees each iterate (m) of a method that goes down an energy, the start too, and may ask for values of the energy.
using IterateObserver = std::function<void(const linalg::BlockVector&, StepObjective&)>;

/// When a factor that is made in the background is adopted. The first way depends on the clock; the step that it chose
/// is in its report, and a replay says Now there and Later in the steps before.
enum class FactorAdoption : int { WhenReady, Now, Later };

/// What a step may use and must not keep.
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
    factors::FactorMaker* factorMaker = nullptr;  ///< null: a new factor is made at once, in the step that needs it
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
/// No new state came of the step.
constexpr bool hasFailed(StepStatus status) {
    return status == StepStatus::Diverged || status == StepStatus::SolveFailed;
}

/// One pass of a method that solves more than once a step.
struct OuterIteration {
    double merit = 0;  ///< what it drives down, at its start, relative to that of the step; the method's page says
    int solveIterations = 0;  ///< of the linear solve in it; 0 for a direct one
    double seconds = 0;
};

/// Of a method with a factor of its own: what was needed last, s; negative: not yet.
struct FactorTimes {
    double anew = -1;     ///< a new factor, at once or in the background
    double columns = -1;  ///< the last change, by extra columns
};

/// How often a step was solved again because contacts turned out to be others than it was taken.
struct ContactRepeats {
    int repeats = 0;  ///< solves beyond the first; of all substeps
    /// Of all friction that solids can exert: what the last look found wrong, of the last substep.
    double misjudged = 0;
    /// So much that the step is not one that has converged.
    bool undecided() const { return misjudged > contact::ContactChanges::kUndecided; }
};

/// What limiting the strain after the solve did.
struct LimitedSprings {
    Index springs = 0;  ///< that the solve left beyond the limit, by more than a thousandth of it
    Index left = 0;     ///< the same after the passes
    int passes = 0;     ///< that moved something
};

/// What a step tells beside the new state.
struct StepOutcome {
    StepStatus status = StepStatus::Ok;
    solvers::SolveSummary solve;  ///< NotRun for explicit integrators
    double assembleSeconds = 0, contactSeconds = 0, solveSeconds = 0;
    std::vector<OuterIteration> outer;  ///< in order; empty for methods of one solve a step
    int substeps = 1;                   ///< explicit integrators: how many were taken
    FactorTimes factorTimes;
    bool factorAdopted = false;  ///< in this step one that was made in the background; StepContext::adoption
    Index implicitSprings = 0,
          explicitSprings = 0;  ///< with and without a Jacobian, slack ones too, none of a membrane
    bool uncoupled = false;     ///< no force couples two particles: A is diagonal and nothing had to be solved
    Index repulsionPairs = 0;   ///< that acted at its start; explicit integrators: at the start of the last substep
    ContactRepeats contactRepeats;
    contact::SelfContactCounts selfContact;
    LimitedSprings limited;
    double energyGiven = 0;  ///< J, by the energy budget; negative: taken
    Index ndofCounts[4] = {0, 0, 0, 0};
    /// When asked for. It does not change: a step that finds it held by others fills another one.
    std::shared_ptr<const linalg::FrozenSystem> system;
    std::string message;  ///< for the user: what happened and what to change
};

/// One step of a method. Integrators keep nothing that can change a result.
class Integrator {
public:
    virtual ~Integrator() = default;
    /// From `state` to `out` (which may not alias it). `out` is meaningful if the status is Ok or Unconverged.
    virtual void step(const SimulationState& state, StepContext& context, SimulationState& out,
                      StepOutcome& outcome) = 0;
    /// Takes new settings and keeps what it has made; false: it cannot, and another object is needed.
    virtual bool take(const IntegratorSettings&) { return false; }
    /// The system of the last step, with its core left out, as long as no other step is taken; none for explicit
    /// methods.
    virtual std::optional<linalg::LinearSystem> lastSystem() const { return {}; }
    /// What solved it, where that is not the dv of the state.
    virtual const linalg::BlockVector* lastSolution() const { return nullptr; }
};

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& settings);

/// Number of substeps that `auto` takes for an explicit integrator: the smallest power of two at which its own limit
/// holds, at most 256 (symplectic Euler: the sum test; RK4: |h w| < 2.8 from the same sum; forward
/// Euler has no limit that helps: 1).
/// The pairs that the forces have been given count as springs do.
int automaticSubsteps(IntegratorKind kind, const cloth::ForceModel& forces, double dt);

}  // namespace clothlab::integrators
