#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <set>
#include <thread>

#include "integrators/kind.hpp"
#include "method_pairs.hpp"
#include "thread_fixture.hpp"
#include "worker/snapshots/component_tones.hpp"
#include "worker/snapshots/publish.hpp"

namespace clothlab::app::worker {
namespace {

using integrators::IntegratorKind;

/// A small cloth that hangs from two corners.
scene::Scene hang(int size = 11) {
    scene::Scene scene = hangingSheet(size);
    scene.pins.clear();
    for (const int corner : {0, -1})
        scene.pins.push_back(
            {.where = {.cloth = 0, .rowFrom = 0, .rowTo = 0, .columnFrom = corner, .columnTo = corner}});
    return scene;
}

class SimulationThreadTest : public ThreadTest {
protected:
    bool until(const std::function<bool(const Snapshot&)>& wanted) {
        return ThreadTest::until([&] { return wanted(now()); });
    }
};

TEST_F(SimulationThreadTest, AScenesMistakeIsAnErrorNotAThread) {
    scene::Scene scene = hang();
    scene.pins[0].where.rowFrom = scene.pins[0].where.rowTo = 99;
    EXPECT_FALSE(SimulationThread::start(scene, {.overlay = {}, .problem = {}}).has_value());
}

TEST_F(SimulationThreadTest, TheFirstSnapshotIsThereAtOnce) {
    start(hang(), false);
    ASSERT_NE(now().mesh, nullptr);
    EXPECT_EQ(now().mesh->particles, 121);
    EXPECT_EQ(now().positions.size(), 3u * 121);
    EXPECT_EQ(now().mesh->uv.size(), 2u * 121);
    EXPECT_NEAR(now().mesh->uv[20], 1.0, 1e-6);
    EXPECT_EQ(now().pins.size(), 2u);
    EXPECT_EQ(now().step, 0);
    EXPECT_FALSE(now().playing);
}

TEST_F(SimulationThreadTest, PlaysSoManyStepsAndPauses) {
    start(hang(), false);
    thread->post(StepOnce{});
    thread->post(Play{.steps = 7});
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step == 8 && !s.playing; }));
    thread->post(Play{});
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step > 20; })) << "it keeps playing";
    EXPECT_TRUE(now().playing);
    thread->post(Play{.steps = 100'000});
    thread->post(Pause{});
    thread->post(Play{});
    const auto there = now().step;
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.step > there + 10; }));
}

TEST_F(SimulationThreadTest, PauseStepBackSeekRestart) {
    start(hang(), false);
    for (int i = 0; i < 5; ++i) thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 5);
    const auto fifth = now().positions;
    thread->post(StepBack{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 4);
    EXPECT_EQ(now().historyLast, 5);
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().positions, fifth) << "the same step again gives the same bits";
    thread->post(Apply{edits::Seek{2}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 2);
    thread->post(Apply{edits::Seek{77}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 2) << "a step outside of the history changes nothing";
    thread->post(Apply{edits::Restart{}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 0);
}

TEST_F(SimulationThreadTest, AStepBackShowsThatStepsResidualsAndMethods) {
    start(hang(), false);
    std::vector<std::vector<float>> curves{{}};
    for (int i = 1; i <= 6; ++i) {
        thread->post(StepOnce{});
        ASSERT_TRUE(done());
        curves.push_back(now().residualHistory);
        ASSERT_GE(curves.back().size(), 2u);
    }
    scene::Settings changed = now().settings;
    changed.preconditioner.kind = enumNamed<preconditioners::PreconditionerKind>("ssor");
    thread->post(SetSettings{changed, 7});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().residualHistory, curves[6]);
    EXPECT_NE(now().report.methods.preconditioner.kind, enumNamed<preconditioners::PreconditionerKind>("ssor"))
        << "it did not make this step";
    for (const std::int64_t step : {5, 1, 3, 6, 0}) {
        thread->post(Apply{edits::Seek{step}});
        ASSERT_TRUE(done());
        EXPECT_EQ(now().residualHistory, curves[step]) << step;
        EXPECT_EQ(now().report.step, step);
    }
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().report.methods.preconditioner.kind, enumNamed<preconditioners::PreconditionerKind>("ssor"));
}

TEST_F(SimulationThreadTest, SettingsAreInForceWithinOneStepAndNothingResets) {
    start(hang(), true);
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step >= 10; }));
    std::uint64_t revision = 1;
    for (const testing::NamedMethod& each : testing::allMethods()) {
        scene::Settings settings = now().settings;
        settings.solver.kind = each.method.solver.kind;
        settings.preconditioner.kind = each.method.preconditioner.kind;
        const auto before = now().step;
        thread->post(SetSettings{settings, ++revision});
        ASSERT_TRUE(until([&](const Snapshot& s) { return s.settingsRevision == revision; }));
        EXPECT_TRUE(now().settings == settings);
        EXPECT_GE(now().step, before) << "the motion continues";
        ASSERT_TRUE(until([&](const Snapshot& s) { return s.step > before + 3; })) << each.name;
        EXPECT_EQ(now().problem, "") << each.name;
    }
    // While paused, the new settings are confirmed without a step.
    thread->post(Pause{});
    ASSERT_TRUE(done());
    const auto paused = now().step;
    scene::Settings settings = now().settings;
    settings.material.stretchStiffness = 500;
    thread->post(SetSettings{settings, ++revision});
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.settingsRevision == revision; }));
    EXPECT_EQ(now().step, paused);
    EXPECT_EQ(now().settings.material.stretchStiffness, 500);
}

TEST_F(SimulationThreadTest, ReportsComeCompleteAndInOrder) {
    start(hang(5), true);
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step >= 300; }));
    thread->post(Pause{});
    ASSERT_TRUE(done());
    while (reports.size() < std::size_t(now().step)) thread->takeReports(reports);
    ASSERT_EQ(reports.size(), std::size_t(now().step));
    for (std::size_t i = 0; i < reports.size(); ++i) EXPECT_EQ(reports[i].report.step, std::int64_t(i) + 1);
}

TEST_F(SimulationThreadTest, ForwardEulerIsStoppedAndSwitchingBackGoesOn) {
    scene::Scene scene = hang();
    scene.settings.integrator.substeps = 1;
    start(scene, true);
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step >= 5; }));
    scene::Settings settings = now().settings;
    settings.integrator.kind = IntegratorKind::ForwardEuler;
    thread->post(SetSettings{settings, 2});
    ASSERT_TRUE(until([](const Snapshot& s) { return !s.problem.empty(); }));
    EXPECT_FALSE(now().playing);
    const auto stopped = now().step;
    for (const float x : now().positions) ASSERT_TRUE(std::isfinite(x)) << "the last good state stays";
    settings.integrator.kind = IntegratorKind::LinearizedBackwardEuler;
    thread->post(SetSettings{settings, 3});
    thread->post(Play{});
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.step >= stopped + 20; })) << now().problem;
    EXPECT_EQ(now().problem, "");
    EXPECT_TRUE(now().playing);
}

TEST_F(SimulationThreadTest, ThePointerLeadsTheParticleAndReleaseLetsGo) {
    start(hang(), true);
    ASSERT_TRUE(until([](const Snapshot& s) { return s.step >= 3; }));
    const Index particle = 115;
    thread->post(GrabParticle{particle, now().mesh->revision, 9, {0.5f, -0.2f, 0.6f}});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().grabActive);
    EXPECT_EQ(now().grabParticle, particle);
    thread->setPointerTarget({8, {5, 5, 5}});  // belongs to an older grab
    thread->setPointerTarget({9, {0.6f, -0.3f, 0.7f}});
    const auto from = now().step;
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.step >= from + 100; }));
    EXPECT_NEAR(now().positions[3 * std::size_t(particle)], 0.6, 1e-3);
    EXPECT_NEAR(now().positions[3 * std::size_t(particle) + 1], -0.3, 1e-3);
    EXPECT_NEAR(now().positions[3 * particle + 2], 0.7, 1e-3);
    thread->post(ReleaseGrab{});
    ASSERT_TRUE(done());
    EXPECT_FALSE(now().grabActive);
}

TEST_F(SimulationThreadTest, ThePointerCarriesASolidByTheTakenPoint) {
    scene::Scene scene = hang();
    scene.colliders.push_back({.name = "ball", .shape = geometry::Sphere{0.1}, .position = Vec3(2, 0, 0)});
    scene.colliders.push_back({.name = "floor", .shape = geometry::Plane{}, .position = Vec3(0, -3, 0)});
    start(scene, true);
    thread->post(worker::GrabCollider{1, now().mesh->revision, 3, {0, -3, 0}});
    thread->post(worker::GrabCollider{7, now().mesh->revision, 3, {0, -3, 0}});
    thread->post(worker::GrabCollider{0, now().mesh->revision, 4, {2, 0.1f, 0}});
    thread->setPointerTarget({4, {2.1f, 0.3f, 0.05f}});
    const auto from = now().step;
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.step >= from + 60; }));
    EXPECT_NEAR((now().colliderPoses[0].position - Vec3(2.1, 0.2, 0.05)).norm(), 0, 1e-6);
    EXPECT_EQ(now().colliderPoses[1].position, Vec3(0, -3, 0));
    thread->post(ReleaseGrab{});
    thread->setPointerTarget({4, {9, 9, 9}});
    const auto let = now().step;
    ASSERT_TRUE(until([&](const Snapshot& s) { return s.step >= let + 5; }));
    EXPECT_NEAR((now().colliderPoses[0].position - Vec3(2.1, 0.2, 0.05)).norm(), 0, 1e-6) << "it stays";
    thread->post(Apply{edits::Restart{}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().colliderPoses[0].position, Vec3(2, 0, 0));
}

TEST_F(SimulationThreadTest, RestartKeepsPinsAndLetsGoOfTheParticle) {
    start(hang(), false);
    thread->post(toggled(60, now().mesh->revision));
    thread->post(GrabParticle{115, now().mesh->revision, 1, {0.5, -1, 0.5}});
    ASSERT_TRUE(done());
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().grabActive);
    const std::vector<Index> pins(now().pins.begin(), now().pins.end());
    EXPECT_EQ(pins.size(), 3u);
    thread->post(Apply{edits::Restart{}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 0);
    EXPECT_EQ(std::vector<Index>(now().pins.begin(), now().pins.end()), pins);
    EXPECT_FALSE(now().grabActive);
}

TEST_F(SimulationThreadTest, StalePicksAndWildOnesAreDropped) {
    start(hang(), false);
    const auto old = now().mesh->revision;
    scene::Scene other = hang(7);
    other.name = "other";
    thread->post(LoadScene{other, 5});
    thread->post(GrabParticle{100, old, 1, {0, 0, 0}});
    thread->post(toggled(3, old));
    ASSERT_TRUE(done());
    EXPECT_EQ(now().mesh->sceneName, "other");
    EXPECT_NE(now().mesh->revision, old);
    EXPECT_EQ(now().settingsRevision, 5u);
    EXPECT_FALSE(now().grabActive);
    EXPECT_EQ(now().pins.size(), 2u);
    thread->post(toggled(49, now().mesh->revision));  // beyond the last particle
    thread->post(toggled(-1, now().mesh->revision));
    thread->post(toggled(24, now().mesh->revision));
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 3u);
    thread->post(toggled(24, now().mesh->revision));
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pins.size(), 2u);
}

TEST_F(SimulationThreadTest, APinHasAKindAndMayBeCarried) {
    start(hang(), false);
    const auto mesh = now().mesh->revision;
    const float before = now().positions[180];
    thread->post(pinned(60, mesh, integrators::PinHold::line(Vec3::UnitY()), Vec3(0.5, 0, 0)));
    thread->post(pinned(61, mesh, integrators::PinHold::plane(Vec3::UnitZ())));
    thread->post(pinned(62, mesh + 1, integrators::PinHold::point()));  // for another mesh
    ASSERT_TRUE(done());
    ASSERT_EQ(now().pins.size(), 4u);
    ASSERT_EQ(now().pinGuides.size(), 2u);
    EXPECT_EQ(now().pinGuides[0].particle, 60);
    EXPECT_EQ(now().pinGuides[0].ndof, 1);
    EXPECT_EQ(now().pinGuides[0].direction[1], 1.0f);
    EXPECT_EQ(now().pinGuides[1].ndof, 2);
    for (int n = 0; n < 10; ++n) thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_NEAR(now().positions[180] - before, 0.5 * now().timeSeconds, 1e-6);
    thread->post(Apply{edits::Unpin{60}, mesh});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().pinGuides.size(), 1u);
}

TEST_F(SimulationThreadTest, ASceneThatCannotBeBuiltLeavesEverythingAndSaysWhy) {
    start(hang(), false);
    thread->post(StepOnce{});
    scene::Scene broken = hang();
    broken.pins[0].where.columnFrom = broken.pins[0].where.columnTo = 400;
    thread->post(LoadScene{broken, 9});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().step, 1);
    EXPECT_EQ(now().mesh->sceneName, "hang");
    EXPECT_NE(now().problem, "");
    EXPECT_EQ(now().refusedLoad, 9u);
    EXPECT_FALSE(now().playing);
    thread->post(Play{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().problem, "");
}

TEST_F(SimulationThreadTest, OverlaysAreFilledOnlyWhenAskedFor) {
    start(hang(), false);
    EXPECT_TRUE(now().springStrain.empty());
    thread->post(SetOverlay{
        {.springStrain = true, .springState = true, .contacts = true, .field = scene::OverlayKind::Velocity}});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().springStrain.size(), now().mesh->springs.size());
    EXPECT_EQ(now().springState.size(), now().mesh->springs.size());
    EXPECT_EQ(now().ndof.size(), 121u);
    EXPECT_EQ(now().ndof[0], 0) << "a pin has no degree of freedom";
    EXPECT_EQ(now().field.values.size(), 121u);
    // The root mean square of the particles' residuals is the residual of the report. The start has no solve.
    thread->post(SetOverlay{{.field = scene::OverlayKind::Residual}});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().field.values.empty());
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    ASSERT_EQ(now().field.values.size(), 121u);
    double sum = 0;
    for (const float r : now().field.values) sum += double(r) * r;
    EXPECT_GT(sum, 0);
    EXPECT_NEAR(std::sqrt(sum / 121), now().report.trueRelativeResidual, 1e-3 * now().report.trueRelativeResidual);
    thread->post(SetOverlay{});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().springStrain.empty());
    EXPECT_TRUE(now().field.values.empty());
}

TEST_F(SimulationThreadTest, ComponentsAreSearchedOnlyWhenAskedFor) {
    scene::Scene scene = hang();
    scene.settings.solver.decompose = true;
    start(scene, false);
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().components.of.empty());
    thread->post(SetOverlay{{.components = true}});
    ASSERT_TRUE(done());
    ASSERT_EQ(now().components.of.size(), 121u);
    EXPECT_EQ(now().components.of[0], 0) << "a pin is in no component";
    EXPECT_EQ(now().components.count(), now().report.components);
    EXPECT_EQ(now().components.iterations.size(), now().components.size.size());
    EXPECT_GE(now().components.iterationsTo, now().report.iterations);
    scene.settings.solver.decompose = false;
    thread->post(SetSettings{scene.settings, 7});
    thread->post(StepOnce{});
    ASSERT_TRUE(done());
    EXPECT_EQ(now().components.of.size(), 121u) << "whether or not the solver uses them";
    EXPECT_TRUE(now().components.iterations.empty());
    thread->post(SetOverlay{});
    ASSERT_TRUE(done());
    EXPECT_TRUE(now().components.of.empty());
}

TEST(ComponentTones, NeighboursDifferAndToneFollowsTheFirstParticle) {
    // A chain of 40 pairs, each pair a component, springs between neighbouring particles.
    linalg::Components pairs;
    pairs.start = {0};
    std::vector<cloth::Spring> springs;
    for (Index i = 0; i < 80; ++i) {
        pairs.of.push_back(i / 2 + 1);
        pairs.rows.push_back(i);
        if (i % 2 == 1) pairs.start.push_back(i + 1);
        if (i > 0) springs.push_back({i - 1, i, 1.0, cloth::SpringFamily::Stretch, 0});
    }
    const auto tones = assignTones(pairs, springs);
    ASSERT_EQ(tones.size(), 40u);
    for (std::size_t c = 1; c < tones.size(); ++c) EXPECT_NE(tones[c], tones[c - 1]) << c;
    EXPECT_GT(std::set<int>(tones.begin(), tones.end()).size(), 5u);
    // Without the first pair the others keep their tones, except where one was chosen only to differ from that pair.
    linalg::Components later = pairs;
    for (Index i = 0; i < 80; ++i) later.of[i] = i < 2 ? 0 : i / 2;
    later.rows.erase(later.rows.begin(), later.rows.begin() + 2);
    later.start.pop_back();
    const auto then = assignTones(later, springs);
    std::size_t kept = 0;
    for (std::size_t c = 0; c < then.size(); ++c) kept += then[c] == tones[c + 1];
    EXPECT_GE(kept, 36u);
}

/// During a solve that would take minutes the window's calls return at once, and quitting cancels it.
TEST_F(SimulationThreadTest, QuittingDuringALongSolveCancelsIt) {
    scene::Scene scene = hang(81);
    scene.settings.solver.tolerance = 1e-12;
    scene.settings.solver.maxIterations = 1000000;
    scene.settings.preconditioner.kind = enumNamed<preconditioners::PreconditionerKind>("identity");
    scene.settings.material.stretchStiffness = 1e7;
    start(scene, true);
    for (int i = 0; i < 20; ++i) {
        thread->post(SetOverlay{});
        thread->update();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    thread.reset();  // a hang here is the failure: ctest ends it
}

}  // namespace
}  // namespace clothlab::app::worker
