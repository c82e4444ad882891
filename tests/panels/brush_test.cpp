#include "panel_fixture.hpp"

namespace clothlab::app::panels {
namespace {

using widgets::Key;

/// Nine particles in a row, 0.1 m apart, and a second cloth of one above the fifth.
class BrushTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->revision = 3;
        mesh->particles = 10;
        mesh->patches = {{.firstParticle = 0, .particles = 9}, {.firstParticle = 9, .particles = 1}};
        for (int i = 0; i < 9; ++i) snapshot.positions.insert(snapshot.positions.end(), {0.1f * float(i), 0, 0});
        snapshot.positions.insert(snapshot.positions.end(), {0.4f, 0.05f, 0});
        snapshot.mesh = mesh;
        model.scene.cloths.resize(2);
        model.receive(snapshot, true);
        model.brushTool.brush.radius = 0.15;
        model.editor.outbox.clear();
    }
    void touch(Index particle, bool begins) { paint(model, {particle, Vec3(0.1 * double(particle), 0, 0), 3, begins}); }
    const simulation::edits::Paint* lastPaint() const {
        return model.editor.outbox.empty() ? nullptr
                                           : worker::editIn<simulation::edits::Paint>(model.editor.outbox.back());
    }
};

using Particles = std::vector<Index>;

TEST_F(BrushTest, AStrokeIsPostedWholeAndUndoneWhole) {
    touch(4, true);
    ASSERT_NE(lastPaint(), nullptr);
    EXPECT_EQ(std::get<worker::Apply>(model.editor.outbox.back()).topologyRevision, 3u);
    EXPECT_EQ(lastPaint()->painting.layers[0].particles, (Particles{3, 4, 5})) << "not the cloth above";
    EXPECT_EQ(lastPaint()->painting.layers[0].says.values.stretchStiffness,
              10 * model.settings.material.stretchStiffness);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::Regions) << "the painting is shown";
    touch(5, false);
    EXPECT_EQ(lastPaint()->painting.layers[0].particles, (Particles{3, 4, 5, 6}));
    const std::size_t posted = model.editor.outbox.size();
    touch(5, false);
    EXPECT_EQ(model.editor.outbox.size(), posted) << "nothing new";
    touch(0, true);
    EXPECT_EQ(model.brushTool.particles(), 6);
    press(Key::Z);
    EXPECT_EQ(lastPaint()->painting.layers[0].particles, (Particles{3, 4, 5, 6}));
    press(Key::Z);
    EXPECT_TRUE(lastPaint()->painting.empty());
    EXPECT_FALSE(undoPaint(model));
}

TEST_F(BrushTest, AChosenOverlayAndAnotherMeshAreLeftAlone) {
    model.looks.overlay = scene::OverlayKind::Strain;
    touch(4, true);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::Strain);
    model.editor.outbox.clear();
    paint(model, {4, Vec3(0.4, 0, 0), 2, true});
    EXPECT_TRUE(model.editor.outbox.empty()) << "the touch belongs to an earlier mesh";
    model.adopt(model.scene);
    EXPECT_TRUE(model.brushTool.painting.empty()) << "another scene is not painted";
}

TEST_F(BrushTest, ItsRowsChooseAndClear) {
    touch(4, true);
    model.folds.brush = true;
    frames(2);
    model.brushTool.brush.effect = scene::BrushEffect::Erase;
    frames(2);
    touch(4, true);
    EXPECT_TRUE(lastPaint()->painting.empty());
    model.brushTool.brush.effect = scene::BrushEffect::Weight;
    touch(8, true);
    EXPECT_EQ(model.brushTool.particles(), 2);
    frames(2);
    click(at("paint_clear"));
    EXPECT_TRUE(lastPaint()->painting.empty());
    EXPECT_EQ(model.brushTool.particles(), 0);
    click(at("paint_undo"));
    EXPECT_EQ(model.brushTool.particles(), 2);
}

}  // namespace
}  // namespace clothlab::app::panels
