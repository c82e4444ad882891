#include "experiments/race/race_columns.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/input.hpp"
#include "base/json.hpp"
#include "experiments/race/nonlinear_columns.hpp"
#include "experiments/race/race_text.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

namespace clothlab::experiments {
namespace {

using solvers::SolveStatus;

/// One row that converged, one of a direct solver, and one that was cut before anything was measured.
RaceResult smallRace() {
    RaceResult race;
    race.scene = "hang";
    race.threads = 2;
    race.particles = 81;
    race.options.tolerances = {1e-3};
    race.field = {{{{.kind = solvers::SolverKind::ReducedPcg},
                    {.kind = enumNamed<preconditioners::PreconditionerKind>("block-jacobi")}},
                   true},
                  {{{.kind = solvers::SolverKind::Cholesky}, {}}},
                  {{{.kind = solvers::SolverKind::Mpcg},
                    {.kind = enumNamed<preconditioners::PreconditionerKind>("incomplete-poisson")}}}};
    RaceRow iterative{.tolerance = 1e-3, .status = SolveStatus::Converged, .iterations = 80, .runs = 5};
    iterative.trueRelativeResidual = 5e-4;
    iterative.totalMs = 2.25, iterative.totalMinMs = iterative.middleMinMs = 2;
    iterative.totalMaxMs = iterative.middleMaxMs = 2.5;
    iterative.smallestRitz = 0.01, iterative.largestRitz = 2;
    RaceRow direct{.contestant = 1, .tolerance = 1e-3, .status = SolveStatus::Converged, .runs = 5};
    direct.trueRelativeResidual = 1e-14;
    direct.totalMs = direct.totalMinMs = direct.totalMaxMs = direct.middleMinMs = direct.middleMaxMs = 7;
    direct.fill = 98765;
    const RaceRow cut{
        .contestant = 2, .tolerance = 1e-3, .cut = true, .iterations = 9, .runs = 1, .message = "slow, \"cut\""};
    race.rows = {iterative, direct, cut};
    return race;
}

/// Fields of a line of CSV.
std::vector<std::string> listFields(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

template <class Row>
void eachHasItsOwnKeyAndPlaces(std::span<const Column<Row>> table) {
    std::set<std::string_view> keys;
    std::set<std::string> ids;
    std::set<int> textPlaces, windowPlaces, worths;
    for (const Column<Row>& column : table) {
        EXPECT_TRUE(keys.insert(column.key).second) << column.key;
        EXPECT_TRUE((column.value == nullptr) != (column.words == nullptr)) << column.key << ": a value or words";
        EXPECT_TRUE(column.help.ends_with('.')) << column.key;
        if (column.text.width != 0) {
            EXPECT_TRUE(textPlaces.insert(column.text.place).second)
                << column.key << " has the place of another column";
            EXPECT_LE(column.text.head.size(), std::size_t(std::abs(column.text.width))) << column.key;
        }
        if (column.window.id == nullptr) continue;
        EXPECT_TRUE(ids.insert(column.window.id).second) << column.key;
        EXPECT_TRUE(windowPlaces.insert(column.window.place).second)
            << column.key << " has the place of another column";
        if (column.window.worth > 0) {
            EXPECT_TRUE(worths.insert(column.window.worth).second) << column.key;
        }
    }
    EXPECT_EQ(ids.size(), worths.size() + 1) << "all columns except the row names can be hidden";
}

TEST(RaceColumns, EachHasItsOwnKeyAndPlaces) {
    eachHasItsOwnKeyAndPlaces<RaceEntry>(kRaceColumns);
    eachHasItsOwnKeyAndPlaces<NonlinearEntry>(kNonlinearColumns);
}

TEST(RaceColumns, EachIsInJsonAndCsvAndWhereItHasALookInTheTable) {
    const RaceResult race = smallRace();
    const auto json = parseJson(toJson(race), "race.json");
    ASSERT_TRUE(json) << json.error().text();
    const std::string csv = raceCsv(race), table = raceTable(race);
    const std::vector<std::string> lines = splitText(csv, '\n');
    ASSERT_EQ(lines.size(), race.rows.size() + 2);
    const std::vector<std::string> head = listFields(lines[0]);
    ASSERT_EQ(head.size(), kRaceColumns.size());
    const std::vector<RaceEntry> entries = toEntries(race);
    for (std::size_t k = 0; k < kRaceColumns.size(); ++k) {
        const RaceColumn& column = kRaceColumns[k];
        EXPECT_EQ(head[k], column.key);
        EXPECT_NE(table.find(std::string(column.text.head)), std::string::npos) << column.key;
        for (std::size_t r = 0; r < entries.size(); ++r) {
            const JsonNode* inJson = json->find("rows")->items[r].find(column.key);
            const std::vector<std::string> fields = listFields(lines[r + 1]);
            ASSERT_TRUE(inJson && fields.size() == head.size()) << column.key << r;
            if (column.text.width != 0) {
                EXPECT_NE(table.find(textCell(column, entries[r])), std::string::npos) << column.key << r;
            }
            if (column.words) {
                EXPECT_EQ(inJson->text, column.words(entries[r])) << column.key << r;
                continue;
            }
            const double value = column.value(entries[r]);
            EXPECT_EQ(fields[k].empty(), std::isnan(value)) << column.key << r;
            EXPECT_EQ(inJson->kind == JsonNode::Kind::Null, std::isnan(value)) << column.key << r;
            if (std::isnan(value)) continue;
            EXPECT_NEAR(std::stod(fields[k]), value, 1e-3 * std::abs(value)) << column.key << r;
            EXPECT_EQ(inJson->isNumber() ? inJson->number : double(inJson->boolean), value) << column.key << r;
        }
    }
}

// A missing value is a gap; the CSV once had 0 or -1.
TEST(RaceColumns, WhatIsNotThereIsAGap) {
    const RaceResult race = smallRace();
    const std::vector<RaceEntry> entries = toEntries(race);
    const auto csv = [&](std::string_view key, std::size_t row) {
        for (std::size_t k = 0; k < kRaceColumns.size(); ++k)
            if (kRaceColumns[k].key == key) return listFields(splitText(raceCsv(race), '\n')[row + 1])[k];
        return std::string("no such column");
    };
    EXPECT_EQ(csv("condition", 0), "200");
    EXPECT_EQ(csv("condition", 1), "");
    EXPECT_EQ(csv("factor_entries", 0), "");
    EXPECT_EQ(csv("factor_entries", 1), "98765");
    EXPECT_EQ(csv("rank", 1), "2");
    EXPECT_EQ(csv("rank", 2), "");
    EXPECT_EQ(csv("true_relative_residual", 2), "");
    EXPECT_EQ(csv("status", 2), "cut");
    EXPECT_EQ(csv("active", 0), "1");
    EXPECT_EQ(windowCell(kRaceColumns[indexOf(kRaceColumns, "condition")], entries[1]), "-");
    EXPECT_EQ(windowCell(kRaceColumns[indexOf(kRaceColumns, "iterations")], entries[1]), "-");
    EXPECT_EQ(windowCell(kRaceColumns[indexOf(kRaceColumns, "total_ms")], entries[0]), "2.25 (2 to 2.5)");
    EXPECT_EQ(windowCell(kRaceColumns[indexOf(kRaceColumns, "total_ms")], entries[0], true), "2.25");
}

TEST(RaceColumns, RowsThatAColumnCannotPlaceComeLastInEitherDirection) {
    const RaceResult race = smallRace();
    for (const std::string_view key : {"rank", "total_ms", "condition"})
        for (const bool ascending : {true, false}) {
            const RaceColumn& column = *std::ranges::find(kRaceColumns, key, &RaceColumn::key);
            std::vector<RaceEntry> rows = toEntries(race);
            std::ranges::stable_sort(
                rows, [&](const RaceEntry& a, const RaceEntry& b) { return comesBefore(column, a, b, ascending); });
            EXPECT_EQ(rows.back().row->contestant, 2u) << key << ascending;
            if (key == "condition") continue;
            EXPECT_EQ(rows.front().row->contestant, ascending ? 0u : 1u) << key << ascending;
        }
}

TEST(RaceColumns, AreOnTheirPage) {
    const auto page = readFile(CLOTHLAB_SOURCE_DIR "/docs/methods/race.md", kHandWritten);
    ASSERT_TRUE(page);
    std::string table;
    for (const RaceColumn& column : kRaceColumns)
        table += fmt::format("| `{}` | {} | {} |\n", column.key, column.text.head, column.help);
    EXPECT_NE(page->find(table), std::string::npos) << "the table of docs/methods/race.md has to be:\n" << table;
}

TEST(NonlinearColumns, EachIsInJsonAndWhereItHasALookInTheTable) {
    NonlinearRace race;
    race.field = nonlinearField({});
    for (std::size_t k = 0; k < 3; ++k) {
        NonlinearRow row{
            .contestant = k, .value = {}, .error = {}, .milliseconds = {}, .problem = k == 2 ? "slow" : ""};
        for (std::size_t i = 0; i < 6 * k; ++i) row.error.push_back(std::pow(0.07, i)), row.milliseconds.push_back(i);
        race.rows.push_back(row);
    }
    const auto json = parseJson(toJson(race), "race.json");
    ASSERT_TRUE(json) << json.error().text();
    const std::string table = nonlinearTable(race);
    const std::vector<NonlinearEntry> entries = toEntries(race);
    for (const NonlinearColumn& column : kNonlinearColumns)
        for (std::size_t r = 0; r < entries.size(); ++r) {
            const JsonNode* inJson = json->find("rows")->items[r].find(column.key);
            ASSERT_TRUE(inJson) << column.key;
            if (column.text.width != 0) {
                EXPECT_NE(table.find(std::string(column.text.head)), std::string::npos) << column.key;
                EXPECT_NE(table.find(textCell(column, entries[r])), std::string::npos) << column.key << r;
            }
            if (!column.words) {
                EXPECT_EQ(inJson->kind == JsonNode::Kind::Null, std::isnan(column.value(entries[r])))
                    << column.key << r;
            }
        }
    EXPECT_EQ(windowCell(kNonlinearColumns[indexOf(kNonlinearColumns, "ms_to_1e-3")], entries[1]), "3");
    EXPECT_EQ(windowCell(kNonlinearColumns[indexOf(kNonlinearColumns, "ms_to_1e-6")], entries[1]), "-");
}

}  // namespace
}  // namespace clothlab::experiments
