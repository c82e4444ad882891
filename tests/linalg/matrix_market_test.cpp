#include "linalg/matrix_market.hpp"

#include <gtest/gtest.h>

namespace clothlab::linalg {
namespace {

const std::string kCoordinate = "%%MatrixMarket matrix coordinate real general\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

std::string mistake(const std::string& text) {
    const auto read = readMatrixMarket(text, "m.mtx");
    return read ? "it was read" : read.error().text();
}
std::string noMatrix(const std::string& text) {
    const auto read = readMatrixMarket(text, "m.mtx");
    if (!read) return read.error().text();
    const auto A = toBlockMatrix(*read, "m.mtx");
    return A ? "it was taken" : A.error().text();
}
std::string noVector(const std::string& text, Index rows) {
    const auto x = toBlockVector(*readMatrixMarket(text, "b.mtx"), rows, "b.mtx");
    return x ? "it was taken" : x.error().text();
}

TEST(MatrixMarket, NothingMayBeLeftOnALine) {
    EXPECT_EQ(mistake(kCoordinate + "2 2 2 junk\n1 1 1\n2 2 1\n"), "m.mtx:2:7: unexpected text at the end of the line");
    EXPECT_EQ(mistake(kCoordinate + "2 2 2\n1 1 1\n2 2  1 7\n"),
              "m.mtx:4:8: unexpected text at the end of the line (valid: row column value)");
    EXPECT_EQ(mistake("%%MatrixMarket matrix array real general junk\n1 1\n1\n").find("m.mtx:1:42: unexpected text"),
              0u);
    EXPECT_EQ(mistake(kArray + "1 1\n1 2\n").find("m.mtx:3:3: unexpected text"), 0u);
    EXPECT_EQ(mistake(kCoordinate + "2 2 1\n1 1 x\n").find("m.mtx:3:5: not an entry"), 0u);
    for (const char* number : {"nan", "inf", "-inf", "1e999", ""})
        EXPECT_NE(mistake(kArray + "1 1\n" + number + "\n"), "it was read") << number;
}

/// Both texts give the same entries.
void expectSame(const std::string& text, const std::string& plain) {
    const auto read = readMatrixMarket(text, "m.mtx"), expected = readMatrixMarket(plain, "p.mtx");
    ASSERT_TRUE(read) << read.error().text() << text;
    ASSERT_TRUE(expected) << expected.error().text();
    EXPECT_EQ(read->rows, expected->rows);
    EXPECT_EQ(read->columns, expected->columns);
    EXPECT_TRUE(read->dense() == expected->dense()) << text;
}

TEST(MatrixMarket, TheFormatIsFree) {
    const std::string plain = kCoordinate + "2 3 3\n1 1 4\n2 3 -0.5\n1 3 20\n";
    expectSame(
        "%%MatrixMarket  MATRIX    Coordinate    Real General  \n\n  2   3\t3\n\n 1 1  4.0 \n2 3 -5E-01\n1 3 2e1\n\n",
        plain);
    expectSame(
        "\xef\xbb\xbf%%matrixmarket matrix coordinate REAL general\r\n%\r\n  % two\r\n2 3 3\r\n1 1 4D+00\r\n%\n2 3 "
        "-5.0d-01\r\n1 3 +.2D2\r\n",
        plain);
    expectSame("%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 4\n2 3 -0.5\n1 3 20\n", plain);
    EXPECT_NE(mistake(kCoordinate + "1 1 1\n1 1 1D+0D\n").find("m.mtx:3:5: not an entry"), std::string::npos);
    EXPECT_NE(mistake(kArray + "1 1\n1D+999\n").find("1.5D-03"), std::string::npos);
    EXPECT_NE(mistake("\n" + plain).find("m.mtx:1:1: this is not"), std::string::npos) << "a blank line";
}

TEST(MatrixMarket, ASymmetricArrayIsItsLowerTriangleColumnByColumn) {
    const std::string symmetric = "%%MatrixMarket matrix array real symmetric\n";
    expectSame(symmetric + "3 3\n1\n2\n3\n4\n5\n6\n", kArray + "3 3\n1\n2\n3\n2\n4\n5\n3\n5\n6\n");
    EXPECT_EQ(mistake(symmetric + "2 2\n1\n2\n").find("m.mtx:4:"), 0u);
    EXPECT_EQ(mistake(symmetric + "2 2\n1\n2\n3\n4\n").find("m.mtx:6:1: more entries"), 0u);
    EXPECT_EQ(mistake(symmetric + "2 3\n1\n2\n3\n").find("m.mtx:2:4: a symmetric matrix must be square"), 0u);
    EXPECT_EQ(mistake(symmetric + "2000000000 2000000000\n1\n").find("m.mtx:2:"), 0u);
}

// A pattern lists blocks that may be occupied; the empty ones must come back too.
TEST(MatrixMarket, APatternComesBackWithItsEmptyBlocks) {
    const std::vector<std::pair<Index, Index>> pairs{{0, 1}, {1, 3}, {0, 3}};
    BlockMatrix A(makePattern(4, pairs));
    for (Index i = 0; i < 4; ++i) A.diagonal(i) = (i + 2) * Mat3::Identity();
    const Index joined = A.pattern().find(1, 3), mirror = A.pattern().find(3, 1);
    for (const Index k : {joined, mirror}) {
        A.block(k) = Mat3::Constant(0.1);
        A.setOccupied(k, true);
    }
    CoreMask core;
    core.offDiagonal.assign(A.pattern().blocks(), CoreMask::kShear);
    const auto pattern = readMatrixMarket(patternText(A.pattern(), core), "pattern.mtx");
    ASSERT_TRUE(pattern) << pattern.error().text();
    const auto matrix = readMatrixMarket(matrixMarketText(A), "A.mtx");
    ASSERT_TRUE(matrix);
    const auto whole = toBlockMatrix(*matrix, "A.mtx", &*pattern), occupied = toBlockMatrix(*matrix, "A.mtx");
    ASSERT_TRUE(whole);
    ASSERT_TRUE(occupied);
    EXPECT_EQ(whole->pattern().column, A.pattern().column);
    EXPECT_EQ(whole->pattern().rowStart, A.pattern().rowStart);
    EXPECT_EQ(occupied->pattern().blocks(), 4 + 2);
    for (Index k = 0; k < A.pattern().blocks(); ++k) {
        EXPECT_EQ(whole->occupied(k), A.occupied(k)) << k;
        EXPECT_TRUE(whole->block(k) == A.block(k)) << k;
    }
    for (const ReadMatrix::Entry& e : pattern->entries) EXPECT_EQ(e.value, CoreMask::kShear);
}

TEST(MatrixMarket, ASizeLineAllocatesNothing) {
    // Three lines whose size line asks for gigabytes of blocks: refused before anything is allocated.
    EXPECT_EQ(noMatrix("%%MatrixMarket matrix coordinate real symmetric\n1000000000 1000000000 1\n1 1 1\n"),
              "m.mtx:2: there are 1000000000 rows and 1 entries: some row has no entry on the diagonal: the matrix is "
              "not positive definite");
    EXPECT_EQ(noMatrix(kCoordinate + "2 2 2\n1 1 1\n1 1 2\n"),
              "m.mtx:2: row 2 has no entry on the diagonal: the matrix is not positive definite");
    EXPECT_EQ(noVector(kCoordinate + "2000000000 1 1\n1 1 1\n", 3),
              "b.mtx:2: this is 2000000000 x 1, which does not fit a matrix of 3 rows");
}

TEST(MatrixMarket, SaysInWhichLineAMatrixIsNone) {
    EXPECT_EQ(noMatrix(kCoordinate + "0 0 0\n"), "m.mtx:2: the matrix is 0 x 0: a system needs a square one");
    EXPECT_EQ(noMatrix(kCoordinate + "2 2 4\n1 1 1\n1 2 0.5\n2 1 0.25\n2 2 1\n"),
              "m.mtx:4: the matrix is not symmetric: 0.5 in row 1, column 2, and 0.25 in row 2, column 1");
    EXPECT_EQ(noMatrix(kCoordinate + "1 1 2\n1 1 1.5e308\n1 1 1.5e308\n"),
              "m.mtx:4: the entries at this place add up to infinity");
    EXPECT_EQ(noMatrix(kCoordinate + "2 2 4\n1 1 1\n1 2 0.5\n2 1 0.5\n2 2 1\n"), "it was taken");
}

TEST(MatrixMarket, AVectorHasTheRowsOfItsMatrix) {
    // The shorter one has the right number of blocks of three, but too few rows.
    EXPECT_EQ(noVector(kArray + "2 1\n1\n2\n", 3), "b.mtx:2: this is 2 x 1, which does not fit a matrix of 3 rows");
    EXPECT_EQ(noVector(kArray + "4 1\n1\n2\n3\n4\n", 3),
              "b.mtx:2: this is 4 x 1, which does not fit a matrix of 3 rows");
    EXPECT_EQ(noVector(kArray + "2 1\n1\n2\n", 2), "it was taken");
    EXPECT_EQ(noVector(kCoordinate + "1 1 2\n1 1 1.5e308\n1 1 1.5e308\n", 1),
              "b.mtx:4: the entries at this place add up to infinity");
}

}  // namespace
}  // namespace clothlab::linalg
