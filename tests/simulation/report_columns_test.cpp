#include "simulation/report_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/input.hpp"
#include "records/json_line.hpp"
#include "simulation/report_json.hpp"

namespace clothlab::simulation {
namespace {

/// The line of a column in the table of docs/command-line.md.
std::string lineOf(const ReportColumn& column) {
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
    for (const ReportColumn& column : kReportColumns) table += lineOf(column) + "\n";
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
    EXPECT_EQ(records::numberOf(*line, "iterations"), 7);
    EXPECT_EQ(records::numberOf(*line, "dt"), 0.25);
    EXPECT_EQ(records::numberOf(*line, "ndof_counts.2"), 5);
    EXPECT_TRUE(std::isnan(records::numberOf(*line, "components"))) << "nobody searched";
}

TEST(ReportColumns, AreSummedUpAsTheySay) {
    StepReport start, first, second, failed;
    start.gravityJ = 5;
    first.gravityJ = 9, first.iterations = 10, first.maxStrain = 0.2, first.kineticJ = 1;
    second.gravityJ = 4, second.iterations = 20, second.maxStrain = 0.1, second.kineticJ = 3;
    // What was not measured in a step counts in no sum: the mean, the largest and the last are of the others.
    first.solveMs = 3, second.solveMs = columns::kGap, failed.solveMs = 5;
    failed.iterations = 60, failed.gravityJ = 1e9;
    failed.status = integrators::StepStatus::Diverged;
    ReportSums sums;
    sums.start(start);
    for (const StepReport& report : {first, second, failed}) sums.add(report);
    const records::Entries numbers = sums.numbers();
    EXPECT_EQ(records::numberOf(numbers, "mean_iterations"), 30) << "the failed one took its time";
    EXPECT_EQ(records::numberOf(numbers, "mean_solve_ms"), 4);
    EXPECT_EQ(records::numberOf(numbers, "max_strain"), 0.2);
    EXPECT_EQ(records::numberOf(numbers, "start_total_j"), 5);
    EXPECT_EQ(records::numberOf(numbers, "total_j"), 7) << "the state before the failed step stays";
    EXPECT_EQ(records::numberOf(numbers, "peak_total_j"), 10);
    EXPECT_EQ(records::numberOf(numbers, "peak_kinetic_j"), 3);
}

}  // namespace
}  // namespace clothlab::simulation
