#include "render/fabrics.hpp"

#include "render/cloth_mesh.hpp"
#include "render/occlusion.hpp"
#include "render/picture_fixture.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

TEST_F(Picture, EachFabricLooksAnother) {
    const Snapshot sheet = fakeSheet();
    std::vector<Image> images;
    for (const EnumEntry& entry : scene::kFabrics) {
        view_.fabric = scene::Fabric(entry.value);
        images.push_back(draw(sheet));
        for (std::size_t k = 0; k + 1 < images.size(); ++k)
            EXPECT_GT(different(images[k], images.back()), 500) << entry.key << " and " << scene::kFabrics[k].key;
    }
    view_.fabric = {};
    EXPECT_EQ(different(images.front(), draw(sheet)), 0) << "the scene's own is cotton";
}

/// A sheet with a valley down its middle, seen along it.
TEST_F(Picture, TheBottomOfAFoldSeesLessOfTheSkyThanItsFlanks) {
    Snapshot sheet = fakeSheet();
    for (std::size_t i = 0; i < sheet.positions.size(); i += 3)
        sheet.positions[i + 2] = 1.5f * std::abs(sheet.positions[i]) - 0.5f;
    ClothMesh mesh(*sheet.mesh);
    mesh.update(sheet, OverlayKind::None);
    auto occlusion = Occlusion::create(CLOTHLAB_SOURCE_DIR "/shaders");
    ASSERT_TRUE(occlusion) << occlusion.error().text();
    occlusion->update(view_.camera, view_.viewport, boundsNow(sheet, renderer_->world(sheet)), 0.3f,
                      [&](const ShaderProgram& program) {
                          program.set("uModel", glm::mat4(1));
                          mesh.draw();
                      });
    std::vector<std::uint8_t> open(kWidth / 2 * (kHeight / 2));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glBindTexture(GL_TEXTURE_2D, occlusion->texture());
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_BYTE, open.data());
    const auto at = [&](glm::vec3 point) {
        const glm::ivec2 p = pixel(point) / 2;
        return int(open[(kHeight / 2 - 1 - p.y) * (kWidth / 2) + p.x]);
    };
    const int bottom = at({0, 0, -0.5f});
    for (const float side : {-1.0f, 1.0f}) EXPECT_GT(at({0.35f * side, 0, 0.025f}), bottom + 40) << side;
    EXPECT_EQ(open.front(), 255) << "nothing is in the way of what is not there";
}

}  // namespace
}  // namespace clothlab::app::render
