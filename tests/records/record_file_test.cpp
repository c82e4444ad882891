#include "records/record_file.hpp"

#include <gtest/gtest.h>

#include "records/json_line.hpp"

namespace clothlab::records {
namespace {

TEST(Records, ALineThatIsNoneHasItsPlace) {
    const auto mistake = [](const std::string& text) {
        const auto file = parseRecords(text, "r.ndjson");
        return file ? "it was read" : file.error().text();
    };
    EXPECT_EQ(mistake("{\"a\":1}\n{\"a\":1e999}\n").find("r.ndjson:2:6: not JSON: the number 1e999 is too large"), 0u);
    EXPECT_EQ(mistake(std::string(1'000'000, '[')).find("r.ndjson:1:18: not JSON: nested deeper"), 0u)
        << mistake(std::string(1'000'000, '['));
    EXPECT_EQ(mistake("{\"a\":1}\n[1]\n").find("r.ndjson:2:1: a list where an object is needed: each line is"), 0u);
    EXPECT_EQ(mistake("{\"a\":1}\n{\"a\":"), "it was read");  // a killed sweep leaves half a line
    EXPECT_EQ(mistake("{\"a\":1").find("r.ndjson:1:7: not JSON"), 0u);
    EXPECT_EQ(mistake("{\"a\":1}\nx").find("r.ndjson:2:1: not JSON"), 0u);
    std::string many = "{\"a\":[0";
    for (int i = 0; i < 5000; ++i) many += ",0";
    EXPECT_NE(mistake(many + "]}\n").find("more than 4096 values"), std::string::npos);
    EXPECT_NE(mistake("{\"" + std::string(300, 'k') + "\":1}\n").find("a key is longer than 256"), std::string::npos);
}

/// JSON may have an empty key, but no request can name it.
TEST(Records, AKeyWithoutANameIsNotOffered) {
    const auto file = parseRecords("{\"\":1,\"vary\":{\"\":2},\"a\":3}\n", "r.ndjson");
    ASSERT_TRUE(file);
    EXPECT_EQ(numericKeys({&*file, 1}, true), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace clothlab::records
