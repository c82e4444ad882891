#include "factors/dense_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

/// Compares the kernels with plain sums, at sizes around all of their blocks.
namespace clothlab::factors {
namespace {

template <class T>
struct Dense {
    int rows, columns, ld;
    std::vector<T> values;

    Dense(int height, int width, std::uint32_t seed)
        : rows(height), columns(width), ld(height + 5), values(std::size_t(ld) * width) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        for (T& v : values) v = T(unit(random));
    }
    T& operator()(int i, int j) { return values[std::size_t(j) * ld + i]; }
    T operator()(int i, int j) const { return values[std::size_t(j) * ld + i]; }
};

constexpr int kSizes[] = {1, 3, 7, 24, 25, 33, 97, 150};

template <class T>
void expectNear(double is, double wanted, int depth, const char* what) {
    EXPECT_NEAR(is, wanted, 4 * double(std::numeric_limits<T>::epsilon()) * (depth + 4)) << what << depth;
}

template <class T>
void updates() {
    for (const int rows : kSizes)
        for (const int columns : kSizes)
            for (const int depth : {1, 3, 30, 193, 400})
                for (const bool lower : {false, true}) {
                    if (lower && columns > rows) continue;
                    const Dense<T> a(rows, depth, 1), b(columns, depth, 2);
                    const Dense<T>& second = lower ? a : b;
                    for (const bool adds : {false, true}) {
                        Dense<T> c(rows, columns, 3);
                        const Dense<T> before = c;
                        update<T>({.rows = rows,
                                   .columns = columns,
                                   .depth = depth,
                                   .a = a.values.data(),
                                   .b = second.values.data(),
                                   .c = c.values.data(),
                                   .ldA = a.ld,
                                   .ldB = second.ld,
                                   .ldC = c.ld,
                                   .adds = adds,
                                   .lowerOnly = lower});
                        for (int j = 0; j < columns; ++j)
                            for (int i = lower ? j : 0; i < rows; ++i) {
                                double sum = adds ? double(before(i, j)) : 0.0;
                                for (int k = 0; k < depth; ++k) sum -= double(a(i, k)) * double(second(j, k));
                                expectNear<T>(c(i, j), sum, depth, "update");
                            }
                        for (int j = 0; j < columns; ++j)
                            for (int i = rows; i < c.ld; ++i) ASSERT_EQ(c(i, j), before(i, j)) << "outside";
                    }
                    if (::testing::Test::HasFailure()) return;
                }
}

TEST(DenseKernels, AnUpdateIsTheSumOfProducts) {
    updates<double>();
    updates<float>();
}

template <class T>
void factors() {
    for (const int n : kSizes) {
        const Dense<T> root(n, n, 4);
        Dense<T> a(n, n, 5);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                double sum = i == j ? n : 0.0;
                for (int k = 0; k < n; ++k) sum += double(root(i, k)) * double(root(j, k));
                a(i, j) = T(sum);
            }
        Dense<T> l = a;
        ASSERT_EQ(cholesky(n, l.values.data(), l.ld), -1) << n;
        for (int j = 0; j < n; ++j)
            for (int i = j; i < n; ++i) {
                double sum = 0;
                for (int k = 0; k <= j; ++k) sum += double(l(i, k)) * double(l(j, k));
                expectNear<T>(sum / n, double(a(i, j)) / n, n, "L L^T");
            }
        // Rows below the factor, as in a front: one leading dimension.
        for (const int rows : {1, 9, 40, 100}) {
            Dense<T> front(n + rows, n, 6);
            for (int j = 0; j < n; ++j)
                for (int i = j; i < n; ++i) front(i, j) = l(i, j);
            const Dense<T> before = front;
            solveTransposed(rows, n, front.values.data(), front.values.data() + n, front.ld);
            for (int i = n; i < n + rows; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = 0;
                    for (int k = 0; k <= j; ++k) sum += double(front(i, k)) * double(l(j, k));
                    expectNear<T>(sum, double(before(i, j)), n, "X L^T");
                }
        }
        Dense<T> bad = a;
        bad(n / 2, n / 2) = T(-1);
        EXPECT_EQ(cholesky(n, bad.values.data(), bad.ld), n / 2);
    }
}

TEST(DenseKernels, ACholeskyFactorGivesItsMatrixBack) {
    factors<double>();
    factors<float>();
}

template <class T>
void factorsOverThreads() {
    WorkerPool pool(3, 0);
    for (const int n : {24, 97, 250})
        for (const int below : {0, 40, 300}) {
            Dense<T> one(n + below, n, 7);
            for (int j = 0; j < n; ++j) one(j, j) += T(n);
            Dense<T> many = one;
            ASSERT_EQ(cholesky(n, one.values.data(), one.ld), -1);
            if (below > 0) solveTransposed(below, n, one.values.data(), one.values.data() + n, one.ld);
            ASSERT_EQ(choleskyOfColumns(n, n + below, many.values.data(), many.ld, pool), -1);
            for (int j = 0; j < n; ++j)
                for (int i = j; i < n + below; ++i) ASSERT_EQ(one(i, j), many(i, j)) << i << ", " << j << " of " << n;
            many(n / 2, n / 2) = T(-1);
            EXPECT_GE(choleskyOfColumns(n, n + below, many.values.data(), many.ld, pool), 0);
        }
}

TEST(DenseKernels, AFactorOverThreadsHasTheBitsOfOne) {
    factorsOverThreads<double>();
    factorsOverThreads<float>();
}

}  // namespace
}  // namespace clothlab::factors
