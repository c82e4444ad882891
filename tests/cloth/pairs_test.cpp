#include <gtest/gtest.h>

#include <cstring>

#include "samples.hpp"
#include "support/dense_matrix.hpp"

/// Contributions of particle pairs to forces, matrix, pattern and core.
namespace clothlab::cloth {
namespace {

using linalg::BlockMatrix;
using linalg::BlockVector;
using mechanics::PairTerm;
using testing::DenseMatrix;

constexpr double kStep = 0.01;
constexpr Index kSide = 8;

/// Pairs as repulsion makes them: across the sheet, and some that are stretch, shear and bend springs already; and two
/// pushes from outside.
std::vector<PairTerm> somePairs(bool implicit, unsigned seed = 9) {
    std::mt19937 random(seed);
    std::vector<PairTerm> out;
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 1},
                               {0, 63},
                               {1, 10},
                               {2, PairTerm::kOutside},
                               {2, 4},
                               {5, 40},
                               {5, 41},
                               {9, 20},
                               {17, PairTerm::kOutside},
                               {30, 33},
                               {30, 62},
                               {55, 63}}) {
        const Vec3 n = samples::randomVector(random, 1).normalized();
        out.push_back({.i = i,
                       .j = j,
                       .force = samples::randomVector(random, 3),
                       .stiffness = 70.0 * Mat3(n * n.transpose()),
                       .damping = 0.2 * Mat3::Identity(),
                       .implicit = implicit});
    }
    return out;
}

struct Fixture {
    samples::Sample s = samples::crumpled(kSide, kSide, Topology::ChoiKo16, 0.4, 3);
    MaterialSettings material = samples::evenMaterial();
    ForceModel model;
    WorkerPool pool{1};
    BlockMatrix A;
    BlockVector b;

    explicit Fixture(const ImplicitSplit& split = {}) { model.configure(s.model, {&material, 1}, split); }
    void assemble() { model.assemble(samples::still(), {s.x, s.v, s.u}, samples::backwardEuler(kStep), {A, b}, pool); }
};

void expectAdded(const Fixture& with, const Fixture& without, const std::vector<PairTerm>& pairs) {
    DenseMatrix A(without.A), b = without.b;
    for (const PairTerm& p : pairs) {
        Vec3 push = kStep * p.force;
        if (p.implicit) {
            const Mat3 own = kStep * kStep * p.stiffness + kStep * p.damping;
            A.addBlock(p.i, p.i, own);
            const bool outside = p.j == PairTerm::kOutside;
            const Vec3 uj = outside ? Vec3(Vec3::Zero()) : Vec3(with.s.u[p.j]);
            push += kStep * kStep * p.stiffness * (uj - with.s.u[p.i]);
            if (!outside) {
                A.addBlock(p.j, p.j, own);
                A.addBlock(p.i, p.j, -own);
                A.addBlock(p.j, p.i, -own);
            }
        }
        b.addTriple(p.i, push);
        if (p.j != PairTerm::kOutside) b.addTriple(p.j, -push);
    }
    EXPECT_LE((DenseMatrix(with.A) - A).norm(), 1e-14 * A.norm());
    EXPECT_LE((with.b - b).norm(), 1e-14 * b.norm());
}

ImplicitSplit stretchOnly() {
    ImplicitSplit split;
    for (const SpringFamily f : {SpringFamily::Shear, SpringFamily::Bend})
        split.elastic[int(f)] = split.damping[int(f)] = false;
    return split;
}

TEST(ParticlePairs, AddTheirJacobiansAndForces) {
    for (const ImplicitSplit& split : {ImplicitSplit{}, stretchOnly()})
        for (const bool implicit : {true, false}) {
            Fixture with(split), without(split);
            const std::vector<PairTerm> pairs = somePairs(implicit);
            with.model.setPairs(pairs);
            EXPECT_EQ(with.model.implicitPairs(), implicit ? 12 : 0);
            without.assemble();
            for (int repeat = 0; repeat < 2; ++repeat) {  // the second must not accumulate
                with.assemble();
                expectAdded(with, without, pairs);
            }
            EXPECT_EQ(with.A.pattern().revision == with.model.coreMask().revision, true);
            const DenseMatrix A(with.A);
            EXPECT_EQ(A, A.transpose());
            const double lightest = *std::min_element(with.s.model.mass.begin(), with.s.model.mass.end());
            EXPECT_GE(A.symmetricEigenvalues()[0], lightest * (1 - 1e-9));
        }
}

// A spring that goes slack under a pair must remove its own share, and a new set of pairs the share of the old one.
TEST(ParticlePairs, LeaveNothingBehind) {
    Fixture used;
    const samples::Sample other = samples::crumpled(kSide, kSide, Topology::ChoiKo16, 0.7, 12);
    const std::vector<PairTerm> first = somePairs(true), second = somePairs(true, 21);
    std::vector<PairTerm> fewer(second.begin() + 2, second.end());
    used.model.setPairs(first);
    used.assemble();
    used.s.x = other.x;
    for (const std::vector<PairTerm>& pairs : {second, fewer, {}}) {
        used.model.setPairs(pairs);
        used.assemble();
        Fixture fresh, without;
        fresh.s.x = without.s.x = other.x;
        fresh.model.setPairs(pairs);
        fresh.assemble();
        without.assemble();
        expectAdded(used, without, pairs);
        EXPECT_EQ(used.b, fresh.b);
        ASSERT_EQ(used.A.pattern().column, fresh.A.pattern().column);
        const auto blocks = std::size_t(used.A.pattern().blocks());
        EXPECT_EQ(std::memcmp(used.A.blockData(0), fresh.A.blockData(0), 72 * blocks), 0);
        EXPECT_EQ(std::memcmp(used.A.occupiedData(), fresh.A.occupiedData(), blocks), 0);
    }
}

TEST(ParticlePairs, ThePatternChangesWithTheSetAlone) {
    Fixture f;
    const auto own = f.model.pattern();
    std::vector<PairTerm> pairs = somePairs(true);
    f.model.setPairs(pairs);
    const auto wider = f.model.pattern();
    EXPECT_EQ(wider->blocks(), own->blocks() + 2 * 6);  // four of the ten are springs
    for (PairTerm& p : pairs) p.stiffness *= 2, p.force *= -1;
    f.model.setPairs(pairs);
    EXPECT_EQ(f.model.pattern(), wider);
    pairs.pop_back();
    f.model.setPairs(pairs);
    EXPECT_NE(f.model.pattern(), wider);
    f.model.setPairs(somePairs(false));
    EXPECT_EQ(f.model.pattern(), own);
    EXPECT_EQ(f.model.pairs().size(), 12u);
    f.model.setPairs({});
    EXPECT_EQ(f.model.pattern(), own);
    f.model.setPairs(somePairs(true));
    f.model.configure(f.s.model, {&f.material, 1},
                      stretchOnly());  // another split discards the pairs
    EXPECT_EQ(f.model.implicitPairs(), 0);
    f.assemble();
}

TEST(ParticlePairs, AreInTheCore) {
    Fixture f;
    const linalg::CoreMask own = f.model.coreMask();
    const auto before = f.model.pattern();
    f.model.setPairs(somePairs(true));
    const linalg::BlockPattern& p = *f.model.pattern();
    const linalg::CoreMask& core = f.model.coreMask();
    EXPECT_EQ(core.revision, p.revision);
    ASSERT_EQ(Index(core.offDiagonal.size()), p.blocks());
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
            const Index was = before->find(i, p.column[k]);
            int expected = was >= 0 ? own.offDiagonal[was] : 0;
            for (const PairTerm& t : f.model.pairs())
                if (std::pair{t.i, t.j} == std::pair{i, p.column[k]} ||
                    std::pair{t.j, t.i} == std::pair{i, p.column[k]})
                    expected |= linalg::CoreMask::kContact;
            EXPECT_EQ(core.offDiagonal[k], expected);
        }
}

TEST(ParticlePairs, ForcesAndTheStabilitySum) {
    Fixture f;
    const BlockVector alone = samples::forcesOf(f.model, samples::still(), f.s.x, f.s.v);
    const double sum = f.model.explicitStabilitySum(kStep);
    // One pair on the particle that has the largest sum decides the new one.
    const Vec3 n = Vec3(1, 2, -2) / 3;
    PairTerm pair{.i = 0,
                  .j = 63,
                  .force = Vec3(1, 2, 3),
                  .stiffness = 9000 * Mat3(n * n.transpose()),
                  .damping = 4 * Mat3::Identity(),
                  .implicit = false};
    f.model.setPairs({&pair, 1});
    const BlockVector with = samples::forcesOf(f.model, samples::still(), f.s.x, f.s.v);
    EXPECT_EQ(Vec3(with[0] - alone[0]).isApprox(pair.force), true);
    EXPECT_EQ(Vec3(with[63] - alone[63]).isApprox(-pair.force), true);
    BlockVector explicitPart;
    f.model.explicitForces(samples::still(), f.s.x, f.s.v, explicitPart, f.pool);
    EXPECT_EQ(Vec3(explicitPart[0]), pair.force);  // every spring is implicit here
    const double lightest = std::min(f.s.model.mass[0], f.s.model.mass[63]);
    EXPECT_GT(f.model.explicitStabilitySum(kStep), sum);
    EXPECT_NEAR(f.model.explicitStabilitySum(kStep, ForceModel::Terms::Explicit),
                kStep / lightest * (kStep * 9000 + 2 * 4), 1e-9);
    pair.implicit = true;
    f.model.setPairs({&pair, 1});
    EXPECT_EQ(f.model.explicitStabilitySum(kStep, ForceModel::Terms::Explicit), 0);
    f.model.setPairs({});
    EXPECT_EQ(f.model.explicitStabilitySum(kStep), sum);
}

}  // namespace
}  // namespace clothlab::cloth
