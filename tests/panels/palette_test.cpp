#include <gtest/gtest.h>

#include "base/catalogue/open_table.hpp"
#include "color_vision.hpp"
#include "experiments/race/race.hpp"
#include "model/method_styles.hpp"
#include "preconditioners/catalogue.hpp"
#include "render/overlays.hpp"
#include "render/scene_colors.hpp"
#include "solvers/catalogue.hpp"
#include "worker/snapshots/component_tones.hpp"

namespace clothlab::app::panels {

using contact::SelfContactKind;
using model::energyStyles;
using model::methodStyle;
using model::NamedStyle;
using model::stageStyles;
using render::componentTones;
using render::ndofColor;
using render::Rgb;
using render::selfContactColor;
using render::springStateColor;
using render::strainColor;
using widgets::rgb;
using widgets::seriesStyle;
using widgets::Style;
using widgets::themeInk;
using widgets::ThemeKind;

namespace {

using testing::ciede2000;
using testing::kVisions;
using testing::labOf;
using testing::Vec;

constexpr double kApart = 10;

Vec seen(ImU32 color, const testing::Matrix& vision) {
    return labOf(color & 255, color >> 8 & 255, color >> 16 & 255, vision);
}
Vec seen(Rgb color, const testing::Matrix& vision) { return labOf(color.r, color.g, color.b, vision); }

/// The smallest colour difference of all kinds of vision.
template <class Color>
double leastApart(Color a, Color b) {
    double least = 1e9;
    for (const testing::Matrix& vision : kVisions) least = std::min(least, ciede2000(seen(a, vision), seen(b, vision)));
    return least;
}

constexpr ThemeKind kBothThemes[] = {ThemeKind::Dark, ThemeKind::Light};

/// The same for two styles as a theme shows them.
double leastApart(ThemeKind theme, const Style& a, const Style& b) {
    return leastApart(themeInk(theme, a.color), themeInk(theme, b.color));
}
bool toldApart(ThemeKind theme, const Style& a, const Style& b) {
    return a.dash != b.dash || a.mark != b.mark || leastApart(theme, a, b) >= kApart;
}

void expectToldApart(std::span<const NamedStyle> styles) {
    for (const ThemeKind theme : kBothThemes)
        for (std::size_t i = 0; i < styles.size(); ++i) {
            EXPECT_GT(leastApart(themeInk(theme, styles[i].style.color), widgets::themePalette(theme).plotGround),
                      kApart)
                << styles[i].name << " on the ground of a plot, " << enumKey(theme);
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_TRUE(toldApart(theme, styles[i].style, styles[k].style))
                    << styles[i].name << " and " << styles[k].name << ", " << enumKey(theme) << ": "
                    << leastApart(theme, styles[i].style, styles[k].style);
        }
}

/// Contrast of two opaque colours by WCAG 2: 1 .. 21.
double contrast(ImU32 a, ImU32 b) {
    const auto luminance = [](ImU32 color) {
        const auto linear = [](double c) {
            return c / 255 <= 0.04045 ? c / 255 / 12.92 : std::pow((c / 255 + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color & 255) + 0.7152 * linear(color >> 8 & 255) + 0.0722 * linear(color >> 16 & 255);
    };
    const double bright = std::max(luminance(a), luminance(b)), dark = std::min(luminance(a), luminance(b));
    return (bright + 0.05) / (dark + 0.05);
}

TEST(Palette, TheMeasureIsThatOfThePublishedPairs) {
    // Sharma, Wu, Dalal 2005, table 1: pairs 1, 7, 16, 17, 25.
    EXPECT_NEAR(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(ciede2000({50, 0, 0}, {50, -1, 2}), 2.3669, 1e-4);
    EXPECT_NEAR(ciede2000({50, 2.5, 0}, {50, 0, -2.5}), 4.3065, 1e-4);
    EXPECT_NEAR(ciede2000({50, 2.5, 0}, {73, 25, -18}), 27.1492, 1e-4);
    EXPECT_NEAR(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
    EXPECT_NEAR(seen(rgb(0xffffff), kVisions[0])[0], 100, 1e-3);
    for (const testing::Matrix& vision : kVisions)
        for (const Vec& row : vision) EXPECT_NEAR(row[0] + row[1] + row[2], 1, 2e-6) << "grey stays grey";
}

TEST(Palette, AllMethodsAreToldApartByAllEyes) {
    std::vector<NamedStyle> solves, integrators;
    for (const EnumEntry& solver : enumTable(solvers::SolverKind{})) {
        const auto kind = solvers::SolverKind(solver.value);
        if (!solvers::usesPreconditioner(kind)) {
            solves.push_back({solver.key.data(), methodStyle(kind, {})});
            continue;
        }
        for (const EnumEntry& entry : enumTable(preconditioners::PreconditionerKind{}))
            solves.push_back({entry.key.data(), methodStyle(kind, preconditioners::PreconditionerKind(entry.value))});
    }
    ASSERT_GT(solves.size(), 20u);
    expectToldApart(solves);
    for (const EnumEntry& entry : enumTable(integrators::IntegratorKind{}))
        integrators.push_back({entry.key.data(), methodStyle(integrators::IntegratorKind(entry.value))});
    expectToldApart(integrators);
}

/// The styles that the catalogues would give to added methods.
TEST(Palette, MethodsFromOutsideAreToldApartToo) {
    const auto builtIn = preconditioners::catalogue();
    const auto solvers = solvers::catalogue();
    std::vector<preconditioners::PreconditionerEntry> with(builtIn.begin(), builtIn.end());
    std::vector<solvers::SolverEntry> direct;
    for (const auto& solver : solvers)
        if (!solver.traits.needsPreconditioner) direct.push_back(solver);
    for (int k = 0; k < 40; ++k) with.emplace_back().look = freeLook(std::span(std::as_const(with)), Dash::Solid);
    for (int k = 0; k < 10; ++k) direct.emplace_back().look = freeLook(std::span(std::as_const(direct)), Dash::DashDot);
    std::vector<NamedStyle> all;
    for (const auto& entry : with) all.push_back({"a preconditioner", Style(entry.look)});
    for (const auto& entry : direct) all.push_back({"a solver", Style(entry.look)});
    ASSERT_GE(all.size(), 60u);
    expectToldApart(all);
}

TEST(Palette, EnergiesStagesAndSeriesAreToldApart) {
    expectToldApart(energyStyles());
    std::vector<NamedStyle> series;
    for (std::size_t n = 0; n < 48; ++n) series.push_back({"series", seriesStyle(n)});
    expectToldApart(series);
    const auto stages = stageStyles();  // areas have neither dash nor mark
    for (const ThemeKind theme : kBothThemes)
        for (std::size_t i = 0; i < stages.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_GE(leastApart(theme, stages[i].style, stages[k].style), kApart)
                    << stages[i].name << " " << stages[k].name << ", " << enumKey(theme);
}

TEST(Palette, WordsStandOutFromEveryGroundInBothThemes) {
    for (const ThemeKind theme : kBothThemes) {
        const double kWords = theme == ThemeKind::Light ? 7 : 4.5;  // WCAG 2, AAA for projectors, AA
        const widgets::Palette& p = widgets::themePalette(theme);
        const ImU32 grounds[] = {p.ground, p.panel, p.field, p.plotGround, p.rowAlternate, p.popup, p.floating, p.keys};
        for (const ImU32 ground : grounds)
            for (const ImU32 words : {p.text, p.quiet, p.pin, p.error})
                EXPECT_GE(contrast(words, ground), kWords)
                    << enumKey(theme) << std::hex << " " << words << " on " << ground;
        EXPECT_GE(contrast(p.toggleText, p.toggleOn), kWords) << enumKey(theme);
        EXPECT_GE(contrast(p.text, p.header), kWords) << enumKey(theme);
        EXPECT_GE(contrast(p.error, p.errorGround), kWords) << enumKey(theme);
        EXPECT_GE(contrast(p.track, p.panel), theme == ThemeKind::Light ? 3 : 2.5) << enumKey(theme);
        for (const ImU32 ground : {p.groove, p.rowGroove, p.panel})
            EXPECT_GE(contrast(p.knob, ground), 3) << enumKey(theme);
        EXPECT_GE(contrast(p.track, p.groove), 1.8) << enumKey(theme) << ": the filled part of a slider";
    }
}

/// Projectors wash out pale colours.
TEST(Palette, CurvesAndBlocksStandOutFromThePlotsOfTheLightTheme) {
    const std::vector<ImU32> colors = widgets::inkedColors();
    EXPECT_GT(colors.size(), 20u);
    for (const ImU32 data : colors)
        EXPECT_GE(contrast(themeInk(ThemeKind::Light, data), widgets::themePalette(ThemeKind::Light).plotGround), 3)
            << std::hex << data;
}

TEST(Palette, AnInkOfTheLightThemeIsDarkEnoughAndKeepsItsAlpha) {
    for (const unsigned hex : {0xffff00u, 0x00ffffu, 0xffe0e0u, 0x80ff80u, 0x123456u}) {  // colours of added methods
        const ImU32 ink = themeInk(ThemeKind::Light, rgb(hex, 77));
        EXPECT_GE(contrast(ink, widgets::themePalette(ThemeKind::Light).plotGround), 3) << std::hex << hex;
        EXPECT_EQ(ink >> 24, 77u);
        EXPECT_EQ(themeInk(ThemeKind::Dark, rgb(hex, 77)), rgb(hex, 77));
    }
    EXPECT_EQ(themeInk(ThemeKind::Light, rgb(0x123456)), rgb(0x123456)) << "dark enough already";
    EXPECT_EQ(themeInk(ThemeKind::Light, widgets::hue::kWhite), rgb(0)) << "CHOLMOD is black on white";
}

TEST(Palette, ColoursOnTheClothAreToldApart) {
    std::vector<Rgb> tones(componentTones().begin(), componentTones().end());
    const Rgb alone{120, 128, 139}, fixed{255, 255, 255};
    tones.insert(tones.end(), {alone, fixed});
    for (std::size_t i = 0; i < tones.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) EXPECT_GE(leastApart(tones[i], tones[k]), kApart) << i << " " << k;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < a; ++b) EXPECT_GE(leastApart(ndofColor(a), ndofColor(b)), kApart);
    const std::uint8_t active = cloth::kSpringActive, implicit = cloth::kSpringActive | cloth::kSpringImplicit;
    EXPECT_GE(leastApart(springStateColor(active), springStateColor(implicit)), kApart);
    EXPECT_GE(leastApart(springStateColor(active), springStateColor(0)), kApart);
    EXPECT_GE(leastApart(springStateColor(implicit), springStateColor(0)), kApart);
    for (std::uint8_t i = 0; i < 4; ++i)
        for (std::uint8_t k = 0; k < i; ++k)
            EXPECT_GE(leastApart(selfContactColor(SelfContactKind(i)), selfContactColor(SelfContactKind(k))), kApart);
}

TEST(Palette, TheRedOfThePictureIsThatOfTheTheme) {
    for (const ThemeKind theme : kBothThemes) {
        const render::Rgba red = render::sceneColors(theme == ThemeKind::Light).error;
        EXPECT_EQ(widgets::packed(red.r, red.g, red.b), widgets::themePalette(theme).error) << enumKey(theme);
    }
}

TEST(Palette, TheScaleOfStrainsIsBrighterWithStrainForAllEyes) {
    for (const testing::Matrix& vision : kVisions) {
        double before = seen(strainColor(-0.01f), vision)[0];
        for (int i = 0; i <= 50; ++i) {
            const double now = seen(strainColor(0.002f * float(i)), vision)[0];
            EXPECT_GT(now, before) << "at " << 0.2 * i << " %";
            before = now;
        }
    }
    for (int i = 0; i <= 50; ++i)
        EXPECT_GE(leastApart(strainColor(-0.01f), strainColor(0.002f * float(i))), kApart)
            << "slack springs have a colour outside of the scale";
}

}  // namespace
}  // namespace clothlab::app::panels
