#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "simulation/reproduce.hpp"

namespace clothlab::tests {
namespace {

TEST(ReproduceCommand, ListsEveryTable) {
    const Result r = clothlab("reproduce --list");
    ASSERT_EQ(r.code, 0) << r.err;
    for (const simulation::PaperTable& table : simulation::paperTables())
        EXPECT_NE(r.out.find(std::string(table.name) + " "), std::string::npos) << table.name;
    for (const char* name : {"ye-table-1", "ye-table-2", "chen-figure-2", "chen-section-6.2"})
        EXPECT_NE(r.out.find(name), std::string::npos) << name;
}

TEST(ReproduceCommand, JsonHasARowACaseWithOursAndThePapers) {
    const Result r = clothlab("reproduce chen-figure-2 --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto json = nlohmann::json::parse(r.out);
    EXPECT_EQ(json.at("table"), "chen-figure-2");
    EXPECT_EQ(json.at("threads"), 1);
    EXPECT_TRUE(json.at("machine").is_string());
    ASSERT_GT(json.at("rows").size(), 20u);
    for (const auto& row : json.at("rows")) {
        EXPECT_TRUE(row.at("case").at("method").is_string());
        EXPECT_TRUE(row.at("case").at("step").is_number_integer());
        EXPECT_TRUE(row.at("ours").at("energy_error").is_number());
        EXPECT_TRUE(row.at("paper").is_object());
    }
}

TEST(ReproduceCommand, SaysWhatIsWrong) {
    const Result unknown = clothlab("reproduce ye-table-9");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.out.empty());
    for (const simulation::PaperTable& table : simulation::paperTables())
        EXPECT_NE(unknown.err.find(table.name), std::string::npos) << table.name;
    const Result none = clothlab("reproduce");
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--list"), std::string::npos);
}

// 500 sets take the better part of an hour, those of the first second are of 25 and 100 particles.
TEST(ReproduceCommand, AnInterruptedTableHasTheSetsThatWereDone) {
    const Result r = clothlab("reproduce boxerman-figure-5.8 --json", "timeout --preserve-status --signal=INT 2");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto json = nlohmann::json::parse(r.out);
    EXPECT_FALSE(json.at("rows").empty());
    EXPECT_NE(json.at("notes").dump().find("of 500 sets"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::tests
