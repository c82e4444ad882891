#include "window/effect_budget.hpp"

#include <gtest/gtest.h>

namespace clothlab::app::window {
namespace {

using render::Effects;

void run(EffectBudget& budget, double ms, int frames) {
    for (int i = 0; i < frames; ++i) budget.add(ms);
}

constexpr int kSlow = EffectBudget::kSlowFrames, kQuick = EffectBudget::kQuickFrames;

TEST(EffectBudget, LeavesOutOneAfterAnotherWhileFramesAreTooLong) {
    EffectBudget budget;
    EXPECT_EQ(budget.effects(), Effects{});
    run(budget, 60, kSlow);
    EXPECT_EQ(budget.effects(), (Effects{.occlusion = false}));
    run(budget, 60, kSlow);
    EXPECT_EQ(budget.effects(), (Effects{.occlusion = false, .outlines = false}))
        << "shadows stay longest: they cost little, and show where the floor is";
    run(budget, 60, 10 * kSlow);
    EXPECT_EQ(budget.effects(), (Effects{.occlusion = false, .shadows = false, .outlines = false}));
}

TEST(EffectBudget, SingleSlowFramesDoNotCount) {
    EffectBudget budget;
    for (int i = 0; i < 500; ++i) budget.add(i % 3 == 0 ? 200 : 20);
    EXPECT_EQ(budget.without(), 0U);
}

TEST(EffectBudget, BringsThemBackWhenFramesAreShortAndNotBefore) {
    EffectBudget budget;
    run(budget, 60, 2 * kSlow);
    run(budget, 45, 100 * kQuick);
    EXPECT_EQ(budget.without(), 2U) << "neither slow nor short";
    run(budget, 20, kQuick);
    EXPECT_EQ(budget.without(), 1U);
    run(budget, 20, kQuick);
    EXPECT_EQ(budget.without(), 0U);
}

// Frames take 60 ms with occlusion and 25 ms without it: it is tried less and less often.
TEST(EffectBudget, APictureThatIsNearlyTooSlowDoesNotFlicker) {
    EffectBudget budget;
    int changes = 0;
    for (int i = 0; i < 100 * kQuick; ++i) {
        const std::size_t before = budget.without();
        budget.add(budget.without() == 0 ? 60 : 25);
        changes += budget.without() != before;
    }
    EXPECT_GT(changes, 4) << "it is tried again";
    EXPECT_LT(changes, 16);
}

}  // namespace
}  // namespace clothlab::app::window
