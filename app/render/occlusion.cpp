#include "render/occlusion.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "render/gl/frames.hpp"

namespace clothlab::app::render {
namespace {

/// The part of a picture in which a sphere can be seen, as a viewport from its lower left corner.
Viewport boundingBox(const Sphere3& bounds, const glm::mat4& viewProjection, int width, int height) {
    glm::vec2 low(1), high(-1);
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 way((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
        const glm::vec4 at = viewProjection * glm::vec4(bounds.centre + bounds.radius * way, 1);
        if (at.w <= 0) return {0, 0, width, height};  // behind the eye: it may be anywhere
        low = glm::min(low, glm::vec2(at) / at.w);
        high = glm::max(high, glm::vec2(at) / at.w);
    }
    const glm::vec2 size(width, height);
    const glm::ivec2 first(glm::floor((glm::clamp(low, -1.0f, 1.0f) * 0.5f + 0.5f) * size)),
        end(glm::ceil((glm::clamp(high, -1.0f, 1.0f) * 0.5f + 0.5f) * size));
    return {first.x, first.y, std::max(end.x - first.x, 0), std::max(end.y - first.y, 0)};
}

}  // namespace

Expected<Occlusion> Occlusion::create(const std::string& shaderFolder) {
    Occlusion made;
    const std::tuple<ShaderProgram*, const char*, const char*> programs[] = {
        {&made.depthProgram_, "depth.vert", "depth.frag"},
        {&made.occlusionProgram_, "screen.vert", "occlusion.frag"},
        {&made.blurProgram_, "screen.vert", "occlusion_blur.frag"}};
    for (const auto& [program, vertex, fragment] : programs) {
        auto loaded = ShaderProgram::load(shaderFolder, vertex, fragment);
        if (!loaded) return fail(loaded.error());
        *program = std::move(*loaded);
    }
    made.empty_ = gl::VertexArray::make();
    return made;
}

void Occlusion::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    depth_ = gl::makeTexture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height, GL_NEAREST);
    depthFrame_ = gl::makeFrame(GL_DEPTH_ATTACHMENT, depth_);
    for (int k = 0; k < 2; ++k) {
        filtered_[k] = gl::makeTexture(GL_R8, GL_RED, GL_UNSIGNED_BYTE, width, height, k == 1 ? GL_LINEAR : GL_NEAREST);
        frames_[k] = gl::makeFrame(GL_COLOR_ATTACHMENT0, filtered_[k]);
    }
}

void Occlusion::update(const Camera& camera, const Viewport& viewport, const Sphere3& bounds, float reach,
                       const std::function<void(const ShaderProgram&)>& drawCasters) {
    resize(std::max(viewport.width / 2, 1), std::max(viewport.height / 2, 1));
    glViewport(0, 0, width_, height_);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glBindFramebuffer(GL_FRAMEBUFFER, depthFrame_.get());
    glClear(GL_DEPTH_BUFFER_BIT);
    depthProgram_.use();
    const glm::mat4 viewProjection = camera.viewProjection(viewport);
    depthProgram_.set("uViewProjection", viewProjection);
    drawCasters(depthProgram_);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);

    glClearColor(1, 1, 1, 1);
    for (const gl::Framebuffer& frame : frames_) {
        glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
        glClear(GL_COLOR_BUFFER_BIT);
    }
    const Viewport box = boundingBox(bounds, viewProjection, width_, height_);
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.x, box.y, box.width, box.height);
    const glm::mat4 p = camera.projection(viewport.aspect());
    const glm::vec4 lens(p[0][0], p[1][1], p[2][2], p[3][2]);
    const glm::vec2 texel(1.0f / float(width_), 1.0f / float(height_));
    glBindVertexArray(empty_.get());
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, depth_.get());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, frames_[0].get());
    occlusionProgram_.use();
    occlusionProgram_.set("uDepth", 1);
    occlusionProgram_.set("uLens", lens);
    occlusionProgram_.set("uTexel", texel);
    occlusionProgram_.set("uReach", reach);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_FRAMEBUFFER, frames_[1].get());
    glBindTexture(GL_TEXTURE_2D, filtered_[0].get());
    blurProgram_.use();
    blurProgram_.set("uDepth", 1);
    blurProgram_.set("uSource", 0);
    blurProgram_.set("uLens", lens);
    blurProgram_.set("uTexel", texel);
    blurProgram_.set("uReach", reach);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace clothlab::app::render
