#include "base/json.hpp"

#include <gtest/gtest.h>

namespace clothlab {
namespace {

std::string mistake(std::string_view text) {
    const auto root = parseJson(text, "f.json");
    return root ? "it was read" : root.error().text();
}

TEST(Json, ReadsEveryKindOfValue) {
    const auto root =
        parseJson(R"( {"a": [1, -2.5e2, true, null, "x\n\u00e9\ud83d\ude00"], "b": {}, "c": 0} )", "f.json");
    ASSERT_TRUE(root) << root.error().text();
    const JsonNode& a = *root->find("a");
    EXPECT_EQ(a.items[0].number, 1);
    EXPECT_EQ(a.items[1].number, -250);
    EXPECT_TRUE(a.items[2].boolean);
    EXPECT_EQ(a.items[3].kind, JsonNode::Kind::Null);
    EXPECT_EQ(a.items[4].text, "x\né😀");
    EXPECT_EQ(a.items[1].at, 11u);
    EXPECT_EQ(root->find("b")->kind, JsonNode::Kind::Object);
    EXPECT_EQ(root->find("d"), nullptr);
    EXPECT_EQ(parseJson("1e-999", "f.json")->number, 0);
}

TEST(Json, MistakesHaveLineAndColumn) {
    EXPECT_EQ(mistake("{\"a\": 1e999}"), "f.json:1:7: not JSON: the number 1e999 is too large");
    EXPECT_EQ(mistake("{\n  \"a\": 1,\n  \"a\": 2}"), "f.json:3:8: not JSON: the key 'a' appears twice");
    EXPECT_EQ(mistake("[1,\n 2"), "f.json:2:3: not JSON: ',' or ']' is expected");
    EXPECT_EQ(mistake(""), "f.json:1:1: not JSON: a value is expected");
    EXPECT_EQ(mistake("[1] x"), "f.json:1:5: not JSON: nothing may follow the value");
    for (const char* text : {"01",          "-",         "1.",       ".5",       "1e",  "+1",  "nan",     "Infinity",
                             "[1,]",        "{,}",       "{\"a\"}",  "{a:1}",    "tru", "\"a", "\"\\q\"", "\"\\ud800\"",
                             "\"\\udc00\"", "\"\\u12\"", "\"\x01\"", "\"\xff\"", "'a'", "\"\\"})
        EXPECT_NE(mistake(text).find("not JSON"), std::string::npos) << text;
}

TEST(Json, DepthAndCountHaveLimits) {
    const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
    EXPECT_TRUE(parseJson(nested(65), "f.json"));
    EXPECT_NE(mistake(nested(66)).find("f.json:1:66: not JSON: nested deeper than 64 levels"), std::string::npos);
    EXPECT_NE(mistake(std::string(1'000'000, '[')).find("nested deeper"), std::string::npos);
    std::string objects;
    for (int i = 0; i < 30'000; ++i) objects += "{\"a\":";
    EXPECT_NE(mistake(objects).find("nested deeper"), std::string::npos);
    EXPECT_TRUE(parseJson("[1,2,3]", "f.json", {.values = 4}));
    EXPECT_FALSE(parseJson("[1,2,3]", "f.json", {.values = 3}));
}

}  // namespace
}  // namespace clothlab
