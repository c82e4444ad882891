#include "film/contact_sheet.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "render/gl/capture.hpp"
#include "scratch_folder.hpp"
#include "small_scene.hpp"

namespace clothlab::app::film {
namespace {

class ContactSheetTest : public ::testing::Test {
protected:
    experiments::SweepPlan makePlan(std::vector<std::string> vary, int steps = 8,
                                    const scene::Scene& scene = smallScene()) {
        auto plan =
            experiments::planSweep(scene, {.vary = std::move(vary), .sets = {}, .reference = {}, .steps = steps});
        EXPECT_TRUE(plan) << plan.error().text();
        return *plan;
    }
    SheetOptions optionsFor(const char* name) {
        return {.out = folder.file(name), .width = 480, .height = 400, .shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders"};
    }
    tests::ScratchFolder folder;
};

TEST_F(ContactSheetTest, TwoKeysGoDownAndAcrossOneFillsASquare) {
    const auto grid = [&](std::vector<std::string> vary) {
        const SheetGrid g = sheetGrid(makePlan(std::move(vary)));
        return std::pair(g.rows, g.columns);
    };
    EXPECT_EQ(grid({"integrator.dt=0.005,0.01,0.02", "material.stretch_stiffness=10,1000"}), std::pair(3, 2));
    EXPECT_EQ(grid({"integrator.dt=0.001,0.002,0.005,0.01,0.02"}), std::pair(2, 3));
    EXPECT_EQ(grid({"integrator.dt=0.005,0.01,0.02,0.03"}), std::pair(2, 2));
}

// Columns have different gravity, rows different integrators of the same order: pictures differ mainly by the fall.
TEST_F(ContactSheetTest, EachPictureIsOfItsOwnRun) {
    const auto plan =
        makePlan({"integrator.kind=linearized-backward-euler,newton-backward-euler", "gravity=0,0,0;0,-30,0"}, 20);
    const auto drawn = drawContactSheet(plan, optionsFor("a.png"));
    ASSERT_TRUE(drawn) << drawn.error().text();
    EXPECT_EQ(drawn->pictures, 4);
    EXPECT_EQ(drawn->failed, 0);
    const auto sheet = render::readPng(folder.file("a.png"));
    ASSERT_TRUE(sheet);
    ASSERT_EQ(sheet->width, 480);
    ASSERT_EQ(sheet->height, 400);
    // Mean difference of two quarters of the sheet, below the title.
    const auto difference = [&](int ax, int ay, int bx, int by) {
        double sum = 0;
        for (int y = 0; y < 120; ++y)
            for (int x = 0; x < 200; ++x)
                for (int c = 0; c < 3; ++c)
                    sum += std::abs(int(sheet->at(ax + x, ay + y)[c]) - int(sheet->at(bx + x, by + y)[c]));
        return sum / (120 * 200 * 3);
    };
    const int left = 10, right = 10 + 233, upper = 25, lower = 25 + 182;
    EXPECT_GT(difference(left, upper, right, upper), 2) << "without gravity, and with it";
    EXPECT_LT(difference(left, upper, left, lower), 0.5 * difference(left, upper, right, upper));
}

TEST_F(ContactSheetTest, RefusesWhatHasNoRoomAndAStopWritesNothing) {
    SheetOptions options = optionsFor("b.png");
    options.width = options.height = 200;
    EXPECT_FALSE(drawContactSheet(makePlan({"integrator.dt=0.001,0.002,0.005,0.01,0.02"}), options));
    EXPECT_FALSE(drawContactSheet(
        makePlan({"integrator.dt=0.01,0.02", "material.stretch_stiffness=10,20", "material.shear_stiffness=1,2"}),
        optionsFor("b.png")));
    options = optionsFor("b.png");
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](int done, int) {
        if (done == 1) stop.request_stop();
    };
    const auto stopped = drawContactSheet(makePlan({"integrator.dt=0.01,0.02"}), options);
    ASSERT_TRUE(stopped);
    EXPECT_TRUE(stopped->stopped);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(ContactSheetTest, ARunThatFailsIsDrawnAsFarAsItCame) {
    scene::Scene scene = smallScene();
    scene.settings.integrator.kind = enumNamed<integrators::IntegratorKind>("symplectic-euler");
    scene.settings.material.stretchStiffness = 1e5;
    const auto drawn = drawContactSheet(makePlan({"integrator.substeps=1,200"}, 30, scene), optionsFor("c.png"));
    ASSERT_TRUE(drawn) << drawn.error().text();
    EXPECT_EQ(drawn->pictures, 2);
    EXPECT_EQ(drawn->failed, 1) << "above the explicit limit";
    EXPECT_TRUE(std::filesystem::exists(folder.file("c.png")));
}

}  // namespace
}  // namespace clothlab::app::film
