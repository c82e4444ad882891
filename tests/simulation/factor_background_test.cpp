#include <algorithm>
#include <chrono>
#include <thread>

#include "scenes.hpp"

/// A factor of local/global that is made in the background, and the replay of a motion with it.
namespace clothlab::simulation {
namespace {

using integrators::FactorAdoption;
using testing::simulate;

std::unique_ptr<Simulation> curtain() { return simulate("liu-curtain", {"cloth.rows=25", "cloth.columns=25"}); }

void change(Simulation& simulation, const std::string& assignment) {
    scene::Scene changed = simulation.scene();
    changed.settings = simulation.settings();
    ASSERT_TRUE(scene::applyOverride(changed, assignment)) << assignment;
    simulation.apply(changed.settings);
}

const StepReport& stepWith(Simulation& simulation, FactorAdoption adoption) {
    return simulation.step({.adoption = adoption});
}

double farthest(const Simulation& a, const Simulation& b) {
    return (a.state().x.flat() - b.state().x.flat()).lpNorm<Eigen::Infinity>();
}

TEST(FactorInTheBackground, WithoutOneTheNewFactorIsWaitedFor) {
    const auto simulation = curtain();
    for (int n = 0; n < 5; ++n) simulation->step();
    change(*simulation, "material.stretch_stiffness=900");
    const StepReport& report = simulation->step();
    EXPECT_EQ(report.factorAge, 0);
    EXPECT_FALSE(report.factorAdopted);
    EXPECT_GT(report.newFactorMs, 0);
}

TEST(FactorInTheBackground, TheOldFactorKeepsTheMotionGoing) {
    for (const char* what : {"material.stretch_stiffness=900", "material.stretch_stiffness=40", "material.density=0.8",
                             "integrator.dt=0.01"}) {
        const auto waits = curtain(), goesOn = curtain();
        goesOn->makeFactorsInBackground();
        for (Simulation* s : {waits.get(), goesOn.get()}) {
            for (int n = 0; n < 15; ++n) s->step();
            change(*s, what);
        }
        ASSERT_EQ(farthest(*waits, *goesOn), 0) << what;
        const double before = (goesOn->state().x.flat() - goesOn->history().find(5)->x.flat()).norm();
        for (int n = 0; n < 8; ++n) {
            waits->step();
            const StepReport& report = stepWith(*goesOn, FactorAdoption::Later);
            ASSERT_EQ(report.status, integrators::StepStatus::Ok) << what << ": " << report.message;
            EXPECT_EQ(report.factorAge, n + 1) << what;
            EXPECT_FALSE(report.factorAdopted);
        }
        EXPECT_GT(before, 0);
        EXPECT_LT(farthest(*waits, *goesOn), 0.02) << what;  // m, for a cloth of 1 m and ten iterations per step
        EXPECT_TRUE(stepWith(*goesOn, FactorAdoption::Now).factorAdopted) << what;
        EXPECT_EQ(goesOn->lastReport().factorAge, 0) << what;
        goesOn->step();
        EXPECT_FALSE(goesOn->lastReport().factorAdopted);
    }
}

TEST(FactorInTheBackground, AReplayAdoptsItAtTheSameStep) {
    const auto live = curtain();
    live->makeFactorsInBackground();
    struct Change {
        int step;
        const char* what;
    };
    const Change changes[] = {{5, "material.stretch_stiffness=900"},
                              {6, "material.stretch_stiffness=1200"},
                              {14, "integrator.dt=0.02"},
                              {20, "material.stretch_stiffness=200"}};
    const auto applyAt = [&](Simulation& s, int step) {
        for (const Change& c : changes)
            if (c.step == step) change(s, c.what);
        if (step == 9)
            for (Index i = 30; i < 60; ++i) s.setPin(i, integrators::PinHold{});  // too many for an update by columns
    };
    std::vector<StepReport> reports;
    std::vector<std::uint64_t> inBetween;
    for (int n = 0; n < 30; ++n) {
        applyAt(*live, n);
        reports.push_back(stepWith(*live, n == 7 || n == 22 ? FactorAdoption::Later : FactorAdoption::WhenReady));
        ASSERT_EQ(reports.back().status, integrators::StepStatus::Ok) << reports.back().message;
        if (reports.back().factorAge > 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    EXPECT_GT(std::ranges::count(reports, true, &StepReport::factorAdopted), 1);
    // A replay, without and with a background thread.
    for (const bool background : {false, true}) {
        const auto replay = curtain();
        if (background) replay->makeFactorsInBackground();
        for (int n = 0; n < 30; ++n) {
            applyAt(*replay, n);
            const StepReport& report =
                stepWith(*replay, reports[n].factorAdopted ? FactorAdoption::Now : FactorAdoption::Later);
            ASSERT_EQ(report.stateHash, reports[n].stateHash) << n;
            EXPECT_EQ(report.factorAge, reports[n].factorAge) << n;
        }
    }
}

TEST(FactorInTheBackground, AStateInBetweenKnowsItsFactor) {
    const auto simulation = curtain();
    simulation->makeFactorsInBackground();
    for (int n = 0; n < 5; ++n) simulation->step();
    change(*simulation, "material.stretch_stiffness=900");
    std::vector<std::uint64_t> straight;
    straight.reserve(6);
    for (int n = 0; n < 6; ++n)
        straight.push_back(stepWith(*simulation, n == 3 ? FactorAdoption::Now : FactorAdoption::Later).stateHash);
    // Back from the new factor to a step that used the old one.
    ASSERT_TRUE(simulation->seek(7));
    for (int n = 2; n < 6; ++n)
        EXPECT_EQ(stepWith(*simulation, n == 3 ? FactorAdoption::Now : FactorAdoption::Later).stateHash, straight[n])
            << n;
}

TEST(FactorInTheBackground, SettingsSetBackNeedNone) {
    const auto simulation = curtain();
    simulation->makeFactorsInBackground();
    for (int n = 0; n < 3; ++n) simulation->step();
    const scene::Settings before = simulation->settings();
    change(*simulation, "material.stretch_stiffness=900");
    EXPECT_EQ(stepWith(*simulation, FactorAdoption::Later).factorAge, 1);
    simulation->apply(before);
    for (int n = 0; n < 3; ++n) {
        const StepReport& report = simulation->step();
        EXPECT_EQ(report.factorAge, 0);
        EXPECT_FALSE(report.factorAdopted);
    }
    EXPECT_EQ(simulation->state().factorBase.coming, nullptr);
}

}  // namespace
}  // namespace clothlab::simulation
