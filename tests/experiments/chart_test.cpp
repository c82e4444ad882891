#include "experiments/charts/chart.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/charts/record_labels.hpp"
#include "records/json_line.hpp"

namespace clothlab::testing {

using namespace experiments;
namespace {

using records::RecordFile;

records::RecordFile fileOf(const std::string& name, const std::vector<std::string>& lines) {
    records::RecordFile file{.name = name, .records = {}};
    for (const std::string& line : lines) {
        auto record = records::readJsonLine(line);
        EXPECT_TRUE(record) << line;
        file.records.push_back(std::move(*record));
    }
    return file;
}

std::string sweepLine(int run, const char* kind, double dt, double stiffness, double ms, double error,
                      const char* status = "ok") {
    return fmt::format(
        "{{\"run\":{},\"vary\":{{\"integrator.kind\":\"{}\",\"integrator.dt\":{},\"material.stretch_stiffness\":{}}},"
        "\"status\":\"{}\","
        "\"mean_iterations\":5,\"mean_step_ms\":1,\"ms_per_simulated_s\":{},\"error_m\":{},\"sweep\":{{\"sets\":"
        "\"grid\"}}}}",
        run, kind, dt, stiffness, status, ms, error >= 0 ? fmt::format("{}", error) : "null");
}

std::vector<Chart> chartsOf(const std::vector<records::RecordFile>& files, const ChartRequest& request = {}) {
    const auto charts = makeCharts(files, request);
    EXPECT_TRUE(charts) << (charts ? "" : charts.error().text());
    return charts ? *charts : std::vector<Chart>{};
}

TEST(RecordLabels, OfASpreadSayWhatOfWhat) {
    EXPECT_EQ(keyLabel("contact_ms_p95"), "95th percentile of contacts (ms)");
    EXPECT_EQ(keyLabel("step_ms_max"), "largest of whole step (ms)");
    EXPECT_EQ(keyLabel("contact_ms_max_step"), "step of the largest contacts");
    EXPECT_EQ(keyLabel("mean_contact_ms"), "mean contacts (ms)");
}

const std::vector<records::RecordFile> kSweep{
    fileOf("a.ndjson", {sweepLine(0, "bdf2", 0.01, 60, 5, 1e-3), sweepLine(1, "bdf2", 0.005, 60, 9, 2.5e-4),
                        sweepLine(2, "rk4", 0.01, 60, 80, 1e-6)}),
    fileOf("b.ndjson", {sweepLine(3, "bdf2", 0.01, 600, 6, 2e-3), sweepLine(4, "bdf2", 0.0025, 60, 20, 6e-5),
                        sweepLine(5, "rk4", 0.02, 60, 1, -1, "diverged")})};

TEST(Records, AreFlatAndNullIsNoNumber) {
    const auto record = records::readJsonLine(R"({"a":{"b.c":1,"d":[2,null]},"e":true,"f":"x"})");
    ASSERT_TRUE(record);
    EXPECT_EQ(records::findNumber(*record, "a.b.c"), 1);
    EXPECT_EQ(records::findNumber(*record, "a.d.0"), 2);
    EXPECT_TRUE(std::isnan(records::findNumber(*record, "a.d.1", 7)) && records::findNumber(*record, "f", 7) == 7);
    EXPECT_EQ(*records::findEntry(*record, "e"), records::Value("true"));
    for (const char* text : {"", "[1]", "1", "{\"a\":", "x"}) EXPECT_FALSE(records::readJsonLine(text)) << text;
}

TEST(Charts, ASweepWithAReferenceIsWorkAndPrecision) {
    const auto charts = chartsOf(kSweep);
    ASSERT_EQ(charts.size(), 1u);
    const Chart& chart = charts[0];
    EXPECT_EQ(chart.xKey, "ms_per_simulated_s");
    EXPECT_EQ(chart.yKey, "error_m");
    EXPECT_NE(chart.xLabel.find("(ms)"), std::string::npos);
    EXPECT_NE(chart.yLabel.find("(m)"), std::string::npos);
    EXPECT_TRUE(chart.logX && chart.logY && chart.marks && chart.lines);
    ASSERT_EQ(chart.curves.size(), 3u);
    EXPECT_EQ(chart.curves[0].name, "bdf2, stretch stiffness 60 N/m");
    EXPECT_EQ(chart.curves[0].x, (std::vector<double>{5, 9, 20}));
    EXPECT_EQ(chart.curves[0].y, (std::vector<double>{1e-3, 2.5e-4, 6e-5}));
    EXPECT_EQ(chart.curves[0].labels, (std::vector<std::string>{"10 ms", "5 ms", "2.5 ms"}));
    EXPECT_EQ(chart.curves[1].name, "rk4, stretch stiffness 60 N/m");
    EXPECT_EQ(chart.curves[2].x, (std::vector<double>{6}));
    EXPECT_NE(chart.note.find("1 run did not finish"), std::string::npos) << chart.note;
    EXPECT_EQ(chart.curves[0].records, (std::vector<std::size_t>{0, 1, 4}));
    ASSERT_EQ(chart.curves[1].lost.size(), 1u) << "a run that diverged is kept";
    EXPECT_EQ(chart.curves[1].lost[0].x, 1);
    EXPECT_EQ(chart.curves[1].lost[0].label, "20 ms");
    EXPECT_EQ(chart.curves[1].lost[0].record, 5u);
}

TEST(Charts, ALineGoesFromSizeToSizeHoweverTheTimesWereDisturbed) {
    const std::vector<records::RecordFile> file{
        fileOf("a.ndjson", {sweepLine(0, "bdf2", 0.01, 60, 50, 1e-3), sweepLine(1, "bdf2", 0.0025, 60, 20, 6e-5),
                            sweepLine(2, "bdf2", 0.005, 60, 9, 2e-4)})};
    const auto charts = chartsOf(file);
    ASSERT_EQ(charts.size(), 1u);
    EXPECT_EQ(charts[0].curves[0].x, (std::vector<double>{50, 9, 20}));
    EXPECT_EQ(charts[0].curves[0].records, (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Charts, KeysAreChosenOnRequest) {
    const auto charts = chartsOf(kSweep, {.x = "integrator.dt",
                                          .y = {"ms_per_simulated_s", "error_m"},
                                          .by = {"integrator.kind"},
                                          .logX = false,
                                          .logY = {}});
    ASSERT_EQ(charts.size(), 2u);
    EXPECT_EQ(charts[0].xLabel, "time step (s)");
    EXPECT_FALSE(charts[0].logX);
    EXPECT_TRUE(charts[1].logY) << "errors are logarithmic by default";
    ASSERT_EQ(charts[0].curves.size(), 2u);
    EXPECT_EQ(charts[0].curves[0].x, (std::vector<double>{0.0025, 0.005, 0.01, 0.01}));
    EXPECT_EQ(charts[0].curves[0].y, (std::vector<double>{20, 9, 5, 6}));

    const auto refused = makeCharts(kSweep, {.x = "integrator.kind"});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("error_m"), std::string::npos) << "the message lists the valid keys";
    EXPECT_FALSE(makeCharts(kSweep, {.y = {"errors"}}));
    EXPECT_FALSE(makeCharts(kSweep, {.by = {"solver.kind"}}));
}

TEST(Charts, AReportIsDrawnOverTime) {
    std::vector<std::string> lines;
    for (int step = 1; step <= 3; ++step)
        lines.push_back(
            fmt::format("{{\"step\":{},\"time_s\":{},\"iterations\":{},\"true_relative_residual\":{},\"assemble_ms\":1,"
                        "\"analyze_ms\":1,"
                        "\"factor_ms\":1,"
                        "\"solve_ms\":2,\"contact_ms\":0,\"other_ms\":0,\"step_ms\":5,\"kinetic_j\":{},\"elastic_j\":1,"
                        "\"gravity_j\":-2,"
                        "\"total_j\":0}}",
                        step, 0.01 * step, 10 * step, step == 2 ? "null" : "1e-6", step));
    const std::vector<records::RecordFile> one{fileOf("run.ndjson", lines)};
    const auto charts = chartsOf(one);
    ASSERT_EQ(charts.size(), 4u);
    EXPECT_EQ(charts[0].curves[0].y, (std::vector<double>{10, 20, 30}));
    EXPECT_EQ(charts[0].xLabel, "time (s)");
    EXPECT_TRUE(std::isnan(charts[1].curves[0].y[1])) << "a gap";
    EXPECT_EQ(charts[2].curves.size(), 6u) << "analysis and set-up together would be five";
    EXPECT_EQ(charts[3].yLabel, "energy (J)");
    EXPECT_FALSE(charts[3].logY);

    std::string failed = lines.back();
    failed.insert(failed.size() - 1, ",\"status\":\"diverged\"");
    const auto stopped = chartsOf({fileOf("run.ndjson", {lines[0], failed})});
    EXPECT_EQ(stopped[0].curves[0].x.size(), 1u) << "a failed step has no state";
    ASSERT_EQ(stopped[0].curves[0].lost.size(), 1u);
    EXPECT_DOUBLE_EQ(stopped[0].curves[0].lost[0].x, 0.03);
    EXPECT_EQ(stopped[0].note, "crosses at the upper edge: step 3: diverged");

    const auto compared = chartsOf({one[0], fileOf("other.ndjson", lines)}, {.y = {"total_j"}});
    ASSERT_EQ(compared.size(), 1u);
    ASSERT_EQ(compared[0].curves.size(), 2u);
    EXPECT_EQ(compared[0].curves[1].name, "other");
    EXPECT_FALSE(makeCharts(std::vector<records::RecordFile>{one[0], kSweep[0]}, {}))
        << "reports and sweeps cannot be mixed";
}

TEST(Charts, TheTableHasTheNumbers) {
    const std::string csv = chartsCsv(chartsOf(kSweep));
    EXPECT_TRUE(csv.starts_with("x_key,y_key,curve,x,y,label\n")) << csv;
    EXPECT_NE(csv.find("ms_per_simulated_s,error_m,\"bdf2, stretch stiffness 60 N/m\",9,0.00025,5 ms\n"),
              std::string::npos)
        << csv;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);

    Chart chart{.xKey = "p,q", .yKey = "y"};
    chart.curves.push_back({.name = "a\"b", .x = {1}, .y = {2}});
    EXPECT_NE(chartsCsv({&chart, 1}).find("\n\"p,q\",y,\"a\"\"b\",1,2,\n"), std::string::npos)
        << chartsCsv({&chart, 1});
}

}  // namespace
}  // namespace clothlab::testing
