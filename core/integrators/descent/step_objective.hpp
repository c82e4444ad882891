#pragma once

#include "integrators/descent/potential.hpp"
#include "integrators/stages/constraint_stage.hpp"
#include "integrators/stages/particle_pairs.hpp"
#include "integrators/traits.hpp"

/// The implicit step as a minimum ([L] (8); methods §12.1). With v' = (x' - x^)/a the step M (v' - v^) = a f(x', v')
/// is equivalent to grad g(x') = 0 for
///
///     g(x) = 1/2 (x - y)^T M (x - y) + a^2 (E(x) - phi.x) + a/2 (x - x^)^T C (x - x^),     y = x^ + alpha a v^
///
///     one step   a = h      x^ = x              v^ = v
///     two steps  a = 2h/3   x^ = x + dx_p / 3   v^ = v + dv_p / 3
///     midpoint   a = h/2    x^ = x              v^ = v              x' is that of half a step; extrapolated to the end
///
/// E is the potential energy of springs, gravity, point forces and anchors. Forces without a potential are frozen at
/// the start of the step: C is the damping matrix there (springs, drag, pairs), so that its force -C v' has one; phi
/// is the rest, taken at the start (wind, friction); pairs of particles act as linear springs. For C = 0 and phi = 0,
/// g is the paper's.
///
/// x is free in range(S) around the targets of held particles; `project` and `filter` keep it there.
namespace clothlab::integrators {

class StepObjective {
public:
    enum class Curvature { Definite, Exact };

    /// Takes the step that starts at `state`; settings of its kind. Decides about contacts (`out`), and leaves b, on
    /// which that was based. `keep` is alpha.
    void begin(const SimulationState& state, StepContext& context, const IntegratorSettings& settings, double keep,
               SimulationState& out, StepOutcome& outcome);

    double a() const { return a_; }
    const linalg::BlockVector& inertia() const { return y_; }  ///< y, m
    const ConstraintStage& stage() const { return stage_; }
    std::span<const cloth::AnchorSpring> anchors() const { return environment_.anchors; }
    std::span<const mechanics::PairTerm> pairTerms() const { return forces_->pairs(); }
    const cloth::ClothModel& model() const { return *model_; }
    const cloth::ForceModel& forces() const { return *forces_; }
    const linalg::BlockVector& start() const { return start_; }  ///< x, m
    const linalg::BlockVector& past() const { return xHat_; }    ///< x^, m
    /// C + M, kg (times 1/s for C), or null without damping.
    const linalg::BlockMatrix* damping() const { return damped_ ? &C_ : nullptr; }
    /// Gravity, point forces and phi, N: the part that does not depend on x.
    void constantForce(linalg::BlockVector& out, WorkerPool& pool) const;

    /// Puts held particles at their targets.
    void project(linalg::BlockVector& x) const;
    /// v <- S v
    void filter(linalg::BlockVector& v) const { stage_.constraints().filter(v); }

    /// g, kg m^2 (J s^2).
    double value(const linalg::BlockVector& x, WorkerPool& pool);
    /// grad g, kg m; not filtered.
    void gradient(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool);
    /// |S grad g|, kg m: the residual of the step's equation.
    double residual(const linalg::BlockVector& x, WorkerPool& pool);
    /// d . H d along a direction, kg m^2, with the clamped Hessian (`Definite`), without the matrix.
    double curvature(const linalg::BlockVector& x, const linalg::BlockVector& direction, WorkerPool& pool);
    /// The Hessian, kg, over the pattern of all springs and pairs.
    void hessian(const linalg::BlockVector& x, Curvature curvature, linalg::BlockMatrix& out, WorkerPool& pool);

    /// Whether contacts at x, m, differ from those that the iterations assumed: then friction and held particles are
    /// updated, and the iterations restart. Called after them, with the `out` and `state` of begin().
    bool reconsider(const linalg::BlockVector& x, const SimulationState& state, StepContext& context,
                    SimulationState& out, StepOutcome& outcome);
    /// Translates each cloth, in the directions that no constraint removes from any of its particles, to where its
    /// gradient sums to zero (integrators/free_motion.hpp). A method that moves one particle at a time hardly moves a
    /// stiff patch as a whole.
    void keepMomentum(linalg::BlockVector& x, WorkerPool& pool);

    /// Ends the step at x: velocities, contact forces, push-out, state for the next step.
    void finish(const linalg::BlockVector& x, const SimulationState& state, StepContext& context, SimulationState& out);

private:
    void computeInertia(const SimulationState& state, const StepContext& context);
    /// x^, v^, y of a particle with the past S dx_p and S dv_p; removed directions as in backward Euler.
    void setInertia(const SimulationState& state, Index i);
    void adjustHeldInertia(const SimulationState& state);
    /// Impulse of the constraints, kg m/s, at x: lambda_.
    const linalg::BlockVector& impulseAt(const linalg::BlockVector& x, WorkerPool& pool);
    void finishState(const linalg::BlockVector& x, const SimulationState& state, WorkerPool& pool,
                     SimulationState& out) const;
    void freezeForces(const SimulationState& state, StepContext& context);
    void settleHeld(const SimulationState& state, SimulationState& out) const;
    /// w = x - x^ and C w.
    void measureDamping(const linalg::BlockVector& x, WorkerPool& pool);
    double pairEnergy(const linalg::BlockVector& x) const;
    void addPairs(const linalg::BlockVector& x, linalg::BlockVector& gradient) const;

    StepCoefficients coefficients_;
    double h_ = 0, a_ = 0, keep_ = 1;
    bool twoSteps_ = false, midpoint_ = false, damped_ = false, pushed_ = false;
    const cloth::ClothModel* model_ = nullptr;
    cloth::ForceModel* forces_ = nullptr;
    cloth::Environment environment_;
    std::optional<Potential> potential_;
    cloth::SpringGradient springs_;
    ConstraintStage stage_;
    ConstraintStage::Span span_{};
    ParticlePairs pairs_;
    linalg::BlockVector start_, deltaX_, deltaV_, xHat_, vHat_, y_, phi_, b_, w_, Cw_, lambda_;
    linalg::BlockMatrix A_, C_;  // C_ holds C + M
};

}  // namespace clothlab::integrators
