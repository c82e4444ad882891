#include "integrators/kind.hpp"
#include "integrators/traits.hpp"
#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "scenes.hpp"
#include "simulation/report_columns.hpp"
#include "solvers/kind.hpp"
#include "support/random_systems.hpp"

/// Constraints along one, two and three directions in a scene, and stages between a candidate and its acceptance.
namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using testing::simulate;

constexpr int kWhileTheCornerRises = 100;  // 2 s: it moves from 1 s to 5 s

TEST(ChenConstraints, HasEveryKindOfConstraint) {
    const auto simulation = simulate("chen-constraints");
    EXPECT_EQ(simulation->lastReport().ndofCounts[0], 2);
    for (int n = 0; n < kWhileTheCornerRises; ++n) simulation->step({.hash = false});
    const StepReport& report = simulation->lastReport();
    EXPECT_EQ(report.ndofCounts[0], 2);
    EXPECT_EQ(report.ndofCounts[1], 1);
    EXPECT_EQ(report.ndofCounts[2], 1);
    EXPECT_EQ(report.ndofCounts[3], 21);
    const integrators::SimulationState& s = simulation->state();
    EXPECT_NEAR(s.x[24].y() - 3, 0.25, 1e-12);  // 1 s at 0.25 m/s
    EXPECT_EQ(Vec3(s.x[0]), Vec3(-3, 3, -3));
    EXPECT_GT(std::abs(s.x[4].x() - 3), 0.01);  // slides on its line
    EXPECT_NEAR(s.x[4].y(), 3, 1e-12);
    EXPECT_NEAR(s.x[20].y(), 3, 1e-12);  // stays on its plane
    EXPECT_GT((s.x[20] - Vec3(-3, 3, 3)).norm(), 0.01);
}

/// Every solver with every preconditioner, on the system in which one corner is lifted.
TEST(ChenConstraints, EveryMethodAgreesWithADenseSolution) {
    const auto simulation = simulate("chen-constraints");
    for (int n = 0; n < kWhileTheCornerRises; ++n) simulation->step({.hash = false});
    const integrators::SimulationState state = simulation->state();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem& frozen = *simulation->systemOfLastStep();
    const testing::DenseMatrix expected = testing::RandomSystem{frozen.A, frozen.b, frozen.constraints}.denseSolution();
    for (const auto& [method, name] : testing::allMethods()) {
        scene::Settings settings = simulation->settings();
        settings.solver.kind = method.solver.kind;
        settings.solver.tolerance = 1e-13;
        settings.preconditioner.kind = method.preconditioner.kind;
        simulation->setState(state);
        simulation->apply(settings);
        const StepReport& report = simulation->step();
        EXPECT_EQ(report.solveStatus, solvers::SolveStatus::Converged) << name;
        EXPECT_LT((simulation->state().deltaV - expected).norm(), 1e-11 * expected.norm()) << name;
    }
}

TEST(Pins, KeepTheirKindWhenTheMotionBeginsAnew) {
    const auto simulation = simulate("chen-constraints");
    mechanics::Motion motion;
    motion.velocity = Vec3(0, 0, 1);
    simulation->setPin(12, integrators::PinHold::line(Vec3::UnitZ()), motion);
    for (int n = 0; n < 5; ++n) simulation->step({.hash = false});
    const auto before = simulation->state().pins;
    simulation->restart();
    EXPECT_EQ(simulation->state().pins.size(), before.size());
    const integrators::Pin* pin = simulation->state().findPin(12);
    ASSERT_TRUE(pin);
    EXPECT_EQ(pin->hold, integrators::PinHold::line(Vec3::UnitZ()));
    EXPECT_EQ(simulation->state().pinMotion(*pin)->velocity, motion.velocity);
    std::vector<std::uint8_t> ndofs;
    simulation->ndofs(ndofs);
    EXPECT_EQ(ndofs[12], 1);
    EXPECT_EQ(ndofs[20], 2);
    EXPECT_EQ(ndofs[0], 0);
    simulation->setPin(12, {});
    EXPECT_FALSE(simulation->state().findPin(12));
}

/// The curtain's rings: the same bits at any number of threads, and forward again after a jump back.
TEST(Pins, OfEveryKindGiveTheSameBits) {
    const char* const small[] = {"cloth.rows=17", "cloth.columns=41"};
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
        const auto simulation = simulate("curtain", {small[0], small[1]}, threads, 0);
        for (int n = 0; n < 12; ++n) simulation->step({.hash = false});
        hashes.push_back(integrators::stateHash(simulation->state()));
        ASSERT_TRUE(simulation->seek(5));
        for (int n = 0; n < 7; ++n) simulation->step({.hash = false});
        hashes.push_back(integrators::stateHash(simulation->state()));
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

/// Lifts particles that are below a floor: the simplest contact that acts after the solve.
struct Floor final : integrators::CandidateStage {
    double height;
    int* calls;
    Floor(double at, int& count) : height(at), calls(&count) {}
    void resolve(const integrators::SimulationState&, integrators::StepContext&,
                 integrators::SimulationState& candidate, integrators::StepOutcome& outcome) override {
        ++*calls;
        outcome.outer.push_back({.merit = height});
        for (Index i = 0; i < candidate.x.size(); ++i)
            if (candidate.x[i].y() < height) {
                candidate.x[i].y() = height;
                candidate.v[i].y() = std::max(0.0, candidate.v[i].y());
            }
    }
};

TEST(CandidateStage, ActsAfterEveryIntegrator) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{})) {
        if (integrators::IntegratorKind(entry.value) == integrators::IntegratorKind::ForwardEuler)
            continue;  // gains energy
        const std::string kind = "integrator.kind=" + std::string(entry.key);
        const auto simulation =
            simulate("hang", {"cloth.rows=9", "cloth.columns=9", "integrator.dt=0.002", kind.c_str()});
        // The report counts the passes of the method and that of the stage.
        const integrators::IntegratorTraits traits = integrators::traitsFor(integrators::IntegratorKind(entry.value));
        const bool nonlinear = traits.minimizes || traits.matrixFree;
        int calls = 0;
        simulation->addStage(std::make_unique<Floor>(0.97, calls));
        for (int n = 0; n < 80; ++n) ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << entry.key;
        double lowest = 1;
        for (Index i = 0; i < simulation->state().x.size(); ++i)
            lowest = std::min(lowest, simulation->state().x[i].y());
        EXPECT_EQ(lowest, 0.97) << entry.key;
        EXPECT_EQ(calls, 80) << entry.key;
        const double passes = findColumn("outer_iterations")->value(simulation->lastReport());
        EXPECT_TRUE(nonlinear ? passes > 1 : passes == 1) << entry.key << ": " << passes;
    }
}

/// Refuses steps of more than `longest` seconds.
struct Fussy final : integrators::CandidateStage {
    double longest;
    explicit Fussy(double seconds) : longest(seconds) {}
    void resolve(const integrators::SimulationState&, integrators::StepContext& context, integrators::SimulationState&,
                 integrators::StepOutcome& outcome) override {
        if (context.dt <= longest) return;
        outcome.status = integrators::StepStatus::Diverged;
        outcome.message = "The cloth passes through itself.";
    }
};

TEST(CandidateStage, CanRefuseAStepWhichIsThenTakenShorterOrNotAtAll) {
    const auto stiff = simulate("hang", {"cloth.rows=9", "cloth.columns=9", "integrator.dt=0.01"});
    stiff->addStage(std::make_unique<Fussy>(0.003));
    EXPECT_EQ(stiff->step().status, integrators::StepStatus::Diverged);
    EXPECT_NE(stiff->lastReport().message.find("passes through itself"), std::string::npos);
    EXPECT_EQ(stiff->state().step, 0);
    const auto adaptive =
        simulate("hang", {"cloth.rows=9", "cloth.columns=9", "integrator.dt=0.01", "integrator.dt_schedule=adaptive"});
    adaptive->addStage(std::make_unique<Fussy>(0.003));
    EXPECT_EQ(adaptive->step().status, integrators::StepStatus::Ok);
    EXPECT_EQ(adaptive->lastReport().dt, 0.0025);
    EXPECT_EQ(adaptive->lastReport().rejected, 2);
}

}  // namespace
}  // namespace clothlab::simulation
