#include "base/fields.hpp"

#include <gtest/gtest.h>

namespace clothlab {

enum class Fruit : int { Apple, Pear };
inline constexpr std::array kFruits{EnumEntry{int(Fruit::Apple), "apple", "Apple"},
                                    EnumEntry{int(Fruit::Pear), "pear", "Pear"}};
constexpr std::span<const EnumEntry> enumTable(Fruit) { return kFruits; }

struct Basket {
    double weight = 1.5;
    int count = 3;
    bool ripe = true;
    Fruit fruit = Fruit::Pear;
    Vec3 origin{0, 1, 0};
};

void describe(Basket& b, FieldList& list) {
    list.add("weight", b.weight, {.label = "weight", .unit = "kg", .min = 0.1, .max = 10});
    list.add("count", b.count, {.label = "count", .min = 0, .max = 100, .autoWord = "auto"});
    list.add("ripe", b.ripe, {.label = "ripe"});
    list.add("fruit", b.fruit, {.label = "fruit"});
    list.add("origin", b.origin, {.label = "origin", .unit = "m", .min = -5, .max = 5});
}

namespace {

struct FieldsTest : ::testing::Test {
    Basket basket;
    FieldList list;
    void SetUp() override { list.nest("basket", basket); }
    Expected<void> set(std::string_view key, std::string_view text) { return assignText(*list.find(key), text); }
};

TEST_F(FieldsTest, AssignsEveryKindFromText) {
    EXPECT_TRUE(set("basket.weight", "2.25"));
    EXPECT_TRUE(set("basket.count", "auto"));
    EXPECT_TRUE(set("basket.ripe", "false"));
    EXPECT_TRUE(set("basket.fruit", "apple"));
    EXPECT_TRUE(set("basket.origin", "[1, -2, 0.5]"));
    EXPECT_EQ(basket.weight, 2.25);
    EXPECT_EQ(basket.count, 0);
    EXPECT_FALSE(basket.ripe);
    EXPECT_EQ(basket.fruit, Fruit::Apple);
    EXPECT_EQ(basket.origin, Vec3(1, -2, 0.5));
}

TEST_F(FieldsTest, RefusesWhatDoesNotFitAndSaysWhatWould) {
    for (const auto& [key, text] :
         std::initializer_list<std::pair<const char*, const char*>>{{"basket.weight", "20"},
                                                                    {"basket.weight", "nan"},
                                                                    {"basket.weight", "inf"},
                                                                    {"basket.weight", "heavy"},
                                                                    {"basket.weight", ""},
                                                                    {"basket.count", "2.5"},
                                                                    {"basket.count", "101"},
                                                                    {"basket.ripe", "yes"},
                                                                    {"basket.fruit", "plum"},
                                                                    {"basket.origin", "1,2"},
                                                                    {"basket.origin", "1,2,3,4"},
                                                                    {"basket.origin", "1,2,9"}}) {
        const auto result = set(key, text);
        ASSERT_FALSE(result) << key << "=" << text;
        EXPECT_NE(result.error().text().find("valid:"), std::string::npos) << result.error().text();
    }
    EXPECT_EQ(basket.weight, 1.5);
    EXPECT_EQ(basket.origin, Vec3(0, 1, 0));
    EXPECT_NE(set("basket.fruit", "plum").error().text().find("apple, pear"), std::string::npos);
}

TEST(Fields, ATextHasAMostLength) {
    std::string title = "kept";
    FieldList list;
    list.add("title", title, {.label = "title"});
    EXPECT_TRUE(assignString(*list.find("title"), std::string(kTextBytes, 'x')));
    const auto done = assignString(*list.find("title"), std::string(kTextBytes + 1, 'y'));
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("4097 bytes of text"), std::string::npos) << done.error().text();
    EXPECT_NE(done.error().text().find("at most 4096 bytes"), std::string::npos) << done.error().text();
    EXPECT_EQ(title, std::string(kTextBytes, 'x'));
}

TEST_F(FieldsTest, TextReadsBackToTheSameBits) {
    basket.weight = 0.1 + 0.2;
    const std::string text = valueText(list.find("basket.weight")->ref);
    basket.weight = 1;
    ASSERT_TRUE(set("basket.weight", text));
    EXPECT_EQ(basket.weight, 0.1 + 0.2);
}

TEST_F(FieldsTest, KnowsDefaultsAndSimilarKeys) {
    const Field& field = *list.find("basket.weight");
    EXPECT_TRUE(equalValues(field.ref, field.defaults));
    basket.weight = 7;
    EXPECT_FALSE(equalValues(field.ref, field.defaults));
    copyValue(field.defaults, field.ref);
    EXPECT_EQ(basket.weight, 1.5);
    EXPECT_EQ(list.similar("basket.wieght").front(), "basket.weight");
    EXPECT_EQ(list.find("basket.colour"), nullptr);
}

}  // namespace
}  // namespace clothlab
