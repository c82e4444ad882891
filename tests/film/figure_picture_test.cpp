#include <gtest/gtest.h>

#include <algorithm>

#include "canvas/figure_picture.hpp"
#include "canvas/imgui_canvas.hpp"
#include "film/egl_context.hpp"

namespace clothlab::app::canvas {
namespace {

TEST(FigurePicture, IsAsLargeAsAskedForAndLeavesTheWindowsImGuiAlone) {
    const auto context = film::EglContext::create();
    ASSERT_TRUE(context) << context.error().text();
    const auto window = ImGuiCanvas::create();
    ASSERT_TRUE(window);
    const widgets::UiTheme theme = (*window)->makeTheme(1);
    (*window)->setSize(300, 200, 1);
    (*window)->beginFrame();
    const double x[] = {0, 1, 2}, y[] = {1, 2, 1};
    const widgets::PlotCurve curve{"a", widgets::hue::kSky, x, y};
    widgets::PlotSpec spec;
    spec.id = "p";
    spec.title = "height";
    spec.xMax = 2;
    const widgets::Figure bare(spec, std::span(&curve, 1));
    spec.source = [] { return std::vector<std::string>{"Scene hang, step 3."}; };
    const widgets::Figure figure(spec, std::span(&curve, 1));
    (*window)->endFrame();

    ImGuiContext* const own = ImGui::GetCurrentContext();
    const auto twice = paintFigure(figure, 2), four = paintFigure(figure, 4), plain = paintFigure(bare, 2);
    ASSERT_TRUE(twice && four && plain);
    EXPECT_EQ(ImGui::GetCurrentContext(), own);
    EXPECT_EQ(twice->width, 1280);
    EXPECT_EQ(four->width, 2560);
    EXPECT_EQ(plain->height, 800);
    EXPECT_GT(twice->height, plain->height) << "the caption";
    const auto ink = [&](const render::Image& image, int from, int to) {
        int dark = 0;
        for (int row = from; row < to; ++row)
            for (int column = 0; column < image.width; ++column) dark += image.at(column, row)[0] < 140;
        return dark;
    };
    EXPECT_EQ(twice->at(2, 2)[0], 255) << "paper";
    EXPECT_GT(ink(*twice, 0, 100), 100) << "the title";
    EXPECT_GT(ink(*twice, 780, twice->height), 100) << "the caption's letters";
    EXPECT_EQ(ink(*plain, 790, plain->height), 0);
    EXPECT_EQ(theme.small->FontSize, 12.5f);
}

}  // namespace
}  // namespace clothlab::app::canvas
