#include <gtest/gtest.h>

#include "app/program.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "linalg/matrix_market.hpp"
#include "support/dense_matrix.hpp"

namespace clothlab::tests {
namespace {

using testing::DenseMatrix;

DenseMatrix matrix(const ScratchFolder& folder, const std::string& name) {
    const std::string path = folder.file("s/" + name);
    const auto read = linalg::readMatrixMarket(*readFile(path), path);
    EXPECT_TRUE(read) << read.error().text();
    return read->dense();
}

/// S from constraints.json: "particle": i followed by nine numbers under "S".
DenseMatrix filterOf(const std::string& json, Eigen::Index size) {
    DenseMatrix S = DenseMatrix::identity(size);
    for (std::size_t at = json.find("\"particle\":"); at != json.npos; at = json.find("\"particle\":", at + 1)) {
        const long i = std::strtol(json.c_str() + at + 11, nullptr, 10);
        const char* p = json.c_str() + json.find("\"S\":", at) + 4;
        for (int k = 0; k < 9; ++k) {
            while (*p && !std::isdigit(static_cast<unsigned char>(*p)) && *p != '-') ++p;
            char* end = nullptr;
            S(3 * i + k / 3, 3 * i + k % 3) = std::strtod(p, &end);
            p = end;
        }
    }
    return S;
}

/// A dense solve with S A S + (I - S), only from the files, gives the same change of velocity.
TEST(SystemFiles, ADenseSolveGivesTheSameDeltaV) {
    for (const std::string scene : {"chen", "drape-sphere --set cloth.rows=9 --set cloth.columns=9"}) {
        const ScratchFolder folder;
        const Result r =
            clothlab("system " + scene + " --step 60 --set solver.tolerance=1e-12 --out '" + folder.file("s") + "'");
        ASSERT_EQ(r.code, 0) << r.err;
        const DenseMatrix A = matrix(folder, "A.mtx"), b = matrix(folder, "b.mtx"), z = matrix(folder, "z.mtx");
        const std::string json = *readFile(folder.file("s/constraints.json"));
        const DenseMatrix S = filterOf(json, A.rows()), I = DenseMatrix::identity(A.rows());
        EXPECT_LT(S.trace(), double(A.rows()) - 0.5) << "nothing is constrained";
        EXPECT_EQ((A - A.transpose()).norm(), 0);
        const DenseMatrix dv = (S * A * S + (I - S)).solveSymmetric(S * (b - A * z)) + z;
        const DenseMatrix ours = matrix(folder, "delta_v.mtx");
        EXPECT_GT(ours.norm(), 0);
        EXPECT_LT((dv - ours).norm(), 1e-8 * ours.norm()) << scene;

        // The core has A's diagonal blocks and some of the rest, and is positive definite itself.
        const DenseMatrix core = matrix(folder, "core.mtx");
        EXPECT_GT(core.pivots().minCoeff(), 0);
        for (Eigen::Index i = 0; i < A.rows() / 3; ++i) EXPECT_EQ((A - core).block(i, i).norm(), 0);
        EXPECT_GT((A - core).norm(), 0);
    }
}

// Pressure drag depends on the cell of a particle, not on how a quad is split. Springs at rest have no stiffness across
// the sheet, so that each particle moves only by its own force, rho c_w A w |w| / 2 with the density of air rho.
TEST(SystemFiles, ALevelSheetStartsToMoveEvenlyInAWindFromBelow) {
    const ScratchFolder folder;
    const std::string scene = folder.file("level.toml");
    ASSERT_TRUE(writeFile(scene, R"(steps = 1
gravity = [0, 0, 0]
[solver]
kind = "cholesky"
[material]
density = 0.2
[wind]
velocity = [0, 5, 0]
drag_coefficient = 1
[cloth]
rows = 13
columns = 13
side = 1.0
row_axis = [0, 0, 1]
)",
                          {}));
    const Result r = clothlab("system '" + scene + "' --step 1 --out '" + folder.file("s") + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    const DenseMatrix dv = matrix(folder, "delta_v.mtx");
    ASSERT_EQ(dv.rows(), 3 * 13 * 13);
    const double h = 0.01, inside = h * 0.5 * 1.2 * 5 * 5 / 0.2;
    for (int row = 0; row < 13; ++row)
        for (int column = 0; column < 13; ++column) {
            const double share = (row % 12 == 0 ? 0.5 : 1) * (column % 12 == 0 ? 0.5 : 1);
            const Eigen::Vector3d expected(0, share * inside, 0);
            EXPECT_LE((dv.triple(13 * row + column) - expected).norm(), 1e-12) << row << ' ' << column;
        }
}

TEST(SystemFiles, AnExplicitMethodHasNone) {
    const ScratchFolder folder;
    const Result r = clothlab("system chen --step 1 --set integrator.kind=rk4 --out '" + folder.file("s") + "'");
    EXPECT_EQ(r.code, 2);
    EXPECT_NE(r.err.find("no linear system"), std::string::npos) << r.err;
}

TEST(MatrixMarket, RefusesBrokenFilesWithTheirLine) {
    const std::pair<std::string, int> files[] = {
        {"", 1},
        {"hello\n", 1},
        {"%%MatrixMarket matrix coordinate complex general\n", 1},
        {"%%MatrixMarket matrix array real skew-symmetric\n", 1},
        {"%%MatrixMarket matrix coordinate real general\n% c\n2 2\n", 3},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1000000000\n", 2},
        {"%%MatrixMarket matrix array real general\n2000000000 2000000000\n1\n", 2},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5.0\n", 3},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5.0\n", 3},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n", 3},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5.0\n2 2 1.0\n", 4},
    };
    for (const auto& [text, line] : files) {
        const auto read = linalg::readMatrixMarket(text, "m.mtx");
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().line, line) << text << read.error().text();
    }
    const auto good = linalg::readMatrixMarket(
        "%%MatrixMarket matrix coordinate real symmetric\n% c\n\n2 2 2\n1 1 2\n2 1 -1.5\n", "m.mtx");
    ASSERT_TRUE(good) << good.error().text();
    EXPECT_EQ(good->dense(), (Eigen::MatrixXd(2, 2) << 2, -1.5, -1.5, 0).finished());
}

}  // namespace
}  // namespace clothlab::tests
