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

TEST(MatrixMarket, ASizeLineAllocatesNothing) {
    // Three lines, and a gigabyte of blocks by the size line: refused before anything is made.
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
    // Within one block of three the shorter one would fit as well.
    EXPECT_EQ(noVector(kArray + "2 1\n1\n2\n", 3), "b.mtx:2: this is 2 x 1, which does not fit a matrix of 3 rows");
    EXPECT_EQ(noVector(kArray + "4 1\n1\n2\n3\n4\n", 3),
              "b.mtx:2: this is 4 x 1, which does not fit a matrix of 3 rows");
    EXPECT_EQ(noVector(kArray + "2 1\n1\n2\n", 2), "it was taken");
    EXPECT_EQ(noVector(kCoordinate + "1 1 2\n1 1 1.5e308\n1 1 1.5e308\n", 1),
              "b.mtx:4: the entries at this place add up to infinity");
}

}  // namespace
}  // namespace clothlab::linalg
