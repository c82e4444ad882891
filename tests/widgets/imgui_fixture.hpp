#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// A context of ImGui without a window: 1280 x 720 points, with the program's fonts and style.
class ImGuiTest : public ::testing::Test {
protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as OpenGL's: a race has more than 65,536 vertices
        io.DisplaySize = {1280, 720};
        io.DeltaTime = 1.0f / 60;
        theme_ = applyTheme(1);
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }
    void TearDown() override { ImGui::DestroyContext(); }

    /// Draws a frame with one undecorated window of 500 x 400 points, filled by `draw`.
    template <class Draw>
    static void plotFrame(Draw&& draw) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({500, 400});
        ImGui::Begin("plot test", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        draw();
        ImGui::End();
        ImGui::Render();
    }

    UiTheme theme_;
};

}  // namespace clothlab::app::widgets
