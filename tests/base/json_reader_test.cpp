#include "base/json_reader.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace clothlab {
namespace {

/// The error of reading a text with `read`.
std::string mistake(std::string_view text, const std::function<void(const JsonValue&)>& read) {
    JsonReader reader(text, "f.json");
    read(reader.root());
    return reader.problem() ? reader.problem()->text() : "it was read";
}

TEST(JsonReader, HasEachKindOfValue) {
    JsonReader reader(R"({"n": -0.5, "w": 7, "t": "x", "f": true, "v": [1, 2, 3], "l": ["a", "b"], "o": {"k": 1}})",
                      "f.json");
    const JsonValue root = reader.root();
    EXPECT_EQ(root["n"].number(), -0.5);
    EXPECT_EQ(root["w"].whole(7), 7);
    EXPECT_EQ(root["w"].index(), 7);
    EXPECT_EQ(root["t"].text(), "x");
    EXPECT_TRUE(root["f"].flag());
    EXPECT_EQ(root["v"].vector(), Vec3(1, 2, 3));
    EXPECT_EQ(root["l"].texts(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(root["o"].members().front().name(), "k");
    EXPECT_TRUE(root.has("o"));
    EXPECT_FALSE(root.has("p"));
    EXPECT_FALSE(root["n"].has("p")) << "a number has no members";
    EXPECT_EQ(reader.result(5).value(), 5);
}

TEST(JsonReader, SaysWhatIsWrongWhereAndWhatIsValid) {
    const auto number = [](const JsonValue& root) { root["a"].number(); };
    EXPECT_EQ(mistake("{\n \"a\": \"1\"}", number), "f.json:2:7: a: a text where a number is needed");
    EXPECT_EQ(mistake("{\n}", number), "f.json:1:1: 'a' is missing (valid: a number)");
    EXPECT_EQ(mistake("[]", number), "f.json:1:1: a list where an object is needed (valid: {\"a\": ...})");
    EXPECT_EQ(mistake("{\"a\": 1e999}", number), "f.json:1:7: not JSON: the number 1e999 is too large");
    const auto inside = [](const JsonValue& root) { root["a"]["b"].text(); };
    EXPECT_EQ(mistake("{}", inside), "f.json:1:1: 'a' is missing (valid: {\"b\": ...})");
    EXPECT_EQ(mistake("{\"a\": 1}", inside), "f.json:1:7: a: a number where an object is needed (valid: {\"b\": ...})");
    EXPECT_EQ(mistake("{\"a\": {\"b\": null}}", inside), "f.json:1:13: b: null where a text is needed");
    const auto whole = [](const JsonValue& root) { root["a"].whole(0, 3); };
    EXPECT_EQ(mistake("{\"a\": 4}", whole), "f.json:1:7: a: 4 is out of range (valid: a whole number, 0 .. 3)");
    EXPECT_EQ(mistake("{\"a\": 0.5}", whole), "f.json:1:7: a: 0.5 is no whole number (valid: a whole number, 0 .. 3)");
    EXPECT_EQ(mistake("{\"a\": true}", whole),
              "f.json:1:7: a: true or false where a whole number is needed (valid: a whole number, 0 .. 3)");
    EXPECT_EQ(mistake("{\"a\": -1}", [](const JsonValue& root) { root["a"].whole(1); }),
              "f.json:1:7: a: -1 is out of range (valid: a whole number, 1 or more)");
    EXPECT_EQ(mistake("{\"a\": 1e300}", [](const JsonValue& root) { root["a"].index(); }),
              "f.json:1:7: a: 1e+300 is out of range (valid: a whole number, 0 .. 2147483647)");
    const auto vector = [](const JsonValue& root) { root["a"].vector(); };
    EXPECT_EQ(mistake("{\"a\": [1]}", vector), "f.json:1:7: a: 1 number where three are needed (valid: [x, y, z])");
    EXPECT_EQ(mistake("{\"a\": [1, 2,\n null]}", vector), "f.json:2:2: a: null where a number is needed");
    EXPECT_EQ(mistake("{\"a\": {}}", vector),
              "f.json:1:7: a: an object where a list of three numbers is needed (valid: [x, y, z])");
    EXPECT_EQ(mistake("{\"a\": 0}", [](const JsonValue& root) { root["a"].flag(); }),
              "f.json:1:7: a: a number where true or false is needed");
}

TEST(JsonReader, TheFirstMistakeStaysAndTheRestReadsAsNothing) {
    JsonReader reader("{\"a\": 1,\n \"b\": 2}", "f.json", {}, 7);
    const JsonValue root = reader.root();
    EXPECT_EQ(root["b"].text(), "");
    EXPECT_TRUE(root["c"]["d"].items().empty());
    EXPECT_EQ(root["c"].whole(3, 5), 3) << "a value within the range";
    EXPECT_EQ(root["a"].vector(), Vec3(0, 0, 0));
    EXPECT_EQ(root["a"].number(), 1) << "correct values are still read";
    root.refuse("that too");
    ASSERT_FALSE(reader.result(1));
    EXPECT_EQ(reader.result(1).error().text(), "f.json:8:7: b: a number where a text is needed");
    const JsonReader broken("{\n", "f.json", {}, 7);
    EXPECT_EQ(broken.problem()->text(), "f.json:8:1: not JSON: a key in quotes is expected");
}

TEST(JsonReader, KnowsTheVersionOfAFile) {
    const auto version = [](std::string_view text) {
        JsonReader reader(text, "f.json");
        reader.needVersion("clothlab_it", 2, "recording");
        return reader.problem() ? reader.problem()->text() : "";
    };
    EXPECT_EQ(version("{\"clothlab_it\": 2}"), "");
    EXPECT_EQ(version("{\"clothlab_it\":\n3}"), "f.json:2:1: a recording of version 3; this program reads version 2");
    for (const char* text : {"{}", "[]", "2", "{\"clothlab_it\": \"2\"}"})
        EXPECT_EQ(version(text), "f.json:1:1: this is no recording (valid: {\"clothlab_it\": 2, ...})") << text;
}

}  // namespace
}  // namespace clothlab
