#include "papers/kept_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace clothlab::papers {
namespace {

KeptTable exampleTable() {
    KeptTable kept{.table = {}, .seconds = 0.25, .when = "2026-11-26", .quick = true};
    kept.table = {
        .table = "a-table-1",
        .title = "A \"table\"",
        .machine = "a machine",
        .build = "0.1",
        .threads = 2,
        .rows = {{{{"method", std::string("mpcg")}, {"dt", 0.1}}, {{"steps", 1.0 / 3}}, {{"none", std::nan("")}}}},
        .notes = {"a note"},
        .picture = {.caption = "a picture", .signs = {{'x', "shear"}}, .rows = {"x ", " x"}}};
    return kept;
}

std::string refused(const std::string& from, const std::string& to) {
    std::string text = keptText(exampleTable());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    const auto kept = readKeptTable(text.replace(at, from.size(), to), "t.json");
    return kept ? "it was read" : kept.error().text();
}

TEST(KeptTable, ReadsBackAsItWasWritten) {
    const auto again = readKeptTable(keptText(exampleTable()), "t.json");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(keptText(*again), keptText(exampleTable()));
    EXPECT_EQ(again->table.rows[0].ours, exampleTable().table.rows[0].ours) << "the same bits";
    EXPECT_TRUE(std::isnan(records::findNumber(again->table.rows[0].paper, "none")));
    EXPECT_EQ(again->table.picture.signs, exampleTable().table.picture.signs);
    EXPECT_TRUE(again->quick && !again->stopped && !again->disturbed);
}

TEST(KeptTable, WhatIsWrongHasItsPlace) {
    EXPECT_EQ(refused("\"clothlab_table\": 1", "\"clothlab_table\": 2"),
              "t.json:1:20: a kept table of version 2; this program reads version 1");
    EXPECT_EQ(refused("clothlab_table", "table"),
              "t.json:1:1: this is no kept table (valid: {\"clothlab_table\": 1, ...})");
    EXPECT_EQ(refused("\"seconds\": 0.25, ", ""), "t.json:1:1: 'seconds' is missing (valid: a number)");
    EXPECT_EQ(refused("\"quick\": true", "\"quick\": 1").find("t.json:1:"), 0u);
    EXPECT_EQ(refused("\"threads\": 2", "\"threads\": 0"),
              "t.json:5:13: threads: 0 is out of range (valid: a whole number, 1 .. 10000)");
    EXPECT_NE(refused("\"a note\"", "7").find("notes: a number where a text is needed"), std::string::npos);
    EXPECT_NE(refused("\"x shear\"", "\"x\"").find("a sign has a letter and its meaning"), std::string::npos);
    EXPECT_NE(refused("\" x\"", "\" x \"").find("the rows of the picture have one length"), std::string::npos);
    EXPECT_EQ(refused("}\n", "").find("t.json:"), 0u);
}

}  // namespace
}  // namespace clothlab::papers
