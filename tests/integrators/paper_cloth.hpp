#pragma once

#include <vector>

#include "integrators/descent/step_objective.hpp"
#include "integrators/kind.hpp"
#include "integrators/methods/catalogue.hpp"
#include "test_world.hpp"

/// Methods §12: a 21 x 21 cloth of the paper's springs, h = 33 ms, h^2 k / m = 436.
namespace clothlab::testing {

using namespace integrators;

inline constexpr double kFrame = 0.033;
inline constexpr int kSide = 21;

/// Runs iteration methods on the step from the present state of a world.
struct Frame {
    explicit Frame(TestWorld& world) : w(world), context(world.context(IntegratorKind::NewtonBackwardEuler, kFrame)) {
        SimulationState out;
        StepOutcome outcome;
        objective.begin(w.state, context, w.integrator, 1, out, outcome);
        start = objective.inertia();
        objective.project(start);
    }
    double value(const linalg::BlockVector& x) { return objective.value(x, w.pool); }
    double gradientNorm(const linalg::BlockVector& x) {
        linalg::BlockVector g;
        objective.gradient(x, g, w.pool);
        objective.filter(g);
        return g.flat().norm();
    }
    /// The iterates of a step of this kind, the start first. The state of the world is restored.
    std::vector<linalg::BlockVector> iterates(IntegratorKind kind) {
        std::vector<linalg::BlockVector> out;
        const SimulationState before = w.state;
        w.observeIterate = [&](const linalg::BlockVector& x, StepObjective&) { out.push_back(x); };
        const StepStatus status = w.step(kind, kFrame);
        EXPECT_FALSE(hasFailed(status)) << w.outcome.message;
        w.observeIterate = {};
        w.state = before;
        return out;
    }
    /// Eq. (15) of the paper.
    double error(const linalg::BlockVector& x) {
        return (value(x) - value(solution)) / (value(start) - value(solution));
    }
    void findSolution() {
        w.integrator.newton = {.maxIterations = 60, .tolerance = 1e-13, .hessian = NewtonHessian::Exact};
        solution = iterates(IntegratorKind::NewtonBackwardEuler).back();
    }
    std::vector<double> errors(const FastMassSpringSettings& settings,
                               IntegratorKind kind = IntegratorKind::FastMassSpring) {
        w.integrator.fastMassSpring = settings;
        std::vector<double> out;
        for (const linalg::BlockVector& x : iterates(kind)) out.push_back(error(x));
        return out;
    }

    TestWorld& w;
    StepContext context;
    StepObjective objective;
    linalg::BlockVector start, solution;
};

inline void makePaperCloth(TestWorld& w, bool oneSided = false) {
    w.material = {.stretchStiffness = 200,
                  .shearStiffness = 200,
                  .bendStiffness = 2,
                  .stretchDamping = 0,
                  .shearDamping = 0,
                  .bendDamping = 0,
                  .tensionOnly = oneSided,
                  .bendModel = oneSided ? cloth::BendModel::LinearCompression : cloth::BendModel::Linear,
                  .density = 0.2};
    w.environment.gravity = Vec3(0, -9.81, 0);
    w.grid(kSide, kSide, 1.0 / (kSide - 1), cloth::Topology::Liu);
    w.pin(0);
    w.pin(kSide - 1);
}

/// Takes exact steps of a swing from rest.
inline void swing(TestWorld& w, int steps = 14) {
    w.integrator.newton = {.maxIterations = 60, .tolerance = 1e-11};
    for (int n = 0; n < steps; ++n) ASSERT_FALSE(hasFailed(w.step(IntegratorKind::NewtonBackwardEuler, kFrame)));
}

/// The methods whose step is the minimum of its energy.
inline std::vector<IntegratorKind> minimizers() {
    std::vector<IntegratorKind> out;
    for (const IntegratorEntry& entry : catalogue())
        if (entry.traits.minimizes) out.push_back(entry.kind);
    return out;
}

/// The methods that take a step in several passes.
inline std::vector<IntegratorKind> inPasses() {
    std::vector<IntegratorKind> out;
    for (const IntegratorEntry& entry : catalogue())
        if (entry.traits.minimizes || entry.traits.matrixFree) out.push_back(entry.kind);
    return out;
}

}  // namespace clothlab::testing
