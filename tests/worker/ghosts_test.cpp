#include "thread_fixture.hpp"

// Ghosts, the further cloths of a branch, on the simulation's thread.
namespace clothlab::app::worker {
namespace {

class GhostsTest : public ThreadTest {
protected:
    void steps(int count) {
        for (int n = 0; n < count; ++n) thread->post(StepOnce{});
        ASSERT_TRUE(done());
    }
    void branch(double stiffness, bool further) {
        scene::Settings settings = now().settings;
        settings.material.stretchStiffness = stiffness;
        thread->post(StartBranch{settings, further});
        ASSERT_TRUE(done());
    }
};

TEST_F(GhostsTest, UpToFourGoOnEachWithItsOwnSettingsAndDistance) {
    start(hangingSheet(9), false);
    steps(3);
    EXPECT_EQ(now().ghosts(), 0u);
    const double own = now().settings.material.stretchStiffness;
    branch(own, false);
    for (const double factor : {0.5, 0.1, 0.02, 0.01}) branch(factor * own, true);
    ASSERT_EQ(now().ghosts(), kMostGhosts);
    reports.clear();
    steps(20);
    EXPECT_EQ(now().ghost.largest, 0) << "the same settings give the same bits";
    for (std::size_t k = 1; k < kMostGhosts; ++k) {
        EXPECT_GT(now().ghostAt(k).largest, now().ghostAt(k - 1).largest) << "a softer cloth sinks farther, " << k;
        EXPECT_EQ(now().ghostAt(k).startStep, 3);
    }
    ASSERT_TRUE(until([&] { return reports.size() >= 20; }));
    ASSERT_EQ(reports.back().furtherDistances.size(), kMostGhosts - 1);
    for (std::size_t k = 1; k < kMostGhosts; ++k)
        EXPECT_EQ(reports.back().furtherDistances[k - 1], now().ghostAt(k).largest);
    branch(0.5 * own, false);
    EXPECT_EQ(now().ghosts(), 1u) << "a new branch replaces all ghosts";
    thread->post(Apply{edits::Ghost{}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().ghosts(), 0u);
}

}  // namespace
}  // namespace clothlab::app::worker
