#include <gtest/gtest.h>

#include <cstring>

#include "samples.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockMatrix;
using linalg::BlockVector;
using testing::DenseMatrix;

TEST(Assembly, BlockCounts) {
    const samples::Sample s = samples::crumpled(10, 10, Topology::ChoiKo16);
    const MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    EXPECT_EQ(model.pattern()->blocks(), 1360);
    ImplicitSplit stretchOnly;
    for (const SpringFamily f : {SpringFamily::Shear, SpringFamily::Bend})
        stretchOnly.elastic[int(f)] = stretchOnly.damping[int(f)] = false;
    model.configure(s.model, {&m, 1}, stretchOnly);
    EXPECT_EQ(model.pattern()->blocks(), 460);
}

TEST(Assembly, PatternLastsWhileOnlyValuesChange) {
    const samples::Sample s = samples::crumpled(5, 5, Topology::Provot12);
    MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    const auto pattern = model.pattern();
    m.stretchStiffness *= 2;
    model.configure(s.model, {&m, 1}, {});
    EXPECT_EQ(model.pattern(), pattern);
    ImplicitSplit split;
    split.elastic[int(SpringFamily::Bend)] = false;  // its damping stays implicit: the blocks stay
    model.configure(s.model, {&m, 1}, split);
    EXPECT_EQ(model.pattern(), pattern);
    split.damping[int(SpringFamily::Bend)] = false;
    model.configure(s.model, {&m, 1}, split);
    EXPECT_NE(model.pattern(), pattern);
}

TEST(Assembly, NewModelAtTheSameAddressIsNoticed) {
    MaterialSettings m = samples::evenMaterial();
    ForceModel model;
    WorkerPool pool(1);
    ClothModel mesh;
    for (const double spacing : {0.1, 0.2}) {
        const geometry::GridPatch grid{4, 4};
        mesh = ClothModel{};
        appendGrid(mesh, grid, Topology::Provot12, spacing, samples::flat(grid, spacing), m);
        model.configure(mesh, {&m, 1}, {});
        const BlockVector rest = mesh.rest, still(rest.size());
        EXPECT_LE(samples::forcesOf(model, samples::still(), rest, still).flat().norm(), 1e-12) << spacing;
    }
}

TEST(Assembly, CoreHoldsTheStretchSprings) {
    const samples::Sample s = samples::crumpled(10, 10, Topology::Provot12);
    const MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    const linalg::BlockPattern& p = *model.pattern();
    const linalg::CoreMask& core = model.coreMask();
    ASSERT_EQ(Index(core.offDiagonal.size()), p.blocks());
    std::vector<std::uint8_t> expected(core.offDiagonal.size(), 0);
    for (Index i = 0; i < p.rows; ++i) expected[p.diagonal[i]] = 1;
    for (const Spring& e : s.model.springs)
        if (e.family != SpringFamily::Bend)
            for (const Index k : {p.find(e.i, e.j), p.find(e.j, e.i)})
                expected[k] = e.family == SpringFamily::Stretch ? linalg::CoreMask::kCore : linalg::CoreMask::kShear;
    EXPECT_EQ(core.offDiagonal, expected);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), linalg::CoreMask::kCore), 460);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), linalg::CoreMask::kShear), 2 * 2 * 81);
}

struct Assembled {
    BlockMatrix A;
    BlockVector b;
};

Assembled assembled(ForceModel& model, const samples::Sample& s, double h, const Environment& env, WorkerPool& pool) {
    Assembled out;
    model.assemble(env, {s.x, s.v, s.v}, samples::backwardEuler(h), {out.A, out.b}, pool);
    return out;
}

TEST(Assembly, SymmetricPositiveAndBounded) {
    WorkerPool pool(1);
    for (const EnumEntry& bend : enumTable(BendModel{}))
        for (const bool tensionOnly : {true, false}) {
            const samples::Sample s = samples::crumpled(6, 6, Topology::ChoiKo16, 0.5, 5);
            MaterialSettings m = samples::evenMaterial();
            m.stretchStiffness = 2000;
            m.bendModel = static_cast<BendModel>(bend.value);
            m.tensionOnly = tensionOnly;
            ForceModel model;
            model.configure(s.model, {&m, 1}, {});
            constexpr double h = 0.01;
            const DenseMatrix A(assembled(model, s, h, samples::still(), pool).A);
            EXPECT_LE((A - A.transpose()).norm(), 1e-14 * A.norm());
            const DenseMatrix eigenvalues = A.symmetricEigenvalues();
            const double lightest = *std::min_element(s.model.mass.begin(), s.model.mass.end());
            EXPECT_GE(eigenvalues[0], lightest * (1 - 1e-9));
            // A 1 = M 1 per axis
            for (int axis = 0; axis < 3; ++axis) {
                DenseMatrix one = DenseMatrix::zero(A.rows(), 1), mass = one;
                for (Index i = 0; i < s.x.size(); ++i) {
                    one[3 * i + axis] = 1;
                    mass[3 * i + axis] = s.model.mass[i];
                }
                EXPECT_LE((A * one - mass).norm(), 1e-13 * A.norm());
            }
            // lambda(M^-1 A) <= 1 + max_i (2/m_i) sum (h^2 k + h d)
            DenseMatrix root = DenseMatrix::zero(A.rows(), A.rows());  // M^-1/2
            for (Index i = 0; i < A.rows(); ++i) root(i, i) = 1 / std::sqrt(s.model.mass[i / 3]);
            const DenseMatrix spectrum = (root * A * root).symmetricEigenvalues();
            MaterialSettings halfDamping = m;  // explicitStabilitySum holds h^2 k + 2 h d: halve d for the bound
            halfDamping.stretchDamping /= 2, halfDamping.shearDamping /= 2, halfDamping.bendDamping /= 2;
            model.configure(s.model, {&halfDamping, 1}, {});
            const double bound = 1 + 2 * model.explicitStabilitySum(h);
            EXPECT_LE(spectrum.maxCoeff(), bound);
            EXPECT_GE(spectrum.maxCoeff(), 0.1 * bound);  // the bound is not too loose
        }
}

// material.compression = full: A = M - h^2 df/dx with all of df/dx, and b has the same K. Without clamping, A may be
// indefinite.
TEST(Assembly, FullCompressionIsTheDerivativeOfTheForces) {
    WorkerPool pool(1);
    for (const MembraneModel membrane : {MembraneModel::Springs, MembraneModel::Triangles}) {
        const samples::Sample s = samples::crumpled(5, 5, Topology::ChoiKo16, 0.4, 3);
        MaterialSettings m = samples::evenMaterial();
        m.tensionOnly = false;
        m.membrane = membrane;
        m.stretchStiffness = 2000;
        m.stretchDamping = m.shearDamping = m.bendDamping = 0;
        m.compression = CompressionModel::Full;
        ForceModel model;
        model.configure(s.model, {&m, 1}, {});
        constexpr double h = 0.01, eps = 1e-7;
        const Assembled full = assembled(model, s, h, samples::still(), pool);
        const DenseMatrix A(full.A);
        DenseMatrix expected = DenseMatrix::zero(A.rows(), A.rows());
        for (Index k = 0; k < A.rows(); ++k) {
            linalg::BlockVector right = s.x, left = s.x;
            right.data()[k] += eps, left.data()[k] -= eps;
            const linalg::BlockVector f = samples::forcesOf(model, samples::still(), right, s.v),
                                      g = samples::forcesOf(model, samples::still(), left, s.v);
            for (Index i = 0; i < A.rows(); ++i)
                expected(i, k) = (i == k ? s.model.mass[i / 3] : 0) - h * h * (f.data()[i] - g.data()[i]) / (2 * eps);
        }
        EXPECT_LE((A - expected).norm(), 1e-6 * expected.norm()) << int(membrane);
        EXPECT_LT(A.symmetricEigenvalues()[0], 0);

        // b = h f + h^2 K v with K = (M - A) / h^2
        const linalg::BlockVector f = samples::forcesOf(model, samples::still(), s.x, s.v);
        double apart = 0, size = 0;
        for (Index i = 0; i < A.rows(); ++i) {
            double row = s.model.mass[i / 3] * s.v.data()[i];
            for (Index k = 0; k < A.rows(); ++k) row -= A(i, k) * s.v.data()[k];
            apart = std::max(apart, std::abs(full.b.data()[i] - h * f.data()[i] - row));
            size = std::max(size, std::abs(full.b.data()[i]));
        }
        EXPECT_LE(apart, 1e-12 * size);

        m.compression = CompressionModel::Clamped;
        model.configure(s.model, {&m, 1}, {});
        EXPECT_GT(DenseMatrix(assembled(model, s, h, samples::still(), pool).A).symmetricEigenvalues()[0], 0);
    }
}

TEST(Assembly, LinearMomentum) {  // 1^T b = h sum f_ext
    WorkerPool pool(1);
    const samples::Sample s = samples::crumpled(20, 30, Topology::ChoiKo16);
    const MaterialSettings m = samples::evenMaterial();
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    constexpr double h = 0.01;
    Environment env;
    const Assembled system = assembled(model, s, h, env, pool);
    Vec3 sum = Vec3::Zero(), expected = Vec3::Zero();
    for (Index i = 0; i < s.x.size(); ++i) {
        sum += system.b[i];
        expected += h * s.model.mass[i] * env.gravity;
    }
    EXPECT_LE((sum - expected).norm(), 1e-12 * system.b.flat().norm());
}

bool sameBits(const BlockVector& a, const BlockVector& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), 24 * std::size_t(a.size())) == 0;
}

bool sameBits(const BlockMatrix& a, const BlockMatrix& b) {
    const auto blocks = std::size_t(a.pattern().blocks());
    return std::memcmp(a.blockData(0), b.blockData(0), 72 * blocks) == 0 &&
           std::memcmp(a.occupiedData(), b.occupiedData(), blocks) == 0;
}

TEST(Assembly, SameBitsAtAnyNumberOfThreads) {
    const samples::Sample s = samples::crumpled(50, 61, Topology::ChoiKo16);
    MaterialSettings m = samples::evenMaterial();
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    Environment env;
    env.wind.velocity = Vec3(3, 1, 0);
    env.wind.dragCoefficient = 1;
    env.wind.gust = 0.5;
    env.wind.linearDrag = 0.01;
    WorkerPool one(1, 0);
    const Assembled reference = assembled(model, s, 0.01, env, one);
    BlockVector force;
    model.forces(env, s.x, s.v, force, one);
    const ForceModel::Energies energy = model.energies(env, s.x, s.v, one);
    for (const int threads : {2, 4}) {
        WorkerPool pool(threads, 0);
        for (int repeat = 0; repeat < 5; ++repeat) {
            const Assembled again = assembled(model, s, 0.01, env, pool);
            EXPECT_TRUE(sameBits(again.A, reference.A));
            EXPECT_TRUE(sameBits(again.b, reference.b));
            BlockVector f;
            model.forces(env, s.x, s.v, f, pool);
            EXPECT_TRUE(sameBits(f, force));
            const ForceModel::Energies e = model.energies(env, s.x, s.v, pool);
            EXPECT_EQ(e.total(), energy.total());
            EXPECT_EQ(e.maxStrain, energy.maxStrain);
        }
    }
}

TEST(Assembly, AMatrixInUseGivesTheBitsOfAFreshOne) {
    samples::Sample s = samples::crumpled(30, 30, Topology::Provot12, 0.3);
    MaterialSettings m = samples::evenMaterial();
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    WorkerPool pool(1);
    Assembled used = assembled(model, s, 0.01, {}, pool);
    const samples::Sample other = samples::crumpled(30, 30, Topology::Provot12, 0.6, 2);
    s.x = other.x, s.v = other.v;
    model.assemble({}, {s.x, s.v, s.v}, samples::backwardEuler(0.01), {used.A, used.b}, pool);
    const Assembled fresh = assembled(model, s, 0.01, {}, pool);
    EXPECT_TRUE(sameBits(used.A, fresh.A));
    EXPECT_TRUE(sameBits(used.b, fresh.b));
    EXPECT_LT(fresh.A.occupiedBlocks(), fresh.A.pattern().blocks());
}

TEST(Assembly, ThinFamiliesAndTinyClothsDoNotCrash) {
    WorkerPool pool(2, 0);
    MaterialSettings m = samples::evenMaterial();
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 700}}) {
        const samples::Sample s = samples::crumpled(rows, columns, Topology::ChoiKo16);
        ForceModel model;
        model.configure(s.model, {&m, 1}, {});
        const Assembled system = assembled(model, s, 0.01, {}, pool);
        EXPECT_EQ(system.b.size(), rows * columns);
        EXPECT_TRUE(system.b.flat().allFinite());
    }
}

}  // namespace
}  // namespace clothlab::cloth
