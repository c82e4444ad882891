#include "thread_fixture.hpp"

/// Painting through the commands of the window.
namespace clothlab::app::worker {
namespace {

class PaintingTest : public ThreadTest {
protected:
    /// The values of the overlay of regions.
    std::vector<float> shown() {
        thread->post(SetOverlay{{.field = scene::OverlayKind::Regions}});
        EXPECT_TRUE(done());
        return now().field.values;
    }
    void paint(const scene::Painting& painting) { thread->post(Apply{edits::Paint{painting}, now().mesh->revision}); }
};

TEST_F(PaintingTest, TheWholeIsTakenAndTakenBackWhileTheClothMoves) {
    start(hangingSheet(7), false);
    for (int n = 0; n < 3; ++n) thread->post(StepOnce{});
    ASSERT_TRUE(done());
    const scene::Painting stiff = scene::paint({}, {}, 0, std::vector<Index>{8, 9}, {}),
                          more = scene::paint(stiff, {}, 0, std::vector<Index>{10}, {});
    paint(stiff);
    paint(more);
    auto values = shown();
    ASSERT_EQ(values.size(), 49u);
    EXPECT_EQ((std::vector<float>{values.begin() + 7, values.begin() + 12}), (std::vector<float>{0, 1, 1, 1, 0}));
    EXPECT_EQ(now().step, 3) << "painting does not restart the motion";
    paint(stiff);
    values = shown();
    EXPECT_EQ(values[10], 0);
    paint({});
    EXPECT_TRUE(shown().empty());
    EXPECT_EQ(now().problem, "");
}

TEST_F(PaintingTest, AStaleMeshAndAStrangerAreNotPainted) {
    start(hangingSheet(7), false);
    thread->post(Apply{edits::Paint{scene::paint({}, {}, 0, std::vector<Index>{8}, {})}, now().mesh->revision + 1});
    EXPECT_TRUE(shown().empty());
    EXPECT_EQ(now().problem, "");
    paint(scene::paint({}, {}, 0, std::vector<Index>{49}, {}));
    EXPECT_TRUE(shown().empty());
    EXPECT_NE(now().problem.find("Not painted"), std::string::npos) << now().problem;
}

}  // namespace
}  // namespace clothlab::app::worker
