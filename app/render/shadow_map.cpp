#include "render/shadow_map.hpp"

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace clothlab::app::render {
namespace {

constexpr int kDepthSide = 768, kCoverSide = 128;
constexpr float kSizeStep = 1.15f;  // the map's size changes in steps, so that its texels do not creep

gl::Texture makeTexture(GLint format, GLenum layout, GLenum type, int side, float border) {
    gl::Texture texture = gl::Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.get());
    glTexImage2D(GL_TEXTURE_2D, 0, format, side, side, 0, layout, type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const float borders[] = {border, border, border, border};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, borders);
    return texture;
}

gl::Framebuffer makeFrame(GLenum attachment, const gl::Texture& texture) {
    gl::Framebuffer frame = gl::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture.get(), 0);
    if (attachment == GL_DEPTH_ATTACHMENT) {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    return frame;
}

}  // namespace

Expected<ShadowMap> ShadowMap::create(const std::string& shaderFolder) {
    ShadowMap map;
    for (const auto& [program, vertex, fragment] : {std::tuple{&map.depthProgram_, "depth.vert", "depth.frag"},
                                                    std::tuple{&map.coverProgram_, "screen.vert", "cover.frag"},
                                                    std::tuple{&map.blurProgram_, "screen.vert", "blur.frag"}}) {
        auto loaded = ShaderProgram::load(shaderFolder, vertex, fragment);
        if (!loaded) return tl::unexpected<Error>(loaded.error());
        *program = std::move(*loaded);
    }
    map.depth_ =
        makeTexture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, kDepthSide, 1);  // outside is far: lit
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    map.depthFrame_ = makeFrame(GL_DEPTH_ATTACHMENT, map.depth_);
    for (int k = 0; k < 2; ++k) {
        map.cover_[k] = makeTexture(GL_R8, GL_RED, GL_UNSIGNED_BYTE, kCoverSide, 0);
        map.coverFrame_[k] = makeFrame(GL_COLOR_ATTACHMENT0, map.cover_[k]);
    }
    map.empty_ = gl::VertexArray::make();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return map;
}

float ShadowMap::texel() const { return 1.0f / kDepthSide; }

void ShadowMap::fit(const Sphere3& bounds, const glm::vec3& toLight) {
    // A border of a few texels stays free, so that the blurred shadow ends inside the map.
    const float needed = bounds.radius * 1.12f;
    const float radius = std::pow(kSizeStep, std::ceil(std::log(needed) / std::log(kSizeStep)));
    metresPerTexel_ = 2 * radius / kDepthSide;
    const glm::mat4 turn =
        glm::lookAt(glm::vec3(0), -toLight, std::abs(toLight.y) > 0.99f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0));
    glm::vec3 centre = glm::vec3(turn * glm::vec4(bounds.centre, 1));
    const float snap = 2 * radius / kCoverSide;
    centre.x = std::round(centre.x / snap) * snap;
    centre.y = std::round(centre.y / snap) * snap;
    light_ = glm::ortho(centre.x - radius, centre.x + radius, centre.y - radius, centre.y + radius, -centre.z - radius,
                        -centre.z + radius) *
             turn;
    worldToMap_ = glm::translate(glm::mat4(1), glm::vec3(0.5f)) * glm::scale(glm::mat4(1), glm::vec3(0.5f)) * light_;
}

void ShadowMap::update(const Sphere3& bounds, const glm::vec3& toLight,
                       const std::function<void(const ShaderProgram&)>& drawCasters) {
    fit(bounds, toLight);
    glBindFramebuffer(GL_FRAMEBUFFER, depthFrame_.get());
    glViewport(0, 0, kDepthSide, kDepthSide);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT);
    // Depths are stored a little farther than they are: a surface then does not shade itself.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    depthProgram_.use();
    depthProgram_.set("uViewProjection", light_);
    drawCasters(depthProgram_);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    blurCover();
}

void ShadowMap::blurCover() const {
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(empty_.get());
    glViewport(0, 0, kCoverSide, kCoverSide);
    glBindTexture(GL_TEXTURE_2D, depth_.get());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, coverFrame_[0].get());
    coverProgram_.use();
    coverProgram_.set("uDepth", 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    blurProgram_.use();
    blurProgram_.set("uSource", 0);
    for (int axis = 0; axis < 2; ++axis) {
        glBindFramebuffer(GL_FRAMEBUFFER, coverFrame_[1 - axis].get());
        glBindTexture(GL_TEXTURE_2D, cover_[axis].get());
        blurProgram_.set("uStep", axis == 0 ? glm::vec2(1.0f / kCoverSide, 0) : glm::vec2(0, 1.0f / kCoverSide));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

}  // namespace clothlab::app::render
