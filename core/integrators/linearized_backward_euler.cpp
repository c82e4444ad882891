#include "integrators/linearized_backward_euler.hpp"

#include "base/stage_timer.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::integrators {

void LinearizedBackwardEuler::step(const SimulationState& state, StepContext& context, SimulationState& out,
                                   StepOutcome& outcome) {
    const double h = context.dt;
    StageTimer timer;
    grabAnchor(state, context.grab, anchors_);
    context.environment.anchors = anchors_;
    context.forces.assemble(context.environment, state.x, state.v, state.v,
                            {.damping = h, .stiffness = h * h, .force = h, .stiffnessVector = h * h}, A_, b_, context.pool);
    outcome.assembleSeconds += timer.lap();

    out = state;
    prescribePinsAndGrab(state, context.grab, h, prescribed_);
    const std::vector<Index> held = heldParticles(prescribed_);
    const contact::ContactInput input{context.colliders, state.time, h, state.x, state.v, context.model.mass, context.contact,
                                      context.environment.gravity};
    contact_.begin(state.contacts, input, held, b_, out.contacts, prescribed_, context.pool);
    buildConstraints(prescribed_, state.v, constraints_);
    constraints_.counts(outcome.ndofCounts);
    outcome.contactSeconds += timer.lap();

    const linalg::LinearSystem system{.A = A_,
                                      .b = b_,
                                      .constraints = constraints_,
                                      .core = &context.forces.coreMask(),
                                      .previous = state.deltaV.empty() ? nullptr : &state.deltaV,
                                      .icShift = state.icShift,
                                      .matrixRevision = ++matrixRevision_};
    context.solver->solve(system, deltaV_, outcome.solve, context.control, context.pool);
    outcome.solveSeconds += timer.lap();
    if (!solvers::acceptable(outcome.solve.status)) {
        outcome.status = StepStatus::SolveFailed;
        outcome.message = outcome.solve.message;
        return;
    }
    if (outcome.solve.status != solvers::SolveStatus::Converged) outcome.status = StepStatus::Unconverged;
    if (outcome.solve.trueRelativeResidual < 0)
        outcome.solve.trueRelativeResidual = solvers::trueRelativeResidual(system, deltaV_);

    timer.lap();
    parallelRows(context.pool, state.x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            out.v[i] = state.v[i] + deltaV_[i];
            out.x[i] = state.x[i] + h * out.v[i];
        }
    });
    out.deltaV = deltaV_;
    out.icShift = outcome.solve.icShift;
    if (!out.contacts.contacts.empty()) {
        solvers::constraintImpulse(system, deltaV_, lambda_);
        contact::ContactSolver::finish(lambda_, 1.0 / h, out.contacts);
        contact::ContactSolver::pushOut(out.contacts, context.contact, out.x);
    }
    outcome.contactSeconds += timer.lap();
    if (context.keepSystem) {
        outcome.system = std::make_unique<linalg::FrozenSystem>(linalg::FrozenSystem{
            .A = A_, .core = context.forces.coreMask(), .b = b_, .previous = state.deltaV, .deltaV = deltaV_,
            .constraints = constraints_, .icShift = state.icShift, .dt = h, .step = static_cast<int>(state.step) + 1});
    }
    out.time = state.time + h;
    out.step = state.step + 1;
}

}  // namespace clothlab::integrators
