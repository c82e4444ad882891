#include <gtest/gtest.h>

#include "samples.hpp"
#include "twin.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockVector;

double relative(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - b).norm() / std::max(b.norm(), 1e-30);
}

void expectSameMatrix(const linalg::BlockMatrix& A, const linalg::BlockMatrix& expected) {
    double scale = 0, error = 0;
    for (Index k = 0; k < A.pattern().blocks(); ++k) {
        scale = std::max(scale, expected.block(k).norm());
        error = std::max(error, (A.block(k) - expected.block(k)).norm());
        ASSERT_EQ(A.occupied(k), expected.occupied(k)) << "block " << k;
    }
    EXPECT_LE(error, 1e-12 * scale);
}

struct Scene {
    samples::Sample cloth;
    std::vector<MaterialSettings> materials;
    ImplicitSplit split;
    Environment env = defaultEnvironment();

    static Environment defaultEnvironment() {
        static const PointForce points[] = {{3, {0.1, 0.2, -2}}, {3, {1, 0, 0}}};
        static const AnchorSpring anchors[] = {{5, {0.1, 0.3, 0}, {0, 0.5, 0}, 30, 2}, {5, {0, 0, 1}, {0, 0, 0}, 3, 0}};
        Environment env;
        env.pointForces = points;
        env.anchors = anchors;
        env.wind.velocity = Vec3(1, 2, 3);
        env.wind.linearDrag = 0.01;
        return env;
    }
};

/// Assembles into `A`, which may hold another state, and compares everything with the twin.
void expectTwin(const Scene& s, linalg::BlockMatrix& A, ForceModel& model) {
    const AssemblyCoefficients c{0.011, 0.00023, 0.017, 0.00031};  // all different: a mix-up shows
    model.configure(s.cloth.model, s.materials, s.split);
    WorkerPool pool(1);
    BlockVector b;
    const auto& [mesh, x, v, u] = s.cloth;
    model.assemble(s.env, {x, v, u}, c, {A, b}, pool);
    const twin::System expected = twin::assemble(mesh, s.materials, s.split, s.env, x, v, u, c, model.pattern());
    expectSameMatrix(A, expected.A);
    EXPECT_LE(relative(b.flat(), expected.b.flat()), 1e-12);
    EXPECT_LE(relative(samples::forcesOf(model, s.env, x, v).flat(), expected.f.flat()), 1e-12);
    EXPECT_TRUE(A.symmetricBlocks());
}

TEST(Twin, EveryBendModelDampingModelAndGate) {
    linalg::BlockMatrix A;
    ForceModel model;
    unsigned seed = 1;
    for (const EnumEntry& bend : enumTable(BendModel{}))
        for (const EnumEntry& damping : enumTable(DampingModel{}))
            for (const EnumEntry& gate : enumTable(DampGate{}))
                for (const bool tensionOnly : {true, false}) {
                    MaterialSettings m = samples::evenMaterial();
                    m.bendModel = static_cast<BendModel>(bend.value);
                    m.dampingModel = static_cast<DampingModel>(damping.value);
                    m.dampGate = static_cast<DampGate>(gate.value);
                    m.tensionOnly = tensionOnly;
                    m.jacSlack = seed % 3 == 0;
                    SCOPED_TRACE(std::string(bend.key) + " " + std::string(damping.key) + " " + std::string(gate.key));
                    expectTwin({samples::crumpled(6, 5, Topology::ChoiKo16, 0.5, seed++), {m}, {}}, A, model);
                }
}

TEST(Twin, UndampedAndWithoutStiffness) {
    linalg::BlockMatrix A;
    ForceModel model;
    MaterialSettings m = samples::evenMaterial();
    m.stretchDamping = m.shearDamping = m.bendDamping = 0;
    expectTwin({samples::crumpled(6, 5, Topology::Provot12), {m}, {}}, A, model);
    m.shearStiffness = m.bendStiffness = 0;
    expectTwin({samples::crumpled(6, 5, Topology::Liu), {m}, {}}, A, model);
}

TEST(Twin, EverySplit) {
    linalg::BlockMatrix A;
    ForceModel model;
    for (int bits = 0; bits < 64; ++bits) {
        ImplicitSplit split;
        for (int f = 0; f < kFamilies; ++f) {
            split.elastic[f] = (bits >> f) & 1;
            split.damping[f] = (bits >> (kFamilies + f)) & 1;
        }
        MaterialSettings m = samples::evenMaterial();
        m.dampingModel = bits % 2 ? DampingModel::Projected : DampingModel::Absolute;
        SCOPED_TRACE(bits);
        expectTwin({samples::crumpled(5, 5, Topology::Provot12, 0.4, 7), {m}, split}, A, model);
    }
}

TEST(Twin, TwoClothsOfDifferentMaterial) {
    Scene s;
    s.cloth = samples::crumpled(5, 4, Topology::Provot12);
    samples::Sample second = samples::crumpled(6, 7, Topology::ChoiKo16, 0.4, 9);
    appendGrid(s.cloth.model, {6, 7}, Topology::ChoiKo16, 0.1, second.model.rest, MaterialSettings{});
    for (BlockVector samples::Sample::*member : {&samples::Sample::x, &samples::Sample::v, &samples::Sample::u}) {
        BlockVector joined(20 + 42);
        for (Index i = 0; i < 20; ++i) joined[i] = (s.cloth.*member)[i];
        for (Index i = 0; i < 42; ++i) joined[20 + i] = (second.*member)[i];
        s.cloth.*member = joined;
    }
    s.materials = {samples::evenMaterial(), samples::evenMaterial()};
    s.materials[1].bendModel = BendModel::LinearCompression;
    s.materials[1].dampingModel = DampingModel::Absolute;
    s.materials[1].stretchStiffness = 300;
    linalg::BlockMatrix A;
    ForceModel model;
    expectTwin(s, A, model);
}

// Parts of a cloth, mixed so that every pair of materials meets in every family.
TEST(Twin, PartsOfDifferentMaterial) {
    Scene s;
    s.cloth = samples::crumpled(9, 11, Topology::ChoiKo16, 0.4, 3);
    s.materials.assign(3, samples::evenMaterial());
    s.materials[1].bendModel = BendModel::LinearCompression;
    s.materials[1].dampingModel = DampingModel::Absolute;
    s.materials[1].stretchStiffness = 300;
    s.materials[2].tensionOnly = false;
    s.materials[2].shearStiffness /= 3;
    s.materials[2].bendStiffness *= 2;
    std::vector<std::uint16_t> of(99);
    for (Index i = 0; i < 99; ++i) of[i] = std::uint16_t(i * i % 7 % 3);
    setMaterials(s.cloth.model, of);
    applyMaterials(s.cloth.model, s.materials);
    linalg::BlockMatrix A;
    ForceModel model;
    expectTwin(s, A, model);
}

TEST(Twin, ManyChunksAndHalosOverSeveralOfThem) {
    linalg::BlockMatrix A;
    ForceModel model;
    for (const auto& [rows, columns] : {std::pair{45, 47}, {7, 600}, {4, 1100}, {600, 4}})
        expectTwin({samples::crumpled(rows, columns, Topology::ChoiKo16, 0.4), {samples::evenMaterial()}, {}}, A,
                   model);
}

TEST(Twin, BlocksThatGoSlackBecomeEmpty) {
    linalg::BlockMatrix A;
    ForceModel model;
    Scene s{samples::crumpled(12, 12, Topology::Provot12, 0.0), {samples::evenMaterial()}, {}};
    const BlockVector rest = s.cloth.x;
    for (const double scale : {1.1, 0.9, 1.1, 1.0}) {
        for (Index i = 0; i < rest.size(); ++i) s.cloth.x[i] = scale * rest[i];
        expectTwin(s, A, model);
        Index stretchPairs = 0, bendPairs = 0;
        for (const Spring& e : s.cloth.model.springs)
            (e.family == SpringFamily::Bend ? bendPairs : stretchPairs) += A.occupied(A.pattern().find(e.i, e.j));
        if (scale == 1.0) {
            EXPECT_EQ(stretchPairs, 2 * 12 * 11 + 2 * 11 * 11);
        } else {
            EXPECT_EQ(stretchPairs > 0, scale > 1);
            EXPECT_EQ(bendPairs > 0, scale < 1);
        }
    }
}

}  // namespace
}  // namespace clothlab::cloth
