#include "panel_fixture.hpp"

namespace clothlab::app::panels {

using model::Panel;
using widgets::Key;
using worker::ShowSparsity;
using worker::SparsityResult;

namespace {

/// Four particles in a chain, in the order 3 2 1 0.
class SparsityPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        experiments::Sparsity& s = result.blocks;
        s.step = 100;
        s.particle = s.place = {3, 2, 1, 0};
        s.rowStart = {0};
        for (Index i = 0; i < 4; ++i) {
            for (Index j = std::max(0, i - 1); j <= std::min(3, i + 1); ++j) {
                s.column.push_back(j);
                s.kind.push_back(i == j ? experiments::BlockKind::Diagonal : experiments::BlockKind::Core);
                ++s.occupied;
            }
            s.rowStart.push_back(s.column.size());
        }
        result.cells = 4;
        result.raster.assign(16, 0);
        model.results.set(&result);
        press(Key::M);
        frames(2);
    }
    SparsityResult result;
};

TEST_F(SparsityPanelTest, ABlockUnderThePointerNamesItsParticles) {
    EXPECT_TRUE(model.isOpen(Panel::Matrix));
    ASSERT_NE(posted<ShowSparsity>(), nullptr);
    const auto pointAt = [&](int row, int column) {
        moveTo(at("sparsity/blocks", (float(column) + 0.5f) / 4, (float(row) + 0.5f) / 4));
        frame();
        return model.sparsity.linked;
    };
    EXPECT_EQ(pointAt(0, 1), (std::array<Index, 2>{3, 2}));
    EXPECT_EQ(pointAt(2, 2), (std::array<Index, 2>{1, 1}));
    EXPECT_EQ(pointAt(3, 2), (std::array<Index, 2>{0, 1}));
    moveTo(at("sparsity/of"));
    frame();
    EXPECT_EQ(model.sparsity.linked[0], -1);
}

TEST_F(SparsityPanelTest, ChoicesAskForAnotherPicture) {
    model.editor.outbox.clear();
    click(at("sparsity/of"));
    frames(2);
    click(at("sparsity/of/factor"));
    ASSERT_NE(posted<ShowSparsity>(), nullptr);
    EXPECT_EQ(posted<ShowSparsity>()->of, experiments::SparsityOf::Factor);
    click(at("sparsity/ordering"));
    frames(2);
    click(at("sparsity/ordering/metis"));
    EXPECT_EQ(posted<ShowSparsity>()->ordering, factors::Ordering::Metis);
    EXPECT_EQ(posted<ShowSparsity>()->of, experiments::SparsityOf::Factor);
}

TEST_F(SparsityPanelTest, ByComponentsAsksForAnotherPictureAndDrawsBorders) {
    const auto drawn = [&] {
        frames(2);
        int count = 0;
        const ImDrawData* data = ImGui::GetDrawData();
        for (int i = 0; i < data->CmdListsCount; ++i) count += data->CmdLists[i]->VtxBuffer.Size;
        return count;
    };
    model.editor.outbox.clear();
    click(at("sparsity/components"));
    ASSERT_NE(posted<ShowSparsity>(), nullptr);
    EXPECT_TRUE(posted<ShowSparsity>()->byComponents);
    const int before = drawn();
    result.blocks.componentStart = {0, 2, 3};  // two particles, one, and a fixed one
    EXPECT_GT(drawn(), before);
    click(at("sparsity/components"));
    EXPECT_FALSE(posted<ShowSparsity>()->byComponents);
}

TEST_F(SparsityPanelTest, FollowsTheMotionAndLeavesTheClothItsPlace) {
    auto mesh = std::make_shared<worker::MeshTopology>();
    mesh->revision = 4;
    snapshot.mesh = mesh;
    snapshot.identity = std::make_shared<int>(100);
    result.origin = {.mesh = 4,
                     .step = 100,
                     .shown = snapshot.identity,
                     .made = std::make_shared<const scene::Settings>(model.settings)};
    model.editor.outbox.clear();
    frames(120);
    EXPECT_EQ(posted<ShowSparsity>(), nullptr);    // the result is already that of the step shown
    snapshot.identity = std::make_shared<int>(1);  // step 100 of another motion
    frames(120);
    EXPECT_NE(posted<ShowSparsity>(), nullptr);
    EXPECT_EQ(ui->layout().wordsAt("sparsity/of"), "of step 100 of the motion before") << "until the answer is there";
    result.origin.shown = snapshot.identity;
    model.editor.outbox.clear();
    frames(120);
    EXPECT_EQ(posted<ShowSparsity>(), nullptr);
    snapshot.step = 101;
    snapshot.identity = std::make_shared<int>(101);
    frames(120);
    EXPECT_NE(posted<ShowSparsity>(), nullptr);
    model.editor.outbox.clear();
    frames(120);
    EXPECT_EQ(posted<ShowSparsity>(), nullptr) << "the same step was requested again";
    EXPECT_LE(at("view", 1, 0.5f).x, at("sparsity", 0, 0.5f).x + 1);
    click(at("sparsity/close"));
    EXPECT_FALSE(model.isOpen(Panel::Matrix));
}

}  // namespace
}  // namespace clothlab::app::panels
