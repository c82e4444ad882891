#include "film/film_panels.hpp"

#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdlib>
#include <filesystem>

#include "columns/regions.hpp"
#include "film/small_scene.hpp"
#include "integrators/kind.hpp"
#include "model/method_styles.hpp"
#include "render/gl/capture.hpp"
#include "simulation/simulation.hpp"

namespace clothlab::app::film {

using columns::Regions;
using model::energyStyles;
using model::methodColor;
using model::stageStyles;
using panels::Region;
using render::DrawTarget;
using render::Image;
using render::ViewState;
using widgets::kDark;
using widgets::rgb;
using worker::ReportEntry;
using worker::Snapshot;

namespace {

constexpr int kWidth = 1280, kHeight = 720, kSteps = 12;

/// Draws the cloth as beside panels, but leaves their place empty.
class NoPanels final : public FilmPanels {
public:
    void take(const ReportEntry&) override {}
    void layOut(const Snapshot&, ViewState& view, const DrawTarget&) override {
        const Region c = Regions::of({kWidth, kHeight}, 1).centre;
        view.viewport = {int(c.x), int(c.y), int(c.width), int(c.height)};
    }
    void paint(const DrawTarget&) override {}
};

Expected<std::unique_ptr<FilmPanels>> noPanels() { return std::make_unique<NoPanels>(); }

Image readPng(const std::string& path) {
    Image image;
    int channels = 0;
    unsigned char* data = stbi_load(path.c_str(), &image.width, &image.height, &channels, 3);
    EXPECT_NE(data, nullptr) << path;
    if (data == nullptr) return image;
    image.rgb.assign(data, data + 3 * std::size_t(image.width) * std::size_t(image.height));
    stbi_image_free(data);
    return image;
}

/// Number of pixels that differ from a colour by at most `tolerance` per channel.
int count(const Image& image, const Region& region, ImU32 color, int tolerance) {
    int found = 0;
    for (int y = int(region.y); y < int(region.y + region.height); ++y)
        for (int x = int(region.x); x < int(region.x + region.width); ++x) {
            const std::uint8_t* p = image.at(x, y);
            found += std::abs(p[0] - int(color & 255)) <= tolerance &&
                     std::abs(p[1] - int((color >> 8) & 255)) <= tolerance &&
                     std::abs(p[2] - int((color >> 16) & 255)) <= tolerance;
        }
    return found;
}

int different(const Image& a, const Image& b, const Region& region) {
    int found = 0;
    for (int y = int(region.y); y < int(region.y + region.height); ++y)
        for (int x = int(region.x); x < int(region.x + region.width); ++x)
            found += !std::equal(a.at(x, y), a.at(x, y) + 3, b.at(x, y));
    return found;
}

class FilmWithPanels : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return folder_ / name; }

    /// Makes the film of a scene, with the real panels by default. Returns the state hash of the last step.
    std::uint64_t shoot(const scene::Scene& scene, FilmOptions options, const PanelMaker& panels = {}) {
        auto simulation = simulation::Simulation::create(scene, 1);
        EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
        if (!simulation) return {};
        options.shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders";
        options.panels = panels ? panels : [&] {
            return makeFilmPanels((*simulation)->scene(), options.steps, options.width, options.height);
        };
        const auto summary = makeFilm(**simulation, options);
        EXPECT_TRUE(summary) << (summary ? "" : summary.error().text());
        if (summary) summary_ = *summary;
        return (*simulation)->lastReport().stateHash;
    }
    FilmOptions options(const std::string& out, int steps = kSteps) const {
        return {.out = path(out), .steps = steps, .width = kWidth, .height = kHeight};
    }

    const Regions regions_ = Regions::of({kWidth, kHeight}, 1);
    FilmSummary summary_;

private:
    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "clothlab_film_panels_test";
};

TEST_F(FilmWithPanels, ThePictureIsThatWithoutThemBesideThem) {
    const std::uint64_t with = shoot(smallScene(), options("with.png"));
    const std::uint64_t without = shoot(smallScene(), options("without.png"), noPanels);
    EXPECT_EQ(with, without) << "panels do not change the motion";
    const Image a = readPng(path("with.png")), b = readPng(path("without.png"));
    ASSERT_EQ(a.width, kWidth);
    ASSERT_EQ(b.width, kWidth);

    // Only two lines of text lie over the top of the cloth; the first column of pixels is the panel's edge.
    const Region& centre = regions_.centre;
    const Region free{centre.x + 1, centre.y + 60, centre.width - 1, centre.height - 60};
    EXPECT_EQ(different(a, b, free), 0);
    EXPECT_GT(count(a, {centre.x, centre.y, centre.width, 60}, kDark.text, 24), 100);
}

TEST_F(FilmWithPanels, EachPanelIsFilledWithText) {
    shoot(smallScene(), options("with.png"));
    const Image image = readPng(path("with.png"));
    ASSERT_EQ(image.width, kWidth);
    const auto legible = [&](const Region& region, double least, const char* name) {
        const double area = region.width * region.height;
        EXPECT_GT(count(image, region, kDark.panel, 0) / area, 0.2) << name << ": too little of its ground";
        const double ink = (count(image, region, kDark.text, 32) + count(image, region, kDark.quiet, 16)) / area;
        EXPECT_GT(ink, least) << name << ": too little text";
        EXPECT_LT(ink, 0.2) << name << ": a patch of the colour of text";
    };
    const auto quarter = [](const Region& r, int k) {
        return Region{r.x, r.y + r.height * float(k) / 4, r.width, r.height / 4};
    };
    for (int k = 0; k < 4; ++k) legible(quarter(regions_.left, k), 0.005, "left");
    for (int k = 0; k < 4; ++k)
        EXPECT_GT(count(image, quarter(regions_.right, k), kDark.quiet, 24), 100) << "axes of the plots, " << k;
    legible(regions_.bottom, 0.005, "bottom");
}

TEST_F(FilmWithPanels, PlotsShowEveryStepAndTheLastSolve) {
    shoot(smallScene(), options("start.png", 0));
    shoot(smallScene(), options("end.png"));
    const Image start = readPng(path("start.png")), end = readPng(path("end.png"));
    ASSERT_EQ(start.width, kWidth);
    ASSERT_EQ(end.width, kWidth);
    const ImU32 blockJacobi = methodColor(enumNamed<preconditioners::PreconditionerKind>("block-jacobi"));
    const ImU32 gravity = energyStyles()[3].style.color, strain = kDark.error, solve = stageStyles()[3].style.color;
    for (const ImU32 color : {blockJacobi, gravity, strain}) {
        const int atStart = count(start, regions_.right, color, 12);
        EXPECT_LT(atStart, 100) << color << ": more than the swatches in the legends";
        EXPECT_GT(count(end, regions_.right, color, 12), atStart + 100) << color;
    }
    EXPECT_GT(count(end, regions_.right, solve, 24), count(start, regions_.right, solve, 24) + 100);
}

TEST_F(FilmWithPanels, EveryFrameHasThemFromTheFirstOn) {
    FilmOptions wanted = options("frames");
    wanted.every = 6;
    shoot(smallScene(), wanted);
    ASSERT_EQ(summary_.frames, 3);
    std::vector<Image> frames;
    for (const char* name : {"frame_00000.png", "frame_00001.png", "frame_00002.png"})
        frames.push_back(readPng(path("frames") + "/" + name));
    for (const Image& frame : frames) ASSERT_EQ(frame.width, kWidth);
    // Each frame has the line of text at the top; the knob of the timeline moves from one end to the other.
    const Region& centre = regions_.centre;
    const Region line{centre.x + 16, centre.y + 10, 200, 16};
    EXPECT_GT(count(frames[0], line, kDark.text, 24), 50);
    EXPECT_GT(count(frames[2], line, kDark.text, 24), 50);
    const Region& bottom = regions_.bottom;
    const Region early{bottom.x + 191, bottom.y, 20, bottom.height};
    EXPECT_GT(count(frames[0], early, kDark.knob, 12), 40);
    EXPECT_LT(count(frames[2], early, kDark.knob, 12), 40);
}

TEST_F(FilmWithPanels, AStepThatFailsIsSaidInTheLastFrame) {
    scene::Scene scene = smallScene();
    scene.settings.integrator.kind = integrators::IntegratorKind::ForwardEuler;
    scene.settings.integrator.substeps = 1;
    scene.settings.integrator.dt = 0.05;
    scene.settings.material.stretchStiffness = 1e5;
    shoot(scene, options("last.png", 400));
    ASSERT_TRUE(summary_.diverged);
    const Image image = readPng(path("last.png"));
    ASSERT_EQ(image.width, kWidth);
    EXPECT_GT(count(image, regions_.centre, rgb(0x3a1f24), 12), 10000) << "the banner's ground";
    EXPECT_GT(count(image, regions_.centre, kDark.error, 24), 100) << "its heading";
}

TEST_F(FilmWithPanels, WithoutRoomAreRefused) {
    auto simulation = simulation::Simulation::create(smallScene(), 1);
    ASSERT_TRUE(simulation);
    FilmOptions wanted = options("small.png");
    wanted.width = 320, wanted.height = 200;
    wanted.shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders";
    wanted.panels = [&] { return makeFilmPanels((*simulation)->scene(), kSteps, wanted.width, wanted.height); };
    const auto summary = makeFilm(**simulation, wanted);
    ASSERT_FALSE(summary);
    EXPECT_NE(summary.error().message.find("320 x 200"), std::string::npos) << summary.error().text();
    EXPECT_FALSE(std::filesystem::exists(path("small.png")));
}

}  // namespace
}  // namespace clothlab::app::film
