#include "experiments/systems/walk.hpp"

#include "simulation/scenes.hpp"

namespace clothlab::experiments {
namespace {

using End = Walked::End;
using simulation::Simulation;

const std::vector<const char*> kTiny{"cloth.rows=5", "cloth.columns=5"};

/// Accepts states up to this step.
auto upTo(std::int64_t step) {
    return [step](const Simulation& s) { return s.state().step <= step; };
}

TEST(Walk, TakesTheStepsThatTheSimulationTakesAndTellsOfEach) {
    const auto walked = testing::simulate("hang", kTiny), twin = testing::simulate("hang", kTiny);
    Walker walker{.simulation = walked.get()};
    std::vector<std::int64_t> after;
    std::vector<int> before, all;
    std::vector<bool> systems;
    const Walked end = walk({&walker, 1}, {.steps = 4,
                                           .systemsFrom = 3,
                                           .before = [&](int k) -> Expected<void> {
                                               before.push_back(k);
                                               return {};
                                           },
                                           .after =
                                               [&](const Simulation& s) {
                                                   after.push_back(s.lastReport().step);
                                                   systems.push_back(s.systemOfLastStep() != nullptr);
                                               },
                                           .afterAll = [&](int k) { all.push_back(k); }});
    for (int k = 0; k < 4; ++k) twin->step();
    EXPECT_EQ(end.end, End::Done);
    EXPECT_EQ(end.step, 4);
    EXPECT_EQ(walked->state().x, twin->state().x);
    EXPECT_EQ(before, (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(all, before);
    EXPECT_EQ(after, (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_EQ(systems, (std::vector{false, false, true, true}));
}

TEST(Walk, BeforeAStepItMayEnd) {
    const auto simulation = testing::simulate("hang", kTiny);
    Walker walker{.simulation = simulation.get()};
    const auto upToTwo = [](int k) -> Expected<void> {
        if (k == 3) return fail("enough");
        return {};
    };
    const Walked end = walk({&walker, 1}, {.steps = 9, .before = upToTwo});
    EXPECT_EQ(end.end, End::Ended);
    EXPECT_EQ(end.step, 3);
    EXPECT_EQ(end.error.message, "enough");
    EXPECT_EQ(simulation->state().step, 2);
}

TEST(Walk, AStepThatLeavesSomethingUnsoundHasFailed) {
    const auto simulation = testing::simulate("hang", kTiny);
    Walker walker{.simulation = simulation.get(), .sound = upTo(2)};
    int after = 0;
    const Walked end = walk({&walker, 1}, {.steps = 9, .after = [&](const Simulation&) { ++after; }});
    EXPECT_EQ(end.end, End::Failed);
    EXPECT_EQ(end.step, 3);
    EXPECT_EQ(after, 2);
}

TEST(Walk, OneThatFailsIsLeftBehindUntilNoneIsLeft) {
    const auto one = testing::simulate("hang", kTiny), two = testing::simulate("hang", kTiny);
    std::array walkers{Walker{.simulation = one.get(), .sound = upTo(2)},
                       Walker{.simulation = two.get(), .sound = upTo(4)}};
    std::vector<bool> firstFailed;
    const Walked end = walk(walkers, {.steps = 9, .failure = Walk::Failure::LeavesBehind, .afterAll = [&](int) {
                                          firstFailed.push_back(walkers[0].failed);
                                      }});
    EXPECT_EQ(end.end, End::Failed);
    EXPECT_EQ(end.step, 5);
    EXPECT_EQ(firstFailed, (std::vector{false, false, true, true}));
    EXPECT_EQ(one->state().step, 3);
    EXPECT_EQ(two->state().step, 5);
}

TEST(Walk, AStopEndsIt) {
    const auto simulation = testing::simulate("hang", kTiny);
    std::stop_source source;
    Walker walker{.simulation = simulation.get()};
    const Walked end = walk({&walker, 1}, {.steps = 9, .stop = source.get_token(), .after = [&](const Simulation& s) {
                                               if (s.state().step == 2) source.request_stop();
                                           }});
    EXPECT_EQ(end.end, End::Stopped);
    EXPECT_LE(simulation->state().step, 3);
}

}  // namespace
}  // namespace clothlab::experiments
