#include <fmt/format.h>

#include "geometry/intersections.hpp"
#include "simulation/scenes.hpp"

/// Solids that are thinner than a cell of the cloth: they go between its particles.
namespace clothlab::simulation {
namespace {

/// A sheet of 2 cm cells some cm above a solid, with a speed downwards in m/s.
std::unique_ptr<Simulation> sheetAbove(const char* solid, double speed) {
    auto scene = scene::readSceneText(
        fmt::format("[integrator]\ndt = 0.005\n[material]\nstretch_stiffness = 300\nstretch_damping = 0.02\n"
                    "[contact]\nself_collision = \"robust\"\n[cloth]\nrows = 15\ncolumns = 15\nside = 0.28\n"
                    "row_axis = [0, 0, 1]\norigin = [-0.14, 0.25, -0.14]\nvelocity = [0, -{}, 0]\n[[collider]]\n{}",
                    speed, solid),
        "thin.toml");
    EXPECT_TRUE(scene) << scene.error().text();
    return testing::simulate(std::move(*scene));
}

/// A sheet of 2 cm cells falls on a solid that is thinner than a cell: a needle, and a cube of 1 cm that stands on a
/// corner. Both are below the middle of a cell, where there is no particle and no edge.
TEST(RobustContactOfTips, NeitherANeedleNorACornerGoesThrough) {
    const char* solids[]{"shape = \"capsule\"\nradius = 0.0015\nhalf_height = 0.2\nposition = [0.006, 0, 0.013]\n",
                         "shape = \"box\"\nhalf_size = [0.005, 0.005, 0.005]\nposition = [0.006, 0.19, 0.013]\n"
                         "rotation = [-38.704, 0, 38.704]\n"};
    for (const char* solid : solids)
        for (const double speed : {0.0, 2.0}) {
            const auto simulation = sheetAbove(solid, speed);
            const auto& collider = simulation->colliders()[0];
            const bool needle = std::holds_alternative<geometry::Capsule>(collider.shape);
            double strain = 0;
            for (int n = 0; n < 120; ++n) {
                const StepReport& report = simulation->step();
                ASSERT_FALSE(integrators::hasFailed(report.status)) << report.message;
                strain = std::max(strain, report.maxStrain);
                // The inside of the solid, from 5 mm below its tip on, as a narrow triangle: nothing goes through it.
                std::vector<Vec3> points;
                for (Index i = 0; i < simulation->state().x.size(); ++i) points.push_back(simulation->state().x[i]);
                std::vector<geometry::Triangle> triangles = simulation->model().triangles;
                const Index first = Index(points.size());
                const double top = needle ? 0.2 : 0.19 + 0.005 * std::sqrt(3.0);
                for (const Vec3& p : {Vec3(0.006, top - 0.005, 0.013), Vec3(0.0061, top - 0.008, 0.013),
                                      Vec3(0.006, top - 0.008, 0.0131)})
                    points.push_back(p);
                triangles.push_back({first, first + 1, first + 2});
                EXPECT_TRUE(geometry::findIntersections(points, triangles).empty())
                    << (needle ? "needle" : "corner") << " at " << speed << " m/s, step " << n + 1;
            }
            EXPECT_LT(strain, 1) << (needle ? "needle" : "corner") << " at " << speed << " m/s";
        }
}

/// A sheet of 2 cm cells falls on something 2 mm wide between two of its rows, which no particle meets. It hangs over
/// it.
TEST(RobustContactOfTips, NoEdgeGoesThroughAWireABarOrABlade) {
    const char* solids[]{
        "shape = \"capsule\"\nradius = 0.001\nhalf_height = 0.3\nrotation = [0, 0, 90]\n"
        "position = [0, 0.19, 0.011]\n",
        "shape = \"box\"\nhalf_size = [0.3, 0.001, 0.001]\nposition = [0, 0.19, 0.011]\n",
        "shape = \"box\"\nhalf_size = [0.3, 0.1, 0.001]\nposition = [0, 0.091, 0.011]\n"};
    for (const char* solid : solids)
        for (const double speed : {0.0, 2.0}) {
            const auto simulation = sheetAbove(solid, speed);
            for (int n = 0; n < 80; ++n) {
                ASSERT_FALSE(integrators::hasFailed(simulation->step().status)) << simulation->lastReport().message;
                // Its middle, as a narrow triangle: no edge goes through it.
                std::vector<Vec3> points;
                for (Index i = 0; i < simulation->state().x.size(); ++i) points.push_back(simulation->state().x[i]);
                std::vector<geometry::Triangle> triangles = simulation->model().triangles;
                const Index first = Index(points.size());
                for (const Vec3& p : {Vec3(-0.3, 0.19, 0.011), Vec3(0.3, 0.19, 0.011), Vec3(0, 0.1899, 0.011)})
                    points.push_back(p);
                triangles.push_back({first, first + 1, first + 2});
                EXPECT_TRUE(geometry::findIntersections(points, triangles).empty()) << solid << speed << " m/s, " << n;
            }
            double lowest = 1, highest = -1;
            for (Index i = 0; i < simulation->state().x.size(); ++i) {
                lowest = std::min(lowest, simulation->state().x[i].y());
                highest = std::max(highest, simulation->state().x[i].y());
            }
            EXPECT_GT(highest, 0.185) << solid << speed << ": below it";
            EXPECT_LT(lowest, 0.15) << "it hangs";
            EXPECT_GT(lowest, -0.1) << "by its middle; without the wire it would be at -0.5";
        }
}

}  // namespace
}  // namespace clothlab::simulation
