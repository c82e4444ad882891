#include "geometry/fillings/weld.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "geometry/fillings/t_shirt.hpp"

namespace clothlab::geometry {
namespace {

/// Makes every triangle a panel of its own, with its corners moved by up to `jitter`.
TriangleMesh takenApart(const TriangleMesh& mesh, double jitter) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> within(-jitter, jitter);
    TriangleMesh apart;
    for (const Triangle& t : mesh.triangles) {
        Triangle own;
        for (std::size_t k = 0; k < 3; ++k) {
            own[k] = Index(apart.points.size());
            apart.points.push_back(mesh.points[t[k]] + Vec3(within(random), within(random), within(random)));
            if (!mesh.textures.empty()) apart.textures.push_back(mesh.textures[t[k]]);
        }
        apart.triangles.push_back(own);
    }
    return apart;
}

std::string refusal(const TriangleMesh& mesh, double distance, double scale = 1) {
    const auto welded = weldPoints(mesh, distance, scale);
    EXPECT_FALSE(welded);
    return welded ? "" : welded.error().message;
}

/// Two triangles in a plane, each a panel, that meet along the edge from (0, 0) to (0, 1).
TriangleMesh twoPanels() {
    return {{{0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {3, 4, 5}}, {}};
}

// A shirt, taken apart into its triangles and sewn again, is the shirt: the same points, triangles and textures.
TEST(Weld, SewsTogetherWhatWasOne) {
    const TriangleMesh shirt = makeTShirt(0.05);
    for (const double scale : {1.0, 0.01}) {
        const TriangleMesh apart = takenApart(shirt, 2e-5);
        const auto welded = weldPoints(apart, scale * 1e-4, scale);
        ASSERT_TRUE(welded) << welded.error().message;
        ASSERT_EQ(welded->mesh.points.size(), shirt.points.size());
        ASSERT_EQ(welded->mesh.textures.size(), shirt.points.size());
        ASSERT_EQ(welded->pointOf.size(), apart.points.size());
        EXPECT_TRUE(std::ranges::is_sorted(welded->firstOf));
        std::vector<Index> shirtPoint(shirt.points.size(), -1);  // of each welded point
        for (std::size_t t = 0; t < shirt.triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k) {
                const Index now = welded->mesh.triangles[t][k], then = shirt.triangles[t][k];
                EXPECT_EQ(now, welded->pointOf[apart.triangles[t][k]]);
                if (shirtPoint[now] < 0) {
                    shirtPoint[now] = then;
                    EXPECT_EQ(welded->mesh.points[now], apart.points[apart.triangles[t][k]])
                        << "at the place of the first point";
                }
                EXPECT_EQ(shirtPoint[now], then);
                EXPECT_EQ(welded->mesh.textures[now], shirt.textures[then]);
            }
    }
}

TEST(Weld, LeavesASoundMeshAsItIs) {
    const TriangleMesh shirt = makeTShirt(0.05);
    const auto welded = weldPoints(shirt, 1e-4, 1);
    ASSERT_TRUE(welded);
    EXPECT_EQ(welded->mesh, shirt);
}

TEST(Weld, SeamsWhoseSidesHaveOtherTexturesTakeNone) {
    TriangleMesh panels = twoPanels();
    panels.textures = {{0, 0}, {0, 1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}};
    EXPECT_EQ(weldPoints(panels, 1e-4, 1)->mesh.textures.size(), 4u);
    panels.textures[3] = {5, 5};
    EXPECT_TRUE(weldPoints(panels, 1e-4, 1)->mesh.textures.empty());
}

TEST(Weld, RefusesToCollapseTheMesh) {
    EXPECT_NE(refusal(twoPanels(), 1.2).find("the edge between the points 1 and 2 is 1 m long and would vanish"),
              std::string::npos);
    EXPECT_NE(refusal(twoPanels(), 0.12, 0.1).find("is 0.1 m long"), std::string::npos)
        << "the message has the scaled length";
    // Three panels whose corners lie in a row: the outer two are farther apart than the distance.
    TriangleMesh row = twoPanels();
    row.points[3] = {6e-5, 0, 0};
    row.points.insert(row.points.end(), {{12e-5, 0, 0}, {1, -1, 0}, {0, -1, 0}});
    row.triangles.push_back({6, 7, 8});
    EXPECT_NE(refusal(row, 1e-4).find("the points 1 and 7 would become one by way of others, and are 0.00012 m apart"),
              std::string::npos);
}

TEST(Weld, RefusesWhatIsNoSurfaceAnyMore) {
    TriangleMesh three = twoPanels();
    three.points.insert(three.points.end(), {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    three.triangles.push_back({6, 7, 8});
    EXPECT_NE(
        refusal(three, 1e-4).find("the edge of the points 1 and 2 would have three triangles, 7 8 9 as the third"),
        std::string::npos);
    TriangleMesh turned = twoPanels();
    std::swap(turned.triangles[1][0], turned.triangles[1][1]);
    EXPECT_NE(refusal(turned, 1e-4).find("join the triangles 1 2 3 and 5 4 6, which are turned differently"),
              std::string::npos);
    // A sliver whose tip is drawn onto the line of its base.
    TriangleMesh flat{
        {{0.5, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0.5, 5e-5, 0}}, {{0, 1, 2}, {3, 4, 5}}, {}};
    EXPECT_NE(refusal(flat, 1e-4).find("the triangle 4 5 6 would have no area"), std::string::npos);
}

// Many triangles that share a place by accident would cost the square of their number.
TEST(Weld, RefusesCrowds) {
    TriangleMesh fan;
    for (int k = 0; k < 65; ++k) {
        const auto first = Index(fan.points.size());
        fan.points.insert(fan.points.end(), {{0, 0, 0}, {1, double(k), 0}, {1, double(k), 1}});
        fan.triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_NE(
        refusal(fan, 1e-4).find("more than 64 points lie within 0.0001 m of each other, the point 193 among them"),
        std::string::npos);
    fan.points.resize(192);
    fan.triangles.resize(64);
    EXPECT_TRUE(weldPoints(fan, 1e-4, 1));
    EXPECT_NE(refusal(twoPanels(), 1e-10).find("too little for a mesh 2 m across"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::geometry
