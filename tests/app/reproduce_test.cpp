#include <gtest/gtest.h>

#include <algorithm>

#include "app/program.hpp"
#include "base/input.hpp"
#include "papers/reproduction.hpp"
#include "parsed_json.hpp"

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

// 500 sets take the better part of an hour, those of the first second are of 25 and 100 particles.
TEST(ReproduceCommand, AnInterruptedTableHasTheSetsThatWereDone) {
    const Result r = clothlab("reproduce boxerman-figure-5.8 --json", "timeout --preserve-status --signal=INT 2");
    ASSERT_EQ(r.code, 130) << r.err;
    const ParsedJson json(r.out);
    EXPECT_GT(json["rows"].size(), 0u);
    EXPECT_NE(json["notes"].text().find("of 500 sets"), std::string::npos);
}

// Interrupted with a file of sets, it goes on from there; a file of something else is wrong use.
TEST(ReproduceCommand, GoesOnFromAFileOfSets) {
    const ScratchFolder folder;
    const std::string file = folder.file("sets.ndjson"), out = " --out '" + file + "'";
    // Interrupted when the file has three sets, however long they take.
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
