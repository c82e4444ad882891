#include "simulation/branch.hpp"
#include "simulation/scenes.hpp"

/// A cloth that is painted while it moves.
namespace clothlab::simulation {
namespace {

std::unique_ptr<Simulation> flatSheet() { return testing::simulate("hang", {"cloth.rows=11", "cloth.columns=11"}); }

scene::Painting patch(std::initializer_list<Index> particles, scene::Brush brush = {}) {
    return scene::paint({}, brush, 0, std::vector<Index>(particles), {});
}

const scene::Painting kStiff = patch({36, 37, 38, 47, 48, 49, 58, 59, 60}),
                      kHeavy = patch({0, 60, 61, 119}, {.effect = scene::BrushEffect::Weight, .factor = 5});

std::uint64_t hashAfterMore(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) EXPECT_EQ(simulation.step().status, integrators::StepStatus::Ok);
    return integrators::stateHash(simulation.state());
}

// Painting a running cloth gives the motion of a scene that has the regions, started from the same state.
TEST(Painting, LiveIsAsIfTheSceneHadIt) {
    for (const scene::Painting& painting : {kStiff, kHeavy}) {
        const auto live = flatSheet(), plain = flatSheet();
        live->step();
        plain->step();
        ASSERT_TRUE(live->paint(painting));
        auto other = Simulation::create(live->scene(), 1);
        ASSERT_TRUE(other) << other.error().text();
        (*other)->setState(live->state());
        const std::uint64_t painted = hashAfterMore(*live, 4);
        EXPECT_EQ(hashAfterMore(**other, 4), painted);
        EXPECT_NE(hashAfterMore(*plain, 4), painted);
    }
}

TEST(Painting, TakenBackItIsGone) {
    const auto live = flatSheet(), plain = flatSheet();
    ASSERT_TRUE(live->paint(kStiff));
    ASSERT_TRUE(live->paint(kHeavy));
    EXPECT_EQ(live->scene().regions.size(), 1u) << "it replaces the last one";
    ASSERT_TRUE(live->paint({}));
    EXPECT_TRUE(live->scene().regions.empty() && live->scene().sets.size() == plain->scene().sets.size());
    EXPECT_EQ(hashAfterMore(*live, 4), hashAfterMore(*plain, 4));
}

TEST(Painting, SettingsStayAboveAndARestartKeepsIt) {
    const auto live = flatSheet();
    ASSERT_TRUE(live->paint(kHeavy));
    const double heavy = live->model().mass[0], light = live->model().mass[1];
    EXPECT_NEAR(heavy, 5 * light, 1e-15);
    scene::Settings settings = live->settings();
    settings.material.density *= 2;
    live->apply(settings);
    EXPECT_EQ(live->model().mass[0], heavy);
    EXPECT_NEAR(live->model().mass[1], 2 * light, 1e-15);
    live->restart();
    EXPECT_EQ(live->model().mass[0], heavy);
}

TEST(Painting, OfWhatIsNotThereIsRefused) {
    const auto live = flatSheet(), plain = flatSheet();
    const auto done = live->paint(patch({5, 121}));
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("121"), std::string::npos) << done.error().text();
    EXPECT_TRUE(live->painting().empty());
    EXPECT_EQ(hashAfterMore(*live, 3), hashAfterMore(*plain, 3));
}

// The ghost is painted, too: while its settings are the same, it moves as the first cloth does.
TEST(Painting, TheGhostIsPaintedToo) {
    const auto live = flatSheet();
    ASSERT_TRUE(live->paint(kStiff));
    auto branch = Branch::start(*live, live->settings(), 1);
    ASSERT_TRUE(branch);
    for (const scene::Painting& painting : {kStiff, kHeavy}) {
        ASSERT_TRUE(live->paint(painting));
        ASSERT_TRUE((*branch)->simulation().paint(painting));
        for (int n = 0; n < 3; ++n) {
            live->step();
            ASSERT_TRUE((*branch)->follow(*live));
            EXPECT_EQ((*branch)->largestDistance(), 0);
        }
    }
}

}  // namespace
}  // namespace clothlab::simulation
