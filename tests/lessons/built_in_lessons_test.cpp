#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>

#include "lessons/lesson_run.hpp"
#include "support/sanitizers.hpp"

/// Tests of the lesson files: every claim holds on this machine.
namespace clothlab::lessons {
namespace {

const std::string kFolder = CLOTHLAB_SOURCE_DIR "/assets";

TEST(BuiltInLessons, CanBeReadAndHaveWhatAGalleryNeeds) {
    const auto lessons = builtInLessons(kFolder);
    ASSERT_TRUE(lessons) << lessons.error().text();
    for (const Lesson& lesson : *lessons) {
        EXPECT_FALSE(lesson.summary.empty()) << lesson.name;
        EXPECT_FALSE(lesson.source.empty()) << lesson.name;
        std::size_t claims = 0;
        for (const LessonStep& step : lesson.steps) claims += step.claims.size();
        EXPECT_GE(claims, 1u) << lesson.name << " claims nothing";
        EXPECT_GT(lesson.minutes, 0) << lesson.name;
    }
    EXPECT_EQ(lessons->front().name, "one-mass") << "the easiest comes first";
    EXPECT_TRUE(std::ranges::is_sorted(*lessons, {}, &Lesson::level));
    for (const EnumEntry& level : kLevels)
        EXPECT_TRUE(std::ranges::any_of(*lessons, [&](const Lesson& l) { return l.level == Level(level.value); }))
            << level.key;
}

/// A card shows the lesson's own scene and settings; assets/pictures/pictures.txt has the settings of each picture.
TEST(BuiltInLessons, ThePictureOfEachIsOfItsSceneAndSettings) {
    std::map<std::string, std::string> lines;
    std::ifstream list(kFolder + "/pictures/pictures.txt");
    for (std::string line; std::getline(list, line);) lines[line.substr(0, line.find(' '))] = line + " ";
    const auto lessons = builtInLessons(kFolder);
    ASSERT_TRUE(lessons) << lessons.error().text();
    for (const Lesson& lesson : *lessons) {
        const std::string& line = lines["lessons/" + lesson.name];
        EXPECT_TRUE(line.starts_with("lessons/" + lesson.name + " " + lesson.scene + " "))
            << lesson.name << ": '" << line << "'";
        std::size_t sets = 0;
        for (auto at = line.find("--set "); at != std::string::npos; at = line.find("--set ", at + 1)) ++sets;
        EXPECT_EQ(sets, lesson.settings.size()) << line;
        for (const Assignment& setting : lesson.settings)
            EXPECT_NE(line.find("--set " + setting.text + " "), std::string::npos) << setting.text << ": " << line;
    }
}

/// Texts name curves, not their colours: a curve that is white in the dark theme is black in the light one. The white
/// of held particles is data and the same in both.
TEST(BuiltInLessons, NoTextNamesAColourThatTheThemeChanges) {
    const auto lessons = builtInLessons(kFolder);
    ASSERT_TRUE(lessons) << lessons.error().text();
    const std::regex inked("\\b(black|white|dark|light|bright) (line|curve|theme)|\\w+ \\((black|white)\\)");
    for (const Lesson& lesson : *lessons)
        for (const LessonStep& step : lesson.steps)
            for (std::sregex_iterator it(step.text.begin(), step.text.end(), inked), end; it != end; ++it)
                EXPECT_EQ(it->str(), "particle (white)") << lesson.file << ":" << step.line;
}

/// Texts name the method of a comparison: "without a preconditioner", not "with nothing".
TEST(BuiltInLessons, NothingIsNoNameOfAMethod) {
    const auto lessons = builtInLessons(kFolder);
    ASSERT_TRUE(lessons) << lessons.error().text();
    const std::regex name("(with|than|against|where|and) nothing\\b( takes| \\d|,|\"|;|\\*)", std::regex::icase);
    for (const Lesson& lesson : *lessons)
        for (const LessonStep& step : lesson.steps)
            for (const std::string& text : {step.text, step.paper, step.ours, lesson.summary})
                EXPECT_FALSE(std::regex_search(text, name)) << lesson.file << ":" << step.line << ": " << text;
}

TEST(BuiltInLessons, EveryClaimHolds) {
    if (testing::kSanitized) GTEST_SKIP() << "thousands of steps that show a sanitizer nothing new";
    const auto lessons = builtInLessons(kFolder);
    ASSERT_TRUE(lessons) << lessons.error().text();
    for (const Lesson& lesson : *lessons) {
        const auto facts = runLesson(lesson, kFolder, {.threads = 2});
        ASSERT_TRUE(facts) << lesson.name << ": " << facts.error().text();
        for (std::size_t k = 0; k < lesson.steps.size(); ++k)
            for (const Claim& claim : lesson.steps[k].claims)
                EXPECT_TRUE(claim.holds(lookupAt(*facts, k)))
                    << lesson.file << ":" << lesson.steps[k].line << ": " << claim.filledIn(lookupAt(*facts, k));
    }
}

}  // namespace
}  // namespace clothlab::lessons
