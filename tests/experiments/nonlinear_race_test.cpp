#include "experiments/race/nonlinear_race.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "integrators/kind.hpp"
#include "simulation/scenes.hpp"
#include "solvers/kind.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::experiments {
namespace {

TEST(NonlinearRace, EveryMethodGoesDownTheSameEnergyFromTheSameStart) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = testing::simulate("liu-curtain", {"cloth.rows=15", "cloth.columns=15"});
    for (int k = 0; k < 5; ++k) simulation->step();
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()),
                                    {.localGlobalIterations = 60, .newtonIterations = 12});
    ASSERT_TRUE(race) << race.error().text();
    EXPECT_EQ(race->step, 6);
    EXPECT_TRUE(race->minimumFound);
    EXPECT_LT(race->gradientLeft, 1e-9);
    EXPECT_LT(race->leastEnergy, race->startEnergy);
    ASSERT_EQ(race->rows.size(), race->field.size());
    for (const NonlinearRow& row : race->rows) {
        const std::string& who = race->field[row.contestant].key;
        EXPECT_EQ(row.problem, "") << who;
        ASSERT_GT(row.error.size(), 3u) << who;
        EXPECT_NEAR(row.error.front(), 1, 1e-9) << who;
        EXPECT_TRUE(std::ranges::is_sorted(row.milliseconds)) << who;
        if (race->field[row.contestant].neighbouring()) {  // has another limit and a residual of its own
            EXPECT_TRUE(who == "pbd" || who == "xpbd") << who;
            EXPECT_NE(race->field[row.contestant].label.find("neighbouring problem"), std::string::npos) << who;
            EXPECT_GE(row.residual, 0) << who;
            EXPECT_LT(row.residual, 1) << who;
            continue;
        }
        for (std::size_t k = 1; k < row.error.size(); ++k)
            EXPECT_LE(row.error[k], row.error[k - 1] + 1e-12) << who << k;
        EXPECT_LT(row.error.back(), who.starts_with("local-global") || who == "vbd" ? 0.3 : 0.05) << who;
        EXPECT_GT(row.linearIterations +
                      int(race->field[row.contestant].settings.solver.kind == solvers::SolverKind::Cholesky),
                  0)
            << who;
    }
    // The simulation itself stays where it is.
    EXPECT_EQ(simulation->state().step, 5);
    const std::string csv = nonlinearCsv(*race);
    std::size_t points = 1;
    for (const NonlinearRow& row : race->rows) points += row.error.size();
    EXPECT_EQ(std::size_t(std::ranges::count(csv, '\n')), points);
}

// [L] figure 3: the kept iterates are those of the plain row and come ever nearer to x*, which is a minimum.
TEST(NonlinearRace, KeepsTheClothAfterSomeIterationsAndAtTheMinimum) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto simulation = testing::simulate("liu-curtain", {"cloth.rows=15", "cloth.columns=15"});
    for (int k = 0; k < 5; ++k) simulation->step();
    int held = 0, most = 0;
    std::vector<double> shares;
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()),
                                    {.localGlobalIterations = 20,
                                     .newtonIterations = 5,
                                     .frames = {1, 10, 60},
                                     .hold = [&] { most = std::max(most, ++held); },
                                     .release = [&] { --held; },
                                     .onRow =
                                         [&](const NonlinearRace& so, double share) {
                                             EXPECT_EQ(held, 0) << "nothing is timed now";
                                             EXPECT_EQ(so.rows.size(), shares.size());
                                             EXPECT_EQ(so.frames.size(), so.rows.empty() ? 1u : 4u);
                                             shares.push_back(share);
                                         }});
    ASSERT_TRUE(race) << race.error().text();
    EXPECT_EQ(held, 0);
    EXPECT_EQ(most, 1);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_EQ(shares.back(), 1);
    ASSERT_EQ(race->rows.size(), race->field.size());
    EXPECT_EQ(race->rows[0].error.size(), 61u) << "as far as the last picture";
    EXPECT_EQ(race->rows[1].error.size(), 21u) << "the others as many as requested";
    ASSERT_EQ(race->frames.size(), 4u);
    const int iterations[] = {1, 10, 60};
    for (std::size_t k = 0; k < 3; ++k) {
        const NonlinearFrame& frame = race->frames[k];
        EXPECT_EQ(frame.iterations, iterations[k]);
        EXPECT_FALSE(frame.exact);
        EXPECT_EQ(frame.error, race->rows[0].error[iterations[k]]);
        EXPECT_EQ(frame.milliseconds, race->rows[0].milliseconds[iterations[k]]);
        EXPECT_EQ(frame.positions.size(), 3u * 225);
        EXPECT_LT(race->frames[k + 1].distance, frame.distance);
    }
    EXPECT_TRUE(race->frames[3].exact);
    EXPECT_EQ(race->frames[3].distance, 0);
    // The minimum is where the step of an exact Newton ends.
    scene::Settings settings = simulation->settings();
    settings.integrator.kind = integrators::IntegratorKind::NewtonBackwardEuler;
    settings.integrator.newton = {.tolerance = 1e-10, .hessian = integrators::NewtonHessian::Exact};
    settings.solver = {.kind = solvers::SolverKind::Cholesky};
    simulation->apply(settings);
    simulation->step();
    for (Index i = 0; i < 225; ++i)
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(race->frames[3].positions[3 * i + axis], simulation->state().x[i][axis], 1e-6);
}

// Where a finer cloth buckles, Newton with either matrix does not reach the minimum in a few iterations. The one of the
// race does, and no method ends below it.
TEST(NonlinearRace, TheMinimumIsOneAlsoWhereTheClothBuckles) {
    if (testing::kSanitized) GTEST_SKIP() << "the test above runs the same code";
    const auto simulation = testing::simulate("liu-impact", {"cloth.rows=31", "cloth.columns=31"});
    simulation->step();
    simulation->step();
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()),
                                    {.localGlobalIterations = 40, .newtonIterations = 30, .frames = {1, 40}});
    ASSERT_TRUE(race) << race.error().text();
    EXPECT_TRUE(race->minimumFound) << race->gradientLeft;
    EXPECT_LT(race->gradientLeft, 1e-6);
    for (const NonlinearRow& row : race->rows) {
        const std::string& who = race->field[row.contestant].key;
        ASSERT_EQ(row.value.size(), row.error.size()) << who;
        for (const double value : row.value) EXPECT_GE(value, race->leastEnergy) << who;
        if (who == "newton-cholesky") {
            EXPECT_GT(row.error.back(), 1e-6) << "it has to creep, or the scene shows nothing";
        }
    }
    ASSERT_EQ(race->frames.size(), 3u);
    EXPECT_TRUE(race->frames.back().exact);
    EXPECT_GT(race->frames.back().iterations, 10);
}

TEST(NonlinearRace, SaysWhyThereIsNone) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    integrators::SimulationState broken = simulation->state();
    broken.v[40] = Vec3(NAN, 0, 0);
    simulation->setState(broken);
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()), {});
    ASSERT_FALSE(race);
    EXPECT_NE(race.error().message.find("Newton finds no minimum"), std::string::npos) << race.error().message;
}

TEST(NonlinearRace, StoppedBeforeTheMinimumItMeasuresNothing) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    std::stop_source stop;
    stop.request_stop();
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()), {.stop = stop.get_token()});
    ASSERT_FALSE(race);
    EXPECT_NE(race.error().message.find("stopped before the minimum was found"), std::string::npos)
        << race.error().message;
}

}  // namespace
}  // namespace clothlab::experiments
