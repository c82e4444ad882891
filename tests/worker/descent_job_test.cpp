#include "worker/jobs/descent_job.hpp"

#include <gtest/gtest.h>

#include "integrators/kind.hpp"
#include "support/sanitizers.hpp"
#include "thread_fixture.hpp"

namespace clothlab::app::worker {
namespace {

class DescentJobTest : public ThreadTest {
protected:
    const DescentProgress* descent() const { return thread->results().of<DescentProgress>(); }
};

// BDF2 moves the cloth; the race repeats the step that led to the state shown with backward Euler, with the settings of
// that step.
TEST_F(DescentJobTest, ADescentIsOfTheStepOnShowAndComesRowByRow) {
    start(hangingSheet(9), false);
    auto settings = hangingSheet(9).settings;
    settings.integrator.kind = integrators::IntegratorKind::Bdf2;
    thread->post(SetSettings{settings, 5});
    for (int i = 0; i < 6; ++i) thread->post(StepOnce{});
    ASSERT_TRUE(done());
    const auto positions = thread->snapshot().positions;
    auto other = settings;
    other.material.stretchStiffness *= 10;
    thread->post(SetSettings{other, 6});
    thread->post(StartDescent{});
    std::size_t last = 0, grew = 0;
    ASSERT_TRUE(until([&] {
        if (descent() && descent()->race.rows.size() > last) {
            last = descent()->race.rows.size();
            ++grew;
        }
        return descent() && !descent()->running;
    }));
    const DescentProgress& done = *descent();
    EXPECT_EQ(done.problem, "");
    EXPECT_FALSE(done.stopped);
    EXPECT_EQ(done.race.step, 6);
    EXPECT_EQ(done.made, settings) << "not the current settings";
    EXPECT_EQ(done.origin.mesh, thread->snapshot().mesh->revision);
    EXPECT_GT(grew, 1u) << "rows arrive one by one";
    ASSERT_EQ(done.race.rows.size(), done.race.field.size());
    for (const auto& row : done.race.rows) {
        EXPECT_EQ(row.problem, "") << done.race.field[row.contestant].key;
        EXPECT_LT(row.error.back(), 0.2) << done.race.field[row.contestant].key;
    }
    ASSERT_EQ(done.race.frames.size(), 5u);
    EXPECT_EQ(done.triangles->size(), thread->snapshot().mesh->triangles.size());
    EXPECT_TRUE(done.race.frames.back().exact);
    EXPECT_LT(done.race.frames[3].distance, 1e-3) << "m";
    EXPECT_EQ(thread->snapshot().positions, positions) << "the motion does not change";
    EXPECT_EQ(thread->snapshot().step, 6);
}

TEST_F(DescentJobTest, ADescentIsStoppedAndOutlivesItsScene) {
    // Large enough that the job is still running when the first row has arrived.
    constexpr int kSide = testing::kSanitized ? 13 : 31;
    start(hangingSheet(kSide), true);
    ASSERT_TRUE(until([&] { return thread->snapshot().step >= 3; }));
    thread->post(StartDescent{});
    ASSERT_TRUE(until([&] { return descent() && !descent()->race.rows.empty(); }));
    const auto step = thread->snapshot().step;
    thread->post(CancelJob{});
    ASSERT_TRUE(until([&] { return !descent()->running; }));
    EXPECT_TRUE(descent()->stopped);
    EXPECT_EQ(descent()->problem, "");
    EXPECT_LT(descent()->race.rows.size(), descent()->race.field.size());
    EXPECT_GE(descent()->race.rows.size(), 1u) << "finished rows stay";
    ASSERT_TRUE(until([&] { return thread->snapshot().step >= step + 10; })) << "the motion continues";

    auto before = descent()->serial;
    thread->post(StartDescent{});
    thread->post(CancelJob{});
    ASSERT_TRUE(until([&] { return descent()->serial > before && !descent()->running; }));
    EXPECT_TRUE(descent()->stopped);
    EXPECT_TRUE(descent()->race.rows.empty() || descent()->race.rows.size() < descent()->race.field.size());
    EXPECT_EQ(descent()->problem, "");

    before = descent()->serial;
    thread->post(StartDescent{});
    ASSERT_TRUE(until([&] { return descent()->serial > before && !descent()->race.frames.empty(); }));
    scene::Scene next = hangingSheet(7);
    next.name = "other";
    thread->post(LoadScene{next, 7});
    ASSERT_TRUE(until([&] { return !descent()->running; }));
    EXPECT_EQ(descent()->race.scene, "hang");
    EXPECT_EQ(descent()->race.particles, kSide * kSide);
    EXPECT_EQ(descent()->race.rows.size(), descent()->race.field.size());
    EXPECT_EQ(thread->snapshot().mesh->particles, 49);
    EXPECT_NE(descent()->origin.mesh, thread->snapshot().mesh->revision);
}

TEST_F(DescentJobTest, ADescentThatFindsNoMinimumSaysWhy) {
    scene::Scene scene = hangingSheet(9);
    scene.settings.gravity = Vec3(0, -1e200, 0);
    start(scene, false);
    thread->post(StartDescent{});
    ASSERT_TRUE(until([&] { return descent() && !descent()->running; }));
    EXPECT_NE(descent()->problem.find("Newton finds no minimum"), std::string::npos) << descent()->problem;
    EXPECT_TRUE(descent()->race.rows.empty());
    EXPECT_EQ(descent()->race.scene, "hang");
    EXPECT_EQ(descent()->race.step, 1);
}

}  // namespace
}  // namespace clothlab::app::worker
