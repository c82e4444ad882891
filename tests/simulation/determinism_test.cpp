#include "scenes.hpp"

namespace clothlab::simulation {
namespace {

using testing::simulate;

// Scenes have their own size, except under sanitizers: races show in the first steps of a small cloth.
constexpr int kSteps = testing::kSanitized ? 20 : 200;

std::uint64_t hashAfter(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) simulation.step();
    return integrators::stateHash(simulation.state());
}

class SameBits : public ::testing::TestWithParam<const char*> {};

// No region runs inline, so that all of them are split among the threads.
TEST_P(SameBits, AtOneTwoAndFourThreads) {
    const std::string scene = GetParam();
    std::uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
        const auto simulation = testing::kSanitized ? simulate(scene, {"cloth.rows=25", "cloth.columns=25"}, 1 << k, 0)
                                                    : simulate(scene, {}, 1 << k, 0);
        hashes[k] = hashAfter(*simulation, kSteps);
        EXPECT_EQ(simulation->state().step, kSteps);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}
INSTANTIATE_TEST_SUITE_P(Scenes, SameBits, ::testing::Values("hang", "drape-table", "flag", "drop"));

TEST(Determinism, SameBitsOnALargeCloth) {
    std::uint64_t hashes[3];
    for (int k = 0; k < 3; ++k)
        hashes[k] = hashAfter(*simulate("hang", {"cloth.rows=81", "cloth.columns=81"}, 1 << k), kSteps / 20);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Determinism, AHundredStepsFiftyBackFiftyAgain) {
    for (const char* scene : {"hang", "drape-sphere", "drop"}) {
        const auto simulation = simulate(scene, {"cloth.rows=21", "cloth.columns=21"});
        const std::uint64_t straight = hashAfter(*simulation, kSteps / 2);
        for (int n = 0; n < kSteps / 4; ++n) ASSERT_TRUE(simulation->stepBack());
        EXPECT_EQ(simulation->state().step, kSteps / 4);
        EXPECT_EQ(hashAfter(*simulation, kSteps / 4), straight) << scene;
    }
}

TEST(Determinism, RestartGivesTheSameMotion) {
    const auto simulation = simulate("hang", {"cloth.rows=15", "cloth.columns=15"});
    const std::uint64_t first = hashAfter(*simulation, 30);
    simulation->restart();
    EXPECT_EQ(simulation->state().step, 0);
    EXPECT_EQ(hashAfter(*simulation, 30), first);
}

// Incomplete Cholesky keeps its shift from step to step in the state, not in the solver.
TEST(Determinism, ARememberedShiftComesBackWithTheState) {
    const auto simulation =
        simulate("ball-hit", {"cloth.rows=13", "cloth.columns=13", "material.stretch_stiffness=6000",
                              "material.shear_stiffness=6000", "preconditioner.kind=incomplete-cholesky"});
    const std::uint64_t straight = hashAfter(*simulation, 40);
    double largest = 0;
    for (int n = 0; n < 30; ++n) {
        ASSERT_TRUE(simulation->stepBack());
        largest = std::max(largest, simulation->state().icShift);
    }
    EXPECT_GT(largest, 0);
    EXPECT_EQ(hashAfter(*simulation, 30), straight);
}

// Caches must change no bit: a simulation that has solved with other methods before continues in the same way.
TEST(Determinism, CachesChangeNoBit) {
    const auto fresh = simulate("hang", {"cloth.rows=15", "cloth.columns=15"});
    const auto worn = simulate("hang", {"cloth.rows=15", "cloth.columns=15"});
    for (int n = 0; n < 20; ++n) fresh->step();
    const integrators::SimulationState state = fresh->state();
    for (const char* solver : {"mpcg", "cholesky", "reduced-pcg"}) {
        scene::Scene changed = worn->scene();
        ASSERT_TRUE(scene::applyOverride(changed, std::string("solver.kind=") + solver));
        worn->apply(changed.settings);
        for (int n = 0; n < 5; ++n) worn->step();
    }
    worn->apply(fresh->settings());
    worn->setState(state);
    EXPECT_EQ(hashAfter(*worn, 20), hashAfter(*fresh, 20));
}

}  // namespace
}  // namespace clothlab::simulation
