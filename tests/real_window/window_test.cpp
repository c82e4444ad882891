#include "window_fixture.hpp"

#include <fmt/format.h>
#include <stb_image.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "experiments/race/nonlinear_race.hpp"

namespace clothlab::app::window {
namespace {

TEST_F(WindowTest, DraggingBringsTheParticleToThePointerAndAJumpDoesNotTearTheCloth) {
    const int code = run(
        "wait step 30\n"
        // Grabbed while paused: the middle of the lower edge of 21 x 21.
        "key space\nwait playing 0\nwait settled\nmove particle 430\nafter 2\ndown left\nafter 2\nkey space\nwait "
        "playing 1\n"
        "move particle 430 25 -25\nwait steps 60\nstate DIR/drag.json\n"
        "move particle 420\nwait steps 100\nstate DIR/sideways.json\n"  // to its corner: half the cloth in one frame
        "move particle 220\nwait steps 100\nstate DIR/up.json\n"
        "up left\nafter 2\nwait settled\nwait steps 2\nstate DIR/free.json\nquit\n",
        kSmall);
    ASSERT_EQ(code, 0) << errors();
    const auto drag = state("drag.json"), released = state("free.json");
    EXPECT_TRUE(drag["grab_active"].get<bool>());
    ASSERT_GE(drag["grabbed"].get<int>(), 0);
    EXPECT_LT(drag["grab_distance_px"].get<double>(), 3);
    EXPECT_GE(drag["grab_distance_px"].get<double>(), 0);
    for (const char* name : {"sideways.json", "up.json"}) {
        const auto jump = state(name);
        EXPECT_TRUE(jump["grab_active"].get<bool>()) << name;
        EXPECT_LT(jump["report"]["max_strain"].get<double>(), 0.5) << name;
        EXPECT_EQ(jump["problem"], "") << name;
    }
    EXPECT_FALSE(released["grab_active"].get<bool>());
    EXPECT_EQ(released["problem"], "");
}

TEST_F(WindowTest, TheMenuOfAParticlePinsItToALine) {
    const int code =
        run("wait step 5\nkey space\nwait playing 0\nwait settled\nmove particle 210\nafter 2\n"
            "ctrl down\ndown right\nup right\nctrl up\nafter 4\nmove @pin_menu.line-y\nafter 2\ndown left\nup "
            "left\nafter 3\n"
            "wait settled\nstate DIR/pinned.json\nkey space\nwait playing 1\nwait steps 3\nstate DIR/end.json\nquit\n",
            kSmall);
    ASSERT_EQ(code, 0) << errors();
    EXPECT_EQ(state("pinned.json")["pins"].get<std::vector<int>>(), (std::vector<int>{0, 20, 210}));
    EXPECT_EQ(state("end.json")["report"]["ndof_counts"][1], 1);
    EXPECT_EQ(state("end.json")["report"]["ndof_counts"][0], 2);
}

/// Keys of the overlays; key 1 shows none.
constexpr const char* kOverlays[] = {"2", "3", "4", "5", "6", "7", "8", "9", "0"};

/// Drags the particle, pins it after a restart (since a fold could hide it), shows every overlay, and races a step.
std::string throughEverything(int particle) {
    const std::string where = std::to_string(particle);
    std::string script =
        "wait step 30\nkey space\nwait playing 0\nwait settled\nstate DIR/before.json\nmove particle " + where +
        "\nafter 2\ndown left\nafter 2\nkey space\nwait playing 1\nmove particle " + where +
        " 40 -25\nwait steps 40\n"
        "state DIR/drag.json\nup left\nafter 2\nwait settled\nkey space\nwait playing 0\nkey r\nafter 3\nwait settled\nmove "
        "particle " +
        where +
        "\nctrl down\ndown left\nup left\nctrl up\nafter 3\nwait settled\nstate DIR/pinned.json\nscreenshot "
        "DIR/1.png\nkey space\nwait playing 1\n";
    for (const char* overlay : kOverlays)
        script += std::string("key ") + overlay + "\nafter 4\nwait settled\nscreenshot DIR/" + overlay + ".png\n";
    return script + "key 1\nkey t\nwait race\nstate DIR/raced.json\nkey t\nwait steps 3\nstate DIR/end.json\nquit\n";
}

// A mesh without rows: particles have the numbers of its file.
TEST_F(WindowTest, AnIrregularMeshIsDraggedPinnedRacedAndSeenThroughEveryOverlay) {
    ASSERT_EQ(run(throughEverything(148), {"disc", "--size", "900x640"}), 0) << errors();
    const auto before = state("before.json"), drag = state("drag.json"), pinned = state("pinned.json"),
               raced = state("raced.json"), end = state("end.json");
    EXPECT_EQ(before["particles"], 600);
    EXPECT_TRUE(drag["grab_active"].get<bool>());
    EXPECT_EQ(drag["grabbed"], 148);
    EXPECT_LT(drag["grab_distance_px"].get<double>(), 3);
    EXPECT_LT(drag["report"]["max_strain"].get<double>(), 0.5);
    const auto pins = pinned["pins"].get<std::vector<int>>();
    EXPECT_EQ(pins.size(), before["pins"].size() + 1);
    EXPECT_EQ(std::count(pins.begin(), pins.end(), 148), 1);
    EXPECT_GT(raced["race_rows"].get<int>(), 50);
    EXPECT_EQ(end["problem"], "");
    for (const char* overlay : kOverlays)
        EXPECT_TRUE(std::filesystem::exists(folder() + "/" + overlay + ".png")) << overlay;
}

// The surface at that pixel is grabbed, even if the particle is inside.
TEST_F(WindowTest, ASolidIsDraggedPinnedRacedAndSeenThroughEveryOverlay) {
    ASSERT_EQ(run(throughEverything(640),
                  {"liu-hippo", "--size", "900x640", "--set", "integrator.kind=linearized-backward-euler", "--set",
                   "integrator.dt=0.01", "--set", "cloth.spacing=0.07", "--set", "cloth.surface_spacing=0"}),
              0)
        << errors();
    const auto drag = state("drag.json"), pinned = state("pinned.json"), end = state("end.json");
    EXPECT_TRUE(drag["grab_active"].get<bool>());
    EXPECT_LT(drag["grab_distance_px"].get<double>(), 3);
    EXPECT_EQ(pinned["pins"].size(), 1);
    EXPECT_GT(state("raced.json")["race_rows"].get<int>(), 50);
    EXPECT_EQ(end["problem"], "");
    EXPECT_LT(end["report"]["max_strain"].get<double>(), 0.3);
}

TEST_F(WindowTest, KeysAndButtonsPauseStepBackAndRestart) {
    const int code =
        run("wait step 20\nkey space\nwait playing 0\nafter 2\nwait settled\nstate DIR/paused.json\n"
            "key n\nafter 3\nwait settled\nstate DIR/next.json\n"
            "key b\nkey b\nafter 5\nwait settled\nstate DIR/back.json\n"
            "move @step_forward\ndown left\nup left\nafter 3\nwait settled\nstate DIR/same.json\n"
            "move @timeline 0 0.5\ndown left\nup left\nafter 3\nwait settled\nstate DIR/first.json\n"
            "move @play\ndown left\nup left\nwait playing 1\nwait step 8\nstate DIR/playing.json\n"
            "key space\nwait playing 0\nkey r\nafter 3\nwait settled\nstate DIR/restarted.json\nquit\n",
            kSmall);
    ASSERT_EQ(code, 0) << errors();
    const auto paused = state("paused.json"), next = state("next.json"), back = state("back.json"),
               same = state("same.json");
    const auto step = paused["step"].get<std::int64_t>();
    EXPECT_EQ(next["step"].get<std::int64_t>(), step + 1);
    EXPECT_EQ(back["step"].get<std::int64_t>(), step - 1);
    EXPECT_EQ(same["step"].get<std::int64_t>(), step);
    EXPECT_EQ(same["report"]["state_hash"], paused["report"]["state_hash"])
        << "the same step again gives the same bits";
    EXPECT_EQ(state("first.json")["step"].get<std::int64_t>(), 0);
    EXPECT_GE(state("playing.json")["step"].get<std::int64_t>(), 8);
    EXPECT_EQ(state("restarted.json")["step"].get<std::int64_t>(), 0);
}

struct Pixels {
    std::unique_ptr<unsigned char, void (*)(void*)> data{nullptr, stbi_image_free};
    int width = 0, height = 0;
    explicit Pixels(const std::string& file) {
        int channels = 0;
        data.reset(stbi_load(file.c_str(), &width, &height, &channels, 3));
    }
    /// Colours, coarsened to 16 levels per channel, of a rectangle in fractions of the picture.
    std::set<int> colors(double x0, double y0, double x1, double y1) const {
        std::set<int> found;
        for (int y = int(y0 * height); y < int(y1 * height); ++y)
            for (int x = int(x0 * width); x < int(x1 * width); ++x) {
                const unsigned char* p = data.get() + 3 * (std::size_t(y) * width + x);
                found.insert((p[0] >> 4) << 8 | (p[1] >> 4) << 4 | p[2] >> 4);
            }
        return found;
    }
};

TEST_F(WindowTest, TheMotionGoesOnBesideARaceAndAClickOnARowIsInForce) {
    const int code = run(
        "wait step 20\nkey t\nafter 2\nstate DIR/begun.json\nwait race\nstate DIR/over.json\n"
        "move @race/column/method 0.2 0.5\ndown left\nup left\nafter 3\n"  // sorted by name: the second row is visible
        "move @race/row/reduced-pcg+chebyshev 0.1 0.5\ndown left\nup left\nafter 3\nwait settled\n"
        "wait steps 3\nstate DIR/chosen.json\nscreenshot DIR/race.png\n"
        "key space\nwait playing 0\nkey k\nwait slow\nmove @slow/iterate 0.5 0.5\ndown left\nup left\nafter 3\n"
        "screenshot DIR/slow.png\nkey k\nkey space\nwait steps 5\nstate DIR/end.json\nquit\n",
        {"hang", "--size", "1280x720", "--set", "cloth.rows=21", "--set", "cloth.columns=21"});
    ASSERT_EQ(code, 0) << errors();
    const auto begun = state("begun.json"), over = state("over.json"), chosen = state("chosen.json"),
               end = state("end.json");
    EXPECT_GT(over["race_rows"].get<int>(), 50);
    EXPECT_FALSE(over["race_running"].get<bool>());
    EXPECT_GT(over["step"].get<std::int64_t>(), begun["step"].get<std::int64_t>()) << "the cloth did not move";
    EXPECT_EQ(chosen["preconditioner"], "chebyshev");
    EXPECT_GT(chosen["step"].get<std::int64_t>(), over["step"].get<std::int64_t>());
    EXPECT_GT(end["step"].get<std::int64_t>(), chosen["step"].get<std::int64_t>());
    EXPECT_EQ(end["problem"], "");
    for (const char* picture : {"race.png", "slow.png"}) EXPECT_TRUE(std::filesystem::exists(folder() + "/" + picture));
}

TEST_F(WindowTest, ADescentIsMeasuredWhileTheClothMovesAndShownAsCurvesAndPictures) {
    const int code =
        run("wait step 10\nkey d\nafter 2\nstate DIR/begun.json\nwait descent\nafter 3\nstate DIR/over.json\n"
            "screenshot DIR/curves.png\nmove @descent/pictures\ndown left\nup left\nafter 3\n"
            "screenshot DIR/pictures.png\nstate DIR/pictures.json\naction descent.curves\nafter 3\n"
            "move @descent/row/local-global-anderson 0.1 0.5\ndown left\nup left\nafter 3\nwait settled\n"
            "wait steps 3\nkey d\nafter 2\nstate DIR/end.json\nquit\n",
            {"hang", "--size", "1280x720", "--set", "cloth.rows=15", "--set", "cloth.columns=15"});
    ASSERT_EQ(code, 0) << errors();
    const auto begun = state("begun.json"), over = state("over.json"), pictures = state("pictures.json"),
               end = state("end.json");
    EXPECT_TRUE(begun["descent"]["open"].get<bool>());
    EXPECT_FALSE(over["descent"]["running"].get<bool>());
    EXPECT_EQ(over["descent"]["problem"], "");
    EXPECT_EQ(over["descent"]["rows"], experiments::nonlinearField({}).size());
    EXPECT_EQ(over["descent"]["frames"], 5);
    EXPECT_EQ(over["descent"]["scene"], "hang");
    EXPECT_LE(over["descent"]["step"].get<std::int64_t>(), over["step"].get<std::int64_t>());
    EXPECT_GT(over["step"].get<std::int64_t>(), begun["step"].get<std::int64_t>()) << "the cloth did not move";
    EXPECT_TRUE(pictures["descent"]["pictures"].get<bool>());
    EXPECT_EQ(end["integrator"], "fast-mass-spring");
    EXPECT_EQ(end["problem"], "");
    EXPECT_FALSE(end["descent"]["open"].get<bool>());
    const Pixels curves(folder() + "/curves.png"), cloths(folder() + "/pictures.png");
    ASSERT_TRUE(curves.data && cloths.data);
    const auto inside = [&](const Pixels& of, const tests::ParsedJson& state, const char* id) {
        const auto r = state["layout"][id];
        const double w = of.width, h = of.height;
        return of.colors(r[0].get<double>() / w, r[1].get<double>() / h, r[2].get<double>() / w,
                         r[3].get<double>() / h);
    };
    for (const char* id : {"descent.iterations", "descent.time"})
        EXPECT_GT(inside(curves, over, id).size(), 20u) << id << ": curves in their colours";
    for (int k = 0; k < 5; ++k)
        EXPECT_GT(inside(cloths, pictures, fmt::format("descent/side/{}", k).c_str()).size(), 12u)
            << "a shaded cloth in picture " << k;
}

TEST_F(WindowTest, IntegratorsAreMeasuredWhileTheClothMoves) {
    const int code =
        run("wait step 10\nkey p\nafter 2\nmove @work/start\ndown left\nup left\nafter 2\nstate DIR/begun.json\nwait "
            "work\nafter 2\n"
            "state DIR/over.json\nscreenshot DIR/work.png\nwait steps 3\nkey p\nafter 2\nstate DIR/end.json\nquit\n",
            {"hang", "--size", "1280x720", "--set", "cloth.rows=9", "--set", "cloth.columns=9"});
    ASSERT_EQ(code, 0) << errors();
    const auto begun = state("begun.json"), over = state("over.json"), end = state("end.json");
    EXPECT_TRUE(begun["work"]["open"].get<bool>());
    EXPECT_FALSE(over["work"]["running"].get<bool>());
    EXPECT_GE(over["work"]["points"].get<int>(), 10);
    EXPECT_EQ(over["work"]["problem"], "");
    EXPECT_GT(end["step"].get<std::int64_t>(), over["step"].get<std::int64_t>());
    EXPECT_FALSE(end["work"]["open"].get<bool>());
    EXPECT_TRUE(std::filesystem::exists(folder() + "/work.png"));
}

TEST_F(WindowTest, TwoUnknownsStartWhereTheMouseClicksAndEndInTwoSteps) {
    const int code = run(
        "wait step 5\nkey u\nafter 2\nstate DIR/open.json\nmove @quadratic/plane 0.3 0.3\ndown left\nup left\nafter 2\n"
        "key right\nafter 2\nstate DIR/one.json\nmove @quadratic/forward\ndown left\nup left\nafter 2\nstate "
        "DIR/two.json\n"
        "screenshot DIR/two.png\nkey u\nafter 2\nstate DIR/closed.json\nquit\n",
        {"hang", "--size", "1280x720", "--set", "cloth.rows=21", "--set", "cloth.columns=21"});
    ASSERT_EQ(code, 0) << errors();
    const auto open = state("open.json")["quadratic"], one = state("one.json")["quadratic"],
               two = state("two.json")["quadratic"];
    EXPECT_TRUE(open["open"].get<bool>());
    ASSERT_EQ(open["start"].size(), 2u);
    EXPECT_NE(two["start"], open["start"]);
    for (int axis : {0, 1})
        EXPECT_NEAR(one["at"]["steepest-descent"][axis].get<double>(),
                    one["at"]["conjugate-gradients"][axis].get<double>(), 1e-12)
            << "the first step is along the same residual";
    EXPECT_EQ(two["step"], 2);
    EXPECT_NEAR(two["at"]["conjugate-gradients"][0].get<double>(), 2, 1e-8);
    EXPECT_NEAR(two["at"]["conjugate-gradients"][1].get<double>(), -2, 1e-8);
    EXPECT_FALSE(state("closed.json")["quadratic"]["open"].get<bool>());
    const Pixels picture(folder() + "/two.png");
    ASSERT_TRUE(picture.data);
    EXPECT_GT(picture.colors(0.26, 0.15, 0.54, 0.73).size(), 20u) << "contours and paths";
}

TEST_F(WindowTest, APictureShowsClothPanelsAndPlots) {
    ASSERT_EQ(run("wait step 30\nkey 2\nafter 4\nwait settled\nscreenshot DIR/window.png\nquit\n",
                  {"hang", "--size", "1100x640", "--set", "cloth.rows=21", "--set", "cloth.columns=21"}),
              0)
        << errors();
    const Pixels picture(folder() + "/window.png");
    ASSERT_TRUE(picture.data);
    EXPECT_EQ(picture.width, 1100);
    EXPECT_EQ(picture.height, 640);
    const auto layout = state("last.json")["layout"];
    for (const char* id : {"solver.kind", "plot.energy", "timeline", "overlay", "view"})
        EXPECT_TRUE(layout.contains(id)) << id;
    EXPECT_GT(picture.colors(0, 0, 0.23, 1).size(), 8u) << "controls";
    EXPECT_GT(picture.colors(0.74, 0, 1, 1).size(), 12u) << "plots";
    EXPECT_GT(picture.colors(0.35, 0.15, 0.62, 0.7).size(), 12u) << "cloth";
}

TEST_F(WindowTest, TheLightThemeIsLightInPanelsAndPictureAndAScriptOpensAPanelByItsName) {
    ASSERT_EQ(
        run("wait step 20\nkey space\nwait playing 0\nkey l\nafter 3\nscreenshot DIR/light.png\nstate DIR/light.json\n"
            "action work.open\nafter 3\nstate DIR/open.json\naction theme.toggle\nafter 3\nscreenshot "
            "DIR/dark.png\nquit\n",
            {"hang", "--size", "1100x640", "--set", "cloth.rows=21", "--set", "cloth.columns=21"}),
        0)
        << errors();
    EXPECT_EQ(state("light.json")["theme"], "light");
    EXPECT_EQ(state("light.json")["panel"], "");
    EXPECT_EQ(state("open.json")["panel"], "work");
    EXPECT_EQ(state("last.json")["theme"], "dark");
    for (const auto& [name, light] : {std::pair{"light", true}, {"dark", false}}) {
        const Pixels picture(folder() + "/" + name + ".png");
        ASSERT_TRUE(picture.data);
        // Corners of the left column, of a plot and of the background of the cloth.
        for (const auto& [x, y] : {std::pair{0.004, 0.5}, {0.99, 0.995}, {0.27, 0.25}})
            for (const int color : picture.colors(x, y, x + 0.003, y + 0.004))
                EXPECT_EQ((color & 15) >= 12, light) << name << " at " << x << ", " << y << ": " << std::hex << color;
    }
}

/// The size is in points: at scale 2 the window has twice the pixels and the same layout.
TEST_F(WindowTest, ContentScaleTwoIsTheSameWindowInTwiceThePixels) {
    const std::vector<std::string> small{"hang", "--set", "cloth.rows=9", "--set", "cloth.columns=9", "--size"};
    const auto opened = [&](const char* size, const char* scale) {
        auto arguments = small;
        arguments.insert(arguments.end(), {size, "--scale", scale});
        EXPECT_EQ(run("wait step 5\nkey space\nwait playing 0\nafter 3\nscreenshot DIR/window.png\nquit\n", arguments),
                  0)
            << errors();
        return state("last.json")["layout"];
    };
    const auto one = opened("800x500", "1");
    const Pixels first(folder() + "/window.png");
    const auto two = opened("800x500", "2");
    const Pixels second(folder() + "/window.png");
    ASSERT_TRUE(first.data && second.data);
    EXPECT_EQ(first.width, 800);
    EXPECT_EQ(second.width, 1600);
    EXPECT_EQ(second.height, 1000);
    for (const char* id : {"solver.kind", "play", "view", "overlay"})
        EXPECT_NEAR(two[id][0].get<double>(), 2 * one[id][0].get<double>(), 12) << id;
}

/// Fonts are rebuilt while the window is open.
TEST_F(WindowTest, ThePresentersModeAndTheSizeOfTypeChangeTheOpenWindow) {
    ASSERT_EQ(run("wait step 5\nkey tab\nafter 4\nstate DIR/shown.json\nscreenshot DIR/shown.png\nkey tab\nafter 4\n"
                  "ctrl down\nkey plus\nctrl up\nafter 4\nstate DIR/larger.json\nctrl down\nkey 0\nctrl up\nafter 4\n"
                  "state DIR/usual.json\nquit\n",
                  {"hang", "--size", "1280x720", "--set", "cloth.rows=9", "--set", "cloth.columns=9"}),
              0)
        << errors();
    const auto height = [&](const auto& at, const char* id) {
        return at["layout"][id][3].template get<double>() - at["layout"][id][1].template get<double>();
    };
    const auto shown = state("shown.json"), larger = state("larger.json"), usual = state("usual.json");
    EXPECT_EQ(shown["presenter"], true);
    EXPECT_FALSE(shown["layout"].contains("plot.residual"));
    EXPECT_EQ(larger["presenter"], false);
    EXPECT_EQ(larger["type_size"], 1.1);
    EXPECT_NEAR(height(shown, "play"), 1.5 * height(usual, "play"), 1);
    EXPECT_NEAR(height(larger, "play"), 1.1 * height(usual, "play"), 1);
    const Pixels picture(folder() + "/shown.png");
    ASSERT_TRUE(picture.data);
    EXPECT_GT(picture.colors(0.02, 0.9, 0.9, 0.99).size(), 4u) << "words on the bar of the motion";
}

TEST_F(WindowTest, EscapeClosesTheListAndTheNextClickReplacesNoScene) {
    const int code = run(
        "wait step 5\nmove @scene\ndown left\nup left\nafter 3\nstate DIR/open.json\nkey escape\nafter 3\nmove "
        "@restart_motion\n"
        "down left\nup left\nafter 3\nwait settled\nkey t\nafter 3\nkey escape\nafter 3\nstate DIR/end.json\nquit\n",
        kSmall);
    ASSERT_EQ(code, 0) << errors();
    EXPECT_TRUE(state("open.json")["layout"].contains("scene/flag"));
    const auto end = state("end.json");
    EXPECT_EQ(end["scene"], "hang");
    EXPECT_FALSE(end["layout"].contains("scene/flag"));
    EXPECT_FALSE(end["layout"].contains("race"));
}

TEST_F(WindowTest, WithoutADisplayItSaysWhatWorksInstead) {
    EXPECT_EQ(run("quit\n", {"hang"}, false), 2);
    EXPECT_NE(errors().find("clothlab render"), std::string::npos) << errors();
}

}  // namespace
}  // namespace clothlab::app::window
