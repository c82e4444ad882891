#include <fmt/format.h>

#include "geometry/intersections.hpp"
#include "scenes.hpp"

/// Cloth that intersects cloth at the start comes apart and stays apart.
namespace clothlab::simulation {
namespace {

std::size_t cuts(const Simulation& simulation) {
    std::vector<Vec3> points;
    for (Index i = 0; i < simulation.state().x.size(); ++i) points.push_back(simulation.state().x[i]);
    return geometry::findIntersections(points, simulation.model().triangles).size();
}

/// A level sheet, and one that passes steeply through its middle or its border, with `share` of its height on one side.
std::unique_ptr<Simulation> crossing(double share, double offset, bool untangle) {
    const std::string text = fmt::format(
        "steps = 10\ngravity = [0, 0, 0]\n[integrator]\ndt = 0.005\n[contact]\nself_collision = \"robust\"\n"
        "untangle = {}\n[wind]\nlinear_drag = 0.001\n"
        "[[cloth]]\nrows = 17\ncolumns = 17\nside = 0.4\norigin = [0, 0, 0]\ncolumn_axis = [1, 0, 0]\n"
        "row_axis = [0, 0, 1]\n[[cloth]]\nrows = 9\ncolumns = 9\nside = 0.2\ncolumn_axis = [1, 0, 0]\n"
        "row_axis = [0, 0.96, 0.28]\norigin = [{}, {}, 0.163]\n",
        untangle, offset, -0.192 * share);
    auto scene = scene::readSceneText(text, "crossing.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto simulation = Simulation::create(*scene, 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return std::move(*simulation);
}

TEST(Untangling, SheetsThatCrossComeApart) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const double share : {0.15, 0.3}) {
        if (testing::kSanitized && share > 0.2) continue;
        for (const double offset : {0.103, -0.097}) {
            const auto left = crossing(share, offset, false);
            ASSERT_GT(cuts(*left), 5u);
            for (int n = 0; n < 30; ++n) left->step();
            EXPECT_GT(cuts(*left), 0u) << "without untangling it stays tangled";

            const auto drawn = crossing(share, offset, true);
            int apartAt = -1;
            for (int n = 0; n < 140; ++n) {
                const StepReport& report = drawn->step();
                ASSERT_FALSE(integrators::hasFailed(report.status)) << report.message;
                const bool tangled = cuts(*drawn) > 0;
                if (n == 0) {
                    EXPECT_EQ(report.status, integrators::StepStatus::Unconverged);
                }
                if (!tangled && apartAt < 0) apartAt = n;
                if (apartAt >= 0) {
                    ASSERT_FALSE(tangled) << "again, at step " << n;
                }
            }
            EXPECT_GE(apartAt, 0) << share << " " << offset << ": " << cuts(*drawn);
            EXPECT_EQ(drawn->lastReport().status, integrators::StepStatus::Ok);
        }
    }
}

}  // namespace
}  // namespace clothlab::simulation
