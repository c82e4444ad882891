#include "widgets/ui_theme.hpp"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <iterator>
#include <string>

#include "solvers/solver.hpp"

namespace clothlab::app {
namespace {

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

ImFont* addFont(const char* file, float size) {
    // Latin, and the few signs that units and headings use.
    static const ImWchar kRanges[] = {0x20,   0xff,   0x3b1,  0x3b2,  0x3ba,  0x3bb,  0x2013, 0x2014, 0x2016,
                                      0x2016, 0x2018, 0x2019, 0x2022, 0x2022, 0x2026, 0x2026, 0x2081, 0x2082,
                                      0x2090, 0x2090, 0x2190, 0x2193, 0x2212, 0x2212, 0x2264, 0x2265, 0};
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

void applyColors(ImGuiStyle& style) {
    const ImVec4 clear(0, 0, 0, 0);
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = vec(palette::kText);
    c[ImGuiCol_TextDisabled] = vec(palette::kQuiet);
    c[ImGuiCol_WindowBg] = vec(palette::kPanel);
    c[ImGuiCol_ChildBg] = clear;
    c[ImGuiCol_PopupBg] = vec(rgb(0x20252d, 250));
    c[ImGuiCol_Border] = vec(palette::kLine);
    c[ImGuiCol_FrameBg] = vec(palette::kField);
    c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec(palette::kFieldHover);
    c[ImGuiCol_Button] = vec(palette::kField);
    c[ImGuiCol_ButtonHovered] = vec(palette::kFieldHover);
    c[ImGuiCol_ButtonActive] = vec(rgb(0x3a4350));
    c[ImGuiCol_Header] = vec(rgb(0x2c3540));
    c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vec(rgb(0x333d4a));
    c[ImGuiCol_CheckMark] = vec(palette::kKnob);
    c[ImGuiCol_ScrollbarBg] = clear;
    c[ImGuiCol_ScrollbarGrab] = vec(rgb(0x353d49));
    c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(palette::kTrack);
    c[ImGuiCol_TextSelectedBg] = vec(rgb(0x44607f));
    c[ImGuiCol_Separator] = vec(palette::kLine);
}

}  // namespace

namespace {

/// The palette. Found by search near the hues of Okabe and Ito: all pairs are at least 10.5 apart (CIEDE2000) for
/// normal, protan, deutan and tritan eyes, and from white.
namespace hue {
constexpr ImU32 kSand = rgb(0xb9afa1), kOrange = rgb(0xe99e0b), kSky = rgb(0x0dc1ff), kGreen = rgb(0x1ea875),
                kBlue = rgb(0x5a8fff), kYellow = rgb(0xf2e621), kRust = rgb(0xd76c2e), kPink = rgb(0xda9cc1),
                kLilac = rgb(0x9b85bc), kViolet = rgb(0x6e5cea), kSlate = rgb(0x7d8691), kWhite = rgb(0xffffff);
}  // namespace hue

/// A row a method: what is told apart by colour, by dash, by mark.
template <class E>
struct MethodRow {
    E kind;
    Style style;
};

using Preconditioner = preconditioners::PreconditionerKind;
constexpr MethodRow<Preconditioner> kPreconditionerRows[] = {
    {Preconditioner::Identity, hue::kSand},
    {Preconditioner::Jacobi, hue::kOrange},
    {Preconditioner::BlockJacobi, hue::kSky},
    {Preconditioner::ConstrainedBlock, hue::kGreen},
    {Preconditioner::Ssor, hue::kBlue},
    {Preconditioner::IncompleteCholesky, hue::kYellow},
    {Preconditioner::IncompletePoisson, hue::kRust},
    {Preconditioner::MatrixCore, hue::kPink},
    {Preconditioner::LaggedCholesky, hue::kLilac},
    {Preconditioner::Chebyshev, hue::kViolet},
};
static_assert(std::size(kPreconditionerRows) == preconditioners::kPreconditionerKinds.size(),
              "a look for each preconditioner");

using Solver = solvers::SolverKind;
constexpr MethodRow<Solver> kDirectRows[] = {{Solver::Cholesky, hue::kWhite},
                                             {Solver::EigenLdlt, {hue::kWhite, Dash::Dashed}},
                                             {Solver::CombinedLu, hue::kSlate}};

using Integrator = integrators::IntegratorKind;
constexpr MethodRow<Integrator> kIntegratorRows[] = {
    {Integrator::ForwardEuler, hue::kSand},
    {Integrator::Rk4, hue::kYellow},
    {Integrator::SymplecticEuler, hue::kOrange},
    {Integrator::LinearizedBackwardEuler, hue::kSky},
    {Integrator::Bdf2, hue::kGreen},
    {Integrator::ImexEuler, hue::kPink},
    {Integrator::AdaptiveImex, hue::kLilac},
    {Integrator::Sbdf2, hue::kRust},
    {Integrator::AdaptiveSbdf2, hue::kBlue},
};
static_assert(std::size(kIntegratorRows) == integrators::kIntegratorKinds.size(), "a look for each integrator");

template <class E, std::size_t N>
Style styleIn(const MethodRow<E> (&rows)[N], E kind) {
    const auto row = std::ranges::find(rows, kind, &MethodRow<E>::kind);
    assert(row != std::end(rows));
    return row->style;
}

}  // namespace

Style methodStyle(integrators::IntegratorKind kind) { return styleIn(kIntegratorRows, kind); }

Style methodStyle(preconditioners::PreconditionerKind kind) { return styleIn(kPreconditionerRows, kind); }

Style methodStyle(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    if (!solvers::usesPreconditioner(solver)) return styleIn(kDirectRows, solver);
    Style style = methodStyle(preconditioner);
    if (solver == solvers::SolverKind::Mpcg) style.dash = Dash::Dashed;
    return style;
}

Mark variantMark(std::size_t n) { return static_cast<Mark>(n % kMarkKinds); }

Style seriesStyle(std::size_t n) {
    constexpr ImU32 kSeries[] = {hue::kSky,  hue::kOrange, hue::kGreen,  hue::kPink,  hue::kYellow, hue::kBlue,
                                 hue::kRust, hue::kLilac,  hue::kViolet, hue::kWhite, hue::kSand,   hue::kSlate};
    return {kSeries[n % std::size(kSeries)], static_cast<Dash>(n / std::size(kSeries) % kDashKinds)};
}

std::span<const NamedStyle, kEnergies> energyStyles() {
    static constexpr NamedStyle kRows[] = {
        {"total", hue::kWhite}, {"kinetic", rgb(0x54a0cd)}, {"elastic", rgb(0xe39d00)}, {"gravity", rgb(0x9ee8a4)}};
    return kRows;
}

std::span<const NamedStyle, kStages> stageStyles() {
    static constexpr NamedStyle kRows[] = {{"contact", rgb(0xa691ef)},
                                           {"assemble", rgb(0xb8a34c)},
                                           {"set-up", rgb(0x19a182)},
                                           {"solve", rgb(0x69799e)},
                                           {"other", rgb(0x545861)}};
    return kRows;
}

std::string methodName(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    std::string name(enumLabel(solver));
    if (solvers::usesPreconditioner(solver)) name += " + " + std::string(enumLabel(preconditioner));
    return name;
}

Theme applyTheme(float contentScale) {
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
    applyColors(style);

    const std::string folder = "/usr/share/fonts/opentype/inter/";
    Theme theme;
    theme.scale = contentScale;
    theme.text = addFont((folder + "Inter-Regular.otf").c_str(), 15 * contentScale);
    theme.strong = addFont((folder + "Inter-SemiBold.otf").c_str(), 15 * contentScale);
    theme.small = addFont((folder + "Inter-Regular.otf").c_str(), 12.5f * contentScale);
    return theme;
}

}  // namespace clothlab::app
