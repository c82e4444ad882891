#pragma once

#include <memory>

#include "base/errors.hpp"
#include "panels/panel_context.hpp"
#include "render/renderer.hpp"

namespace clothlab::app::canvas {

/// ImGui's context with its OpenGL backend: draws panels into the current framebuffer, a window's or one off screen.
/// One frame:
///
///     setSize ─> (input into ImGuiIO) ─> beginFrame ─> Ui::build ─> endFrame ─> clear ─> the cloth ─> paint
class ImGuiCanvas {
public:
    /// Needs a current OpenGL 4.1 context, and the same one when it is destroyed.
    static Expected<std::unique_ptr<ImGuiCanvas>> create();
    ~ImGuiCanvas();
    ImGuiCanvas(const ImGuiCanvas&) = delete;
    ImGuiCanvas& operator=(const ImGuiCanvas&) = delete;

    /// Replaces style and fonts by those for a content scale.
    widgets::UiTheme makeTheme(float scale);
    /// Size of the picture in points, and pixels per point.
    void setSize(int width, int height, float pixelsPerPoint);
    void beginFrame();
    void endFrame();
    /// Fills the whole target with the background of the panels.
    void clear(const render::DrawTarget& target, const widgets::UiTheme& theme) const;
    /// Draws the last ended frame over the target.
    void paint(const render::DrawTarget& target) const;

private:
    ImGuiCanvas() = default;
};

/// A region of the panels in pixels.
render::Viewport toViewport(const panels::Region& region, float pixelsPerPoint);

}  // namespace clothlab::app::canvas
