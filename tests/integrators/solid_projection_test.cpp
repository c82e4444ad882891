// Liu's contact with solids: positions are moved out of them after the solve, which has no constraint for them.
#include <cmath>

#include "integrators/kind.hpp"
#include "integrators/stages/solid_projection.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::TestWorld;

constexpr double kProjectionStep = 0.01;

StepOutcome project(TestWorld& w, const SimulationState& before, SimulationState& candidate) {
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kProjectionStep);
    StepOutcome outcome;
    SolidProjectionStage().resolve(before, context, candidate, outcome);
    return outcome;
}

contact::Collider ground() {
    contact::Collider plane;
    plane.shape = geometry::Plane{};
    return plane;
}

/// A particle that ends in the ground: its place, its velocity and the recorded contact.
TEST(SolidProjection, MovesOutAlongTheNormalAndChangesTheVelocityByTheSame) {
    for (const bool rough : {false, true}) {
        TestWorld w;
        w.grid(2, 2, 0.1);
        w.contact = {.muS = rough ? 0.1 : 0, .muK = rough ? 0.05 : 0, .solids = contact::SolidResponse::Projection};
        w.colliders = {ground()};
        SimulationState before = w.state, after = w.state;
        for (Index i = 0; i < 4; ++i) before.x[i].y() = 0.001;
        for (Index i = 0; i < 4; ++i) {
            after.x[i] = before.x[i] + Vec3(0.003, -0.005, 0);
            after.v[i] = Vec3(0.3, -0.5, 0);
        }
        project(w, before, after);
        const double depth = 0.004, back = rough ? 0.05 * depth : 0;  // 0.003 is beyond what mu_s holds
        for (Index i = 0; i < 4; ++i) {
            EXPECT_LT((Vec3(after.x[i]) - before.x[i] - Vec3(0.003 - back, -0.001, 0)).norm(), 1e-15);
            EXPECT_LT((Vec3(after.v[i]) - Vec3(0.3 - back / kProjectionStep, -0.1, 0)).norm(), 1e-12);
        }
        ASSERT_EQ(after.contacts.contacts.size(), 4u);
        EXPECT_NEAR(after.contacts.contacts[0].force.y(), w.model.mass[0] * depth / (kProjectionStep * kProjectionStep),
                    1e-12);
        EXPECT_NEAR(after.contacts.contacts[0].depth, depth, 1e-15);
    }
}

TEST(SolidProjection, WithinTheConeItStaysWithTheSolid) {
    TestWorld w;
    w.grid(2, 2, 0.1);
    w.contact = {.muS = 0.5, .muK = 0.4, .solids = contact::SolidResponse::Projection};
    w.colliders = {ground()};
    w.colliders[0].velocity = {0.2, 0, 0};
    SimulationState before = w.state, after = w.state;
    for (Index i = 0; i < 4; ++i) {
        before.x[i].y() = 0;
        after.x[i] = before.x[i] + Vec3(0.0021, -0.001, 0);  // 0.1 mm faster than the belt, 1 mm deep
    }
    project(w, before, after);
    for (Index i = 0; i < 4; ++i) EXPECT_LT((Vec3(after.x[i]) - before.x[i] - Vec3(0.002, 0, 0)).norm(), 1e-14);
    EXPECT_EQ(after.contacts.contacts[0].ndof, 0);
}

/// A particle that sticks to a turntable keeps its radius: it moves to where the solid is at the end of the step.
TEST(SolidProjection, OnATurntableItGoesInACircle) {
    TestWorld w;
    w.grid(2, 2, 0.1);
    w.contact = {.muS = 50, .muK = 40, .solids = contact::SolidResponse::Projection};
    w.colliders = {ground()};
    w.colliders[0].angularVelocity = {0, 5, 0};
    SolidProjectionStage stage;
    SimulationState state = w.state;
    for (Index i = 0; i < 4; ++i) state.x[i] = Vec3(0.3 + 0.1 * double(i), 0, 0.2);
    const linalg::BlockVector start = state.x;
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kProjectionStep);
    for (int k = 0; k < 200; ++k) {
        SimulationState next = state;
        for (Index i = 0; i < 4; ++i) next.x[i] += Vec3(0, -0.001, 0) + kProjectionStep * Vec3(state.v[i]);
        StepOutcome outcome;
        stage.resolve(state, context, next, outcome);
        state = next;
        state.time += kProjectionStep;
        for (Index i = 0; i < 4; ++i) {
            EXPECT_EQ(state.contacts.contacts[i].ndof, 0);
            state.v[i].setZero();
        }
    }
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(Vec3(state.x[i]).norm(), Vec3(start[i]).norm(), 1e-12);
}

/// Under every method nothing ends in the ball, and the solve has no constraint for it.
TEST(SolidProjection, NothingEndsInASolidWhateverTheMethod) {
    for (const IntegratorKind kind : {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::FastMassSpring,
                                      IntegratorKind::SymplecticEuler, IntegratorKind::NewtonBackwardEuler}) {
        TestWorld w;
        w.substeps = 0;
        w.environment.gravity = {0, -9.81, 0};
        w.grid(9, 9, 0.05);
        contact::Collider ball;
        ball.shape = geometry::Sphere{.radius = 0.12};
        ball.position = {0.2, -0.14, 0.2};
        w.colliders = {ball};
        w.contact.solids = contact::SolidResponse::Projection;
        SolidProjectionStage stage;
        int touched = 0;
        for (int k = 0; k < 40; ++k) {
            const SimulationState before = w.state;
            ASSERT_EQ(w.step(kind, kProjectionStep), StepStatus::Ok) << enumKey(kind);
            EXPECT_EQ(w.outcome.ndofCounts[2] + w.outcome.ndofCounts[0], 0) << "the solve has no contact constraint";
            StepContext context = w.context(kind, kProjectionStep);
            SimulationState after = w.state;
            stage.resolve(before, context, after, w.outcome);
            touched += !after.contacts.contacts.empty();
            w.state = after;
            for (Index i = 0; i < w.state.x.size(); ++i)
                EXPECT_GT((Vec3(w.state.x[i]) - ball.position).norm(), 0.12 - 0.12 * 2e-3) << enumKey(kind);
        }
        EXPECT_GT(touched, 5) << enumKey(kind);
    }
}

TEST(SolidProjection, DoesNothingWhereSolidsAreConstraints) {
    TestWorld w;
    w.grid(2, 2, 0.1);
    w.colliders = {ground()};
    SimulationState before = w.state, after = w.state;
    for (Index i = 0; i < 4; ++i) after.x[i].y() = -0.01;
    const linalg::BlockVector x = after.x;
    project(w, before, after);
    EXPECT_EQ(after.x.flat(), x.flat());
}

}  // namespace
}  // namespace clothlab::integrators
