#include "canvas/imgui_canvas.hpp"

#include <glad/gl.h>
// after glad
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cmath>

namespace clothlab::app::canvas {

Expected<std::unique_ptr<ImGuiCanvas>> ImGuiCanvas::create() {
    std::unique_ptr<ImGuiCanvas> canvas(new ImGuiCanvas);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    // The backend looks for OpenGL by itself, in libGL, also where EGL made the context.
    if (!ImGui_ImplOpenGL3_Init("#version 410"))
        return fail("the panels cannot be drawn: libGL.so.1 is missing\n  apt-get install libgl1");
    return canvas;
}

ImGuiCanvas::~ImGuiCanvas() {
    if (ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

widgets::UiTheme ImGuiCanvas::makeTheme(float scale) {
    const bool drawing = ImGui::GetIO().Fonts->TexID != nullptr;
    ImGui::GetIO().Fonts->Clear();
    const widgets::UiTheme theme = widgets::applyTheme(scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    if (drawing) ImGui_ImplOpenGL3_CreateFontsTexture();  // the first frame makes the first by itself
    return theme;
}

void ImGuiCanvas::setSize(int width, int height, float pixelsPerPoint) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {float(width), float(height)};
    io.DisplayFramebufferScale = {pixelsPerPoint, pixelsPerPoint};
}

void ImGuiCanvas::beginFrame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

void ImGuiCanvas::endFrame() { ImGui::Render(); }

void ImGuiCanvas::clear(const render::DrawTarget& target, const widgets::UiTheme& theme) const {
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(theme.colors.ground);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    glViewport(0, 0, target.width, target.height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(ground.x, ground.y, ground.z, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void ImGuiCanvas::paint(const render::DrawTarget& target) const {
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

render::Viewport toViewport(const panels::Region& region, float pixelsPerPoint) {
    const auto pixels = [&](float points) { return int(std::lround(points * pixelsPerPoint)); };
    return {pixels(region.x), pixels(region.y), pixels(region.width), pixels(region.height)};
}

}  // namespace clothlab::app::canvas
