#include "worker/jobs/work_measurement.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "experiments/charts/chart.hpp"
#include "integrators/kind.hpp"
#include "scratch_folder.hpp"
#include "thread_fixture.hpp"
#include "worker/simulation_thread.hpp"

namespace clothlab::app::worker {
namespace {

using integrators::IntegratorKind;

scene::Scene drape() { return hangingSheet(7); }

WorkOrder smallOrder() {
    return {.scene = drape(),
            .start = {},
            .request = {.integrators = {IntegratorKind::LinearizedBackwardEuler, IntegratorKind::Bdf2},
                        .duration = 0.1,
                        .largestDt = 0.01,
                        .sizes = 3,
                        .referenceDivisor = 2}};
}

/// Everything that was published, in order.
struct Published {
    std::vector<WorkProgress> all;
    WorkMeasurement::Publish take() {
        return [this](const WorkProgress& progress) { all.push_back(progress); };
    }
    const WorkProgress& last() const { return all.back(); }
};

TEST(WorkMeasurement, PointsComeOneByOneAndAreSavedForPlot) {
    StepGate gate;
    WorkMeasurement work;
    Published published;
    work.measure(smallOrder(), gate, {}, published.take());
    const WorkProgress done = published.last();
    EXPECT_EQ(done.problem, "");
    EXPECT_FALSE(done.running);
    EXPECT_EQ(done.share, 1);
    ASSERT_EQ(done.records.records.size(), 6u);
    std::size_t points = 0;
    double share = 0;
    for (const WorkProgress& progress : published.all) {
        EXPECT_TRUE(progress.records.records.size() == points || progress.records.records.size() == points + 1);
        EXPECT_GE(progress.share, share);
        points = progress.records.records.size();
        share = progress.share;
    }
    const tests::ScratchFolder folder;
    const std::string path = folder.file("work.ndjson");
    work.save(path, published.take());
    EXPECT_EQ(published.last().saved, path);
    const auto file = records::readRecords(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->records, done.records.records);
    const auto charts = experiments::makeCharts({&*file, 1}, {});
    ASSERT_TRUE(charts) << charts.error().text();
    EXPECT_EQ(charts->front().yKey, "error_m");
    EXPECT_EQ(charts->front().curves.size(), 2u);

    // Points read back are a new set, which cannot be saved over the file by mistake.
    work.open(path, published.take());
    EXPECT_EQ(published.last().serial, done.serial + 1);
    EXPECT_EQ(published.last().records.records, done.records.records);
    EXPECT_EQ(published.last().threads, 0);

    std::ofstream(path) << "{\"run\":0,\"error_m\":1}\n{\"run\":1,\n{\"run\":2}\n";
    work.open(path, published.take());
    EXPECT_NE(published.last().problem.find(path + ":2:"), std::string::npos) << published.last().problem;
    EXPECT_EQ(published.last().records.records.size(), 6u) << "the previous points stay";
}

TEST(WorkMeasurement, WhatWasMeasuredBeforeAStopStays) {
    StepGate gate;
    WorkMeasurement work;
    std::stop_source stop;
    Published published;
    work.measure(smallOrder(), gate, stop.get_token(), [&](const WorkProgress& progress) {
        published.all.push_back(progress);
        if (progress.records.records.size() == 2) stop.request_stop();
    });
    EXPECT_FALSE(published.last().running);
    EXPECT_EQ(published.last().problem, "");
    EXPECT_EQ(published.last().records.records.size(), 2u);
    const tests::ScratchFolder folder;
    const std::string path = folder.file("work.ndjson");
    work.save(path, published.take());
    EXPECT_EQ(records::readRecords(path)->records.size(), 2u);
}

TEST(WorkMeasurement, AReferenceThatDivergesSaysSo) {
    StepGate gate;
    WorkMeasurement work;
    Published published;
    WorkOrder order = smallOrder();
    order.scene.settings.material.stretchStiffness = 1e5;
    order.scene.settings.integrator.substeps = 1;
    order.request.reference = IntegratorKind::ForwardEuler;
    work.measure(order, gate, {}, published.take());
    EXPECT_NE(published.last().problem.find("did not arrive: diverged"), std::string::npos) << published.last().problem;
    order.request.integrators.clear();
    work.measure(order, gate, {}, published.take());
    EXPECT_NE(published.last().problem.find("choose an integrator"), std::string::npos);
    EXPECT_FALSE(published.last().running);
}

class WorkThreadTest : public ::testing::Test {
protected:
    bool until(const std::function<bool()>& wanted) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        while (std::chrono::steady_clock::now() < limit) {
            thread->update();
            if (wanted()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    const WorkProgress* work() const { return thread->results().of<WorkProgress>(); }
    std::unique_ptr<SimulationThread> thread;
};

TEST_F(WorkThreadTest, TheMotionGoesOnBesideAndIsNotTouched) {
    auto started = SimulationThread::start(drape(), {.playing = true, .speed = 0, .overlay = {}, .problem = {}});
    ASSERT_TRUE(started);
    thread = std::move(*started);
    ASSERT_TRUE(until([&] { return thread->snapshot().step >= 5; }));
    thread->post(StartWork{.request = smallOrder().request});
    std::int64_t first = 0;
    ASSERT_TRUE(until([&] {
        if (work() && first == 0) first = thread->snapshot().step;
        return work() && !work()->running;
    }));
    EXPECT_EQ(work()->problem, "");
    EXPECT_EQ(work()->records.records.size(), 6u);
    EXPECT_GT(thread->snapshot().step, first);
    EXPECT_EQ(thread->snapshot().settings.integrator.kind, drape().settings.integrator.kind);
    // A stop during a measurement that would take long.
    auto longer = smallOrder().request;
    longer.duration = 100;
    thread->post(StartWork{.request = longer});
    ASSERT_TRUE(until([&] { return work()->serial == 2 && work()->running; }));
    thread->post(CancelJob{});
    ASSERT_TRUE(until([&] { return work()->serial == 2 && !work()->running; }));
}

}  // namespace
}  // namespace clothlab::app::worker
