#include "records/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "base/json.hpp"

namespace clothlab::records {
namespace {

double readBack(double value) {
    const auto root = parseJson(Json(value).text(), "it.json");
    EXPECT_TRUE(root && root->isNumber()) << Json(value).text();
    return root ? root->number : std::nan("");
}

TEST(Json, NumbersReadBackToTheSameBits) {
    using Limits = std::numeric_limits<double>;
    std::vector<double> values{0.0,
                               -0.0,
                               0.1,
                               1.0 / 3,
                               1e15,
                               1e16,
                               1e17,
                               123456789012345678.0,
                               1e21,
                               1e22,
                               1e-4,
                               1e-5,
                               1e308,
                               -1e308,
                               9007199254740993.0,
                               Limits::max(),
                               Limits::lowest(),
                               Limits::min(),
                               Limits::denorm_min(),
                               3e-310,
                               Limits::epsilon()};
    std::mt19937_64 random(3);
    for (int n = 0; n < 100'000; ++n) {
        values.push_back(std::bit_cast<double>(random()));
        values.push_back(double(random() >> 11) * 0x1p-53);
        values.push_back(std::bit_cast<double>(random() >> 12));  // denormal
    }
    for (const double value : values)
        if (std::isfinite(value)) {
            ASSERT_EQ(std::bit_cast<std::uint64_t>(readBack(value)), std::bit_cast<std::uint64_t>(value))
                << Json(value).text();
        }
    for (const double none : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
        EXPECT_EQ(Json(none).text(), "null");
}

TEST(Json, NumbersHaveAPointWhereTheyAreNoCounts) {
    EXPECT_EQ(Json(1.0).text(), "1.0");
    EXPECT_EQ(Json(-0.0).text(), "-0.0");
    EXPECT_EQ(Json(0.25).text(), "0.25");
    EXPECT_EQ(Json(1e-5).text(), "1e-05");
    EXPECT_EQ(Json(1e300).text(), "1e+300");
    EXPECT_EQ(Json(1).text(), "1");
    EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).text(), "-9223372036854775808");
}

/// Tries the locales with a decimal comma that the machine has.
TEST(Json, NumbersDoNotDependOnTheLocale) {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
        if (!std::setlocale(LC_ALL, name)) continue;
        EXPECT_EQ(Json(1234567.5).text(), "1234567.5") << name;
        EXPECT_EQ(readBack(0.1), 0.1) << name;
        EXPECT_EQ(parseJson("1.5e-999", "it.json")->number, 0) << name;
        EXPECT_FALSE(parseJson("1.5e999", "it.json")) << name;
    }
    std::setlocale(LC_ALL, "C");
}

TEST(Json, TextsAreEscaped) {
    EXPECT_EQ(Json("a\"b\\c/\b\f\n\r\t").text(), R"("a\"b\\c/\b\f\n\r\t")");
    EXPECT_EQ(Json(std::string("\0\x01\x1f\x7f", 4)).text(), "\"\\u0000\\u0001\\u001f\x7f\"");
    EXPECT_EQ(Json("é€😀").text(), "\"é€😀\"");
    // One replacement for each part that is not a character (Unicode 15, section 3.9, table 3-8).
    EXPECT_EQ(Json("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64").text(), "\"a���b�c��d\"");
    EXPECT_EQ(Json("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41").text(), "\"��������A\"");
    EXPECT_EQ(Json("\xed\xa0\x80 \xf4\x91\x92\x93\xff\x41").text(), "\"��� �����A\"");
    EXPECT_EQ(Json("\xe2\x82").text(), "\"�\"");
}

TEST(Json, KeysKeepTheirOrderInOneLineAndIndented) {
    Json json;
    json["z"] = 1;
    json["a"].push(0.5);
    json["a"].push("x");
    json["none"] = Json();
    json["empty"] = Json::array();
    json["nothing"] = Json::object();
    json["in"]["\""] = Vec3(1, 2, 3);
    EXPECT_EQ(json.text(), R"({"z":1,"a":[0.5,"x"],"none":null,"empty":[],"nothing":{},"in":{"\"":[1.0,2.0,3.0]}})");
    EXPECT_EQ(json.text(2), R"({
  "z": 1,
  "a": [
    0.5,
    "x"
  ],
  "none": null,
  "empty": [],
  "nothing": {},
  "in": {
    "\"": [
      1.0,
      2.0,
      3.0
    ]
  }
})");
}

}  // namespace
}  // namespace clothlab::records
