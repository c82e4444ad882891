#include "widgets/ui_theme.hpp"

#include <filesystem>
#include <iterator>
#include <string>

namespace clothlab::app::widgets {
namespace {

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

ImFont* addFont(const char* file, float size) {
    // Latin, and the few signs that units and headings use.
    static const ImWchar kRanges[] = {0x20,   0xff,   0x394,  0x394,  0x3b1,  0x3b2,  0x3ba,  0x3bb,  0x1d4f,
                                      0x1d4f, 0x2013, 0x2014, 0x2016, 0x2016, 0x2018, 0x2019, 0x2022, 0x2022,
                                      0x2026, 0x2026, 0x2081, 0x2082, 0x2090, 0x2090, 0x2190, 0x2193, 0x2212,
                                      0x2212, 0x221a, 0x221a, 0x2264, 0x2265, 0};
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    if (std::filesystem::exists(file)) {
        ImFontConfig config;
        config.OversampleH = 3;
        config.OversampleV = 1;
        config.RasterizerMultiply = 1.1f;
        if (ImFont* font = atlas->AddFontFromFileTTF(file, size, &config, kRanges)) return font;
    }
    ImFontConfig config;
    config.SizePixels = size;
    return atlas->AddFontDefault(&config);
}

}  // namespace

Mark variantMark(std::size_t n) { return static_cast<Mark>(n % kMarkKinds); }

Style seriesStyle(std::size_t n) {
    constexpr ImU32 kSeries[] = {hue::kSky,  hue::kOrange, hue::kGreen,  hue::kPink,  hue::kYellow, hue::kBlue,
                                 hue::kRust, hue::kLilac,  hue::kViolet, hue::kWhite, hue::kSand,   hue::kSlate};
    return {kSeries[n % std::size(kSeries)], static_cast<Dash>(n / std::size(kSeries) % kDashKinds)};
}

void applyColors(ThemeKind kind, UiTheme& theme) {
    theme.kind = kind;
    theme.colors = themePalette(kind);
    const Palette& p = theme.colors;
    const ImVec4 clear(0, 0, 0, 0);
    ImVec4* c = ImGui::GetStyle().Colors;
    c[ImGuiCol_Text] = vec(p.text);
    c[ImGuiCol_TextDisabled] = vec(p.quiet);
    c[ImGuiCol_WindowBg] = vec(p.panel);
    c[ImGuiCol_ChildBg] = clear;
    c[ImGuiCol_PopupBg] = vec(p.popup);
    c[ImGuiCol_Border] = vec(p.line);
    c[ImGuiCol_FrameBg] = vec(p.field);
    c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec(p.fieldHover);
    c[ImGuiCol_Button] = vec(p.field);
    c[ImGuiCol_ButtonHovered] = vec(p.fieldHover);
    c[ImGuiCol_ButtonActive] = vec(p.pressed);
    c[ImGuiCol_Header] = vec(p.header);
    c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vec(p.headerHover);
    c[ImGuiCol_CheckMark] = vec(p.knob);
    c[ImGuiCol_ScrollbarBg] = clear;
    c[ImGuiCol_ScrollbarGrab] = vec(p.scroll);
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(p.track);
    c[ImGuiCol_TextSelectedBg] = vec(p.selection);
    c[ImGuiCol_Separator] = vec(p.line);
}

UiTheme applyTheme(float contentScale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = {16, 14};
    style.WindowBorderSize = 0;
    style.WindowRounding = 0;
    style.PopupRounding = style.FrameRounding = 4;
    style.PopupBorderSize = 1;
    style.FramePadding = {10, 5};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {8, 4};
    style.ScrollbarSize = 9;
    style.ScrollbarRounding = 4;
    style.DisabledAlpha = 0.45f;
    style.ScaleAllSizes(contentScale);

    const std::string folder = "/usr/share/fonts/opentype/inter/";
    UiTheme theme;
    theme.scale = contentScale;
    applyColors(ThemeKind::Dark, theme);
    theme.text = addFont((folder + "Inter-Regular.otf").c_str(), 15 * contentScale);
    theme.strong = addFont((folder + "Inter-SemiBold.otf").c_str(), 15 * contentScale);
    theme.small = addFont((folder + "Inter-Regular.otf").c_str(), 12.5f * contentScale);
    return theme;
}

}  // namespace clothlab::app::widgets
