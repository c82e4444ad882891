#include "geometry/files/obj_writer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "geometry/files/obj_reader.hpp"

namespace clothlab::geometry {
namespace {

TEST(ObjWriter, ReadsBackToTheSameBitsAndTheSameTriangles) {
    const GridPatch grid{7, 9};
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-320, 5), part(-0.1, 0.1);
    std::vector<Vec3> points;
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c)  // heights of any size, also denormal
            points.emplace_back(c + part(random), (c % 2 ? -1 : 1) * std::pow(10, exponent(random)), r + part(random));
    points[0][0] = -0.0;
    points[1][1] = 5e-324;
    points[2][1] = kFarthestMeshPoint;
    const auto mesh = readObj(toObj(points, gridTriangles(grid)), "written.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->triangles, gridTriangles(grid));
    ASSERT_EQ(mesh->points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int c = 0; c < 3; ++c)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(mesh->points[i][c]), std::bit_cast<std::uint64_t>(points[i][c]))
                << points[i][c];
}

}  // namespace
}  // namespace clothlab::geometry
