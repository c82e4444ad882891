#include "film/chart_picture.hpp"

#include <algorithm>

#include "canvas/imgui_canvas.hpp"
#include "film/egl_context.hpp"
#include "model/method_styles.hpp"
#include "render/gl/offscreen_target.hpp"
#include "widgets/pen.hpp"
#include "widgets/plots/chart_view.hpp"

namespace clothlab::app::film {

Expected<render::Image> drawChartPicture(std::span<const experiments::Chart> charts, const std::string& title,
                                         int width, int height, widgets::LayoutMap* layout, widgets::ThemeKind kind,
                                         std::string* svg) {
    const auto context = EglContext::create();
    if (!context) return fail(context.error());
    const auto surface = render::OffscreenTarget::create(width, height);
    if (!surface) return fail(surface.error());
    const auto canvas = canvas::ImGuiCanvas::create();
    if (!canvas) return fail(canvas.error());
    const render::DrawTarget target{(*surface)->framebuffer(), width, height};
    const float w = float(width), h = float(height);
    widgets::UiTheme theme = (*canvas)->makeTheme(std::clamp(std::min(w / 1024.0f, h / 576.0f), 0.5f, 8.0f));
    widgets::applyColors(kind, theme);
    if (kind == widgets::ThemeKind::Light) theme.colors.panel = theme.colors.plotGround;  // paper
    widgets::LayoutMap places;
    std::string elements;
    // ImGui measures a window in the first frame that has it and shows it in the next one.
    for (int pass = 0; pass < 2; ++pass) {
        elements.clear();
        (*canvas)->setSize(width, height, 1);
        (*canvas)->beginFrame();
        const float rim = theme.px(20);
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({w, h});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {rim, rim});
        ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.colors.panel);
        ImGui::Begin("##charts", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        widgets::drawCharts(charts, title, {w - 2 * rim, h - 2 * rim},
                            {.theme = theme,
                             .pickStyle = model::curveStyle,
                             .paper = kind == widgets::ThemeKind::Light,
                             .svg = svg ? &elements : nullptr},
                            places);
        ImGui::End();
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        (*canvas)->endFrame();
    }
    (*canvas)->clear(target, theme);
    (*canvas)->paint(target);
    if (layout) *layout = places;
    if (svg) *svg = widgets::svgDocument(elements, {0, 0}, {w, h}, 1, theme.colors.panel);
    return render::readFramebuffer(target.framebuffer, height, 0, 0, width, height);
}

}  // namespace clothlab::app::film
