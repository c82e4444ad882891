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
    EXPECT_EQ(simulation->history().lastStep(), 20);  // scrubbing drops nothing
    ASSERT_TRUE(simulation->seek(12));
    ASSERT_TRUE(simulation->seek(5));
    simulation->step();
    EXPECT_EQ(simulation->history().lastStep(), 6);
    EXPECT_FALSE(simulation->seek(12));
    EXPECT_EQ(simulation->state().step, 6);
}

TEST(History, EachStateKeepsTheResidualsAndTheMethodsOfItsOwnStep) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    std::vector<std::vector<float>> curves{{}};
    for (int n = 1; n <= 20; ++n) {
        if (n == 11) {
            scene::Settings settings = simulation->settings();
            settings.preconditioner.kind = enumNamed<preconditioners::PreconditionerKind>("jacobi");
            settings.solver.tolerance = 1e-6;
            simulation->apply(settings);
        }
        simulation->step();
        curves.push_back(simulation->lastSolve().history);
        ASSERT_GT(curves.back().size(), 2u);
    }
    EXPECT_NE(curves[10].size(), curves[11].size());
    for (const std::int64_t step : {7, 20, 11, 10, 0, 3}) {
        ASSERT_TRUE(simulation->seek(step));
        const auto kept = simulation->history().findResiduals(step);
        EXPECT_EQ(std::vector<float>(kept.begin(), kept.end()), curves[step]) << step;
        const StepReport& report = simulation->lastReport();
        const bool later = step > 10;
        EXPECT_EQ(report.methods.preconditioner.kind == enumNamed<preconditioners::PreconditionerKind>("jacobi"), later)
            << step;
        EXPECT_EQ(report.methods.solver.tolerance == 1e-6, later) << step;
    }
    EXPECT_TRUE(simulation->history().findResiduals(99).empty());
}

TEST(History, CurvesCountInTheBudget) {
    const std::vector<float> curve(5000, 0.5f);
    const std::size_t one = stateOf(0, 100).bytes() + curve.size() * sizeof(float);
    History history(10 * one);
    for (int step = 0; step < 50; ++step) history.push(stateOf(step, 100), {}, {}, curve);
    EXPECT_EQ(history.firstStep(), 40);
    EXPECT_EQ(history.bytes(), 10 * one);
    history.truncateAfter(44);
    EXPECT_EQ(history.bytes(), 5 * one);
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

TEST(History, KnowsWithWhichSettingsEachStepWasMade) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    const scene::Settings first = simulation->settings();
    for (int n = 0; n < 3; ++n) simulation->step();
    scene::Settings settings = first;
    settings.material.stretchStiffness = 321;
    simulation->apply(settings);
    const History& history = simulation->history();
    EXPECT_EQ(history.findSettings(0), nullptr) << "no step leads to the start";
    EXPECT_EQ(*history.findSettings(3), first) << "a change comes with the next step";
    for (int n = 0; n < 2; ++n) simulation->step();
    EXPECT_EQ(*history.findSettings(3), first);
    EXPECT_EQ(history.findSettings(1), history.findSettings(3)) << "shared, not copied";
    EXPECT_EQ(*history.findSettings(5), settings);
    simulation->seek(2);
    simulation->step();
    EXPECT_EQ(*history.findSettings(3), settings) << "the step was taken again";
    EXPECT_EQ(*history.findSettings(2), first);
}

// Pins belong to the user, as settings do: a restart resets the cloth, but not the pins.
TEST(History, PinsStayWhenTheMotionBeginsAgain) {
    const auto simulation = testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9"});
    const auto pinned = [&] {
        std::vector<Index> particles;
        for (const integrators::Pin& pin : simulation->state().pins) particles.push_back(pin.particle);
        return particles;
    };
    ASSERT_EQ(pinned(), (std::vector<Index>{0, 8}));
    for (int n = 0; n < 10; ++n) simulation->step();
    simulation->setPin(40, integrators::PinHold::point());  // the middle, in mid-air
    simulation->setPin(8, {});
    simulation->restart();
    EXPECT_EQ(pinned(), (std::vector<Index>{0, 40}));
    const Vec3 first = simulation->state().x[40];
    for (int n = 0; n < 20; ++n) simulation->step();
    EXPECT_LT((simulation->state().x[40] - first).norm(), 1e-12)
        << "held where the motion begins, not where it was pinned";
    EXPECT_GT((simulation->state().x[8] - simulation->history().find(0)->x[8]).norm(), 0.01)
        << "the corner that was let go falls";
}

}  // namespace
}  // namespace clothlab::simulation
