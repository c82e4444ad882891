#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "render/fake_scene.hpp"

namespace clothlab::app::render {

inline constexpr int kWidth = 320, kHeight = 200;

/// One context and renderer for all tests of a file; frames are small.
class Picture : public testing::Test {
protected:
    void SetUp() override {
        auto context = film::EglContext::create();
        ASSERT_TRUE(context) << context.error().text();
        context_ = std::move(*context);
        auto target = OffscreenTarget::create(kWidth, kHeight);
        ASSERT_TRUE(target) << target.error().text();
        target_ = std::move(*target);
        auto renderer = Renderer::create(CLOTHLAB_SOURCE_DIR "/shaders");
        ASSERT_TRUE(renderer) << renderer.error().text();
        renderer_ = std::move(*renderer);
        view_.viewport = {0, 0, kWidth, kHeight};
        view_.camera.azimuth = view_.camera.elevation = 0;
    }
    Image draw(const worker::Snapshot& snapshot) {
        renderer_->draw(snapshot, view_, {target_->framebuffer(), kWidth, kHeight});
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return readFramebuffer(target_->framebuffer(), kHeight, 0, 0, kWidth, kHeight);
    }
    glm::ivec2 pixel(glm::vec3 point) const { return glm::ivec2(*view_.camera.toPixel(point, view_.viewport)); }

    std::unique_ptr<film::EglContext> context_;
    std::unique_ptr<OffscreenTarget> target_;
    std::unique_ptr<Renderer> renderer_;
    ViewState view_;
};

inline int brightness(const Image& image, glm::ivec2 at) {
    const std::uint8_t* p = image.at(at.x, at.y);
    return p[0] + p[1] + p[2];
}
inline bool blue(const std::uint8_t* p) { return p[2] > p[0] + 30 && p[2] > 90; }
inline int different(const Image& a, const Image& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) count += std::abs(a.rgb[i] - b.rgb[i]) > 8;
    return count;
}

}  // namespace clothlab::app::render
