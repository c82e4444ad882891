#include <gtest/gtest.h>

#include "lessons/lesson_run.hpp"
#include "support/sanitizers.hpp"

/// The lessons themselves: every claim of each holds on this machine.
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
    }
}

TEST(BuiltInLessons, EveryClaimHolds) {
    if (testing::kSanitized) GTEST_SKIP() << "thousands of steps, from which a sanitizer learns nothing";
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
