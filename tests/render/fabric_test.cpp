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

/// Contrast of neighbouring pixels, in steps of 255, on a flat sheet with a given number of pixels per thread.
class Weave : public Picture {
protected:
    int contrastAt(float pixelsPerThread) {
        const Snapshot sheet = fakeSheet();
        view_.fabric = scene::Fabric::Linen;
        view_.effects.occlusion = false;
        const float thread = 1.0f / (16.0f * fabricLook(*view_.fabric).threads);  // m: sixteen checks per side
        view_.camera.distance *= thread / pixelsPerThread / view_.camera.metresPerPixel({0, 0, 0}, view_.viewport);
        const Image image = draw(sheet);
        const glm::ivec2 middle = pixel({0.03f, 0.03f, 0});  // between two stripes
        int contrast = 0;
        for (int y = -8; y < 8; ++y)
            for (int x = -8; x < 8; ++x) {
                const glm::ivec2 at = middle + glm::ivec2(x, y);
                contrast =
                    std::max(contrast, std::abs(brightness(image, at) - brightness(image, at + glm::ivec2(1, 0))) / 3);
            }
        return contrast;
    }
};

TEST_F(Weave, IsSeenFromNear) { EXPECT_GE(contrastAt(12), 6); }

TEST_F(Weave, IsGoneBeforeItWouldBeDotsThatComeAndGo) { EXPECT_LE(contrastAt(2.7f), 3); }

// White surroundings brighten the shade; a side that faces the light hardly changes.
TEST_F(Picture, TheShadeIsBrighterInABrightRoom) {
    const Snapshot sheet = fakeSheet();
    view_.fabric = scene::Fabric::Felt;
    view_.dye = glm::vec3(0.6f);
    const auto lit = [&](bool bright, float azimuth) {
        view_.lightTheme = bright;
        view_.camera.azimuth = azimuth;
        return brightness(draw(sheet), pixel({0, 0, 0})) / 3;
    };
    const int back = lit(false, 180), front = lit(false, 0);
    ASSERT_LT(back, front - 20) << "the key light is in front";
    EXPECT_GT(lit(true, 180), back + 15);
    EXPECT_LT(lit(true, 0) - front, lit(true, 180) - back);
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
    EXPECT_EQ(open.front(), 255) << "the background is not occluded";
}

}  // namespace
}  // namespace clothlab::app::render
