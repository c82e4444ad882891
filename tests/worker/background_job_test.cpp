#include "worker/jobs/background_job.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "integrators/kind.hpp"
#include "solvers/kind.hpp"
#include "thread_fixture.hpp"
#include "worker/jobs/job_context.hpp"

namespace clothlab::app::worker {
namespace {

scene::Scene smallSheet() {
    scene::Scene scene = hangingSheet(9);
    scene.settings.solver.warmStart = false;  // a race starts at zero, so the step must as well
    return scene;
}

// --- the mechanism of jobs, with jobs that only count

struct Count {
    int to = 0;
};
struct Counted {
    int value = 0;
};
struct Hurry {};
struct Hurried {
    int run = 0;
    bool cancelled = false;
};

struct CountJob : JobKind<std::variant<Count>, Counted> {
    static std::unique_ptr<Job> make();
};
struct HurryJob : JobKind<std::variant<Hurry>, Hurried> {
    static std::unique_ptr<Job> make();
};

class Counts final : public CountJob::Job {
public:
    void ask(CountJob::Request request, const JobContext& context) override {
        context.thread.add([this, to = std::get<Count>(request).to](const std::stop_token&) {
            for (int i = 1; i <= to; ++i) publish({i});
        });
    }
};
class Hurries final : public HurryJob::Job {
public:
    void ask(HurryJob::Request, const JobContext& context) override {
        context.thread.replace([this](const std::stop_token& stop) {
            publish({++run_, false});
            while (!stop.stop_requested()) std::this_thread::yield();
            publish({run_, true});
        });
    }

private:
    int run_ = 0;
};
std::unique_ptr<CountJob::Job> CountJob::make() { return std::make_unique<Counts>(); }
std::unique_ptr<HurryJob::Job> HurryJob::make() { return std::make_unique<Hurries>(); }

using TwoJobs = JobList<CountJob, HurryJob>;
static_assert(std::is_same_v<WithRequests<std::variant<int>, TwoJobs>::Type, std::variant<int, Count, Hurry>>);

/// A set of jobs without a simulation thread: the test's thread acts as that one and as the window's.
class JobSetTest : public ::testing::Test {
protected:
    JobSetTest() : simulation(std::move(*simulation::Simulation::create(smallSheet(), 1))) {}
    template <class Result>
    bool until(const std::function<bool(const Result&)>& wanted) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < limit) {
            jobs.update(results);
            if (const Result* result = results.of<Result>(); result && wanted(*result)) return true;
            std::this_thread::yield();
        }
        return false;
    }

    std::unique_ptr<simulation::Simulation> simulation;
    StepGate gate;
    JobSet<TwoJobs> jobs;
    LatestResults<TwoJobs> results;
    BackgroundThread thread;
    const JobContext context{*simulation, 1, gate, thread};
};

TEST_F(JobSetTest, ARequestFindsItsJobAndTheLatestResultWins) {
    EXPECT_EQ(results.of<Counted>(), nullptr);
    EXPECT_FALSE(jobs.update(results));
    jobs.ask(Count{1000}, context);
    ASSERT_TRUE(until<Counted>([](const Counted& counted) { return counted.value == 1000; }));
    EXPECT_EQ(results.of<Hurried>(), nullptr) << "the other job had no request";
    EXPECT_FALSE(jobs.update(results)) << "nothing new";
    EXPECT_EQ(results.of<Counted>()->value, 1000) << "the result stays";
}

TEST_F(JobSetTest, WhatReplacesEndsWhatRunsAndWhatIsAddedWaitsItsTurn) {
    jobs.ask(Hurry{}, context);
    ASSERT_TRUE(until<Hurried>([](const Hurried& hurried) { return hurried.run == 1; }));
    jobs.ask(Count{3}, context);
    jobs.update(results);
    EXPECT_EQ(results.of<Counted>(), nullptr) << "jobs run one after the other, and the first does not end by itself";
    jobs.ask(Hurry{}, context);
    ASSERT_TRUE(until<Counted>([](const Counted& counted) { return counted.value == 3; }));
    ASSERT_TRUE(until<Hurried>([](const Hurried& hurried) { return hurried.run == 2; }));
    EXPECT_FALSE(results.of<Hurried>()->cancelled) << "only the first run was cancelled";
    thread.cancel();
    ASSERT_TRUE(until<Hurried>([](const Hurried& hurried) { return hurried.run == 2 && hurried.cancelled; }));
    jobs.ask(Hurry{}, context);  // still runs during destruction, where the thread ends it
}

class BackgroundJobTest : public ThreadTest {
protected:
    const RaceProgress* race() const { return thread->results().of<RaceProgress>(); }
    const SlowMotionResult* slowMotion() const { return thread->results().of<SlowMotionResult>(); }
    const SparsityResult* sparsity() const { return thread->results().of<SparsityResult>(); }
    bool raced() {
        return until([&] { return race() && !race()->running; });
    }
};

TEST_F(BackgroundJobTest, RacesTheSystemOfTheStepOnShowAndChangesNothing) {
    start(smallSheet(), false);
    for (int i = 0; i < 12; ++i) thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().commands == thread->posted(); }));
    const auto hash = thread->snapshot().report.stateHash;
    const auto tolerance = thread->snapshot().settings.solver.tolerance;
    thread->post(StartRace{.options = {.tolerances = {tolerance}, .runs = 1}});
    ASSERT_TRUE(raced());
    const RaceProgress& done = *race();
    EXPECT_EQ(done.problem, "");
    EXPECT_EQ(done.result.step, 12);
    EXPECT_EQ(done.origin.step, 12);
    EXPECT_EQ(done.origin.shown, thread->snapshot().identity);
    EXPECT_EQ(done.origin.mesh, thread->snapshot().mesh->revision);
    EXPECT_FALSE(done.origin.toCome);
    EXPECT_EQ(done.result.scene, "hang");
    EXPECT_EQ(done.result.rows.size(), done.result.field.size());
    // The active method needs as many iterations as in the step, and lagged methods have their factor.
    EXPECT_TRUE(done.result.field[0].active);
    EXPECT_EQ(done.result.rows[0].iterations, thread->snapshot().report.iterations);
    EXPECT_TRUE(std::any_of(done.result.field.begin(), done.result.field.end(), [](const experiments::Contestant& c) {
        return c.method.preconditioner.kind == enumNamed<preconditioners::PreconditionerKind>("lagged-cholesky");
    }));
    EXPECT_EQ(thread->snapshot().step, 12);
    thread->post(StepBack{});
    thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().commands == thread->posted(); }));
    EXPECT_EQ(thread->snapshot().report.stateHash, hash);
}

TEST_F(BackgroundJobTest, TheMotionGoesOnBetweenTwoMeasurements) {
    start(smallSheet(), true);
    ASSERT_TRUE(until([&] { return thread->snapshot().step >= 3; }));
    // Counted from here, since this thread may first see the race when it is over.
    const std::int64_t first = thread->snapshot().step;
    thread->post(StartRace{.options = {.tolerances = {1e-6}, .runs = 3}});
    ASSERT_TRUE(until([&] { return race() && !race()->running; }));
    EXPECT_GT(thread->snapshot().step, first);
    EXPECT_FALSE(race()->result.live);
    // There are many rows, each timed three times: if steps had to wait for the end, there would be hardly one.
    ASSERT_TRUE(until([&] { return thread->snapshot().step >= first + 20; }));
}

TEST_F(BackgroundJobTest, SlowMotionEndsAtTheStateOnShow) {
    start(smallSheet(), false);
    for (int i = 0; i < 7; ++i) thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().commands == thread->posted(); }));
    const experiments::Contestant tight{{{.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-9}, {}}};
    const experiments::Contestant direct{{{.kind = solvers::SolverKind::Cholesky}, {}}};
    thread->post(StartSlowMotion{{tight, direct}});
    ASSERT_TRUE(until([&] { return slowMotion() != nullptr; }));
    const experiments::SlowMotion& motion = slowMotion()->motion;
    EXPECT_EQ(slowMotion()->problem, "");
    EXPECT_EQ(motion.step, 7);
    ASSERT_EQ(motion.methods.size(), 2u);
    std::vector<float> at;
    motion.positions(0, motion.methods[0].frames() - 1, 1, at);
    ASSERT_EQ(at.size(), thread->snapshot().positions.size());
    for (std::size_t i = 0; i < at.size(); ++i)
        EXPECT_NEAR(at[i], thread->snapshot().positions[i], 1e-4);  // the step was solved to 1e-3
    EXPECT_EQ(thread->snapshot().step, 7);
}

// The step shown is repeated with the settings and pins of that step, not the current ones.
TEST_F(BackgroundJobTest, SlowMotionIsOfTheStepThatWasMadeWhateverIsSetNow) {
    start(smallSheet(), false);
    for (int i = 0; i < 6; ++i) thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().commands == thread->posted(); }));
    thread->post(toggled(80, thread->snapshot().mesh->revision));  // between two steps
    thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().commands == thread->posted(); }));
    ASSERT_NE(thread->snapshot().madeWith, nullptr);
    const auto made = *thread->snapshot().madeWith;
    auto other = made;
    other.integrator.dt *= 3;
    other.material.stretchStiffness *= 50;
    other.solver.kind = solvers::SolverKind::Cholesky;
    thread->post(SetSettings{other, 9});
    thread->post(toggled(44, thread->snapshot().mesh->revision));
    const experiments::Contestant tight{{{.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-9}, {}}};
    thread->post(StartSlowMotion{{tight}, 5});
    ASSERT_TRUE(until([&] { return slowMotion() != nullptr; }));
    const SlowMotionResult& result = *slowMotion();
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.request, 5u);
    EXPECT_EQ(result.origin.mesh, thread->snapshot().mesh->revision);
    EXPECT_EQ(result.motion.step, 7);
    EXPECT_EQ(result.motion.waves->kind(), experiments::ErrorWaves::Kind::Wavelengths) << "the cloth is one grid";
    EXPECT_DOUBLE_EQ(result.motion.reach, made.integrator.dt);
    EXPECT_EQ(std::count(result.pins.begin(), result.pins.end(), 80), 1);
    EXPECT_EQ(std::count(result.pins.begin(), result.pins.end(), 44), 0) << "pinned after the step";
    std::vector<float> at;
    result.motion.positions(0, result.motion.methods[0].frames() - 1, 1, at);
    ASSERT_EQ(at.size(), thread->snapshot().positions.size());
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(at[i], thread->snapshot().positions[i], 1e-4);
    EXPECT_EQ(*thread->snapshot().madeWith, made) << "the current settings apply from the next step";
    thread->post(StepOnce{});
    ASSERT_TRUE(until([&] { return thread->snapshot().step == 8; }));
    EXPECT_EQ(*thread->snapshot().madeWith, other);
    // Another method on the frozen step, then on the step shown.
    thread->post(StartSlowMotion{{tight}, 6, true});
    ASSERT_TRUE(until([&] { return slowMotion()->request == 6; }));
    EXPECT_EQ(slowMotion()->motion.step, 7);
    thread->post(StartSlowMotion{{tight}, 7, false});
    ASSERT_TRUE(until([&] { return slowMotion()->request == 7; }));
    EXPECT_EQ(slowMotion()->motion.step, 8);
}

TEST_F(BackgroundJobTest, APapersTableIsComputedWhileTheClothIsThere) {
    start(smallSheet(), false);
    const auto table = [&] { return thread->results().of<TableProgress>(); };
    thread->post(StartTable{"chen-figure-2", {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets"}});
    ASSERT_TRUE(until([&] { return table() && !table()->running; }));
    ASSERT_NE(table()->table, nullptr) << table()->problem;
    EXPECT_EQ(table()->table->table, "chen-figure-2");
    EXPECT_FALSE(table()->table->rows.empty());
    thread->post(StartTable{"ye-table-9", {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets"}});
    ASSERT_TRUE(until([&] { return table()->serial == 2 && !table()->running; }));
    EXPECT_NE(table()->problem.find("no table"), std::string::npos) << table()->problem;
    thread->post(StartTable{"ye-table-2", {.assetsFolder = CLOTHLAB_SOURCE_DIR "/assets"}});
    ASSERT_TRUE(until([&] { return table()->serial == 3 && !table()->now.empty(); }));
    thread->post(CancelJob{});  // does not stop a table
    thread->post(StopTable{});
    ASSERT_TRUE(until([&] { return !table()->running; }));
    EXPECT_TRUE(table()->stopped);
    EXPECT_EQ(table()->problem, "");
}

TEST_F(BackgroundJobTest, TheRasterShowsEveryBlockOfTheStep) {
    start(smallSheet(), false);
    thread->post(StepOnce{});
    thread->post(ShowSparsity{experiments::SparsityOf::Factor, factors::Ordering::Amd});
    ASSERT_TRUE(until([&] { return sparsity() != nullptr; }));
    const SparsityResult& result = *sparsity();
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.blocks.step, 1);
    ASSERT_EQ(result.cells, 81);  // few enough for one cell per block
    EXPECT_EQ(
        std::size_t(std::count_if(result.raster.begin(), result.raster.end(), [](std::uint8_t c) { return c > 0; })),
        result.blocks.column.size());
}

TEST_F(BackgroundJobTest, AnExplicitMethodHasNothingToRace) {
    start(smallSheet(), false);
    auto settings = smallSheet().settings;
    settings.integrator.kind = integrators::IntegratorKind::SymplecticEuler;
    thread->post(SetSettings{settings, 5});
    thread->post(StartRace{});
    ASSERT_TRUE(raced());
    EXPECT_NE(race()->problem.find("no linear system"), std::string::npos) << race()->problem;
}

// The scene of a bundle has the settings of the step of its system, although the race compares the current ones.
TEST_F(BackgroundJobTest, TheBundleHasTheSettingsOfTheStep) {
    start(smallSheet(), false);
    thread->post(StepOnce{});
    auto other = smallSheet().settings;
    other.solver.kind = solvers::SolverKind::Cholesky;
    thread->post(SetSettings{other, 5});
    thread->post(
        StartRace{.options = {.choice = experiments::RaceChoice::Preconditioners, .tolerances = {1e-3}, .runs = 1}});
    ASSERT_TRUE(raced());
    EXPECT_EQ(race()->result.field[0].method.solver.kind, solvers::SolverKind::Cholesky);
    const auto folder = std::filesystem::temp_directory_path() / "clothlab-race-settings-test";
    std::filesystem::remove_all(folder);
    thread->post(SaveRace{folder.string(), race()->serial});
    ASSERT_TRUE(until([&] { return !race()->saved.empty(); }));
    const auto scene = scene::readScene((folder / "scene.toml").string());
    ASSERT_TRUE(scene.has_value()) << scene.error().text();
    EXPECT_EQ(scene->settings.solver.kind, smallSheet().settings.solver.kind);
    std::filesystem::remove_all(folder);
}

TEST_F(BackgroundJobTest, IsCancelledRestartedAndSaved) {
    start(smallSheet(), false);
    thread->post(StartRace{.options = {.runs = 200}});
    ASSERT_TRUE(until([&] { return race() && race()->running && !race()->result.rows.empty(); }));
    thread->post(CancelJob{});
    ASSERT_TRUE(raced());
    EXPECT_LT(race()->result.rows.size(), 2 * race()->result.field.size());
    thread->post(StartRace{.options = {.tolerances = {1e-3}, .runs = 1}});
    ASSERT_TRUE(until([&] { return race()->serial == 2 && !race()->running; }));
    const auto folder = std::filesystem::temp_directory_path() / "clothlab-race-test";
    std::filesystem::remove_all(folder);
    thread->post(SaveRace{folder.string(), 1});
    ASSERT_TRUE(until([&] { return !race()->problem.empty(); }));
    EXPECT_NE(race()->problem.find("not saved"), std::string::npos) << race()->problem;
    EXPECT_FALSE(std::filesystem::exists(folder)) << "only the last race can be saved";
    thread->post(SaveRace{folder.string(), race()->serial});
    ASSERT_TRUE(until([&] { return !race()->saved.empty(); }));
    for (const char* file : {"A.mtx", "race.csv", "scene.toml"})
        EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace clothlab::app::worker
