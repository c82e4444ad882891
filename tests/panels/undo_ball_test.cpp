#include "live_fixture.hpp"

// Undo of an edit that is described only by its traits.
namespace clothlab::app::panels {

using actions::runAction;

namespace {

namespace edits = simulation::edits;

TEST_F(LivePanelTest, ABallIsTakenBackWithTheMotionSince) {
    steps(3);
    const std::uint64_t before = hash();
    model.editor.post(worker::Apply{edits::Ball{{0, 0, 1}, {.radius = 0.1, .mass = 0.2, .velocity = {0, 0, -4}}},
                                    now().mesh->revision});
    steps(4);
    ASSERT_NE(model.editor.changes.last(), nullptr);
    const std::uint64_t after = hash();
    EXPECT_EQ(runAction(model, "undo"), "");
    settle();
    EXPECT_EQ(hash(), before);
    EXPECT_EQ(model.editor.changes.next()->words(), "the ball at step 3, and the motion since");
    EXPECT_EQ(runAction(model, "redo"), "");
    settle();
    EXPECT_EQ(hash(), after);
}

}  // namespace
}  // namespace clothlab::app::panels
