#include "linalg/packed_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/vector_kernels.hpp"
#include "support/random_systems.hpp"

namespace clothlab::linalg {
namespace {

using clothlab::testing::randomSystem;

class PackedMatrixTest : public ::testing::TestWithParam<bool> {};

// 1300 rows in three chunks, bandwidth 600: halos reach across a whole chunk into the next one.
TEST_P(PackedMatrixTest, EqualsThePlainProductAcrossChunks) {
    const bool asymmetric = GetParam();
    auto system = randomSystem(1300, 3, 0.0, asymmetric, 4);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i + 600 < 1300; i += 3) pairs.emplace_back(i, i + 600);
    for (Index i = 0; i + 1 < 1300; ++i) pairs.emplace_back(i, i + 1);
    BlockMatrix A(makePattern(1300, pairs));
    std::mt19937 rng(5);
    for (const auto& [i, j] : pairs) {
        Mat3 B = testing::randomVec3(rng) * testing::randomVec3(rng).transpose();
        if (!asymmetric) B = (B + B.transpose()).eval();
        linalg::addPair(A, i, j, B);
    }
    for (Index i = 0; i < 1300; ++i) A.diagonal(i) = Mat3::Identity() * (1 + i % 5);
    A.setSymmetricBlocks(!asymmetric);

    const BlockVector& x = system.b;
    BlockVector plain(1300), packed(1300);
    multiply(A, x, plain);
    WorkerPool one(1);
    PackedMatrix P;
    P.build(A, one);
    const double dotted = P.multiplyDot(x, packed, one);
    EXPECT_LT(testing::distance(packed, plain), 1e-13 * testing::norm(plain));
    EXPECT_NEAR(dotted, testing::dot(x, plain), 1e-12 * testing::norm(x) * testing::norm(plain));
    EXPECT_EQ(P.blocks(), A.occupiedBlocks());

    for (const int threads : {2, 4}) {
        WorkerPool pool(threads, 0);
        PackedMatrix Q;
        Q.build(A, pool);
        BlockVector y(1300);
        EXPECT_EQ(Q.multiplyDot(x, y, pool), dotted) << threads;
        EXPECT_TRUE(y == packed) << threads;
    }

    PackedMatrix narrow;
    narrow.build(A, one, {.precision = Precision::Single});
    BlockVector y(1300);
    const double ofRounded = narrow.multiplyDot(x, y, one);
    const double error = testing::distance(y, plain) / testing::norm(plain);
    EXPECT_LT(error, 1e-7);
    EXPECT_GT(error, 1e-11);
    EXPECT_NEAR(ofRounded, testing::dot(x, y), 1e-12 * testing::norm(x) * testing::norm(plain));
    EXPECT_LT(narrow.bytes(), 0.65 * double(P.bytes()));  // halves the values, not the indices and halos
}
INSTANTIATE_TEST_SUITE_P(Blocks, PackedMatrixTest, ::testing::Values(false, true));

// A band of 3 and strays everywhere, many of them to the same row.
TEST_P(PackedMatrixTest, StraysOutsideOfTheBand) {
    const bool asymmetric = GetParam();
    constexpr Index n = 2600;
    std::mt19937 rng(11);
    std::vector<std::pair<Index, Index>> band, strays;
    for (Index i = 0; i + 3 < n; ++i) band.insert(band.end(), {{i, i + 1}, {i, i + 3}});
    std::uniform_int_distribution<Index> any(0, n - 1);
    while (strays.size() < 700)
        if (const Index i = any(rng), j = any(rng); i + 3 < j) strays.emplace_back(i, j);
    for (Index i = 0; i < n - 10; i += 40) strays.emplace_back(i, n - 2);
    std::sort(strays.begin(), strays.end());
    strays.erase(std::unique(strays.begin(), strays.end()), strays.end());
    std::vector<Index> position;
    BlockMatrix A(united(makePattern(n, band), strays, position));
    EXPECT_EQ(A.pattern().band, 3);
    for (const auto* pairs : {&band, &strays})
        for (const auto& [i, j] : *pairs) {
            Mat3 B = testing::randomVec3(rng) * testing::randomVec3(rng).transpose();
            if (!asymmetric) B = (B + B.transpose()).eval();
            if (any(rng) % 4 > 0) linalg::addPair(A, i, j, B);
        }
    for (Index i = 0; i < n; ++i) A.diagonal(i) = Mat3::Identity() * (1 + i % 5);
    A.setSymmetricBlocks(!asymmetric);
    BlockVector x(n), plain(n), packed(n);
    for (Index i = 0; i < n; ++i) x[i] = testing::randomVec3(rng);
    multiply(A, x, plain);
    WorkerPool one(1);
    PackedMatrix P;
    P.build(A, one);
    const double dotted = P.multiplyDot(x, packed, one);
    EXPECT_LT(testing::distance(packed, plain), 1e-13 * testing::norm(plain));
    EXPECT_NEAR(dotted, testing::dot(x, plain), 1e-12 * testing::norm(x) * testing::norm(plain));
    EXPECT_EQ(P.blocks(), A.occupiedBlocks());
    for (const int threads : {2, 4}) {
        WorkerPool pool(threads, 0);
        BlockVector y(n);
        P.build(A, pool);
        EXPECT_EQ(P.multiplyDot(x, y, pool), dotted) << threads;
        EXPECT_TRUE(y == packed) << threads;
    }
    P.build(A, one, {.precision = Precision::Single});
    P.multiplyDot(x, packed, one);
    EXPECT_LT(testing::distance(packed, plain), 1e-6 * testing::norm(plain));
    // Rows whose x is known are left out, with and without strays: zero there and exact elsewhere.
    std::vector<std::uint8_t> ndof(n);
    for (Index i = 0; i < n; ++i) {
        ndof[i] = std::uint8_t(i % 3 == 0 ? 0 : any(rng) % 3 + 1);
        if (ndof[i] == 0) x[i].setZero();
    }
    multiply(A, x, plain);
    const Index all = P.blocks();
    P.build(A, one, {}, ndof);
    EXPECT_LT(P.blocks(), all);
    EXPECT_NEAR(P.multiplyDot(x, packed, one), testing::dot(x, plain), 1e-12 * testing::norm(x) * testing::norm(plain));
    for (Index i = 0; i < n; ++i) {
        if (ndof[i] == 0) continue;
        EXPECT_LT((packed[i] - plain[i]).norm(), 1e-13 * (1 + plain[i].norm())) << i;
    }
    // The same object with another matrix: no stray of the first may remain.
    BlockMatrix B(makePattern(n, band));
    for (Index i = 0; i < n; ++i) B.diagonal(i).setIdentity();
    P.build(B, one);
    P.multiplyDot(x, packed, one);
    EXPECT_TRUE(packed == x);
}

/// A sheet of springs along rows, columns and one diagonal, a few of them slack. Every `oddEvery`th block is symmetric,
/// but not the block of a single spring.
BlockMatrix springs(Index side, Index oddEvery) {
    std::mt19937 rng(7);
    std::vector<std::pair<Index, Index>> pairs;
    for (Index i = 0; i < side * side; ++i)
        for (const Index to : {i + 1, i + side, i + side + 1, i + 2 * side})
            if (to < side * side) pairs.emplace_back(i, to);
    BlockMatrix A(makePattern(side * side, pairs));
    for (Index i = 0; i < A.rows(); ++i) A.diagonal(i).setIdentity();
    Index count = 0;
    for (const auto& [i, j] : pairs) {
        if (++count % 5 == 0) continue;
        const Vec3 d = count % 7 == 0 ? Vec3(0, 1e-3, 0) : testing::randomVec3(rng);
        const double isotropic = count % 3 == 0 ? 0.0 : d.squaredNorm();
        Mat3 J = 40 * Mat3(d * d.transpose()) + isotropic * Mat3::Identity();
        if (oddEvery > 0 && count % oddEvery == 0) J(0, 1) = J(1, 0) = J(0, 1) + 0.5;
        linalg::addPair(A, i, j, -J);
        A.diagonal(i) += J;
        A.diagonal(j) += J;
    }
    A.setSymmetricBlocks(true);
    return A;
}

struct Product {
    BlockVector y;
    double dot;
    std::size_t bytes;
    bool sameBits(const Product& other) const { return y == other.y && dot == other.dot; }
};

Product product(const BlockMatrix& A, Packing packing, int threads = 1) {
    std::mt19937 rng(3);
    BlockVector x(A.rows());
    for (Index i = 0; i < A.rows(); ++i) x[i] = testing::randomVec3(rng);
    WorkerPool pool(threads, 0);
    PackedMatrix P;
    P.build(A, pool, {packing.precision, Storage::Springs});  // nothing of the other form may remain
    P.build(A, pool, packing);
    EXPECT_EQ(P.blocks(), A.occupiedBlocks());
    Product out{BlockVector(A.rows()), 0, P.bytes()};
    out.dot = P.multiplyDot(x, out.y, pool);
    return out;
}

TEST(PackedMatrix, HalfOfABlockGivesTheBitsOfTheWhole) {
    BlockMatrix A = springs(40, 11);
    for (const Precision precision : {Precision::Double, Precision::Single}) {
        const Product full = product(A, {precision, Storage::Full}), half = product(A, {precision, Storage::Half});
        EXPECT_TRUE(half.sameBits(full));
        EXPECT_LT(half.bytes, full.bytes - full.bytes / 6);
        for (const int threads : {2, 4}) EXPECT_TRUE(product(A, {precision, Storage::Half}, threads).sameBits(full));
    }
    // A block declared symmetric differs in a last bit, on the diagonal or beside it.
    for (const Index column : {0, 1}) {
        BlockMatrix B = A;
        const Index at = B.pattern().find(0, column);
        B.block(at)(1, 2) = std::nextafter(B.block(at)(2, 1), 1e9);
        EXPECT_TRUE(product(B, {}).sameBits(product(B, {.storage = Storage::Full})));
        EXPECT_EQ(product(B, {}).bytes, product(B, {.storage = Storage::Full}).bytes);
    }
}

TEST(PackedMatrix, SpringsGiveTheirBlocksProduct) {
    for (const Index oddEvery : {0, 31, 2}) {
        const BlockMatrix A = springs(40, oddEvery);
        const Product half = product(A, {}), asSprings = product(A, {.storage = Storage::Springs});
        for (const int threads : {2, 4})
            EXPECT_TRUE(product(A, {.storage = Storage::Springs}, threads).sameBits(asSprings));
        EXPECT_LT(testing::distance(asSprings.y, half.y), 1e-14 * testing::norm(half.y));
        EXPECT_NEAR(asSprings.dot, half.dot, 1e-12 * std::abs(half.dot));
        const Product rounded = product(A, {Precision::Single, Storage::Springs});
        EXPECT_LT(testing::distance(rounded.y, half.y), 1e-6 * testing::norm(half.y));
        // If half of the blocks are not of springs, none is stored as a spring.
        EXPECT_EQ(asSprings.sameBits(half), oddEvery == 2) << oddEvery;
        if (oddEvery == 0) {
            EXPECT_LT(asSprings.bytes, half.bytes - half.bytes / 8);
        }
    }
}

TEST(PackedMatrix, SkipsUnoccupiedBlocks) {
    BlockMatrix A(makePattern(3, std::vector<std::pair<Index, Index>>{{0, 1}, {1, 2}}));
    for (Index i = 0; i < 3; ++i) A.diagonal(i).setIdentity();
    linalg::addPair(A, 0, 1, Mat3::Identity());
    WorkerPool pool(1);
    PackedMatrix P;
    P.build(A, pool);
    EXPECT_EQ(P.blocks(), 5);
    BlockVector x(3), y(3);
    x.flat().setOnes();
    P.multiplyDot(x, y, pool);
    EXPECT_EQ(y[0], Vec3(2, 2, 2));
    EXPECT_EQ(y[2], Vec3(1, 1, 1));
}

TEST(VectorKernels, EqualEigenAndKeepTheirBitsOverThreads) {
    std::mt19937 rng(1);
    const Index n = 1157;  // 3 n is not a multiple of four, to test the tails
    BlockVector x(n), r(n), p(n), q(n), d(n);
    for (Index i = 0; i < n; ++i) {
        for (BlockVector* v : {&x, &r, &p, &q}) (*v)[i] = testing::randomVec3(rng);
        d[i] = testing::randomVec3(rng).cwiseAbs();
    }
    double norms[3], scaled[3];
    BlockVector results[3];
    for (int k = 0; k < 3; ++k) {
        WorkerPool pool(1 << k, 0);
        BlockVector xk = x, rk = r, pk = p, zk(n);
        norms[k] = advance(0.37, p, q, xk, rk, pool);
        scaled[k] = scaleDot(d, rk, zk, pool);
        nextDirection(zk, 0.21, pk, pool);
        results[k] = pk;
        EXPECT_LT((xk.flat() - (x.flat() + 0.37 * p.flat())).norm(), 1e-13 * testing::norm(x));
        const Eigen::VectorXd expected = r.flat() - 0.37 * q.flat();
        EXPECT_NEAR(norms[k], expected.squaredNorm(), 1e-11 * norms[k]);
        EXPECT_LT((pk.flat() - (d.flat().cwiseProduct(expected) + 0.21 * p.flat())).norm(), 1e-12 * testing::norm(p));
        EXPECT_NEAR(scaled[k], expected.dot(d.flat().cwiseProduct(expected)), 1e-11 * scaled[k]);
        EXPECT_NEAR(dot(x, r, pool), testing::dot(x, r), 1e-10 * testing::norm(x) * testing::norm(r));
        EXPECT_EQ(norms[k], norms[0]);
        EXPECT_EQ(scaled[k], scaled[0]);
        EXPECT_TRUE(results[k] == results[0]);
    }
}

}  // namespace
}  // namespace clothlab::linalg
