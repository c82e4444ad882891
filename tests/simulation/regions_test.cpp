#include "integrators/kind.hpp"
#include "simulation/scenes.hpp"

/// Parts of a cloth that are made of something else, in motion.
namespace clothlab::simulation {
namespace {

std::unique_ptr<Simulation> makeSimulation(const std::string& text, int threads = 1,
                                           Index inlineRows = WorkerPool::kDefaultInlineRows) {
    auto scene = scene::readSceneText(text, "regions.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = Simulation::create(*scene, threads, inlineRows);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

std::uint64_t computeHash(Simulation& simulation, int steps) {
    for (int n = 0; n < steps; ++n) {
        const StepReport& report = simulation.step();
        EXPECT_EQ(report.status, integrators::StepStatus::Ok) << report.message;
    }
    return integrators::stateHash(simulation.state());
}

std::string pinnedSheet(std::string_view integrator) {
    return "[integrator]\nkind = \"" + std::string(integrator) +
           "\"\ndt = 0.002\n[contact]\nmu_s = 0\nmu_k = 0\n[cloth]\nrows = 8\ncolumns = 9\nrow_axis = [0, 0, 1]\n"
           "noise = 0.001\n[[pins]]\nrow = 0\ncolumns = [0, -1]\ncolumn_step = 8\n";
}

// A region with the values of its cloth changes no bit under any integrator.
TEST(Regions, ThatSayNothingNewMoveNothing) {
    const std::string same =
        "[[region]]\nrows = [2, 5]\ncolumns = [3, 6]\nstretch_stiffness = 1000\nbend_stiffness = 0.01\ndensity = 0.2\n";
    for (const EnumEntry& kind : enumTable(integrators::IntegratorKind{})) {
        const auto plain = makeSimulation(pinnedSheet(kind.key)), parted = makeSimulation(pinnedSheet(kind.key) + same);
        EXPECT_EQ(computeHash(*plain, 6), computeHash(*parted, 6)) << kind.key;
    }
}

// Every integrator uses the values of a region, and the number of threads changes no bit.
TEST(Regions, MoveTheSameAtAnyNumberOfThreads) {
    const std::string region =
        "[[region]]\nrows = [2, 5]\ncolumns = [3, 6]\nstretch_stiffness = 20\nshear_stiffness = 0.1\ndensity = 0.6\n";
    for (const EnumEntry& kind : enumTable(integrators::IntegratorKind{})) {
        const auto plain = makeSimulation(pinnedSheet(kind.key)),
                   alone = makeSimulation(pinnedSheet(kind.key) + region),
                   shared = makeSimulation(pinnedSheet(kind.key) + region, 3, 0);
        const std::uint64_t hash = computeHash(*alone, 6);
        EXPECT_NE(computeHash(*plain, 6), hash) << kind.key;
        EXPECT_EQ(computeHash(*shared, 6), hash) << kind.key;
    }
}

// A live change of the cloth's material reaches the values that a region leaves open, and no others.
TEST(Regions, FollowALiveChangeOfTheBase) {
    const std::string region = "[[region]]\nrows = [2, 5]\ncolumns = [3, 6]\nstretch_stiffness = 20\n";
    const auto live = makeSimulation(pinnedSheet("linearized-backward-euler") + region);
    const auto fresh = makeSimulation("[material]\nstretch_stiffness = 300\nshear_stiffness = 40\ndensity = 0.5\n" +
                                      pinnedSheet("linearized-backward-euler") + region);
    scene::Settings settings = live->settings();
    settings.material.stretchStiffness = 300;
    settings.material.shearStiffness = 40;
    settings.material.density = 0.5;
    live->apply(settings);
    EXPECT_EQ(computeHash(*live, 5), computeHash(*fresh, 5));
}

// A strip hangs at rest: a spring is longer by the weight below it over its stiffness. The lower part is ten times as
// stiff and three times as heavy; the springs that lead into it are as soft as those above.
TEST(Regions, AHangingStripStretchesByItsParts) {
    const auto strip = makeSimulation(
        "gravity = [0, -9.81, 0]\n[integrator]\ndt = 0.01\n[solver]\ntolerance = 1e-10\n[wind]\nlinear_drag = 0.05\n"
        "[material]\nstretch_stiffness = 100\nshear_stiffness = 0\nbend_stiffness = 0\nparticle_mass = 0.01\n"
        "[cloth]\nrows = 9\ncolumns = 2\nside = 0.1\n[[pins]]\nrow = 0\ncolumns = \"all\"\n"
        "[[region]]\nrows = [5, -1]\ncolumns = \"all\"\nstretch_stiffness = 1000\nparticle_mass = 0.03\n");
    computeHash(*strip, 600);
    const linalg::BlockVector& x = strip->state().x;
    for (Index row = 0; row < 8; ++row) {
        double below = 0;
        for (Index k = row + 1; k < 9; ++k) below += k >= 5 ? 0.03 : 0.01;
        const double k = row >= 5 ? 1000 : 100;
        EXPECT_NEAR((x[2 * row + 2] - x[2 * row]).norm(), 0.1 + 9.81 * below / k, 1e-6) << row;
    }
}

}  // namespace
}  // namespace clothlab::simulation
