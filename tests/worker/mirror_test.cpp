#include "worker/mirror.hpp"

#include <gtest/gtest.h>

#include "scratch_folder.hpp"
#include "simulation/recording.hpp"
#include "simulation/report_columns.hpp"
#include "simulation/state_file.hpp"
#include "thread_fixture.hpp"

/// A copy of another program's simulation: it shows the states that arrive, and hands back the changes made here.
namespace clothlab::app::worker {
namespace {

class MirrorTest : public ThreadTest {
protected:
    void SetUp() override {
        other = std::move(*simulation::Simulation::create(hangingSheet(9), 1));
        other->step();
        auto started = SimulationThread::start(
            other->scene(), {.playing = false,
                             .speed = 0,
                             .state = std::make_shared<const integrators::SimulationState>(other->state()),
                             .followed = ++serial});
        ASSERT_TRUE(started) << started.error().text();
        thread = std::move(*started);
        thread->update();
    }
    /// The other program takes a step, and its state arrives here.
    void follow() {
        other->step();
        auto shown =
            simulation::readShown(simulation::shownBytes(simulation::stateBytes(*other), &other->lastReport()), "test");
        ASSERT_TRUE(shown) << shown.error().text();
        thread->post(FollowState{std::make_shared<const simulation::Shown>(std::move(*shown)), ++serial});
        ASSERT_TRUE(done());
        EXPECT_EQ(now().followed, serial);
    }
    simulation::HandOver handedBack() {
        std::string bytes;  // as sent to the other program
        thread->post(HandBack{[&](const simulation::HandOver& hand) { bytes = simulation::handOverBytes(hand); }});
        EXPECT_TRUE(done());
        return *simulation::readHandOver(bytes);
    }
    simulation::SavedState stateIn(const simulation::HandOver& hand) {
        return *simulation::readStateBytes(hand.state, "test");
    }
    std::uint64_t here() {
        const auto place = std::make_shared<MotionSlot>();
        thread->post(StoreMotion{place});
        EXPECT_TRUE(done());
        return integrators::stateHash(place->content()->simulation.state);
    }
    std::uint64_t there() const { return integrators::stateHash(other->state()); }

    std::unique_ptr<simulation::Simulation> other;
    std::uint64_t serial = 0;
};

TEST_F(MirrorTest, ShowsEachStateThatComesAndHandsNothingBack) {
    EXPECT_EQ(here(), there());
    for (int k = 0; k < 3; ++k) {
        follow();
        EXPECT_EQ(here(), there());
        EXPECT_EQ(now().step, 2 + k);
    }
    scene::Settings settings = other->settings();
    settings.material.stretchStiffness *= 2;
    other->apply(settings);
    follow();
    EXPECT_EQ(now().settings, settings);
    EXPECT_TRUE(handedBack().empty());
    EXPECT_FALSE(now().playing);
}

TEST_F(MirrorTest, ReportsWhatTheOtherProgramReports) {
    for (int k = 0; k < 3; ++k) follow();
    thread->takeReports(reports);
    ASSERT_EQ(reports.size(), 3u);
    const simulation::StepReport &theirs = other->lastReport(), &there = reports.back().report;
    for (const simulation::ReportColumn& column : simulation::kReportColumns) {
        const double wanted = column.value(theirs);
        for (const simulation::StepReport* report : {&there, &now().report}) {
            if (std::isnan(wanted))
                EXPECT_TRUE(std::isnan(column.value(*report))) << column.key;
            else
                EXPECT_EQ(column.value(*report), wanted) << column.key;
        }
    }
    EXPECT_EQ(there.solveStatus, theirs.solveStatus);
    EXPECT_TRUE(there.methods.sameAs(theirs.methods));
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().report.step, theirs.step + 1) << "the report of the step taken here";
}

TEST_F(MirrorTest, WhatIsDoneHereStaysUntilItIsHandedBack) {
    thread->post(pinned(40, now().mesh->revision));
    scene::Settings settings = now().settings;
    settings.integrator.dt *= 0.5;
    thread->post(SetSettings{settings, 2});
    ASSERT_TRUE(done());
    follow();  // without the pin and the new step size, which the other program does not know yet
    EXPECT_EQ(now().pins.size(), other->state().pins.size() + 1);
    EXPECT_EQ(now().settings, settings);
    const simulation::SavedState back = stateIn(handedBack());
    EXPECT_EQ(back.state.step, other->state().step);
    EXPECT_TRUE(back.state.findPin(40));
    EXPECT_EQ(back.scene.settings, settings);
    EXPECT_TRUE(handedBack().empty());
    follow();  // the other program got the changes, but did not apply them
    EXPECT_EQ(here(), there());
}

TEST_F(MirrorTest, StepsOfItsOwnAreHandedBackOrGoWithTheNextState) {
    thread->post(StepOnce{});
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    const simulation::SavedState back = stateIn(handedBack());
    EXPECT_EQ(back.state.step, 3);
    const auto twin = std::move(*simulation::resume({other->scene(), other->state()}, 1));
    twin->step();
    twin->step();
    EXPECT_EQ(integrators::stateHash(back.state), integrators::stateHash(twin->state()));
    thread->post(pinned(40, now().mesh->revision));
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    follow();
    EXPECT_EQ(here(), there());
    EXPECT_TRUE(handedBack().empty());
}

TEST_F(MirrorTest, ThePointersHoldGoesOverAndItsEnd) {
    thread->post(GrabParticle{40, now().mesh->revision, 1, {0.1f, 0.2f, 0.3f}});
    thread->setPointerTarget({1, {0.5f, 0.25f, 0.125f}});
    follow();
    const simulation::HandOver holds = handedBack();
    EXPECT_TRUE(holds.state.empty());
    ASSERT_TRUE(holds.hold);
    EXPECT_EQ(holds.hold->cloth.particle, 40);
    EXPECT_EQ(holds.hold->cloth.target, Vec3(0.5, 0.25, 0.125));
    thread->post(ReleaseGrab{});
    ASSERT_TRUE(done());
    const simulation::HandOver let = handedBack();
    ASSERT_TRUE(let.hold);
    EXPECT_FALSE(let.hold->takesOver());
    EXPECT_TRUE(handedBack().empty());
}

TEST_F(MirrorTest, ARecordingBeginsWithTheLastStateThatCame) {
    const tests::ScratchFolder folder;
    for (int k = 0; k < 3; ++k) follow();
    thread->post(pinned(40, now().mesh->revision));
    thread->post(StepOnce{});
    thread->post(SaveRecording{folder.file("since.clothrec"), 1});
    ASSERT_TRUE(done());
    auto events = simulation::loadRecording(folder.file("since.clothrec"));
    ASSERT_TRUE(events) << events.error().text();
    simulation::Replay replay(std::move(events->events));
    simulation::Session session(1);
    for (auto more = replay.step(session, {}); more && *more;) more = replay.step(session, {});
    EXPECT_EQ(session.simulation().state().step, 5);
    EXPECT_EQ(integrators::stateHash(session.simulation().state()), here());
}

}  // namespace
}  // namespace clothlab::app::worker
