#include <gtest/gtest.h>

#include <algorithm>

#include "app/program.hpp"
#include "base/input.hpp"
#include "papers/kept_table.hpp"
#include "parsed_json.hpp"
#include "scratch_folder.hpp"

namespace clothlab::tests {
namespace {

TEST(ReproduceCommand, ListsEveryTable) {
    const Result r = clothlab("reproduce --list");
    ASSERT_EQ(r.code, 0) << r.err;
    for (const papers::PaperTable& table : papers::paperTables())
        EXPECT_NE(r.out.find(std::string(table.name) + " "), std::string::npos) << table.name;
    for (const char* name : {"ye-table-1", "ye-table-2", "chen-figure-2", "chen-section-6.2"})
        EXPECT_NE(r.out.find(name), std::string::npos) << name;
}

TEST(ReproduceCommand, JsonHasARowACaseWithOursAndThePapers) {
    const Result r = clothlab("reproduce chen-figure-2 --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const ParsedJson json(r.out);
    EXPECT_EQ(json["table"], "chen-figure-2");
    EXPECT_EQ(json["threads"], 1);
    EXPECT_EQ(json["machine"].kind(), JsonNode::Kind::Text);
    ASSERT_GT(json["rows"].size(), 20u);
    for (const ParsedJson& row : json["rows"].items()) {
        EXPECT_EQ(row["case"]["method"].kind(), JsonNode::Kind::Text);
        EXPECT_EQ(row["case"]["step"], row["case"]["step"].get<int>());
        EXPECT_EQ(row["ours"]["energy_error"].kind(), JsonNode::Kind::Number);
        EXPECT_EQ(row["paper"].kind(), JsonNode::Kind::Object);
    }
}

TEST(ReproduceCommand, SaysWhatIsWrong) {
    const Result unknown = clothlab("reproduce ye-table-9");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.out.empty());
    for (const papers::PaperTable& table : papers::paperTables())
        EXPECT_NE(unknown.err.find(table.name), std::string::npos) << table.name;
    const Result none = clothlab("reproduce");
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--list"), std::string::npos);
}

// --claims reads the tables that --keep wrote; it computes none, and says which are missing.
TEST(ReproduceCommand, KeepsATableThatClaimsAreCheckedBy) {
    const tests::ScratchFolder scratch;
    const std::string folder = scratch.file("tables");
    EXPECT_EQ(clothlab("reproduce chen-figure-2 --keep " + folder).code, 0);
    const auto kept = papers::keptTable(folder, "chen-figure-2", false);
    ASSERT_TRUE(kept && *kept) << (kept ? "" : kept.error().text());
    EXPECT_EQ((*kept)->when, papers::today());
    EXPECT_FALSE((*kept)->table.rows.empty());
    const Result changed = clothlab("reproduce chen-section-6.2 --set material.bend_stiffness=0.5 --keep " + folder);
    EXPECT_EQ(changed.code, 2);
    EXPECT_NE(changed.err.find("without --set"), std::string::npos) << changed.err;
    const Result lacking = clothlab("reproduce --claims --keep " + folder);
    EXPECT_EQ(lacking.code, 2);
    EXPECT_NE(lacking.err.find("ye-table-1 has claims and is not there"), std::string::npos) << lacking.err;
    const Result page = clothlab("reproduce --claims");
    EXPECT_EQ(page.code, 0) << page.err;
    EXPECT_EQ(page.out.find("# What held up"), 0u);
}

// --set changes the scenes except where the table sets a value itself; the result says so.
TEST(ReproduceCommand, SettingsReachTheScenesAndNotWhatRowsAreAbout) {
    const Result chen = clothlab("reproduce chen-section-6.2 --json --side 7 --set material.bend_stiffness=0.5");
    ASSERT_EQ(chen.code, 0) << chen.err;
    EXPECT_NE(chen.out.find("--set material.bend_stiffness=0.5: not the scenes as they are"), std::string::npos);
    const ParsedJson json(chen.out);
    ASSERT_GT(json["rows"].size(), 0u);
    for (const ParsedJson& row : json["rows"].items()) EXPECT_EQ(row["case"]["particles"], 49);
    for (const auto& [options, wrong] :
         {std::pair("ye-table-2 --quick --side 9 --set material.stretch_stiffness=10", "this table sets that itself"),
          std::pair("chen-figure-2 --set material.bend_stiffness=0.5", "chen-figure-2 steps no scene"),
          std::pair("ye-table-2 --quick --set material.bend=0.5", "material.bend")}) {
        const Result r = clothlab(std::string("reproduce ") + options);
        EXPECT_EQ(r.code, 2) << options;
        EXPECT_NE(r.err.find(wrong), std::string::npos) << r.err;
    }
}

// All 500 sets take most of an hour; those of the first second have 25 and 100 particles.
TEST(ReproduceCommand, AnInterruptedTableHasTheSetsThatWereDone) {
    const Result r = clothlab("reproduce boxerman-figure-5.8 --json", "timeout --preserve-status --signal=INT 2");
    ASSERT_EQ(r.code, 130) << r.err;
    const ParsedJson json(r.out);
    EXPECT_GT(json["rows"].size(), 0u);
    EXPECT_NE(json["notes"].text().find("of 500 sets"), std::string::npos);
}

// An interrupted table continues from its file of sets; a file for something else is refused.
TEST(ReproduceCommand, GoesOnFromAFileOfSets) {
    const ScratchFolder folder;
    const std::string file = folder.file("sets.ndjson"), out = " --out '" + file + "'";
    // Interrupted once the file has three sets, however long they take.
    const std::string interrupted = "bash -c 'set -m; touch " + file + "; \"$@\" & until [ $(wc -l <" + file +
                                    ") -gt 3 ] || ! kill -0 $!; do sleep 0.02; done; kill -INT $!; wait $!' bash";
    const Result first = clothlab("reproduce boxerman-figure-5.8 --quick --json --sets 40" + out, interrupted);
    ASSERT_EQ(first.code, 130) << first.err;
    const std::string done = *readFile(file);
    ASSERT_GT(std::count(done.begin(), done.end(), '\n'), 2);
    const int sets = int(std::count(done.begin(), done.end(), '\n')) - 1;
    const Result again = clothlab("reproduce boxerman-figure-5.7 --quick --json --sets " + std::to_string(sets) + out);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(*readFile(file), done);
    EXPECT_EQ(again.out.find("Stopped"), std::string::npos);
    const Result other = clothlab("reproduce boxerman-figure-5.3 --quick" + out);
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("two corners"), std::string::npos);
    EXPECT_EQ(clothlab("reproduce chen-figure-2" + out).code, 2);
}

}  // namespace
}  // namespace clothlab::tests
