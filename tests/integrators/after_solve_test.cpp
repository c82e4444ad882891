#include <cmath>
#include <random>

#include "integrators/kind.hpp"
#include "integrators/stages/after_solve.hpp"
#include "test_world.hpp"

/// Strain limiting and the drag that spares rigid motion, on made-up candidates.
namespace clothlab::integrators {
namespace {

using testing::TestWorld;

constexpr double kDt = 0.01;

/// A sheet with random places around the flat one and random velocities.
void crumple(TestWorld& w, double scale) {
    w.grid(9, 9, 0.05);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> some(-1, 1);
    for (Index i = 0; i < w.state.x.size(); ++i) {
        w.model.mass[i] *= 1 + 0.5 * some(random);
        for (int axis = 0; axis < 3; ++axis) {
            w.state.x[i][axis] = scale * w.state.x[i][axis] + 0.004 * some(random);
            w.state.v[i][axis] = some(random);
        }
    }
}

double longest(const TestWorld& w, const SimulationState& at) {
    double most = 0;
    for (const cloth::Spring& s : w.model.springs)
        if (s.family != cloth::SpringFamily::Bend)
            most = std::max(most, (at.x[s.j] - at.x[s.i]).norm() / s.restLength - 1);
    return most;
}

struct Momenta {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), center = Vec3::Zero();
    double kinetic = 0;
};
Momenta momentaOf(const TestWorld& w, const SimulationState& at) {
    Momenta out;
    double mass = 0;
    for (Index i = 0; i < at.x.size(); ++i) {
        const double m = w.model.mass[i];
        mass += m;
        out.linear += m * at.v[i];
        out.angular += m * Vec3(at.x[i]).cross(Vec3(at.v[i]));
        out.center += m * at.x[i];
        out.kinetic += 0.5 * m * at.v[i].squaredNorm();
    }
    out.center /= mass;
    return out;
}

TEST(StrainLimit, ShortensEverySpringOfAFreeSheetAndKeepsItsMomentum) {
    for (const double limit : {0.02, 0.1}) {
        TestWorld w;
        crumple(w, 1.3);
        StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kDt);
        context.afterSolve = {.strainLimit = limit, .strainPasses = 5000};
        SimulationState candidate = w.state;
        StepOutcome outcome;
        StrainLimitStage().resolve(w.state, context, candidate, outcome);
        EXPECT_GT(outcome.limited.springs, 100);
        EXPECT_EQ(outcome.limited.left, 0) << outcome.limited.passes;
        EXPECT_LE(longest(w, candidate), limit * 1.001);
        const Momenta before = momentaOf(w, w.state), after = momentaOf(w, candidate);
        EXPECT_LE((after.linear - before.linear).norm(), 1e-12);
        EXPECT_LE((after.center - before.center).norm(), 1e-14);
        for (Index i = 0; i < candidate.x.size(); ++i) {
            const Vec3 moved = candidate.x[i] - w.state.x[i], faster = candidate.v[i] - w.state.v[i];
            EXPECT_LE((moved - kDt * faster).norm(), 1e-14) << "the velocity that moves it so far";
        }
    }
}

TEST(StrainLimit, SaysWhatTooFewPassesLeave) {
    TestWorld w;
    crumple(w, 1.3);
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kDt);
    context.afterSolve = {.strainLimit = 0.02, .strainPasses = 1};
    SimulationState candidate = w.state;
    StepOutcome outcome;
    StrainLimitStage().resolve(w.state, context, candidate, outcome);
    Index left = 0;
    for (const cloth::Spring& s : w.model.springs)
        if (s.family != cloth::SpringFamily::Bend)
            left += (candidate.x[s.j] - candidate.x[s.i]).norm() > (1 + 1.001 * 0.02) * s.restLength;
    EXPECT_GT(left, 0);
    EXPECT_EQ(outcome.limited.left, left);
    EXPECT_EQ(outcome.limited.passes, 1);
}

/// If one end is held, the other moves all the way; two free ends move in inverse proportion to their masses (Provot
/// 1995).
TEST(StrainLimit, EndsMoveInInverseProportionToTheirMasses) {
    for (const bool pinned : {true, false}) {
        TestWorld w;
        w.oscillator(2, 1.5);  // particle 0 is pinned
        if (!pinned) w.state.pins.clear();
        w.model.mass[0] = 6;
        StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kDt);
        context.afterSolve = {.strainLimit = 0.1};
        SimulationState candidate = w.state;
        StepOutcome outcome;
        StrainLimitStage().resolve(w.state, context, candidate, outcome);
        const double excess = (w.state.x[1] - w.state.x[0]).norm() - 1.1;
        ASSERT_GT(excess, 0);
        EXPECT_NEAR((candidate.x[0] - w.state.x[0]).norm(), pinned ? 0 : excess / 4, 1e-14);
        EXPECT_NEAR((candidate.x[1] - w.state.x[1]).norm(), pinned ? excess : 3 * excess / 4, 1e-14);
        EXPECT_EQ(outcome.limited.left, 0);
    }
}

TEST(RigidDrag, LeavesWhatFliesAndSpinsAndSlowsTheRest) {
    TestWorld w;
    crumple(w, 1);
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kDt);
    context.afterSolve = {.rigidDrag = 30};
    StepOutcome outcome;

    // A rigid motion stays. Any other motion keeps its momenta, and the rest decays by one factor.
    const Vec3 flying(1, 2, -3), turning(4, -5, 6);
    SimulationState rigid = w.state;
    for (Index i = 0; i < rigid.x.size(); ++i) rigid.v[i] = flying + turning.cross(Vec3(rigid.x[i]));
    SimulationState dragged = rigid;
    RigidDragStage().resolve(rigid, context, dragged, outcome);
    EXPECT_LE((dragged.v.flat() - rigid.v.flat()).norm(), 1e-12 * rigid.v.flat().norm());

    SimulationState once = w.state;
    RigidDragStage stage;
    stage.resolve(w.state, context, once, outcome);
    const Momenta before = momentaOf(w, w.state), after = momentaOf(w, once);
    EXPECT_LE((after.linear - before.linear).norm(), 1e-13);
    EXPECT_LE((after.angular - before.angular).norm(), 1e-13);
    EXPECT_LT(after.kinetic, before.kinetic);

    // Twice for dt is once for 2 dt.
    SimulationState twice = once;
    stage.resolve(once, context, twice, outcome);
    context.dt = 2 * kDt;
    SimulationState longer = w.state;
    stage.resolve(w.state, context, longer, outcome);
    EXPECT_LE((twice.v.flat() - longer.v.flat()).norm(), 1e-13 * longer.v.flat().norm());

    // The rest is orthogonal to the rigid motion: in the limit only the kinetic energy of the momenta is left.
    context.dt = 1e3;
    SimulationState end = w.state;
    stage.resolve(w.state, context, end, outcome);
    SimulationState moved = end;
    stage.resolve(end, context, moved, outcome);
    EXPECT_LE((moved.v.flat() - end.v.flat()).norm(), 1e-12 * end.v.flat().norm()) << "it is a rigid motion";
    const Momenta last = momentaOf(w, end);
    EXPECT_LE((last.angular - before.angular).norm(), 1e-13);
}

TEST(RigidDrag, HoldsWhatIsPinnedAndKnowsPieces) {
    TestWorld w;
    crumple(w, 1);
    w.pin(0);
    w.state.v[0] = Vec3::Zero();
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kDt);
    context.afterSolve = {.rigidDrag = 30};
    StepOutcome outcome;
    SimulationState dragged = w.state;
    RigidDragStage().resolve(w.state, context, dragged, outcome);
    EXPECT_TRUE(dragged.v[0].isZero(0.0));

    // Two halves that nothing joins fly apart: each is rigid.
    TestWorld halves;
    crumple(halves, 1);
    halves.state.brokenSprings.assign(halves.model.springs.size(), 0);
    const auto left = [](Index i) { return i % 9 < 4; };
    for (std::size_t e = 0; e < halves.model.springs.size(); ++e)
        halves.state.brokenSprings[e] = left(halves.model.springs[e].i) != left(halves.model.springs[e].j);
    for (Index i = 0; i < halves.state.v.size(); ++i) halves.state.v[i] = (left(i) ? 1 : -1) * Vec3(1, 0, 0);
    StepContext apart = halves.context(IntegratorKind::LinearizedBackwardEuler, kDt);
    apart.afterSolve = context.afterSolve;
    SimulationState flown = halves.state;
    RigidDragStage().resolve(halves.state, apart, flown, outcome);
    EXPECT_LE((flown.v.flat() - halves.state.v.flat()).norm(), 1e-12);
}

}  // namespace
}  // namespace clothlab::integrators
