#include "contact/robust/layer_forces.hpp"

#include <gtest/gtest.h>

#include <random>

namespace clothlab::contact {
namespace {

using geometry::PairKind;

TEST(LayerForces, AreOrderedAndThoseOfOnePairBecomeOne) {
    const std::array<Index, 4> a{1, 2, 3, 4}, b{1, 2, 3, 5};
    std::vector<LayerForce> forces{{b, PairKind::EdgeEdge, 1, {0, 1, 0}},
                                   {a, PairKind::EdgeEdge, 2, {1, 0, 0}},
                                   {a, PairKind::VertexTriangle, 4, {0, 0, 1}},
                                   {b, PairKind::EdgeEdge, 8, {0, 0, 2}}};
    joinLayerForces(forces);
    ASSERT_EQ(forces.size(), 3u);
    const LayerForce* joined = findLayerForce(forces, b, PairKind::EdgeEdge);
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->push, 9);
    EXPECT_EQ(joined->friction, Eigen::Vector3f(0, 1, 2));
    EXPECT_EQ(findLayerForce(forces, a, PairKind::VertexTriangle)->push, 4);
    EXPECT_EQ(findLayerForce(forces, b, PairKind::VertexTriangle), nullptr);
    EXPECT_EQ(findLayerForce({}, a, PairKind::EdgeEdge), nullptr);
}

TEST(LayerForces, PushTheSidesApartAndKeepMomentum) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> range(-1, 1);
    for (int k = 0; k < 200; ++k) {
        linalg::BlockVector x(4), b(4);
        b.setZero();
        for (Index i = 0; i < 4; ++i) x[i] = Vec3(range(random), range(random), range(random));
        const auto kind = k % 2 ? PairKind::EdgeEdge : PairKind::VertexTriangle;
        const std::vector<LayerForce> forces{{{0, 1, 2, 3}, kind, 3}};
        addLayerForces(forces, x, 0.5, b);
        const auto closest = geometry::closestPoints(kind, {x[0], x[1], x[2], x[3]});
        Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
        double work = 0, squares = 0;  // work of the push in a displacement b
        for (Index i = 0; i < 4; ++i) {
            linear += b[i];
            angular += Vec3(x[i]).cross(Vec3(b[i]));
            work += closest.weights[i] * closest.apart.dot(b[i]);
            squares += closest.weights[i] * closest.weights[i];
        }
        EXPECT_LE(linear.norm(), 1e-14);
        EXPECT_LE(angular.norm(), 1e-13);
        EXPECT_NEAR(work, 0.5 * 3 * squares * closest.distance(), 1e-12);
    }
}

}  // namespace
}  // namespace clothlab::contact
