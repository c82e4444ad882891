#include <gtest/gtest.h>

#include <fstream>

#include "app/program.hpp"
#include "linalg/matrix_market.hpp"

// The real program reads meshes and systems as other programs write them.
namespace clothlab::tests {
namespace {

struct MeshFiles : ::testing::Test {
    ScratchFolder folder;

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder.file(name), std::ios::binary) << text;
        return "'" + folder.file(name) + "'";
    }
    /// A scene with that mesh, density 1.
    std::string scene(const std::string& mesh, const std::string& more = "") const {
        return write("s.toml", "[material]\ndensity = 1\n[cloth]\nmesh = \"" + mesh + "\"\n" + more);
    }
};

const std::string kStrip = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nf 1 4 3 2\nf 2 3 6 5\n";

TEST_F(MeshFiles, NotesSayWhatWasPassedOverAndCheckSaysWhatTheClothIs) {
    write("strip.obj", kStrip + "ny 0 1 0\nl 1 5\nl 4 6\nl 1 2\nv 7 7 7\nny 1 0 0\n");
    const Result r = clothlab("check " + scene("strip.obj"));
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err,
              "clothlab: note: strip.obj: words passed over: ny 2\n"
              "clothlab: note: strip.obj: point 7 is in no face and becomes no particle\n"
              "clothlab: note: strip.obj: 2 sewing edges (l) passed over: cloth.sew = true sews them\n");
    EXPECT_TRUE(says(r.out,
                     "cloth, the mesh strip.obj: 2 x 0 x 1 m; 6 points, 4 triangles, 1 component, 1 boundary "
                     "loop; shortest edge 1 m, smallest triangle 0.5 m^2; mass 2 kg\n"))
        << r.out;
    EXPECT_FALSE(says(r.out, "note:")) << r.out;
    const Result large = clothlab("check " + scene("strip.obj", "scale = 85\n"));
    EXPECT_TRUE(says(large.out, "note: cloth: it is 170 m large; scale = \"m\" would mend that\n")) << large.out;
}

// A panel of a garment with eight corners, two of them concave. Its area is that of the outline.
TEST_F(MeshFiles, APanelOfManyCornersWeighsWhatItsOutlineHolds) {
    write("panel.obj",
          "v 0.3 0 0\nv 0.7 0.01 0\nv 0.71 0.6 0\nv 1 0.62 0\nv 1.02 1 0\nv -0.01 1.01 0\nv 0 0.61 0\nv 0.29 0.6 0\n"
          "f 4 5 6 7 8 1 2 3\n");
    const Result r = clothlab("check " + scene("panel.obj"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_TRUE(says(r.out, "8 points, 6 triangles") && says(r.out, "mass 0.65045 kg")) << r.out;
    const Result strict = clothlab("check " + scene("panel.obj", "strict = true\n"));
    EXPECT_EQ(strict.code, 2);
    EXPECT_TRUE(says(strict.err, "panel.obj:9:1: the triangles around the first corner would fold")) << strict.err;
}

// A system in MatrixMarket's free format gives the same race as in the plain form.
TEST_F(MeshFiles, ASystemInFreeFormatIsTheSameSystem) {
    write("A.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 2 4\n3 3 5\n2 1 -1\n3 2 -1\n");
    write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    const std::string race = "race --csv --runs 1 --tolerance 1e-9 --system '" + folder.path() + "'";
    const auto columns = [](const Result& r) {  // without the columns of times
        std::string out;
        for (std::size_t at = 0, end; (end = r.out.find('\n', at)) != r.out.npos; at = end + 1)
            out += r.out.substr(at, std::min(r.out.find("converged", at), end) + 12 - at) + "\n";
        return out;
    };
    const Result plain = clothlab(race);
    ASSERT_EQ(plain.code, 0) << plain.err;
    write("A.mtx",
          "\xef\xbb\xbf%%matrixmarket  MATRIX  Coordinate   REAL Symmetric  \r\n\r\n % c\r\n  3  3  5\r\n\r\n1 1 "
          "4.0D+00\r\n"
          "2 2 4.e0\r\n\r\n3 3 0.5d1\r\n2 1 -1\r\n   3 2 -1.0E+00\r\n\r\n");
    write("b.mtx", "%%MatrixMarket matrix Array Integer general\n3 1\n1\n\n2\n3\n");
    const Result free = clothlab(race);
    ASSERT_EQ(free.code, 0) << free.err;
    EXPECT_EQ(columns(free), columns(plain));
}

}  // namespace
}  // namespace clothlab::tests
