#include <gtest/gtest.h>

#include <set>

#include "render/fake_scene.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

// Strains of 24 to 140 % once had the colour of 10 %, where the scale ended.
TEST(Overlays, TheScaleOfStrainsSaysThatItEndsBelowThemOrIsFitted) {
    Snapshot sheet = fakeSheet(9);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.02f);
    EXPECT_FALSE(legend(OverlayKind::Strain, sheet).front().orMore);
    sheet.springStrain[0] = 1.3f;
    const LegendEntry usual = legend(OverlayKind::Strain, sheet).front();
    EXPECT_TRUE(usual.orMore);
    EXPECT_NEAR(usual.to, 10, 1e-5);
    EXPECT_EQ(strainColor(0.24f), strainColor(1.3f));
    sheet.strainEnd = worker::fittedStrainEnd(sheet.mesh->springs, sheet.springStrain);
    EXPECT_FLOAT_EQ(sheet.strainEnd, 2) << "the next of 1, 2, 3, 5 above 1.3";
    sheet.springStrain[1] = 0.237f;
    EXPECT_NEAR(worker::fittedStrainEnd(sheet.mesh->springs, std::span(sheet.springStrain).subspan(1)), 0.3, 1e-6)
        << "most of the colours are used";
    const LegendEntry fitted = legend(OverlayKind::Strain, sheet).front();
    EXPECT_FALSE(fitted.orMore);
    EXPECT_NEAR(fitted.to, 200, 1e-4);
    std::vector<Rgb> colors;
    particleColors(OverlayKind::Strain, sheet, colors);
    EXPECT_EQ(colors[sheet.mesh->springs[0].i], strainColor(1.3f, 2));
    EXPECT_NE(strainColor(0.24f, 2), strainColor(1.3f, 2));
}

TEST(Overlays, AFieldSaysWhyItIsEmpty) {
    Snapshot sheet = fakeSheet(9);
    sheet.step = 3;
    sheet.field = {};
    EXPECT_NE(legend(OverlayKind::Regions, sheet).front().label.find("not kept"), std::string::npos);
    sheet.field.absence = "nothing of the kind";
    EXPECT_EQ(legend(OverlayKind::Regions, sheet).front().label, "nothing of the kind");
}

TEST(Overlays, ZonesAndSelfContactHaveTheirColoursAndSayWhenNothingIsKnown) {
    Snapshot sheet = fakeSheet(9);
    sheet.step = 3;
    sheet.report.dt = 0.01;
    sheet.report.selfContact.passes = 2;
    for (const OverlayKind kind : {OverlayKind::Zones, OverlayKind::SelfContact}) {
        ASSERT_EQ(legend(kind, sheet).size(), 1u);
        EXPECT_NE(legend(kind, sheet).front().label.find("not kept"), std::string::npos);
        std::vector<Rgb> colors;
        particleColors(kind, sheet, colors);
        EXPECT_TRUE(colors.empty()) << "the cloth has its usual look";
    }
    sheet.report.selfContact.passes = 0;
    EXPECT_NE(legend(OverlayKind::SelfContact, sheet).front().label.find("had no contact"), std::string::npos);

    sheet.zones.of.assign(81, 0);
    EXPECT_EQ(legend(OverlayKind::Zones, sheet).front().label, "no impact zone in this step");
    for (int i = 0; i < 10; ++i) sheet.zones.of[i] = i < 4 ? 1 : 2;
    sheet.zones.size = {4, 6};
    sheet.zones.tone = {3, 7};
    const auto zones = legend(OverlayKind::Zones, sheet);
    ASSERT_EQ(zones.size(), 3u);
    EXPECT_EQ(zones[0].label, "the largest of 2 impact zones: 6 particles");
    EXPECT_EQ(zones[2].label, "in none: 71");
    std::vector<Rgb> colors;
    particleColors(OverlayKind::Zones, sheet, colors);
    ASSERT_EQ(colors.size(), 81u);
    EXPECT_EQ(colors[0], componentTones()[3]);
    EXPECT_EQ(colors[9], componentTones()[7]);
    EXPECT_EQ(colors[10], aloneColor());

    sheet.selfContact.kinds.assign(81, 0);
    for (std::uint8_t i = 1; i < 4; ++i) sheet.selfContact.kinds[i] = i;
    sheet.selfContact.nears.push_back({0, 0, 0, 0, 0, 1});
    const auto kinds = legend(OverlayKind::SelfContact, sheet);
    ASSERT_EQ(kinds.size(), 5u);
    EXPECT_EQ(kinds[0].label, "only near, at the start of the step: 1");
    EXPECT_EQ(kinds[3].label, "none of it: 78");
    particleColors(OverlayKind::SelfContact, sheet, colors);
    EXPECT_EQ(std::set<int>({colors[0].g, colors[1].g, colors[2].g, colors[3].g}).size(), 4u);
}

}  // namespace
}  // namespace clothlab::app::render
