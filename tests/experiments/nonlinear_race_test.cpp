#include "experiments/nonlinear_race.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "simulation/scenes.hpp"

namespace clothlab::experiments {
namespace {

TEST(NonlinearRace, EveryMethodGoesDownTheSameEnergyFromTheSameStart) {
    const auto simulation = testing::simulate("liu-curtain", {"cloth.rows=15", "cloth.columns=15"});
    for (int k = 0; k < 5; ++k) simulation->step();
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()),
                                    {.localGlobalIterations = 60, .newtonIterations = 12});
    ASSERT_TRUE(race) << race.error().text();
    EXPECT_EQ(race->step, 6);
    EXPECT_LT(race->leastEnergy, race->startEnergy);
    ASSERT_EQ(race->rows.size(), race->field.size());
    for (const NonlinearRow& row : race->rows) {
        const std::string& who = race->field[row.contestant].key;
        EXPECT_EQ(row.problem, "") << who;
        ASSERT_GT(row.error.size(), 3u) << who;
        EXPECT_NEAR(row.error.front(), 1, 1e-9) << who;
        EXPECT_TRUE(std::ranges::is_sorted(row.milliseconds)) << who;
        for (std::size_t k = 1; k < row.error.size(); ++k)
            EXPECT_LE(row.error[k], row.error[k - 1] + 1e-12) << who << k;
        EXPECT_LT(row.error.back(), who.starts_with("local-global") ? 0.3 : 0.05) << who;
        EXPECT_GT(row.linearIterations +
                      int(who.find("cholesky") == 7 || who.find("exact") == 7 || who.find("simplified") == 7),
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

TEST(NonlinearRace, SaysWhyThereIsNone) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    integrators::SimulationState broken = simulation->state();
    broken.v[40] = Vec3(NAN, 0, 0);
    simulation->setState(broken);
    const auto race = raceNonlinear(*simulation, nonlinearField(simulation->settings()), {});
    ASSERT_FALSE(race);
    EXPECT_NE(race.error().message.find("Newton finds no minimum"), std::string::npos) << race.error().message;
}

}  // namespace
}  // namespace clothlab::experiments
