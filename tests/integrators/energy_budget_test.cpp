// Energy budgeting (Su and others 2013): the loss of a method comes back, that of damping does not.
#include <cmath>
#include <random>

#include "integrators/kind.hpp"
#include "integrators/stages/energy_budget.hpp"
#include "integrators/traits.hpp"
#include "test_world.hpp"

namespace clothlab::integrators {
namespace {

using testing::TestWorld;

constexpr double kBudgetStep = 0.01;

/// A free sheet in no gravity that flies, turns and trembles.
void tremble(TestWorld& w) {
    w.material.bendModel = cloth::BendModel::Linear;
    w.material.tensionOnly = false;
    w.grid(7, 7, 0.05);
    w.environment.gravity.setZero();
    std::mt19937 random(9);
    std::uniform_real_distribution<double> some(-0.2, 0.2);
    for (Index i = 0; i < w.state.x.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) w.state.v[i][axis] = (axis == 1 ? 1 : 0) + some(random);
    w.context(IntegratorKind::LinearizedBackwardEuler, kBudgetStep);  // sets the energies before the first step
}

/// Takes steps with this share of the budget; returns the energy that it gave, J.
double go(TestWorld& w, IntegratorKind kind, double share, int steps) {
    EnergyBudgetStage stage;
    double given = 0;
    for (int k = 0; k < steps; ++k) {
        const SimulationState before = w.state;
        EXPECT_EQ(w.step(kind, kBudgetStep), StepStatus::Ok);
        StepContext context = w.context(kind, kBudgetStep);
        context.afterSolve.energyBudget = share;
        SimulationState after = w.state;
        w.outcome.energyGiven = 0;
        stage.resolve(before, context, after, w.outcome);
        given += w.outcome.energyGiven;
        w.state = after;
    }
    return given;
}

TEST(EnergyBudget, GivesBackWhatAnyMethodLoses) {
    for (const IntegratorKind kind : {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::Bdf2,
                                      IntegratorKind::FastMassSpring, IntegratorKind::NewtonBackwardEuler}) {
        TestWorld kept, lost, half;
        for (TestWorld* w : {&kept, &lost, &half}) {
            tremble(*w);
            w->integrator.fastMassSpring.iterations = 300;  // fewer may gain energy, more than the velocities have
        }
        const double start = kept.energies().total();
        const Vec3 momentum = kept.momentum();
        const double given = go(kept, kind, 1, 60);
        go(lost, kind, 0, 60);
        const double halfGiven = go(half, kind, 0.5, 60);
        EXPECT_NEAR(kept.energies().total(), start, 1e-8 * start) << enumKey(kind);
        EXPECT_GT(given, 0) << enumKey(kind);
        EXPECT_GT(halfGiven, 0) << enumKey(kind);
        EXPECT_LT((kept.momentum() - momentum).norm(), 1e-8 * momentum.norm()) << enumKey(kind);
        EXPECT_LT(half.energies().total(), start * (1 - 1e-6)) << enumKey(kind);
        EXPECT_GT(half.energies().total(), lost.energies().total()) << enumKey(kind);
    }
}

TEST(EnergyBudget, TheStageItselfKeepsMomentumAndDoesWhatItSays) {
    TestWorld w;
    tremble(w);
    const SimulationState before = w.state;
    const double started = w.energies().total();
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kBudgetStep), StepStatus::Ok);
    const double method = w.energies().total();
    const Vec3 momentum = w.momentum();
    StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kBudgetStep);
    context.afterSolve.energyBudget = 1;
    EnergyBudgetStage().resolve(before, context, w.state, w.outcome);
    EXPECT_NEAR(w.outcome.energyGiven, started - method, 1e-12 * started);
    EXPECT_NEAR(w.energies().total(), started, 1e-12 * started);
    EXPECT_LT((w.momentum() - momentum).norm(), 1e-14);
}

/// Implicit Euler loses m (g h)^2 / 2 in each step of a fall. That is energy of the centre of mass, and must not excite
/// vibrations.
TEST(EnergyBudget, AFreeFallStaysOne) {
    TestWorld w, trembling;
    w.grid(5, 5, 0.05);
    w.environment.gravity = {0, -9.81, 0};
    EXPECT_NEAR(go(w, IntegratorKind::LinearizedBackwardEuler, 1, 50), 0, 1e-25);
    for (Index i = 0; i < w.state.x.size(); ++i) EXPECT_LT((Vec3(w.state.v[i]) - Vec3(w.state.v[0])).norm(), 1e-12);
    EXPECT_NEAR(w.state.v[0].y(), -9.81 * 50 * kBudgetStep, 1e-12);

    // A vibrating sheet vibrates in a fall as it does without gravity.
    tremble(trembling);
    const double start = trembling.energies().total();
    const auto ofCentre = [&] {
        double mass = 0;
        for (const double m : trembling.model.mass) mass += m;
        return 0.5 * trembling.momentum().squaredNorm() / mass;
    };
    const double inside = start - ofCentre();
    trembling.environment.gravity = {0, -9.81, 0};
    go(trembling, IntegratorKind::LinearizedBackwardEuler, 1, 50);
    trembling.environment.gravity.setZero();
    EXPECT_NEAR(trembling.energies().total() - ofCentre(), inside, 1e-9 * start);
}

TEST(EnergyBudget, IsNotForForwardEuler) {
    EXPECT_NE(whyNoBudget(IntegratorKind::ForwardEuler).find("gains energy"), std::string::npos);
    EXPECT_EQ(whyNoBudget(IntegratorKind::LinearizedBackwardEuler), "");
}

/// Damping of the springs belongs to the material: the budget does not give back what it takes.
TEST(EnergyBudget, DampingOfTheMaterialStays) {
    constexpr double kGram = 1e-3, kSoft = 1.0, kDamping = 2e-3;  // a period of 0.2 s
    const auto oscillator = [&](TestWorld& w) {
        w.material.stretchStiffness = kSoft;
        w.material.stretchDamping = kDamping;
        w.material.tensionOnly = false;
        w.environment.gravity.setZero();
        w.oscillator(kGram, 1.2);
    };
    TestWorld budget, plain;
    oscillator(budget), oscillator(plain);
    go(budget, IntegratorKind::LinearizedBackwardEuler, 1, 40);
    go(plain, IntegratorKind::LinearizedBackwardEuler, 0, 40);
    const double start = 0.5 * kSoft * 0.2 * 0.2;
    // E decays as exp(-d t / m), in the mean over a period.
    const double right = start * std::exp(-kDamping / kGram * 40 * kBudgetStep);
    EXPECT_NEAR(budget.energies().total(), right, 0.35 * right);
    EXPECT_LT(plain.energies().total(), 0.05 * right) << "implicit Euler has taken nearly all";
}

TEST(EnergyBudget, LeavesAStepInWhichSomethingElseDoesWork) {
    TestWorld w;
    tremble(w);
    const SimulationState before = w.state;
    ASSERT_EQ(w.step(IntegratorKind::LinearizedBackwardEuler, kBudgetStep), StepStatus::Ok);
    const auto given = [&](auto&& change) {
        SimulationState start = before, end = w.state;
        change(start, end);
        const linalg::BlockVector v = end.v;
        StepContext context = w.context(IntegratorKind::LinearizedBackwardEuler, kBudgetStep);
        context.afterSolve.energyBudget = 1;
        StepOutcome outcome;
        EnergyBudgetStage().resolve(start, context, end, outcome);
        EXPECT_EQ(outcome.energyGiven == 0, end.v.flat() == v.flat());
        return outcome.energyGiven;
    };
    EXPECT_NE(given([](auto&, auto&) {}), 0);
    EXPECT_EQ(given([](auto&, auto& end) { end.contacts.contacts.push_back({.particle = 3}); }), 0);
    EXPECT_EQ(given([](auto& start, auto&) { start.grab = {.active = true, .particle = 2, .target = Vec3::Zero()}; }),
              0);
}

}  // namespace
}  // namespace clothlab::integrators
