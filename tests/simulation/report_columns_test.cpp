#include "simulation/report_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/input.hpp"
#include "records/json_line.hpp"
#include "records/record_file.hpp"
#include "scenes.hpp"
#include "scratch_folder.hpp"
#include "simulation/report_json.hpp"
#include "simulation/runner.hpp"

namespace clothlab::simulation {
namespace {

/// The line of a column in the table of docs/command-line.md.
std::string makeLine(const ReportColumn& column) {
    std::string help(column.help);
    for (std::size_t at = 0; (at = help.find('|', at)) != help.npos; at += 2) help.insert(at, 1, '\\');
    std::string words(column.label);
    if (!column.unit.empty()) words += fmt::format(" ({})", column.unit);
    return fmt::format("| `{}` | {}{}{} |", column.key, words, help.empty() ? "" : ": ", help);
}

TEST(ReportColumns, TheTableOfTheDocsIsThis) {
    const auto page = readFile(CLOTHLAB_SOURCE_DIR "/docs/command-line.md", kHandWritten);
    ASSERT_TRUE(page);
    std::string table;
    for (const ReportColumn& column : kReportColumns) table += makeLine(column) + "\n";
    EXPECT_NE(page->find(table), std::string::npos) << "the table of docs/command-line.md has to be:\n" << table;
}

TEST(ReportColumns, EachHasItsOwnKeyAndIsInTheLine) {
    StepReport report;
    report.iterations = 7;
    report.dt = 0.25;
    report.ndofCounts[2] = 5;
    const auto line = records::readJsonLine(toJsonLine(report));
    ASSERT_TRUE(line) << line.error().text();
    std::set<std::string_view> keys;
    for (const ReportColumn& column : kReportColumns) {
        EXPECT_TRUE(keys.insert(column.key).second) << column.key;
        EXPECT_TRUE(records::findEntry(*line, column.key)) << column.key;
    }
    EXPECT_EQ(records::findNumber(*line, "iterations"), 7);
    EXPECT_EQ(records::findNumber(*line, "dt"), 0.25);
    EXPECT_EQ(records::findNumber(*line, "ndof_counts.2"), 5);
    EXPECT_TRUE(std::isnan(records::findNumber(*line, "components"))) << "components were not computed";
}

TEST(ReportColumns, AreSummedUpAsTheySay) {
    StepReport start, first, second, failed;
    start.gravityJ = 5;
    first.gravityJ = 9, first.iterations = 10, first.maxStrain = 0.2, first.kineticJ = 1;
    second.gravityJ = 4, second.iterations = 20, second.maxStrain = 0.1, second.kineticJ = 3;
    // A value that was not measured counts in no mean, no largest and no last value.
    first.solveMs = 3, second.solveMs = columns::kGap, failed.solveMs = 5;
    failed.iterations = 60, failed.gravityJ = 1e9;
    failed.status = integrators::StepStatus::Diverged;
    ReportSums sums;
    sums.start(start);
    for (const StepReport& report : {first, second, failed}) sums.add(report);
    const records::Entries numbers = sums.numbers();
    EXPECT_EQ(records::findNumber(numbers, "mean_iterations"), 30) << "the failed step counts, too";
    EXPECT_EQ(records::findNumber(numbers, "mean_solve_ms"), 4);
    EXPECT_EQ(records::findNumber(numbers, "max_strain"), 0.2);
    EXPECT_EQ(records::findNumber(numbers, "start_total_j"), 5);
    EXPECT_EQ(records::findNumber(numbers, "total_j"), 7) << "the state before the failed step stays";
    EXPECT_EQ(records::findNumber(numbers, "peak_total_j"), 10);
    EXPECT_EQ(records::findNumber(numbers, "peak_kinetic_j"), 3);
}

// Compares the summary with the lines of the same run. A percentile is found without sorting, as the least time that
// the given percentage of the steps does not exceed.
TEST(ReportColumns, TheSpreadOfARunIsThatOfItsReport) {
    const tests::ScratchFolder folder;
    const auto simulation =
        testing::simulate("hang", {"cloth.rows=9", "cloth.columns=9", "contact.self_collision=robust"});
    const auto summary = run(*simulation, {.steps = 37, .reportFile = folder.file("r.ndjson")});
    ASSERT_TRUE(summary) << summary.error().text();
    const auto printed = records::readJsonLine(summaryJson(*summary).text());
    const auto file = records::readRecords(folder.file("r.ndjson"));
    ASSERT_TRUE(printed && file);
    ASSERT_EQ(file->records.size(), 37u);
    int spreads = 0;
    for (const ReportColumn& column : kReportColumns) {
        if (column.summedUp != SummedUp::Spread) continue;
        ++spreads;
        const std::string key(column.key);
        std::vector<double> ms;
        for (const records::Entries& line : file->records) ms.push_back(records::findNumber(line, key, columns::kGap));
        const auto percentile = [&](int percent) {
            double least = INFINITY;
            for (const double x : ms) {
                const auto within = std::ranges::count_if(ms, [&](double other) { return other <= x; });
                if (100 * within >= percent * std::ssize(ms)) least = std::min(least, x);
            }
            return least;
        };
        EXPECT_EQ(records::findNumber(*printed, key + "_p50", -1), percentile(50)) << key;
        EXPECT_EQ(records::findNumber(*printed, key + "_p95", -1), percentile(95)) << key;
        EXPECT_EQ(records::findNumber(*printed, key + "_p99", -1), percentile(99)) << key;
        const auto worst = std::ranges::max_element(ms);
        EXPECT_EQ(records::findNumber(*printed, key + "_max", -1), *worst) << key;
        EXPECT_EQ(records::findNumber(*printed, key + "_max_step", -1), double(worst - ms.begin() + 1)) << key;
        double sum = 0;
        for (const double x : ms) sum += x;
        EXPECT_DOUBLE_EQ(records::findNumber(*printed, "mean_" + key), sum / 37) << key;
    }
    EXPECT_GE(spreads, 2);
}

TEST(ReportColumns, TimesOfAFailedStepAreInTheSpread) {
    StepReport fast, slow;
    fast.step = 1, fast.contactMs = 2;
    slow.step = 2, slow.contactMs = 9, slow.status = integrators::StepStatus::Diverged;
    ReportSums sums;
    sums.start({});
    EXPECT_TRUE(std::isnan(records::findNumber(sums.numbers(), "contact_ms_max"))) << "the start is no step";
    EXPECT_TRUE(std::isnan(records::findNumber(sums.numbers(), "contact_ms_max_step")));
    sums.add(fast);
    sums.add(slow);
    EXPECT_EQ(records::findNumber(sums.numbers(), "contact_ms_p50"), 2);
    EXPECT_EQ(records::findNumber(sums.numbers(), "contact_ms_max"), 9);
    EXPECT_EQ(records::findNumber(sums.numbers(), "contact_ms_max_step"), 2);
}

TEST(ReportColumns, ContactIsTimedInWordsWhereItIsRobustOrTakesATenth) {
    contact::ContactSettings contact;
    contact.selfCollision = contact::SelfCollision::Off;
    EXPECT_TRUE(tellsContactTime(contact, 1, 10));
    EXPECT_FALSE(tellsContactTime(contact, 0.9, 10));
    EXPECT_FALSE(tellsContactTime(contact, 0, 0));
    contact.selfCollision = contact::SelfCollision::Robust;
    EXPECT_TRUE(tellsContactTime(contact, 0.9, 10));
}

}  // namespace
}  // namespace clothlab::simulation
