#include <gtest/gtest.h>

#include "geometry/grid.hpp"
#include "geometry/intersections.hpp"
#include "scene/builder.hpp"
#include "scene/knot.hpp"
#include "scene/placement.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

TEST(Knot, PlacesAreEquallyFarApartAndAcrossIsAtRightAngles) {
    const KnotCurve curve(401, 2);
    for (std::size_t k = 0; k + 1 < curve.places.size(); ++k) {
        const Vec3 step = curve.places[k + 1] - curve.places[k];
        EXPECT_NEAR(step.norm(), 2.0 / 400, 2e-5) << k;  // a chord, a little shorter than its arc
        EXPECT_NEAR(curve.across[k].norm(), 1, 1e-12);
        EXPECT_LE(std::abs(curve.across[k].dot(step.normalized())), 0.05) << k;
    }
    // Its ends leave along x, in line when seen along z, one over and one under the middle.
    EXPECT_NEAR(curve.places.front().y(), curve.places.back().y(), 1e-9);
    EXPECT_NEAR(curve.places.front().z(), -curve.places.back().z(), 1e-9);
}

/// The diagram of an overhand knot has at least three crossings, alternately over and under.
TEST(Knot, GoesOverAndUnderItselfInTurn) {
    const KnotCurve curve(801, 1);
    std::vector<std::pair<std::size_t, bool>> passes;  // position along the curve, and whether over
    const auto& p = curve.places;
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
        for (std::size_t j = i + 2; j + 1 < p.size(); ++j) {
            const auto side = [](const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a).z(); };
            if (side(p[i], p[i + 1], p[j]) * side(p[i], p[i + 1], p[j + 1]) >= 0) continue;
            if (side(p[j], p[j + 1], p[i]) * side(p[j], p[j + 1], p[i + 1]) >= 0) continue;
            passes.emplace_back(i, p[i].z() > p[j].z());
            passes.emplace_back(j, p[j].z() > p[i].z());
        }
    std::ranges::sort(passes);
    // Three crossings of the trefoil and one of the tails, each passed twice.
    ASSERT_EQ(passes.size(), 8u);
    for (std::size_t k = 2; k < 7; ++k) EXPECT_NE(passes[k].second, passes[k - 1].second) << k;
}

TEST(Knot, ARibbonLiesInItWithoutMeetingItself) {
    ClothPatch cloth;
    cloth.columns = 201;
    cloth.rows = 5;
    cloth.layout = Layout::Knot;
    EXPECT_TRUE(findFault(cloth).key.empty());
    std::vector<Vec3> points;
    const linalg::BlockVector x = startPositions(cloth);
    for (Index i = 0; i < x.size(); ++i) points.push_back(x[i]);
    const geometry::GridPatch grid{cloth.rows, cloth.columns};
    EXPECT_TRUE(geometry::findIntersections(points, geometry::gridTriangles(grid)).empty());
    cloth.rows = 6;
    EXPECT_EQ(findFault(cloth).key, "columns");
    EXPECT_NE(findFault(cloth).message.find("at least 251 columns"), std::string::npos) << findFault(cloth).message;
    cloth.rows = 5;
    cloth.gather = 0.9;
    EXPECT_EQ(findFault(cloth).key, "gather");
}

}  // namespace
}  // namespace clothlab::scene
