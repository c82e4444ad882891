#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/errors.hpp"

namespace clothlab {
namespace {

using std::string;

TEST(Shown, EscapesWhatATerminalObeys) {
    EXPECT_EQ(shown("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(shown(string("nul\0tab\t\n\x7f", 9)), "nul\\x00tab\\t\\n");
    EXPECT_EQ(shown("\x7f"), "\\x7f");
    EXPECT_EQ(shown("\xc2\x9b"), "\\u009b");  // a control sequence of one character
    EXPECT_EQ(shown("\xe2\x80\xae"
                    "abc"),
              "\\u202e"
              "abc");  // reverses the rest of the line
    EXPECT_EQ(shown("größe 8 µm ±"), "größe 8 µm ±");
}

TEST(Shown, EscapesWhatIsNotUtf8) {
    EXPECT_EQ(shown("\xff"), "\\xff");
    EXPECT_EQ(shown("a\xc3"), "a\\xc3");                  // cut
    EXPECT_EQ(shown("\xc0\xaf"), "\\xc0\\xaf");           // overlong
    EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
    EXPECT_EQ(shown("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Shown, LeavesTheMiddleOutOfWhatIsLong) {
    EXPECT_EQ(shown(string(80, 'a')), string(80, 'a'));
    const string text = "start" + string(1'000'000, 'x') + "end";
    const string out = shown(text);
    EXPECT_EQ(out.size(), 80u);
    EXPECT_TRUE(out.starts_with("startxxx") && out.ends_with("xxxend")) << out;
    EXPECT_NE(out.find("x...x"), string::npos);
    EXPECT_LE(shown(string(200, '\x1b')).size(), 80u);
    string accents;
    for (int i = 0; i < 100; ++i) accents += "é";
    const string cut = shown(accents);
    EXPECT_EQ(cut, shown(cut));  // cut between characters: nothing needs escaping
}

TEST(Shown, PathsAndChoicesOfAnErrorAreShownSo) {
    Error error{.message = "no", .file = "x\x1b[2J.toml", .line = 3, .column = 0, .choices = {"a\nb"}};
    EXPECT_EQ(error.text(), "x\\x1b[2J.toml:3: no (valid: a\\nb)");
    error.choices.assign(1'000'000, "name");
    EXPECT_LT(error.text().size(), 2000u);
}

TEST(EditDistance, IsCountedUpToALimit) {
    EXPECT_EQ(editDistance("kitten", "sitting", 9), 3u);
    EXPECT_EQ(editDistance("kitten", "sitting", 3), 3u);
    EXPECT_EQ(editDistance("kitten", "sitting", 2), 3u);  // more than 2
    EXPECT_EQ(editDistance("", "abc", 5), 3u);
    EXPECT_EQ(editDistance("same", "same", 0), 0u);
    EXPECT_EQ(editDistance(std::string(1'000'000, 'a'), "abc", 5), 6u);
}

TEST(Numbers, AreReadWholeOrNotAtAll) {
    EXPECT_EQ(parseNumber("1.5e3"), 1500);
    EXPECT_EQ(parseNumber(" +2 "), 2);
    for (const char* text : {"", "+", "+-1", "1x", "1 2", "0x10", "1e999", "--1"})
        EXPECT_FALSE(parseNumber(text)) << text;
    EXPECT_EQ(parseNumber("-1e-400"), 0) << "too small for a double";
    EXPECT_EQ(parseNumber("4e-320"), 4e-320);
    EXPECT_TRUE(std::isnan(*parseNumber("nan")));
    EXPECT_EQ(parseWhole("-7"), -7);
    for (const char* text : {"", "1.5", "9223372036854775808", "7x"}) EXPECT_FALSE(parseWhole(text)) << text;
}

TEST(Numbers, NoRangeHoldsNaN) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(within(0, 0, 1) && within(1, 0, 1));
    EXPECT_FALSE(within(1.0000001, 0, 1));
    EXPECT_FALSE(within(std::nan(""), -kInfinity, kInfinity));
}

}  // namespace
}  // namespace clothlab
