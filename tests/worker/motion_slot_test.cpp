#include <gtest/gtest.h>

#include "scratch_folder.hpp"
#include "simulation/state_file.hpp"
#include "thread_fixture.hpp"

/// Motions that are stored and restored.
namespace clothlab::app::worker {
namespace {

class KeepingTest : public ThreadTest {
protected:
    /// Stores the current motion.
    std::shared_ptr<MotionSlot> keep() {
        auto here = std::make_shared<MotionSlot>();
        thread->post(StoreMotion{here});
        EXPECT_TRUE(done());
        return here;
    }
    std::uint64_t hash() { return integrators::stateHash(keep()->content()->simulation.state); }
    void steps(int count) {
        for (int n = 0; n < count; ++n) thread->post(StepOnce{});
        ASSERT_TRUE(done());
    }
};

TEST_F(KeepingTest, AReplacedSceneComesBackAsItWas) {
    start(hangingSheet(11), false);
    const auto mesh = now().mesh->revision;
    thread->post(toggled(60, mesh));
    scene::Settings settings = now().settings;
    settings.material.stretchStiffness = 321;
    thread->post(SetSettings{settings, 4});
    steps(8);
    const std::uint64_t then = hash();
    const auto before = std::make_shared<MotionSlot>();
    thread->post(LoadScene{anotherSheet(), 5, before});
    steps(3);
    EXPECT_EQ(now().mesh->sceneName, "another");
    ASSERT_NE(before->content(), nullptr);
    const auto other = std::make_shared<MotionSlot>();
    thread->post(ReturnToMotion{before, 6, other});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().mesh->sceneName, "hang");
    EXPECT_EQ(now().mesh->revision, mesh) << "the mesh keeps its revision";
    EXPECT_EQ(now().step, 8);
    EXPECT_EQ(now().historyFirst, 0);
    EXPECT_EQ(now().settingsRevision, 6u);
    EXPECT_EQ(now().settings, settings);
    EXPECT_EQ(now().pins.size(), 12u);
    EXPECT_FALSE(now().playing);
    EXPECT_EQ(hash(), then);
    ASSERT_TRUE(until([&] { return !reports.empty() && !reports.back().cleared && reports.back().report.step == 8; }));
    ASSERT_GE(reports.size(), 9u);
    EXPECT_TRUE(reports[reports.size() - 9].cleared) << "the eight steps follow";
    // The replaced motion comes back in turn.
    thread->post(ReturnToMotion{other, 7});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().mesh->sceneName, "another");
    EXPECT_NE(now().mesh->revision, mesh);
    EXPECT_EQ(now().step, 3);
    thread->post(toggled(60, mesh));
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 7u) << "the command is for another mesh";
}

TEST_F(KeepingTest, OnlyWhatChangesSomethingIsKept) {
    start(hangingSheet(11), false);
    const auto mesh = now().mesh->revision;
    std::vector<std::shared_ptr<MotionSlot>> slots(8);
    for (auto& slot : slots) slot = std::make_shared<MotionSlot>();
    scene::Scene broken = anotherSheet();
    broken.pins[0].where.rowFrom = broken.pins[0].where.rowTo = 99;
    thread->post(Apply{edits::Restart{}, 0, slots[0]});
    thread->post(Play{slots[1]});
    thread->post(Pause{});
    thread->post(toggled(60, mesh + 1, slots[2]));
    thread->post(toggled(-1, mesh, slots[3]));
    thread->post(Apply{edits::Cut{{Vec3(0, 9, 0), Vec3(0, 1, 0), Vec3(0.1, 1, 0).normalized()}}, mesh, slots[4]});
    thread->post(LoadScene{broken, 9, slots[5]});
    thread->post(StepOnce{slots[6]});
    thread->post(ReturnToMotion{slots[0], 11, slots[7]});
    ASSERT_TRUE(done());
    for (std::size_t k = 0; k < slots.size(); ++k) EXPECT_EQ(slots[k]->content(), nullptr) << k;
    EXPECT_EQ(now().settingsRevision, 11u) << "answered nevertheless";
    EXPECT_EQ(now().refusedLoad, 9u);
}

TEST_F(KeepingTest, LaterStepsThatPlayingDroppedAndARestartComeBack) {
    start(hangingSheet(11), false);
    steps(10);
    const std::uint64_t tenth = hash();
    thread->post(Apply{edits::Seek{4}});
    const auto future = std::make_shared<MotionSlot>();
    thread->post(StepOnce{future});
    steps(1);
    EXPECT_EQ(now().historyLast, 6);
    thread->post(ReturnToMotion{future, 2});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 4) << "the step from which it had continued";
    EXPECT_EQ(now().historyLast, 10);
    thread->post(Apply{edits::Seek{10}});
    EXPECT_EQ(hash(), tenth);
    const auto motion = std::make_shared<MotionSlot>();
    thread->post(Apply{edits::Restart{}, 0, motion});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 0);
    thread->post(ReturnToMotion{motion, 3});
    EXPECT_EQ(hash(), tenth);
}

TEST_F(KeepingTest, AStrokeOfCutsIsMendedAsAWhole) {
    start(hangingSheet(11), false);
    steps(5);
    const std::uint64_t whole = hash();
    const auto stroke = std::make_shared<MotionSlot>();
    const auto mesh = now().mesh->revision;
    for (const double x : {0.2, 0.4}) {
        const Vec3 eye(0, 0, 3), a = Vec3(x, 0, 0.5) - eye, b = Vec3(x + 0.2, 0, 0.5) - eye;
        thread->post(
            Apply{edits::Cut{{eye + Vec3(0, 1, 0), (a - Vec3(0, 1, 0)).normalized(), (b - Vec3(0, 1, 0)).normalized()}},
                  mesh, stroke});
        steps(2);
    }
    ASSERT_GT(now().report.brokenSprings, 0);
    ASSERT_NE(stroke->content(), nullptr);
    thread->post(ReturnToMotion{stroke, 2});
    EXPECT_EQ(hash(), whole);
    EXPECT_TRUE(now().mesh->broken.empty());
    EXPECT_EQ(now().mesh->revision, mesh);
}

TEST_F(KeepingTest, PinsComeBackAloneAndOfThisMeshOnly) {
    start(hangingSheet(11), false);
    const auto mesh = now().mesh->revision;
    steps(3);
    const std::uint64_t then = hash();
    const auto before = std::make_shared<MotionSlot>(), after = std::make_shared<MotionSlot>();
    thread->post(Apply{edits::Unpin{5}, mesh, before});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 10u);
    thread->post(ReturnPins{before, after});
    EXPECT_EQ(hash(), then);
    thread->post(ReturnPins{after});
    steps(4);
    EXPECT_EQ(now().pins.size(), 10u);
    thread->post(ReturnPins{before});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 11u);
    EXPECT_EQ(now().step, 7) << "the motion stays";
    thread->post(LoadScene{anotherSheet(), 5});
    thread->post(ReturnPins{before});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 7u);
}

// A saved state that is opened again has the same bits and continues alike. A failure to write is reported.
TEST_F(KeepingTest, ASavedStateIsOpenedAndGoesOn) {
    const tests::ScratchFolder folder;
    start(hangingSheet(11), false);
    steps(5);
    thread->post(toggled(60, now().mesh->revision));
    steps(3);
    const std::uint64_t then = hash();
    thread->post(SaveState{folder.file("a.clothstate"), {}, 7});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().saved.serial, 7u);
    EXPECT_EQ(now().saved.problem, "");
    steps(4);
    const std::uint64_t later = hash();
    auto saved = simulation::loadState(folder.file("a.clothstate"));
    ASSERT_TRUE(saved) << saved.error().text();
    const auto state = std::make_shared<const integrators::SimulationState>(saved->state);
    thread->post(LoadScene{.scene = anotherSheet(), .revision = 4});
    thread->post(LoadScene{.scene = saved->scene, .revision = 5, .state = state});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().mesh->sceneName, "hang");
    EXPECT_EQ(now().step, 8);
    EXPECT_EQ(hash(), then);
    steps(4);
    EXPECT_EQ(hash(), later);
    // A state of another scene is refused, and the current motion stays.
    thread->post(LoadScene{.scene = anotherSheet(), .revision = 6, .state = state});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().refusedLoad, 6u);
    EXPECT_NE(now().problem.find("does not fit its scene"), std::string::npos) << now().problem;
    EXPECT_EQ(now().mesh->sceneName, "hang");
    thread->post(SaveState{folder.file("no/such/folder/a.clothstate"), {}, 8});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().saved.serial, 8u);
    EXPECT_NE(now().saved.problem, "");
}

}  // namespace
}  // namespace clothlab::app::worker
