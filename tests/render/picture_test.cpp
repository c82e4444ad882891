#include <glad/gl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "render/cloth_normals.hpp"
#include "render/fake_scene.hpp"

namespace clothlab::app {
namespace {

constexpr int kWidth = 320, kHeight = 200;

/// One context and renderer for the tests of this file: each frame is small.
class Picture : public testing::Test {
protected:
    void SetUp() override {
        auto context = EglContext::create();
        ASSERT_TRUE(context) << context.error().text();
        context_ = std::move(*context);
        auto target = OffscreenTarget::create(kWidth, kHeight);
        ASSERT_TRUE(target) << target.error().text();
        target_ = std::move(*target);
        auto renderer = Renderer::create(CLOTHLAB_SOURCE_DIR "/shaders", 0);
        ASSERT_TRUE(renderer) << renderer.error().text();
        renderer_ = std::move(*renderer);
        view_.viewport = {0, 0, kWidth, kHeight};
        view_.camera.azimuth = view_.camera.elevation = 0;
    }
    Image draw(const Snapshot& snapshot) {
        renderer_->draw(snapshot, view_, {target_->framebuffer(), kWidth, kHeight});
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return readFramebuffer(target_->framebuffer(), kHeight, 0, 0, kWidth, kHeight);
    }
    glm::ivec2 pixel(glm::vec3 point) const { return glm::ivec2(*view_.camera.pixelOf(point, view_.viewport)); }

    std::unique_ptr<EglContext> context_;
    std::unique_ptr<OffscreenTarget> target_;
    std::unique_ptr<Renderer> renderer_;
    ViewState view_;
};

int brightness(const Image& image, glm::ivec2 at) {
    return image.at(at.x, at.y)[0] + image.at(at.x, at.y)[1] + image.at(at.x, at.y)[2];
}
bool blue(const std::uint8_t* p) { return p[2] > p[0] + 30 && p[2] > 90; }
int different(const Image& a, const Image& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) count += std::abs(a.rgb[i] - b.rgb[i]) > 8;
    return count;
}

TEST_F(Picture, TheContextIsAtLeast41) {
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    EXPECT_GE(10 * major + minor, 41);
    EXPECT_FALSE(context_->description().empty());
}

TEST_F(Picture, TheClothCoversItsRegionAndNoMore) {
    view_.showPins = false;
    const Image image = draw(fakeSheet());
    const glm::ivec2 low = pixel({-0.5f, 0.5f, 0}), high = pixel({0.5f, -0.5f, 0});
    int inside = 0, outside = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            if (blue(image.at(x, y))) (x >= low.x && x <= high.x && y >= low.y && y <= high.y ? inside : outside)++;
    EXPECT_NEAR(inside, (high.x - low.x) * (high.y - low.y), 0.02 * inside);
    EXPECT_EQ(outside, 0);
}

TEST_F(Picture, TheBackDiffersFromTheFront) {
    const Image front = draw(fakeSheet());
    view_.camera.azimuth = 180;
    const Image back = draw(fakeSheet());
    const std::uint8_t *f = front.at(kWidth / 2, kHeight / 2), *b = back.at(kWidth / 2, kHeight / 2);
    EXPECT_GT(f[2] - f[0], b[2] - b[0] + 10) << "the back is greyer";
}

TEST_F(Picture, PinsStandAtTheirPixelsInTheirColour) {
    const Snapshot sheet = fakeSheet();
    const Image image = draw(sheet);
    for (const glm::vec3 corner : {glm::vec3(-0.5f, 0.5f, 0), glm::vec3(0.5f, 0.5f, 0)}) {
        const glm::ivec2 at = pixel(corner);
        EXPECT_NEAR(image.at(at.x, at.y)[0], 0xff, 6);
        EXPECT_NEAR(image.at(at.x, at.y)[1], 0xd1, 6);
        EXPECT_NEAR(image.at(at.x, at.y)[2], 0x66, 6);
    }
}

TEST_F(Picture, AShadowDarkensTheGround) {
    Snapshot scene = fakeSheet();
    for (float& x : scene.positions) x *= 0.001f;  // out of the way
    addCollider(scene, geometry::Sphere{0.2}, Vec3(0, 0, 0));
    addCollider(scene, geometry::Plane{}, Vec3(0, -0.5, 0));
    view_.camera.elevation = 30;
    view_.shadows = false;
    const Image lit = draw(scene);
    view_.shadows = true;
    const Image shaded = draw(scene);
    int darker = 0, brighter = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const int change = brightness(shaded, {x, y}) - brightness(lit, {x, y});
            darker += change < -20;
            brighter += change > 6;
        }
    // The ball's shadow is an ellipse of about its own width.
    const double radius = 0.2 / view_.camera.metresPerPixel({0, -0.5f, 0}, view_.viewport);
    EXPECT_GT(darker, 0.5 * radius * radius);
    EXPECT_LT(darker, 6.0 * radius * radius);
    EXPECT_EQ(brighter, 0);
}

TEST_F(Picture, ALitSheetDoesNotShadeItself) {
    view_.shadows = false;
    const Image plain = draw(fakeSheet());
    view_.shadows = true;
    const Image shaded = draw(fakeSheet());
    const glm::ivec2 low = pixel({-0.45f, 0.45f, 0}), high = pixel({0.45f, -0.45f, 0});
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
            ASSERT_NEAR(brightness(plain, {x, y}), brightness(shaded, {x, y}), 9) << x << ", " << y;
}

TEST_F(Picture, EachOverlayChangesThePictureOfTheCloth) {
    Snapshot sheet = fakeSheet();
    const Image plain = draw(sheet);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.2f);
    sheet.springState.assign(sheet.mesh->springs.size(), cloth::kSpringActive | cloth::kSpringImplicit);
    sheet.field.values.assign(static_cast<std::size_t>(sheet.mesh->particles), 1.0f);
    sheet.contacts.push_back({220, 2, {0, 0, 1}});
    for (const auto kind :
         {OverlayKind::Strain, OverlayKind::SpringState, OverlayKind::Contacts, OverlayKind::Velocity, OverlayKind::Residual}) {
        view_.overlay = kind;
        EXPECT_GT(different(plain, draw(sheet)), 200) << enumKey(kind);
        EXPECT_FALSE(legend(kind, sheet).empty());
    }
}

TEST_F(Picture, StressIsRed) {
    Snapshot sheet = fakeSheet(5);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.2f);
    view_.overlay = OverlayKind::Strain;
    const Image image = draw(sheet);
    const glm::ivec2 at = pixel({0.125f, 0, 0});  // the middle of a horizontal spring
    EXPECT_GT(image.at(at.x, at.y)[0], 2 * image.at(at.x, at.y)[2]);
}

TEST_F(Picture, MissingOverlayDataAndStrangeNumbersDoNoHarm) {
    Snapshot sheet = fakeSheet();
    view_.overlay = OverlayKind::Strain;
    view_.hovered = 1'000'000;
    sheet.pins.push_back(-3);
    sheet.positions[100] = NAN;
    draw(sheet);
    sheet.positions.resize(3);
    draw(sheet);
    draw(Snapshot{});
}

TEST_F(Picture, OnlyTheViewportIsTouched) {
    glBindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer());
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    view_.viewport = {100, 20, 120, 90};
    const Image image = draw(fakeSheet());
    for (const auto& [x, y, touched] :
         {std::tuple{50, 50, false}, {110, 30, true}, {219, 109, true}, {160, 115, false}, {225, 60, false}})
        EXPECT_EQ(image.at(x, y)[0] != 255 || image.at(x, y)[1] != 0, touched) << x << ", " << y;
}

TEST_F(Picture, SmoothEdgesAreTheSamePictureOtherwise) {
    const Image plain = draw(fakeSheet());
    renderer_->setSamples(4);
    const Image smooth = draw(fakeSheet());
    EXPECT_LT(different(plain, smooth), kWidth * kHeight * 3 / 20);
    EXPECT_EQ(renderer_->samples(), 4);
}

TEST(Normals, OfAFlatSheetFaceTheirSide) {
    const Snapshot sheet = fakeSheet(6);
    std::vector<float> normals;
    vertexNormals(sheet.positions, sheet.mesh->triangles, normals);
    for (std::size_t i = 0; i < normals.size(); i += 3) EXPECT_NEAR(normals[i + 2], 1, 1e-6f);
}

TEST(Capture, WritesAPngOfTheRightSize) {
    const auto path = (std::filesystem::temp_directory_path() / "clothlab_capture_test.png").string();
    const auto written = writePng(path, {3, 2, std::vector<std::uint8_t>(18, 77)});
    ASSERT_TRUE(written) << written.error().text();
    std::ifstream file(path, std::ios::binary);
    unsigned char head[24] = {};
    file.read(reinterpret_cast<char*>(head), sizeof head);
    const unsigned char signature[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
    EXPECT_TRUE(std::equal(signature, signature + 8, head));
    EXPECT_EQ(head[19], 3);
    EXPECT_EQ(head[23], 2);
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    std::filesystem::remove(path);
    EXPECT_FALSE(writePng("/no/such/folder/a.png", {1, 1, {1, 2, 3}}));
}

TEST(Shaders, AMissingFolderIsAnErrorWithAPath) {
    const auto context = EglContext::create();
    ASSERT_TRUE(context);
    const auto renderer = Renderer::create("/no/such/folder", 0);
    ASSERT_FALSE(renderer);
    EXPECT_NE(renderer.error().text().find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::app
