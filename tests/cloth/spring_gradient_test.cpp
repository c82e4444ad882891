#include <gtest/gtest.h>

#include "cloth/spring_gradient.hpp"
#include "samples.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockVector;

struct LawOf {
    bool tensionOnly;
    BendModel bend;
};
constexpr LawOf kLinearLaws[] = {{true, BendModel::LinearCompression},
                                 {false, BendModel::Linear},
                                 {true, BendModel::LinearTension},
                                 {false, BendModel::LinearCompression}};

MaterialSettings undamped(const LawOf& law) {
    MaterialSettings material = samples::evenMaterial();
    material.stretchDamping = material.shearDamping = material.bendDamping = 0;
    material.tensionOnly = law.tensionOnly;
    material.bendModel = law.bend;
    return material;
}

ForceModel modelOf(const ClothModel& cloth, const MaterialSettings& material) {
    ForceModel forces;
    forces.configure(cloth, std::span(&material, 1), {});
    return forces;
}

BlockVector expectedOf(const ForceModel& forces, const BlockVector& x) {
    Environment env;
    env.gravity.setZero();
    return samples::forcesOf(forces, env, x, BlockVector(x.size()));
}

TEST(SpringGradient, IsTheForceOfTheModel) {
    WorkerPool pool;
    for (const Topology topology : {Topology::Liu, Topology::Provot12, Topology::ChoiKo16})
        for (const auto& [rows, columns] : {std::pair{2, 2}, {3, 5}, {9, 11}, {40, 37}})
            for (const LawOf& law : kLinearLaws) {
                const samples::Sample s = samples::crumpled(rows, columns, topology);
                const ForceModel forces = modelOf(s.model, undamped(law));
                const BlockVector expected = expectedOf(forces, s.x);
                SpringGradient gradient;
                ASSERT_TRUE(gradient.configure(s.model, forces));
                BlockVector f(s.x.size());
                gradient.add(s.x, f, pool);
                EXPECT_LT((f.flat() - expected.flat()).norm(), 1e-13 * expected.flat().norm())
                    << rows << "x" << columns;
                gradient.add(s.x, f, pool);  // adds to f
                EXPECT_LT((f.flat() - 2 * expected.flat()).norm(), 1e-13 * expected.flat().norm());
            }
}

TEST(SpringGradient, StaysExactWhereSpringsAreNearlyAtRest) {
    samples::Sample s = samples::crumpled(20, 20, Topology::Liu, 1e-6);
    const ForceModel forces = modelOf(s.model, undamped({false, BendModel::Linear}));
    const BlockVector expected = expectedOf(forces, s.x);
    SpringGradient gradient;
    ASSERT_TRUE(gradient.configure(s.model, forces));
    BlockVector f(s.x.size());
    WorkerPool pool;
    gradient.add(s.x, f, pool);
    EXPECT_LT((f.flat() - expected.flat()).norm(), 1e-6 * expected.flat().norm());
}

TEST(SpringGradient, HasTheSameBitsAtAnyNumberOfThreads) {
    const samples::Sample s = samples::crumpled(60, 55, Topology::Liu);
    const ForceModel forces = modelOf(s.model, undamped(kLinearLaws[0]));
    BlockVector expected;
    for (const int threads : {1, 2, 4}) {
        WorkerPool pool(threads, 1);
        SpringGradient gradient;
        ASSERT_TRUE(gradient.configure(s.model, forces));
        BlockVector f(s.x.size());
        gradient.add(s.x, f, pool);
        if (threads == 1) expected = f;
        EXPECT_TRUE(f == expected) << threads;
    }
}

TEST(SpringGradient, ASpringWithoutLengthHasNoForce) {
    samples::Sample s = samples::crumpled(8, 8, Topology::Liu);
    for (Index i = 0; i < s.x.size(); ++i) s.x[i] = s.x[0];
    for (const LawOf& law : kLinearLaws) {
        const ForceModel forces = modelOf(s.model, undamped(law));
        SpringGradient gradient;
        ASSERT_TRUE(gradient.configure(s.model, forces));
        BlockVector f(s.x.size());
        WorkerPool pool;
        gradient.add(s.x, f, pool);
        EXPECT_EQ(f.flat().norm(), 0);
    }
}

TEST(SpringGradient, RefusesACurvedBendAndFollowsTheMaterial) {
    const samples::Sample s = samples::crumpled(8, 8, Topology::Liu);
    MaterialSettings material = undamped({true, BendModel::ChoiKoExact});
    ForceModel forces = modelOf(s.model, material);
    SpringGradient gradient;
    EXPECT_FALSE(gradient.configure(s.model, forces));
    WorkerPool pool;
    for (const double stiffness : {30.0, 70.0}) {
        material.bendModel = BendModel::Linear;
        material.stretchStiffness = stiffness;
        forces.configure(s.model, std::span(&material, 1), {});
        ASSERT_TRUE(gradient.configure(s.model, forces));
        BlockVector f(s.x.size());
        gradient.add(s.x, f, pool);
        const BlockVector expected = expectedOf(forces, s.x);
        EXPECT_LT((f.flat() - expected.flat()).norm(), 1e-13 * expected.flat().norm());
    }
}

}  // namespace
}  // namespace clothlab::cloth
