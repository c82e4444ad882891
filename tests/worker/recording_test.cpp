#include "simulation/recording.hpp"

#include <gtest/gtest.h>

#include "scratch_folder.hpp"
#include "solvers/kind.hpp"
#include "thread_fixture.hpp"

/// Actions on the simulation of a window are recorded, and replayed without a window.
namespace clothlab::app::worker {
namespace {

class RecordingTest : public ThreadTest {
protected:
    void startRecorded(const scene::Scene& scene) {
        auto file = GrowingFile::create(folder.file("all.clothrec"), {});
        ASSERT_TRUE(file) << file.error().text();
        auto started = SimulationThread::start(
            scene, {.playing = false, .speed = 0, .recording = std::make_shared<GrowingFile>(std::move(*file))});
        ASSERT_TRUE(started) << started.error().text();
        thread = std::move(*started);
        thread->update();
    }
    std::shared_ptr<MotionSlot> keep() {
        auto here = std::make_shared<MotionSlot>();
        thread->post(StoreMotion{here});
        EXPECT_TRUE(done());
        return here;
    }
    std::uint64_t hash() { return integrators::stateHash(keep()->content()->simulation.state); }
    void steps(int count) {
        for (int n = 0; n < count; ++n) thread->post(StepOnce{std::make_shared<MotionSlot>()});
        ASSERT_TRUE(done());
    }
    void set(const std::function<void(scene::Settings&)>& change) {
        scene::Settings settings = now().settings;
        change(settings);
        thread->post(SetSettings{settings, ++revision});
        ASSERT_TRUE(done());
    }
    /// Drags a particle along a line.
    void drag(Index particle, int count) {
        thread->post(GrabParticle{particle, now().mesh->revision, ++serial, {0.2f, 0.1f, 0.1f}});
        for (int n = 0; n < count; ++n) {
            thread->setPointerTarget({serial, {0.2f + 0.02f * float(n), 0.1f, 0.1f}});
            steps(1);
        }
        thread->post(ReleaseGrab{});
        ASSERT_TRUE(done());
    }
    std::uint64_t replayed(const std::string& path, std::int64_t* taken = nullptr) {
        auto events = simulation::loadRecording(path);
        EXPECT_TRUE(events) << events.error().text();
        if (!events) return 0;
        simulation::Replay replay(std::move(events->events));
        simulation::Session session(2);
        for (;;) {
            const auto more = replay.step(session, {});
            EXPECT_TRUE(more) << more.error().text();
            if (!more || !*more) break;
        }
        if (taken) *taken = replay.steps();
        integrators::SimulationState state = session.simulation().state();
        integrators::forget(state, integrators::StateRole::Hand);
        return integrators::stateHash(state);
    }
    std::string saved() {
        const std::string path = folder.file("since.clothrec");
        thread->post(SaveRecording{path, ++serial});
        EXPECT_TRUE(done());
        EXPECT_EQ(now().saved.problem, "");
        return path;
    }

    tests::ScratchFolder folder;
    std::uint64_t serial = 100, revision = 10;
};

TEST_F(RecordingTest, IsReplayedToTheSameBits) {
    startRecorded(hangingSheet(11));
    EXPECT_TRUE(now().plain);
    set([](scene::Settings& s) { s.material.shearStiffness = 123; });
    steps(4);
    EXPECT_TRUE(now().plain) << "settings changed before the first step are --set options";
    EXPECT_EQ(now().taken, 4);
    drag(60, 8);
    EXPECT_FALSE(now().plain);
    set([](scene::Settings& s) { s.integrator.kind = integrators::IntegratorKind::FastMassSpring; });
    steps(5);
    set([](scene::Settings& s) { s.material.stretchStiffness = 4321.1; });
    steps(12);  // enough steps for the new factor to arrive
    thread->post(pinned(70, now().mesh->revision));
    steps(3);
    const auto pins = keep();
    thread->post(toggled(50, now().mesh->revision));
    steps(2);
    thread->post(ReturnPins{pins, std::make_shared<MotionSlot>()});
    steps(2);
    for (int n = 0; n < 5; ++n) thread->post(StepBack{});
    thread->post(Apply{edits::Seek{12}});
    steps(4);
    scene::Painting painting = scene::paint({}, {}, 0, std::vector<Index>{36, 37, 38, 47}, {});
    thread->post(Apply{edits::Paint{painting}, now().mesh->revision});
    thread->post(Apply{edits::Cut{{Vec3(0.5, 2, 2), Vec3(-0.4, -2, -1.9), Vec3(0.4, -2, -1.9)}}, now().mesh->revision,
                       std::make_shared<MotionSlot>()});
    thread->post(
        Apply{edits::Ball{{0, 0.5, 1}, {.radius = 0.05, .mass = 0.1, .velocity = {0, 0, -2}}}, now().mesh->revision});
    steps(6);
    set([](scene::Settings& s) {
        s.integrator.kind = integrators::IntegratorKind::Bdf2;
        s.solver.kind = solvers::SolverKind::Mpcg;
    });
    steps(3);
    const auto before = std::make_shared<MotionSlot>();
    thread->post(Apply{edits::Restart{}, 0, before});
    steps(3);
    thread->post(ReturnToMotion{before, ++revision, std::make_shared<MotionSlot>()});
    steps(3);
    const auto first = std::make_shared<MotionSlot>();
    thread->post(LoadScene{.scene = anotherSheet(), .revision = ++revision, .before = first});
    steps(3);
    EXPECT_EQ(replayed(saved()), hash()) << "the recording since the scene was loaded";
    thread->post(ReturnToMotion{first, ++revision, std::make_shared<MotionSlot>()});
    steps(4);
    drag(40, 3);
    std::int64_t taken = 0;
    const std::uint64_t then = hash();
    EXPECT_EQ(replayed(saved(), &taken), then) << "back in the previous scene, whose motion is recorded as a state";
    thread.reset();  // writes the steps at the end
    EXPECT_EQ(replayed(folder.file("all.clothrec"), &taken), then) << "the whole recording";
    EXPECT_GT(taken, 60);
}

// A tear happens in a step, and the program itself stores the motion before it: the recording contains that as well.
TEST_F(RecordingTest, ATearThatIsTakenBackIsReplayed) {
    startRecorded(hangingSheet(11));
    steps(3);
    set([](scene::Settings& s) { s.material.tearStrain = 0.001; });
    reports.clear();
    steps(4);
    const auto torn = std::ranges::find_if(reports, [](const ReportEntry& entry) { return entry.tear.has_value(); });
    ASSERT_NE(torn, reports.end());
    EXPECT_EQ(std::ranges::count_if(reports, [](const ReportEntry& entry) { return entry.tear.has_value(); }), 1);
    EXPECT_GT(now().report.brokenSprings, 0);
    thread->post(ReturnToMotion{torn->tear->before, ++revision, std::make_shared<MotionSlot>()});
    set([](scene::Settings& s) { s.material.tearStrain = 0.2; });
    drag(120, 30);
    steps(4);
    const std::uint64_t then = hash();
    EXPECT_EQ(replayed(saved()), then);
    thread.reset();
    EXPECT_EQ(replayed(folder.file("all.clothrec")), then);
}

// Events before the last scene belong to the recording again once the user returns to that motion.
TEST_F(RecordingTest, OfAMotionBeforeTheLastSceneHasWhatLedToIt) {
    startRecorded(hangingSheet(11));
    steps(2);
    const auto pins = keep();
    thread->post(toggled(50, now().mesh->revision));
    steps(2);
    const scene::Painting painting = scene::paint({}, {}, 0, std::vector<Index>{36, 37, 38, 47}, {});
    thread->post(Apply{edits::Paint{painting}, now().mesh->revision});
    steps(2);
    const auto first = std::make_shared<MotionSlot>();
    thread->post(LoadScene{.scene = anotherSheet(), .revision = ++revision, .before = first});
    steps(2);
    const std::string before = saved();
    EXPECT_EQ(replayed(before), hash());
    EXPECT_EQ(simulation::loadRecording(before)->events.size(), 2u) << "the recording has only a scene and its steps";
    thread->post(ReturnToMotion{first, ++revision, std::make_shared<MotionSlot>()});
    steps(2);
    EXPECT_EQ(replayed(saved()), hash()) << "back in the previous scene";
    thread->post(ReturnPins{pins, std::make_shared<MotionSlot>()});
    steps(2);
    EXPECT_EQ(replayed(saved()), hash()) << "pins from before the other scene";
    thread->post(Apply{edits::Paint{}, now().mesh->revision});
    steps(5);
    std::int64_t taken = 0;
    const std::uint64_t then = hash();
    EXPECT_EQ(replayed(saved(), &taken), then) << "the painting is removed again";
    EXPECT_EQ(taken, now().taken);
    thread.reset();
    EXPECT_EQ(replayed(folder.file("all.clothrec")), then);

    auto begun = simulation::beginReplay(folder.file("all.clothrec"));
    ASSERT_TRUE(begun) << begun.error().text();
    auto started = SimulationThread::start(
        begun->load.scene,
        {.playing = true, .speed = 0, .replay = std::make_shared<simulation::Replay>(std::move(begun->rest.events))});
    ASSERT_TRUE(started);
    thread = std::move(*started);
    thread->update();
    ASSERT_TRUE(until([&] { return now().replayed.phase == Snapshot::Replayed::Phase::Ended; }));
    EXPECT_EQ(hash(), then);
    EXPECT_EQ(replayed(saved()), then) << "saved after it was played in the window";
}

// A replay is recorded again: both files lead to the same bits.
TEST_F(RecordingTest, IsPlayedInTheWindowUntilItEndsOrSomebodyTakesOver) {
    startRecorded(hangingSheet(11));
    steps(3);
    drag(60, 2);
    scene::Settings other = now().settings;
    other.material.stretchStiffness = 100;
    thread->post(StartBranch{other});
    other.material.shearStiffness = 77;
    thread->post(StartBranch{.ghost = other, .further = true});
    drag(60, 2);
    set([](scene::Settings& s) { s.material.stretchStiffness = 4321.1; });
    steps(3);
    thread->post(StepBack{});
    thread->post(Apply{edits::Cut{{Vec3(0.5, 2, 2), Vec3(-0.4, -2, -1.9), Vec3(0.4, -2, -1.9)}}, now().mesh->revision,
                       std::make_shared<MotionSlot>()});
    steps(2);
    thread->post(LoadScene{.scene = anotherSheet(), .revision = ++revision, .before = std::make_shared<MotionSlot>()});
    steps(5);
    const std::uint64_t then = hash();
    thread.reset();
    const auto begin = [&](bool playing) {
        auto begun = simulation::beginReplay(folder.file("all.clothrec"));
        ASSERT_TRUE(begun) << begun.error().text();
        auto started = SimulationThread::start(
            begun->load.scene, {.playing = playing,
                                .speed = 0,
                                .replay = std::make_shared<simulation::Replay>(std::move(begun->rest.events))});
        ASSERT_TRUE(started);
        thread = std::move(*started);
        thread->update();
    };
    using Phase = Snapshot::Replayed::Phase;
    begin(true);
    ASSERT_TRUE(until([&] { return now().replayed.phase == Phase::Ended; }));
    EXPECT_FALSE(now().playing);
    EXPECT_EQ(now().replayed.steps, 17);
    EXPECT_EQ(now().replayed.all, 17);
    ASSERT_NE(now().replayed.scene, nullptr);
    EXPECT_EQ(hash(), then);
    EXPECT_EQ(replayed(saved()), then);

    EXPECT_EQ(now().ghosts(), 0u) << "the scene has ended them";

    begin(false);
    steps(4);
    EXPECT_EQ(now().ghosts(), 0u);
    steps(2);
    ASSERT_EQ(now().ghosts(), 2u) << "ghosts of a recording are shown again";
    EXPECT_EQ(now().ghostAt(0).startStep, 5);
    EXPECT_GT(now().ghostAt(0).largest, 0);
    steps(2);
    EXPECT_EQ(now().replayed.phase, Phase::On);
    EXPECT_EQ(now().settings.material.stretchStiffness, 4321.1) << "the setting of the recording";
    thread->post(SetOverlay{});
    steps(1);
    EXPECT_EQ(now().replayed.phase, Phase::On) << "an overlay does not end the replay";
    set([](scene::Settings& s) { s.material.shearStiffness = 77; });
    EXPECT_EQ(now().replayed.phase, Phase::Left);
    steps(20);
    EXPECT_EQ(now().step, 29);
    EXPECT_EQ(now().settings.material.stretchStiffness, 4321.1);
    EXPECT_EQ(replayed(saved()), hash());
}

TEST_F(RecordingTest, WhatHasNoSenseIsRefusedWithItsPlace) {
    const std::string head = simulation::recordingHead() + "\n";
    const std::pair<std::string, const char*> cases[] = {
        {"", "empty"},
        {"{\"steps\": 3}\n", "no recording"},
        {"{\"clothlab_recording\": 7}\n", "version 7"},
        {head + "{\"stepps\": 3}\n", "unknown event"},
        {head + "{\"steps\": -3}\n", "steps: -3 is out of range"},
        {head + "{\"steps\": 0.5}\n", "steps: 0.5 is no whole number"},
        {head + "[3]\n", "a list where an object is needed"},
        {head + "{}\n", "an event is needed"},
        {head + "{\"return\": 3, \"anew\": 1}\n", "anew: a number where true or false is needed"},
        {head + "{\"set\": {\"solver.kin\": \"mpcg\"}}\n", "no setting"},
        {head + "{\"set\": {\"solver.kind\": \"mpgc\"}}\n", "mpgc"},
        {head + "{\"pin\": {\"particle\": 3}}\n", "missing"},
        {head + "{\"load\": {\"name\": \"a\", \"scene\": \"stepps = 3\"}}\n", "stepps"},
        {head + "{\"steps\": 3}\nx\n", ""},
    };
    for (const auto& [text, words] : cases) {
        const auto read = simulation::readRecording(text, "a.clothrec");
        ASSERT_FALSE(read) << text;
        EXPECT_GE(read.error().line, 1) << text;
        EXPECT_NE(read.error().message.find(words), std::string::npos) << read.error().text();
    }
    const auto cut = simulation::readRecording(head + "{\"steps\": 3}\n{\"set\": {\"sol", "a.clothrec");
    ASSERT_TRUE(cut) << "cut off";
    EXPECT_EQ(cut->events.size(), 1u);
    EXPECT_NE(cut->note.find("a.clothrec:3: the last line is cut off"), std::string::npos) << cut->note;
    EXPECT_EQ(simulation::readRecording(head + "{\"steps\": 3}", "a.clothrec")->note, "")
        << "complete, without a newline";
    const std::string load = simulation::recordedLine(simulation::edits::Load{hangingSheet(5), {}}) + "\n";
    const std::string paints = "\"particles\": [1, 2], \"values\": {\"stretch_stiffness\": \"5\"}}]}\n";
    for (const std::string& events : {std::string("{\"steps\": 3}\n"), std::string("{\"seek\": 3}\n"),
                                      std::string("{\"return\": 3}\n"), load + "{\"paint\": [{\"cloth\": 7, " + paints,
                                      load + "{\"paint\": [{\"cloth\": 0, \"particles\": [25], \"values\": {}}]}\n"}) {
        auto read = simulation::readRecording(head + events, "a.clothrec");
        ASSERT_TRUE(read) << read.error().text();
        simulation::Replay replay(std::move(read->events));
        simulation::Session none(1);
        EXPECT_FALSE(replay.step(none, {})) << events;
    }
}

}  // namespace
}  // namespace clothlab::app::worker
