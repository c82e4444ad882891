#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "render/cloth_mesh.hpp"
#include "render/cloth_normals.hpp"
#include "render/picture_fixture.hpp"

namespace clothlab::app::render {

using film::EglContext;
using worker::ComponentView;
using worker::Snapshot;

namespace {

TEST_F(Picture, TheContextIsAtLeast41) {
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    EXPECT_GE(10 * major + minor, 41);
    EXPECT_FALSE(context_->description().empty());
}

TEST_F(Picture, TheClothCoversItsRegionAndNoMore) {
    view_.showPins = false;
    const Image image = draw(fakeSheet());
    const glm::ivec2 low = pixel({-0.5f, 0.5f, 0}), high = pixel({0.5f, -0.5f, 0});
    int inside = 0, outside = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            if (blue(image.at(x, y))) (x >= low.x && x <= high.x && y >= low.y && y <= high.y ? inside : outside)++;
    EXPECT_NEAR(inside, (high.x - low.x) * (high.y - low.y), 0.02 * inside);
    EXPECT_EQ(outside, 0);
}

TEST_F(Picture, TheBackDiffersFromTheFront) {
    const Image front = draw(fakeSheet());
    view_.camera.azimuth = 180;
    const Image back = draw(fakeSheet());
    const std::uint8_t *f = front.at(kWidth / 2, kHeight / 2), *b = back.at(kWidth / 2, kHeight / 2);
    EXPECT_GT(f[2] - f[0], b[2] - b[0] + 10) << "the back is greyer";
}

TEST_F(Picture, PinsStandAtTheirPixelsInTheirColour) {
    const Snapshot sheet = fakeSheet();
    const Image image = draw(sheet);
    for (const glm::vec3 corner : {glm::vec3(-0.5f, 0.5f, 0), glm::vec3(0.5f, 0.5f, 0)}) {
        const glm::ivec2 at = pixel(corner);
        EXPECT_NEAR(image.at(at.x, at.y)[0], 0xff, 6);
        EXPECT_NEAR(image.at(at.x, at.y)[1], 0xd1, 6);
        EXPECT_NEAR(image.at(at.x, at.y)[2], 0x66, 6);
    }
}

TEST_F(Picture, AShadowDarkensTheGround) {
    Snapshot scene = fakeSheet();
    for (float& x : scene.positions) x *= 0.001f;  // out of the way
    addCollider(scene, geometry::Sphere{0.2}, Vec3(0, 0, 0));
    addCollider(scene, geometry::Plane{}, Vec3(0, -0.5, 0));
    view_.camera.elevation = 30;
    view_.effects.shadows = false;
    const Image lit = draw(scene);
    view_.effects.shadows = true;
    const Image shaded = draw(scene);
    int darker = 0, brighter = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const int change = brightness(shaded, {x, y}) - brightness(lit, {x, y});
            darker += change < -20;
            brighter += change > 6;
        }
    // The ball's shadow is an ellipse about as wide as the ball.
    const double radius = 0.2 / view_.camera.metresPerPixel({0, -0.5f, 0}, view_.viewport);
    EXPECT_GT(darker, 0.5 * radius * radius);
    EXPECT_LT(darker, 6.0 * radius * radius);
    EXPECT_EQ(brighter, 0);
}

// The key light casts no shadow on its own side: there only contact darkens the ground beside a sheet that lies on it.
TEST_F(Picture, WhatTouchesTheGroundHasAContactShadow) {
    const auto darkening = [&](float above) {
        Snapshot scene = fakeSheet();
        for (std::size_t i = 0; i < scene.positions.size(); i += 3) {
            scene.positions[i + 2] = -scene.positions[i + 1];
            scene.positions[i + 1] = -0.5f + above;
        }
        addCollider(scene, geometry::Plane{}, Vec3(0, -0.5, 0));
        view_.camera.elevation = 50;
        int sum = 0;
        for (const bool shadows : {false, true}) {
            view_.effects.shadows = shadows;
            const Image picture = draw(scene);
            for (int k = -3; k <= 3; ++k)
                sum += (shadows ? -1 : 1) * brightness(picture, pixel({0.05f * float(k), -0.5f, 0.53f}));
        }
        return sum / 7;
    };
    EXPECT_GT(darkening(0.004f), 17);  // only the soft edge of the key's shadow: 11
    EXPECT_LE(darkening(0.3f), 1);
}

TEST_F(Picture, ALitSheetDoesNotShadeItself) {
    view_.effects.shadows = false;
    const Image plain = draw(fakeSheet());
    view_.effects.shadows = true;
    const Image shaded = draw(fakeSheet());
    const glm::ivec2 low = pixel({-0.45f, 0.45f, 0}), high = pixel({0.45f, -0.45f, 0});
    for (int y = low.y; y < high.y; ++y)
        for (int x = low.x; x < high.x; ++x)
            ASSERT_NEAR(brightness(plain, {x, y}), brightness(shaded, {x, y}), 9) << x << ", " << y;
}

/// The upper third is one component, the middle is fixed, the lower third falls apart into single particles.
Snapshot inThreeParts(int n) {
    Snapshot sheet = fakeSheet(n);
    sheet.pins.clear();
    ComponentView& view = sheet.components;
    view.size = {n / 3 * n};
    for (int i = 0; i < n * n; ++i) {
        const int third = i / (n * (n / 3));
        if (third == 2) view.size.push_back(1);
        view.of.push_back(third == 0 ? 1 : third == 1 ? 0 : view.count());
    }
    view.tone.assign(view.size.size(), 1);
    return sheet;
}

TEST_F(Picture, EachOverlayChangesThePictureOfTheCloth) {
    Snapshot sheet = fakeSheet();
    const Image plain = draw(sheet);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.2f);
    sheet.springState.assign(sheet.mesh->springs.size(), cloth::kSpringActive | cloth::kSpringImplicit);
    sheet.field.values.assign(sheet.mesh->particles, 1.0f);
    sheet.contacts.push_back({220, 2, {0, 0, 1}});
    sheet.components = inThreeParts(int(std::lround(std::sqrt(sheet.mesh->particles)))).components;
    sheet.components.iterations.assign(sheet.components.size.size(), 1);
    sheet.zones = sheet.aggregates = sheet.components;
    sheet.settings.preconditioner.deflation = preconditioners::Deflation::Aggregates;
    sheet.selfContact.kinds.assign(sheet.mesh->particles, std::uint8_t(contact::SelfContactKind::Near));
    sheet.intersections = {true, {{{200, 220}, sheet.mesh->triangles[100]}}};
    for (const EnumEntry& entry : kOverlayKinds) {
        const auto kind = OverlayKind(entry.value);
        if (kind == OverlayKind::None) continue;
        view_.overlay = kind;
        sheet.settings.solver.decompose = kind == OverlayKind::Iterations;
        EXPECT_GT(different(plain, draw(sheet)), 200) << enumKey(kind);
        EXPECT_FALSE(legend(kind, sheet).empty());
    }
}

TEST_F(Picture, ComponentsHaveTheirColoursUpToTheirEdges) {
    Snapshot sheet = inThreeParts(9);
    view_.overlay = OverlayKind::Components;
    view_.effects.shadows = false;
    const Image image = draw(sheet);
    const auto at = [&](float column, float row) {
        const glm::ivec2 p = pixel({column / 8 - 0.5f, 0.5f - row / 8, 0});
        return image.at(p.x, p.y);
    };
    const Rgb tone = componentTones()[1];
    const auto toned = [&](const std::uint8_t* p) {  // lit, so a multiple of the colour
        return std::abs(p[0] * tone.g - p[1] * tone.r) < 14 * 255 && p[2] < 60;
    };
    const auto grey = [](const std::uint8_t* p) { return std::abs(p[0] - p[1]) < 16 && std::abs(p[1] - p[2]) < 24; };
    EXPECT_TRUE(toned(at(4, 1)));
    EXPECT_TRUE(toned(at(4, 2.4f))) << "no gradient before the edge, which is at 2.5";
    EXPECT_TRUE(grey(at(4, 2.6f)));
    EXPECT_GT(at(4, 4)[0], at(4, 7)[0] + 60) << "fixed particles are brighter than single ones";
    EXPECT_TRUE(grey(at(4, 7)));
    EXPECT_EQ(legend(OverlayKind::Components, sheet).size(), 3u) << "one component, single particles, fixed";

    sheet.components.iterations.assign(sheet.components.size.size(), 1);
    sheet.components.iterations[0] = 40;
    sheet.components.iterationsTo = 50;
    sheet.settings.solver.decompose = true;
    view_.overlay = OverlayKind::Iterations;
    EXPECT_GT(different(image, draw(sheet)), 500);
    const auto entries = legend(OverlayKind::Iterations, sheet);
    ASSERT_FALSE(entries.empty());
    EXPECT_EQ(entries[0].to, 50);

    sheet.components = {};
    view_.overlay = OverlayKind::None;
    const Image plain = draw(sheet);
    view_.overlay = OverlayKind::Components;
    EXPECT_LT(different(plain, draw(sheet)), 50) << "without data the cloth has its usual look";
}

bool red(const std::uint8_t* p) { return p[0] > p[1] + 60 && p[0] > p[2] + 60; }

TEST_F(Picture, IntersectionsAreRedAndTheirNumberIsSaid) {
    Snapshot sheet = fakeSheet(9);
    sheet.pins.clear();
    view_.overlay = OverlayKind::Intersections;
    EXPECT_EQ(legend(view_.overlay, sheet).front().label, "not searched yet");
    sheet.intersections.searched = true;
    EXPECT_EQ(legend(view_.overlay, sheet).front().label, "no intersections");
    const Image none = draw(sheet);
    sheet.intersections.pairs.push_back({{40, 41}, {58, 67, 59}});
    const Image one = draw(sheet);
    const auto at = [&](const Image& image, float column, float row) {
        const glm::ivec2 p = pixel({column / 8 - 0.5f, 0.5f - row / 8, 0});
        return image.at(p.x, p.y);
    };
    EXPECT_TRUE(red(at(one, 4.5f, 4))) << "the edge";
    EXPECT_TRUE(red(at(one, 4, 7))) << "a corner of the triangle";
    EXPECT_FALSE(red(at(one, 2, 2)));
    EXPECT_FALSE(red(at(none, 4.5f, 4)));
    EXPECT_EQ(legend(view_.overlay, sheet).front().label, "one intersection");
    EXPECT_EQ(legend(view_.overlay, sheet, true).front().color, (Rgb{147, 16, 30}));
}

TEST_F(Picture, SpringsByStateAndFamily) {
    Snapshot sheet = fakeSheet(5);
    sheet.springState.assign(sheet.mesh->springs.size(), 0);
    for (std::size_t k = 0; k < sheet.mesh->springs.size(); ++k)
        if (sheet.mesh->springs[k].family == cloth::SpringFamily::Stretch)
            sheet.springState[k] = cloth::kSpringActive | (sheet.mesh->springs[k].i < 10 ? cloth::kSpringImplicit : 0);
    view_.overlay = OverlayKind::SpringState;
    const Image image = draw(sheet);
    const glm::ivec2 implicit = pixel({0.125f, 0.25f, 0}), explicitly = pixel({0.125f, -0.25f, 0});
    EXPECT_TRUE(blue(image.at(implicit.x, implicit.y)));
    EXPECT_GT(image.at(explicitly.x, explicitly.y)[0], 2 * image.at(explicitly.x, explicitly.y)[2]);
    view_.showSprings[0] = false;
    EXPECT_FALSE(blue(draw(sheet).at(implicit.x, implicit.y)));
    const auto entries = legend(OverlayKind::SpringState, sheet);
    ASSERT_EQ(entries.size(), 3u);
    EXPECT_EQ(entries[0].label, "implicit: 18 stretch");
    EXPECT_EQ(entries[1].label, "explicit: 22 stretch, 16 inactive");
    EXPECT_EQ(entries[2].label, "inactive: 16 shear");
}

TEST(Tones, DifferFromEachOtherAndFromGreyAndWhite) {
    const auto tones = componentTones();
    for (std::size_t a = 0; a < tones.size(); ++a) {
        const auto far = [&](Rgb b) {
            return std::abs(tones[a].r - b.r) + std::abs(tones[a].g - b.g) + std::abs(tones[a].b - b.b) > 80;
        };
        EXPECT_TRUE(far({255, 255, 255}) && far({120, 128, 139})) << a;
        for (std::size_t b = 0; b < a; ++b) EXPECT_TRUE(far(tones[b])) << a << " " << b;
    }
}

TEST_F(Picture, StressIsBright) {
    Snapshot sheet = fakeSheet(5);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.2f);
    view_.overlay = OverlayKind::Strain;
    const Image image = draw(sheet);
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.0f);
    const Image rest = draw(sheet);
    const glm::ivec2 at = pixel({0.125f, 0, 0});  // the middle of a horizontal spring
    for (int channel = 0; channel < 2; ++channel)
        EXPECT_GT(image.at(at.x, at.y)[channel], rest.at(at.x, at.y)[channel] + 90);
}

TEST_F(Picture, EdgesUnderStressAreRedAndTheirNumberIsSaid) {
    Snapshot sheet = fakeSheet(5);
    sheet.pins.clear();
    view_.overlay = OverlayKind::Stress;
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.04f);
    EXPECT_EQ(legend(view_.overlay, sheet).front().label, "longer by more than 5 %: 0 springs");
    const Image rest = draw(sheet);
    for (std::size_t k = 0; k < sheet.springStrain.size(); ++k)
        if (sheet.mesh->springs[k].family == cloth::SpringFamily::Stretch) sheet.springStrain[k] = 0.06f;
    EXPECT_EQ(legend(view_.overlay, sheet).front().label, "longer by more than 5 %: 40 springs");
    const Image image = draw(sheet);
    const glm::ivec2 at = pixel({0.125f, 0, 0});  // the middle of a horizontal spring
    EXPECT_TRUE(red(image.at(at.x, at.y)));
    EXPECT_FALSE(red(rest.at(at.x, at.y)));
    const glm::ivec2 middle = pixel({0.125f, 0.125f, 0});  // of a square, where shear springs cross
    EXPECT_FALSE(red(image.at(middle.x, middle.y)));
}

/// With 41 x 41 particles in a small picture, lines would give moiré. The surface must be shaded evenly.
TEST_F(Picture, StrainOfAFineGridIsShadedEvenly) {
    Snapshot sheet = fakeSheet(41);
    sheet.pins.clear();
    sheet.springStrain.assign(sheet.mesh->springs.size(), 0.05f);
    view_.overlay = OverlayKind::Strain;
    view_.effects.shadows = false;
    const Image image = draw(sheet);
    const glm::ivec2 from = pixel({-0.35f, 0.35f, 0}), to = pixel({0.35f, -0.35f, 0});
    int low = 255, high = 0, red = 255;
    for (int y = from.y; y < to.y; ++y)
        for (int x = from.x; x < to.x; ++x) {
            low = std::min<int>(low, image.at(x, y)[1]);
            high = std::max<int>(high, image.at(x, y)[1]);
            red = std::min<int>(red, image.at(x, y)[0]);
        }
    EXPECT_LT(high - low, 40) << "no stripes, no moiré";
    EXPECT_GT(red, high + 40) << "the colour of 3 %, not the cloth's own blue";
    EXPECT_GT(low, 20);
}

TEST_F(Picture, MissingOverlayDataAndStrangeNumbersDoNoHarm) {
    Snapshot sheet = fakeSheet();
    view_.overlay = OverlayKind::Strain;
    view_.hovered = 1'000'000;
    sheet.pins.push_back(-3);
    sheet.positions[100] = NAN;
    draw(sheet);
    sheet.positions.resize(3);
    draw(sheet);
    draw(Snapshot{});
}

TEST_F(Picture, OnlyTheViewportIsTouched) {
    glBindFramebuffer(GL_FRAMEBUFFER, target_->framebuffer());
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    view_.viewport = {100, 20, 120, 90};
    const Image image = draw(fakeSheet());
    for (const auto& [x, y, touched] :
         {std::tuple{50, 50, false}, {110, 30, true}, {219, 109, true}, {160, 115, false}, {225, 60, false}})
        EXPECT_EQ(image.at(x, y)[0] != 255 || image.at(x, y)[1] != 0, touched) << x << ", " << y;
}

// Along a slanting edge the cloth blends into the background over more than one step; elsewhere nothing changes.
TEST_F(Picture, OutlinesAreSmoothAndTheRestIsTheSame) {
    view_.camera.azimuth = 20;
    view_.effects = {.occlusion = false, .shadows = false, .outlines = false};
    const Image plain = draw(fakeSheet());
    view_.effects.outlines = true;
    const Image smooth = draw(fakeSheet());
    const int changed = different(plain, smooth);
    EXPECT_GT(changed, 100);
    EXPECT_LT(changed, kWidth * kHeight / 20);
    view_.backdrop = 0.0f;
    int between = 0;
    const Image onBlack = draw(fakeSheet());
    view_.effects.outlines = false;
    const Image hard = draw(fakeSheet());
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            const bool was = brightness(hard, {x, y}) > 0, is = brightness(onBlack, {x, y}) > 0;
            EXPECT_TRUE(is || !was) << x << ", " << y << ": an outline removes no pixel of the cloth";
            between += is && !was;
        }
    EXPECT_GT(between, 50);
}

// At 103,041 particles every frame would compute and copy 5 MB, dozens of times per step.
TEST_F(Picture, AFrameWithoutNewsCopiesNothing) {
    worker::Snapshot snapshot = fakeSheet();
    ClothMesh cloth(*snapshot.mesh);
    cloth.update(snapshot, OverlayKind::None);
    cloth.update(snapshot, OverlayKind::None);
    EXPECT_EQ(cloth.fills(), 1);
    snapshot.positions.back() += 0.1f;
    for (int k = 0; k < 2; ++k) cloth.update(snapshot, OverlayKind::None);
    EXPECT_EQ(cloth.fills(), 2);
    snapshot.springStrain.assign(snapshot.mesh->springs.size(), 0.05f);
    for (int k = 0; k < 2; ++k) cloth.update(snapshot, OverlayKind::Strain);
    EXPECT_EQ(cloth.fills(), 3);
    cloth.update(snapshot, OverlayKind::None);
    EXPECT_EQ(cloth.fills(), 4);
}

TEST(Normals, OfAFlatSheetFaceTheirSide) {
    const Snapshot sheet = fakeSheet(6);
    std::vector<float> normals;
    vertexNormals(sheet.positions, sheet.mesh->triangles, normals);
    for (std::size_t i = 0; i < normals.size(); i += 3) EXPECT_NEAR(normals[i + 2], 1, 1e-6f);
}

TEST(Shaders, AMissingFolderIsAnErrorWithAPath) {
    const auto context = EglContext::create();
    ASSERT_TRUE(context);
    const auto renderer = Renderer::create("/no/such/folder");
    ASSERT_FALSE(renderer);
    EXPECT_NE(renderer.error().text().find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::app::render
