#include "integrators/kind.hpp"
#include "method_pairs.hpp"
#include "scenes.hpp"
#include "simulation/report_json.hpp"
#include "solvers/yardstick.hpp"

/// Repulsion in a scene: with every solver and preconditioner, live, in the report.
namespace clothlab::simulation {
namespace {

using preconditioners::PreconditionerKind;
using solvers::SolverKind;
using testing::simulate;

/// A small sheet on its way down, many of its particles close to each other.
std::unique_ptr<Simulation> crumpled(std::vector<const char*> overrides = {}) {
    overrides.insert(overrides.begin(), {"cloth.rows=25", "cloth.columns=25"});
    auto simulation = simulate("drop", overrides);
    for (int n = 0; n < 60; ++n) simulation->step({.hash = false});
    return simulation;
}

TEST(SceneWithPairs, EverySolverAndPreconditionerSolvesIt) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = crumpled();
    const integrators::SimulationState state = simulation->state();
    linalg::BlockVector reference;
    for (const auto& [method, name] : testing::allMethods()) {
        scene::Settings settings = simulation->settings();
        settings.solver.kind = method.solver.kind;
        settings.solver.tolerance = 1e-10;
        settings.solver.maxIterations = 5000;
        settings.preconditioner.kind = method.preconditioner.kind;
        simulation->setState(state);
        simulation->apply(settings);
        // Two steps: the second has another set of pairs, and so another pattern.
        for (int n = 0; n < 2; ++n) {
            const StepReport& report = simulation->step();
            EXPECT_EQ(report.solveStatus, solvers::SolveStatus::Converged) << name << report.message;
            EXPECT_GT(report.repulsionPairs, 5);
        }
        if (reference.empty()) reference = simulation->state().deltaV;
        EXPECT_LT((simulation->state().deltaV.flat() - reference.flat()).norm(), 1e-5 * reference.flat().norm())
            << name;
    }
}

TEST(SceneWithPairs, TheSystemHoldsThemAndItsCoreToo) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = crumpled();
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem system = *simulation->systemOfLastStep();
    const Index pairs = simulation->lastReport().repulsionPairs;
    scene::Settings without = simulation->settings();
    without.contact.selfCollision = contact::SelfCollision::Off;
    simulation->apply(without);
    simulation->step({.keepSystem = true});
    const linalg::FrozenSystem& alone = *simulation->systemOfLastStep();
    EXPECT_EQ(simulation->lastReport().repulsionPairs, 0);
    EXPECT_EQ(simulation->lastReport().repulsionJ, 0);
    EXPECT_GT(system.A.pattern().blocks(), alone.A.pattern().blocks());
    EXPECT_LE(system.A.pattern().blocks(), alone.A.pattern().blocks() + 2 * pairs);
    EXPECT_EQ(Index(system.core.offDiagonal.size()), system.A.pattern().blocks());
}

TEST(SceneWithPairs, EveryIntegratorCarriesThem) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = crumpled();
    const integrators::SimulationState state = simulation->state();
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{})) {
        if (integrators::IntegratorKind(entry.value) == integrators::IntegratorKind::ForwardEuler) continue;
        simulation->setState(state);
        scene::Settings settings = simulation->settings();
        settings.integrator.kind = static_cast<integrators::IntegratorKind>(entry.value);
        settings.integrator.dt = 2e-3;  // shear and bend may be explicit
        simulation->apply(settings);
        Index most = 0;
        for (int n = 0; n < (testing::kSanitized ? 5 : 40); ++n) {
            const StepReport& report = simulation->step();
            ASSERT_FALSE(integrators::hasFailed(report.status)) << entry.key << " " << report.message;
            most = std::max(most, report.repulsionPairs);
            EXPECT_LT(report.maxStrain, 2) << entry.key;
        }
        EXPECT_GT(most, 5) << entry.key;
    }
}

TEST(SceneWithPairs, TheReportSaysHowManyAndTheirEnergy) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = crumpled();
    const StepReport& report = simulation->lastReport();
    EXPECT_GT(report.repulsionPairs, 5);
    EXPECT_GT(report.repulsionJ, 0);
    EXPECT_DOUBLE_EQ(report.elasticJ(), report.stretchJ + report.shearJ + report.bendJ + report.repulsionJ);
    const std::string line = toJsonLine(report);
    EXPECT_NE(line.find("\"repulsion_pairs\":" + std::to_string(report.repulsionPairs)), line.npos) << line;
    EXPECT_NE(line.find("\"repulsion_j\":"), line.npos);
}

}  // namespace
}  // namespace clothlab::simulation
