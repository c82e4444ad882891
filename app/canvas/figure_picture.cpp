#include "canvas/figure_picture.hpp"

#include <imgui.h>

#include <cmath>

#include "canvas/imgui_canvas.hpp"
#include "render/gl/offscreen_target.hpp"

namespace clothlab::app::canvas {
namespace {

/// ImGui's current context, put aside and brought back.
class ContextAside {
public:
    ContextAside() : own_(ImGui::GetCurrentContext()) { ImGui::SetCurrentContext(nullptr); }
    ~ContextAside() { ImGui::SetCurrentContext(own_); }
    ContextAside(const ContextAside&) = delete;
    ContextAside& operator=(const ContextAside&) = delete;

private:
    ImGuiContext* own_;
};

}  // namespace

Expected<render::Image> paintFigure(const widgets::Figure& figure, int scale) {
    const ContextAside aside;
    const auto canvas = ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    widgets::UiTheme theme = (*canvas)->makeTheme(float(scale));
    theme.kind = widgets::ThemeKind::Light;
    theme.colors = widgets::Figure::onPaper(theme).colors;
    theme.colors.ground = theme.colors.plotGround;
    (*canvas)->setSize(1, 1, 1);
    (*canvas)->beginFrame();
    const ImVec2 size = figure.size(theme);
    (*canvas)->endFrame();
    const int width = int(std::lround(size.x)), height = int(std::lround(size.y));
    const auto surface = render::OffscreenTarget::create(width, height);
    if (!surface) return fail(surface.error());
    (*canvas)->setSize(width, height, 1);
    (*canvas)->beginFrame();
    figure.draw(*ImGui::GetBackgroundDrawList(), theme);
    (*canvas)->endFrame();
    const render::DrawTarget target{(*surface)->framebuffer(), width, height};
    (*canvas)->clear(target, theme);
    (*canvas)->paint(target);
    return render::readFramebuffer(target.framebuffer, height, 0, 0, width, height);
}

}  // namespace clothlab::app::canvas
