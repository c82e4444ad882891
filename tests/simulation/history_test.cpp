#include "simulation/history.hpp"

#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

integrators::SimulationState stateOf(std::int64_t step, Index particles) {
    integrators::SimulationState state;
    state.x.resize(particles);
    state.v.resize(particles);
    state.step = step;
    return state;
}

TEST(History, KeepsToItsBudgetButAlwaysTwoStates) {
    History history(10 * stateOf(0, 100).bytes());
    for (int step = 0; step < 50; ++step) history.push(stateOf(step, 100), {});
    EXPECT_EQ(history.lastStep(), 49);
    EXPECT_EQ(history.firstStep(), 40);
    EXPECT_EQ(history.find(39), nullptr);
    ASSERT_NE(history.find(45), nullptr);
    EXPECT_EQ(history.find(45)->step, 45);

    History tiny(1);
    for (int step = 0; step < 5; ++step) tiny.push(stateOf(step, 100), {});
    EXPECT_EQ(tiny.firstStep(), 3);
    EXPECT_EQ(tiny.lastStep(), 4);
}

TEST(History, PlayingOnFromThePastDropsTheFuture) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    for (int n = 0; n < 20; ++n) simulation->step();
    ASSERT_TRUE(simulation->seek(5));
    EXPECT_EQ(simulation->lastReport().step, 5);
    EXPECT_EQ(simulation->history().lastStep(), 20);  // scrubbing alone drops nothing
    ASSERT_TRUE(simulation->seek(12));
    ASSERT_TRUE(simulation->seek(5));
    simulation->step();
    EXPECT_EQ(simulation->history().lastStep(), 6);
    EXPECT_FALSE(simulation->seek(12));
    EXPECT_EQ(simulation->state().step, 6);
}

TEST(History, SettingsStayWhenTheStateGoesBack) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    for (int n = 0; n < 5; ++n) simulation->step();
    scene::Settings settings = simulation->settings();
    settings.material.stretchStiffness = 321;
    simulation->apply(settings);
    simulation->stepBack();
    simulation->restart();
    EXPECT_EQ(simulation->settings().material.stretchStiffness, 321);
}

}  // namespace
}  // namespace clothlab::simulation
