#pragma once

#include <memory>

#include "base/errors.hpp"
#include "panels/panel_context.hpp"
#include "render/renderer.hpp"

namespace clothlab::app::canvas {

/// ImGui's context with its OpenGL backend: panels on whatever framebuffer the current context draws into, a window's
/// or one off screen. One frame:
///
///     setSize ─> (input into ImGuiIO) ─> beginFrame ─> Ui::build ─> endFrame ─> clear ─> the cloth ─> paint
class ImGuiCanvas {
public:
    /// Needs a current OpenGL 4.1 context, and the same one when it is destroyed.
    static Expected<std::unique_ptr<ImGuiCanvas>> create();
    ~ImGuiCanvas();
    ImGuiCanvas(const ImGuiCanvas&) = delete;
    ImGuiCanvas& operator=(const ImGuiCanvas&) = delete;

    /// Style and fonts for a content scale, in place of those before.
    widgets::UiTheme makeTheme(float scale);
    /// Of the picture in points, and how many pixels one has.
    void setSize(int width, int height, float pixelsPerPoint);
    void beginFrame();
    void endFrame();
    /// The ground of the panels over the whole target.
    void clear(const render::DrawTarget& target, const widgets::UiTheme& theme) const;
    /// The frame that ended last, over what is there.
    void paint(const render::DrawTarget& target) const;

private:
    ImGuiCanvas() = default;
};

/// A region of the panels in pixels.
render::Viewport viewportOf(const panels::Region& region, float pixelsPerPoint);

}  // namespace clothlab::app::canvas
