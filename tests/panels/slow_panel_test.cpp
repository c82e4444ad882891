#include "panel_fixture.hpp"

namespace clothlab::app {
namespace {

using preconditioners::PreconditionerKind;
using simulation::SlowMotion;

/// Two recorded solves of one particle: eleven iterates and three.
class SlowPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        SlowMotion& motion = result.motion;
        motion.step = 100;
        motion.dt = 0.01;
        motion.inertial = motion.solution = {0, 0, 0};
        for (const int last : {10, 2}) {
            SlowMotion::Method method{.who = {}, .status = solvers::SolveStatus::Converged, .iteration = {}, .deltaV = {}, .residuals = {}, .message = {}};
            for (int k = 0; k <= last; ++k) {
                method.iteration.push_back(k);
                method.deltaV.push_back({1.0f / static_cast<float>(1 + k), 0, 0});
                method.residuals.push_back(1.0f / static_cast<float>(1 + k));
            }
            motion.methods.push_back(method);
        }
        model.slow.result = &result;
    }
    void open() {
        press(Key::K);
        frames(2);
    }
    SlowMotionResult result;
};

TEST_F(SlowPanelTest, OpensWithTheMethodInForceBesideASimpleOne) {
    open();
    EXPECT_TRUE(model.slow.open);
    const auto* start = posted<StartSlowMotion>();
    ASSERT_NE(start, nullptr);
    ASSERT_EQ(start->methods.size(), 2u);
    EXPECT_EQ(start->methods[0].preconditioner.kind, model.settings.preconditioner.kind);
    EXPECT_EQ(start->methods[1].preconditioner.kind, PreconditionerKind::Jacobi);
    EXPECT_LE(at("view", 0.5f, 1).y, at("slow", 0.5f, 0).y + 1);
    press(Key::K);
    EXPECT_FALSE(model.slow.open);
}

TEST_F(SlowPanelTest, TheSliderGoesOverTheIteratesOfTheLongerSolve) {
    open();
    click(at("slow/iterate", 0.999f));
    EXPECT_EQ(model.slow.frame, 10u);
    EXPECT_EQ(model.slow.frameOf(0), 10u);
    EXPECT_EQ(model.slow.frameOf(1), 2u);  // it has arrived before, and waits
    click(at("slow/iterate", 0.001f));
    EXPECT_EQ(model.slow.frame, 0u);
    EXPECT_EQ(model.slow.frameOf(1), 0u);
    model.slow.frame = 1;
    EXPECT_EQ(model.slow.frameOf(1), 1u);
}

TEST_F(SlowPanelTest, PlaysToTheEndAndStops) {
    open();
    click(at("slow/play"));
    EXPECT_TRUE(model.slow.playing);
    frames(400);
    EXPECT_FALSE(model.slow.playing);
    EXPECT_EQ(model.slow.frame, 10u);
    click(at("slow/play"));  // from the beginning again
    EXPECT_TRUE(model.slow.playing);
    EXPECT_LT(model.slow.frame, 3u);
}

TEST_F(SlowPanelTest, AnotherMethodIsRecordedAnew) {
    open();
    model.outbox.clear();
    click(at("slow/method/1"));
    frames(2);
    click(at("slow/method/1/ssor"));
    const auto* start = posted<StartSlowMotion>();
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(start->methods[1].preconditioner.kind, PreconditionerKind::Ssor);
    EXPECT_EQ(start->methods[0].preconditioner.kind, model.settings.preconditioner.kind);
    click(at("slow/exaggerate/100"));
    EXPECT_EQ(model.slow.exaggeration, 100);
    press(Key::T);  // the race takes the place
    EXPECT_FALSE(model.slow.open);
    EXPECT_TRUE(model.showRace);
}

}  // namespace
}  // namespace clothlab::app
