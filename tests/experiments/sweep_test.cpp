#include "experiments/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/input.hpp"
#include "experiments/smooth_sheet.hpp"
#include "records/json_line.hpp"
#include "records/record_file.hpp"
#include "simulation/scenes.hpp"

namespace clothlab::testing {

using namespace experiments;
namespace {

using records::Entries;

SweepPlan makePlan(const SweepRequest& request, const scene::Scene& scene = sceneNamed("chen")) {
    auto plan = planSweep(scene, request);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().text());
    return plan ? std::move(*plan) : SweepPlan{};
}

class SweepFileTest : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    SweepOutcome sweep(const SweepPlan& plan, const std::string& file, Shard shard = {}, int stopAfter = -1) {
        int started = 0;
        SweepControl control{.shard = shard, .out = path(file)};
        std::stop_source stop;
        control.stop = stop.get_token();
        control.progress = [&](int, int, const std::string& now) {
            started += !now.empty();
            if (stopAfter >= 0 && started > stopAfter) stop.request_stop();
        };
        const auto outcome = experiments::sweep(plan, control);
        EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().text());
        return outcome ? *outcome : SweepOutcome{};
    }
    /// All lines of a file, by run, without the entries that depend on the clock.
    std::vector<records::Entries> timeless(const std::string& file) const {
        auto records = records::readRecords(path(file));
        EXPECT_TRUE(records) << (records ? "" : records.error().text());
        if (!records) return {};
        for (records::Entries& record : records->records)
            std::erase_if(record, [](const auto& entry) {
                const std::string& key = entry.first;
                const bool time = key.ends_with("_ms") || key.find("_ms_") != key.npos;  // and its percentiles
                return (time && key.find('.') == key.npos) || key == "ms_per_simulated_s" || key == "real_time_factor";
            });
        std::sort(records->records.begin(), records->records.end(),
                  [](const records::Entries& a, const records::Entries& b) {
                      return records::findNumber(a, "run") < records::findNumber(b, "run");
                  });
        return records->records;
    }
    std::string text(const std::string& file) const { return *readFile(path(file)); }
    void write(const std::string& file, const std::string& content) const {
        std::ofstream(path(file), std::ios::binary) << content;
    }
    std::string path(const std::string& file) const { return folder_ / file; }

private:
    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "clothlab_sweep_test";
};

const SweepRequest kSixRuns{.vary = {"integrator.kind=bdf2,linearized-backward-euler", "integrator.dt=0.010,5e-3,0.02"},
                            .steps = 3};

TEST(SweepPlan, AGridCountsLikeAClock) {
    const SweepPlan plan = makePlan(kSixRuns);
    ASSERT_EQ(plan.runs, 6);
    const char* expected[6][2] = {{"bdf2", "0.01"},
                                  {"bdf2", "0.005"},
                                  {"bdf2", "0.02"},
                                  {"linearized-backward-euler", "0.01"},
                                  {"linearized-backward-euler", "0.005"},
                                  {"linearized-backward-euler", "0.02"}};
    for (int run = 0; run < plan.runs; ++run) {
        const auto values = plan.runValues(run);
        ASSERT_EQ(values.size(), 2u);
        EXPECT_EQ(values[0], std::pair(std::string("integrator.kind"), std::string(expected[run][0])));
        EXPECT_EQ(values[1], std::pair(std::string("integrator.dt"), std::string(expected[run][1])));
        EXPECT_EQ(plan.runScene(run).settings.integrator.dt, std::stod(expected[run][1]));
    }
    EXPECT_EQ(makePlan({.vary = {"gravity=0,-9.81,0;0,-1.6,0"}}).runs, 2);
}

TEST(SweepPlan, ShardsAreAPartition) {
    for (int of = 1; of <= 9; ++of)
        for (int run = 0; run < 24; ++run) {
            int owners = 0;
            for (int part = 1; part <= of; ++part) owners += Shard{part, of}.has(run);
            EXPECT_EQ(owners, 1) << run << " of shards " << of;
        }
    for (const char* text : {"0/2", "3/2", "1", "1/0", "a/b", "1/2/3", "-1/2", ""})
        EXPECT_FALSE(parseShard(text)) << text;
    EXPECT_EQ(parseShard("2/8")->of, 8);
}

TEST(SweepPlan, SaysWhatIsWrongBeforeAnyRun) {
    const std::pair<SweepRequest, const char*> cases[] = {
        {{}, "at least one --vary"},
        {{.vary = {"integrator.dt"}}, "key=a,b,c"},
        {{.vary = {"integrator.dtt=0.01"}}, "integrator.dt"},
        {{.vary = {"integrator.dt=0.01,9"}}, "0.2 s"},
        {{.vary = {"integrator.dt=0.01,"}}, "does not fit"},
        {{.vary = {"integrator.dt=0.01,1e-2"}}, "twice"},
        {{.vary = {"integrator.dt=0.01", "integrator.dt=0.02"}}, "varied twice"},
        {{.vary = {"integrator.dt=0.01"}, .sets = {"integrator.dt=0.02"}}, "assigns the same key"},
        {{.vary = {"integrator.dt=0.001..0.01"}}, "--random"},
        {{.vary = {"integrator.dt=0.01..0.001"}, .random = 5}, "smaller"},
        {{.vary = {"material.bend_stiffness=0..1:log"}, .random = 5}, "above 0"},
        {{.vary = {"integrator.dt=1e-4..9"}, .random = 5}, "0.2 s"},
        {{.vary = {"integrator.kind=a..b"}, .random = 5}, "bdf2"},
        {{.vary = {"integrator.dt=0.01,0.003"}, .duration = 0.1}, "0.003 s"},
        {{.vary = {"integrator.dt=0.001..0.01"}, .duration = 0.1, .random = 5}, "list"},
        {{.vary = {"integrator.dt_schedule=fixed,sine"}, .duration = 0.1}, "sine"},
        {{.vary = {"integrator.dt=0.01,0.02"}, .reference = {"integrator.kind=rk4"}}, "--duration"},
        {{.vary = {"solver.tolerance=1e-3"}, .reference = {"integrator.dt=0.0003"}, .duration = 0.1}, "0.0003 s"},
        {{.vary = {"solver.tolerance=1e-3"}, .reference = {"cloth.rows=9"}}, "particle by particle"},
        {{.vary = {"solver.tolerance=1e-3"}, .reference = {"integrator.dt=0.001,integrator.dt=0.002"}}, "set twice"},
        {{.vary = {"solver.tolerance=1e-3"}, .reference = {"integrator.kindd=rk4"}}, "integrator.kind"},
        {{.vary = {"steps=3,4"}, .steps = 5}, "--steps"},
    };
    for (const auto& [request, fragment] : cases) {
        const auto plan = planSweep(sceneNamed("chen"), request);
        ASSERT_FALSE(plan) << fragment;
        EXPECT_NE(plan.error().text().find(fragment), std::string::npos)
            << plan.error().text() << " should have: " << fragment;
    }
}

TEST(SweepPlan, RandomSetsComeFromTheSeed) {
    const auto request = [](std::uint64_t seed) {
        return SweepRequest{.vary = {"material.stretch_stiffness=1..10000:log", "material.shear_stiffness=100..200",
                                     "solver.max_iterations=10..12", "preconditioner.kind=jacobi,ssor"},
                            .steps = 1,
                            .random = 1000,
                            .seed = seed};
    };
    const SweepPlan a = makePlan(request(7)), again = makePlan(request(7)), other = makePlan(request(8));
    ASSERT_EQ(a.runs, 1000);
    int lowLog = 0, lowUniform = 0, ssor = 0, same = 0;
    std::set<std::string> iterations;
    for (int run = 0; run < a.runs; ++run) {
        const auto values = a.runValues(run);
        EXPECT_EQ(values, again.runValues(run));
        same += values == other.runValues(run);
        const double stretch = std::stod(values[0].second), shear = std::stod(values[1].second);
        EXPECT_TRUE(stretch >= 1 && stretch <= 10000 && shear >= 100 && shear <= 200);
        lowLog += stretch < 100;
        lowUniform += shear < 150;
        iterations.insert(values[2].second);
        ssor += values[3].second == "ssor";
    }
    EXPECT_EQ(same, 0);
    // Four standard deviations of 1000 throws of a coin are 63.
    for (const int half : {lowLog, lowUniform, ssor}) EXPECT_NEAR(half, 500, 63);
    EXPECT_EQ(iterations, (std::set<std::string>{"10", "11", "12"}));
}

TEST_F(SweepFileTest, WhatAKilledSweepLeftIsGoneOnFrom) {
    const SweepPlan plan = makePlan(kSixRuns);
    const auto whole = sweep(plan, "whole.ndjson");
    EXPECT_EQ(whole.runs, 6);
    EXPECT_EQ(whole.added, 6);
    const std::string content = text("whole.ndjson");
    EXPECT_EQ(std::count(content.begin(), content.end(), '\n'), 6);

    std::size_t third = 0;
    for (int k = 0; k < 3; ++k) third = content.find('\n', third) + 1;
    write("cut.ndjson", content.substr(0, third + 200));
    const auto rest = sweep(plan, "cut.ndjson");
    EXPECT_EQ(rest.kept, 3);
    EXPECT_EQ(rest.added, 3);
    EXPECT_TRUE(rest.dropped);
    EXPECT_EQ(text("cut.ndjson").substr(0, third), content.substr(0, third)) << "complete lines are kept as they are";
    EXPECT_EQ(timeless("cut.ndjson"), timeless("whole.ndjson"));
    const auto nothing = sweep(plan, "cut.ndjson");
    EXPECT_EQ(nothing.kept, 6);
    EXPECT_EQ(nothing.added, 0);
}

TEST_F(SweepFileTest, ShardsTogetherAreTheWhole) {
    const SweepPlan plan = makePlan(kSixRuns);
    sweep(plan, "whole.ndjson");
    std::string together;
    for (int part = 1; part <= 4; ++part) {
        EXPECT_EQ(sweep(plan, "shard.ndjson", {part, 4}).runs, part <= 2 ? 2 : 1);
        together += text("shard.ndjson");
        std::filesystem::remove(path("shard.ndjson"));
    }
    write("together.ndjson", together);
    EXPECT_EQ(timeless("together.ndjson"), timeless("whole.ndjson"));
    EXPECT_EQ(sweep(plan, "together.ndjson").added, 0);
}

TEST_F(SweepFileTest, AStoppedRunLeavesNoLine) {
    const SweepPlan plan = makePlan(kSixRuns);
    const auto stopped = sweep(plan, "a.ndjson", {}, 2);
    EXPECT_EQ(stopped.added, 2);
    EXPECT_EQ(timeless("a.ndjson").size(), 2u);
    EXPECT_EQ(sweep(plan, "a.ndjson").added, 4);
}

TEST_F(SweepFileTest, AnotherFileIsRefusedAndUntouched) {
    sweep(makePlan(kSixRuns), "six.ndjson");
    const std::string six = text("six.ndjson");
    write("thesis.txt", "It was a dark and stormy night");
    write("report.ndjson", "{\"step\":1,\"time_s\":0.01}\n{\"step\":2,");
    write("broken.ndjson", six.substr(0, 100) + "\n" + six);
    SweepRequest longer = kSixRuns, more = kSixRuns;
    longer.steps = 4;
    more.vary[1] += ",0.03";
    const std::tuple<SweepPlan, std::string, std::string> cases[] = {
        {makePlan(longer), "six.ndjson", "3 steps"},
        {makePlan(more), "six.ndjson", "another sweep"},
        {makePlan(kSixRuns, sceneNamed("chen", {"gravity=0,-1,0"})), "six.ndjson", "--set"},
        {makePlan(kSixRuns), "thesis.txt", "not a line"},
        {makePlan(kSixRuns), "report.ndjson", "it is not the file of a sweep"},
        {makePlan(kSixRuns), "broken.ndjson", "not a line"}};
    for (const auto& [plan, file, fragment] : cases) {
        const std::string before = text(file);
        const auto outcome = experiments::sweep(plan, {.out = path(file)});
        ASSERT_FALSE(outcome) << file;
        EXPECT_NE(outcome.error().text().find(fragment), std::string::npos) << outcome.error().text();
        EXPECT_EQ(text(file), before);
    }
    EXPECT_EQ(sweep(makePlan(kSixRuns, sceneNamed("chen", {"threads=2"})), "six.ndjson").added, 0)
        << "the number of threads changes no bit";
}

TEST_F(SweepFileTest, RunsThatFailAreLines) {
    const SweepPlan plan = makePlan(
        {.vary = {"integrator.kind=forward-euler,bdf2", "integrator.dt_schedule=fixed,sine"}, .steps = 60},
        sceneNamed("chen", {"material.stretch_stiffness=100000", "integrator.substeps=1", "integrator.dt=0.05"}));
    const auto outcome = sweep(plan, "a.ndjson");
    EXPECT_EQ(outcome.added, 4);
    EXPECT_EQ(outcome.diverged, 2);
    EXPECT_EQ(outcome.refused, 1);
    const auto lines = timeless("a.ndjson");
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(*records::findEntry(lines[0], "status"), records::Value("diverged"));
    EXPECT_EQ(*records::findEntry(lines[2], "status"), records::Value("ok"));
    EXPECT_EQ(*records::findEntry(lines[3], "status"), records::Value("refused"));
    EXPECT_NE(std::get<std::string>(*records::findEntry(lines[3], "message")), "");
}

TEST(SweepRunner, KeepsTheFastestAndTheSlowestOfItsRepeats) {
    const SweepPlan plan = makePlan({.vary = {"integrator.dt=0.01"}, .steps = 5}, sceneNamed("chen", {}));
    const auto row = SweepRunner(plan, 1, 4, {}).run(0);
    ASSERT_TRUE(row);
    EXPECT_EQ(row->repeats, 4);
    EXPECT_GE(row->slowestMs, row->summary.totalMs);
    const auto line = *records::readJsonLine(toJsonLine(*row, plan.identity));
    EXPECT_EQ(records::findNumber(line, "repeats"), 4);
    EXPECT_EQ(records::findNumber(line, "slowest_total_ms"), row->slowestMs);
    EXPECT_EQ(records::findNumber(line, "total_ms"), row->summary.totalMs);
}

TEST_F(SweepFileTest, TheErrorFallsWithTheOrderOfTheMethod) {
    const SweepPlan plan =
        makePlan({.vary = {"integrator.kind=linearized-backward-euler,bdf2", "integrator.dt=0.0025,0.00125"},
                  .reference = {"integrator.kind=rk4,integrator.dt=2e-4"},
                  .duration = 0.1},
                 smoothSheet());
    sweep(plan, "a.ndjson");
    const auto lines = timeless("a.ndjson");
    ASSERT_EQ(lines.size(), 4u);
    for (const char* key : {"error_m", "error_rms_m"}) {
        const auto order = [&](std::size_t coarse) {
            return std::log2(records::findNumber(lines[coarse], key) / records::findNumber(lines[coarse + 1], key));
        };
        EXPECT_NEAR(order(0), 1.0, 0.15) << key;
        EXPECT_NEAR(order(2), 2.0, 0.15) << key;
    }
    for (const records::Entries& line : lines) {
        EXPECT_GT(records::findNumber(line, "error_m"), records::findNumber(line, "error_rms_m"));
        EXPECT_NEAR(records::findNumber(line, "time_s"), 0.1, 1e-12);
        EXPECT_EQ(*records::findEntry(line, "reference_status"), records::Value("ok"));
    }
}

TEST(SweepRunner, MeasuresItselfAsZeroAndRunsAReferenceForEachProblem) {
    const SweepPlan plan = makePlan({.vary = {"material.stretch_stiffness=50,100", "integrator.dt=0.01,0.02"},
                                     .reference = {"integrator.dt=0.01"},
                                     .duration = 0.1});
    SweepRunner runner(plan, 1, 2, {});
    std::vector<double> errors;
    for (int run = 0; run < plan.runs; ++run) {
        const auto row = runner.run(run);
        ASSERT_TRUE(row);
        EXPECT_EQ(row->particles, 25);
        errors.push_back(row->largestError);
    }
    EXPECT_EQ(errors[0], 0);
    EXPECT_EQ(errors[2], 0);
    EXPECT_GT(std::min(errors[1], errors[3]), 1e-6);
}

}  // namespace
}  // namespace clothlab::testing
