#include "lessons/claim.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clothlab::lessons {
namespace {

const QuantityCheck kAny = [](const Quantity&) { return std::string(); };
/// A made-up value: the length of the name, ten times the step, a hundred for a ghost, and a thousand per argument.
const Lookup kLetters = [](const Quantity& q) {
    return double(q.name.size()) + 10 * q.step + (q.ghost ? 100 : 0) + 1000.0 * double(q.arguments.size());
};

bool holds(const char* text) {
    const auto claim = Claim::parse(text, kAny);
    EXPECT_TRUE(claim) << text << ": " << claim.error().text();
    return claim && claim->holds(kLetters);
}

TEST(Claim, Calculates) {
    EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
    EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
    EXPECT_TRUE(holds("8 / 2 / 2 == 2"));
    EXPECT_TRUE(holds("7 - 2 - 1 == 4"));
    EXPECT_TRUE(holds("-2 * -3 == 6"));
    EXPECT_TRUE(holds("1.5e-3 < 2E-3"));
    EXPECT_FALSE(holds("1 > 1"));
    EXPECT_TRUE(holds("1 >= 1"));
    EXPECT_TRUE(holds("1<=1"));
    EXPECT_FALSE(holds("2 <= 1"));
}

TEST(Claim, NamesQuantities) {
    EXPECT_TRUE(holds("mean(iterations) == 1004"));
    EXPECT_TRUE(holds("ghost.last(max_strain) == 1104"));
    EXPECT_TRUE(holds("step2.mean(a) == 1024"));
    EXPECT_TRUE(holds("step2.ghost.mean(a) == 1124"));
    EXPECT_TRUE(holds("race(\"mpcg constrained-block\", iterations) == 2004"));
    EXPECT_TRUE(holds("failed() == 6"));
    EXPECT_TRUE(holds("mean(ndof_counts.0) == 1004"));
}

TEST(Claim, WhatIsNotKnownHoldsNot) {
    const Lookup nothing = [](const Quantity&) { return std::numeric_limits<double>::quiet_NaN(); };
    for (const char* text : {"steps() < 1", "steps() >= 1", "steps() == steps()"}) {
        const auto claim = Claim::parse(text, kAny);
        ASSERT_TRUE(claim);
        EXPECT_FALSE(claim->holds(nothing)) << text;
    }
    EXPECT_EQ(Claim::parse("mean(iterations) < 6", kAny)->filledIn(nothing), "mean(iterations) = ? < 6");
    EXPECT_EQ(Claim::parse(" mean(iterations)<6 ", kAny)->filledIn([](const Quantity&) { return 2.125; }),
              "mean(iterations) = 2.125 < 6");
}

TEST(Claim, AMistakeHasItsColumnAndSaysWhatWouldDo) {
    const QuantityCheck onlySteps = [](const Quantity& q) { return q.name == "steps" ? "" : "no " + q.name; };
    const struct {
        const char* text;
        int column;
        const char* words;
    } cases[] = {{"1 + < 2", 5, "a number or a quantity"},
                 {"1 + 2", 6, "a comparison"},
                 {"1 < 2 < 3", 7, "more than one"},
                 {"steps( < 3", 8, "a word"},
                 {"steps() < mean(a)", 11, "no mean"},
                 {"steps < 2", 7, "brackets"},
                 {"stepx.steps() < 2", 7, "neither a step"},
                 {"(1 < 2", 4, "not closed"},
                 {"1e < 2", 1, "no number"},
                 {"\"a\" < 2", 1, "a number or a quantity"},
                 {"", 1, "a number or a quantity"}};
    for (const auto& one : cases) {
        const auto claim = Claim::parse(one.text, onlySteps);
        ASSERT_FALSE(claim) << one.text;
        EXPECT_EQ(claim.error().column, one.column) << one.text << ": " << claim.error().message;
        EXPECT_NE(claim.error().message.find(one.words), std::string::npos)
            << one.text << ": " << claim.error().message;
    }
}

TEST(Claim, BracketsWithoutEndAreRefused) {
    const std::string deep(100'000, '(');
    const auto claim = Claim::parse(deep + "1 < 2", kAny);
    ASSERT_FALSE(claim);
    EXPECT_EQ(claim.error().message, "too many brackets");
    EXPECT_FALSE(Claim::parse(std::string(100'000, '-') + "1 < 2", kAny));
    std::string sum = "1";
    for (int k = 0; k < 1'000'000; ++k) sum += "+1";
    const auto longest = Claim::parse(sum + " < 2", kAny);
    ASSERT_FALSE(longest);
    EXPECT_EQ(longest.error().message, "too many operators");
}

// The sentence has the exact condition: numbers, brackets and units of both sides.
TEST(Claim, IsSaidInWords) {
    const QuantityWordsOf words = [](const Quantity& q) -> QuantityWords {
        if (q.name == "failed") return {"a step fails", "", "a step fails", "no step fails"};
        return {q.name + " energy", "J", {}, {}};
    };
    const auto said = [&](const char* text, bool known = true) {
        return Claim::parse(text, kAny)
            ->inWords(
                [&](const Quantity& q) {
                    return !known ? std::numeric_limits<double>::quiet_NaN() : q.step > 0 ? 2.0 : 3.14159;
                },
                words, [](double value) { return fmt::format("{:.4g}", value); });
    };
    EXPECT_EQ(said("total() <= 6"), "total energy: 3.142 J, at most 6 J");
    EXPECT_EQ(said("total() <= 6", false), "total energy: at most 6 J");
    EXPECT_EQ(said("total() > 0.5 * step1.total()"),
              "total energy: 3.142 J, more than 0.5 × total energy in part 1 (2 J) = 1 J");
    EXPECT_EQ(said("total() > 0.5 * step1.total()", false), "total energy: more than 0.5 × total energy in part 1");
    EXPECT_EQ(said("ghost.total() / step2.ghost.total() < 1"),
              "total energy of the ghost (3.142 J) / total energy of the ghost in part 2 (2 J): 1.571, less than 1");
    EXPECT_EQ(
        said("a() - b() >= 0.6 * (step1.a() - step1.b())"),
        "a energy (3.142 J) − b energy (3.142 J): 0 J, at least 0.6 × (a energy in part 1 (2 J) − b energy in part 1 "
        "(2 J)) = 0 J");
    EXPECT_EQ(said("failed() == 0"), "no step fails");
    EXPECT_EQ(said("step3.failed() == 1"), "a step fails in part 3");
    EXPECT_EQ(said("failed() == 2"), "a step fails: 3.142, exactly 2");
}

}  // namespace
}  // namespace clothlab::lessons
