#include "geometry/files/obj_reader.hpp"

#include <gtest/gtest.h>

#include "support/sanitizers.hpp"

namespace clothlab::geometry {
namespace {

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(ObjReader, TakesEveryFormOfACorner) {
    const std::vector<Triangle> fan{{0, 1, 2}, {0, 2, 3}};
    const std::string textures = "vt 0 0\nvt 1 0 0\nvt 1 1\nvt 0.25 1\nvn 0 0 1\n";
    for (const char* face : {"f 1 2 3 4\n", "f -4 -3 -2 -1", "f 1/1 2/2 3/3 4/4\r\n", "f 1//1 2//1 3//-1 4//1\n",
                             "f\t1/1/1 2/2/1 3/-2/1\t4/4/-1 # a square\n"}) {
        const auto mesh = readObj(kSquare + textures + face, "t.obj");
        ASSERT_TRUE(mesh) << face << mesh.error().text();
        EXPECT_EQ(mesh->triangles, fan) << face;
        EXPECT_EQ(mesh->points[2], Vec3(1, 1, 0));
        const bool textured = std::string_view(face).find('/') < std::string_view(face).find("//");
        EXPECT_EQ(mesh->textures.empty(), !textured) << face;
        if (textured) {
            EXPECT_EQ(mesh->textures[3], (TextureCoordinate{0.25, 1}));
        }
    }
}

TEST(ObjReader, PassesOverWhatSaysNothingAboutTheSurface) {
    const auto mesh = readObj(
        "# a comment\n\nmtllib a b.mtl\no thing\ng one two\nusemtl red\ns off\nvp 0.1\nl 1 2\np 1\n"
        "v 0 0 0 1 0.5 0.25\nv 1 0 0 1.0\nv 0 1 0 # here\n  f 1 2 3  \nvn 0 0 1",
        "t.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->points.size(), 3u);
    EXPECT_EQ(mesh->triangles.size(), 1u);
}

TEST(ObjReader, AFaceMayNamePointsBelowIt) {
    const auto mesh = readObj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf -1 -2 -3\n", "t.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {3, 2, 1}}));
}

struct Malformed {
    std::string text;
    int line, column;
    std::string fragment;  ///< of the message
};

TEST(ObjReader, EachMalformedTextSaysWhereAndWhatToAStrictReading) {
    const std::string hat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nf 1 2 3\nf 2 1 4\n";
    const std::vector<Malformed> cases{
        {"", 1, 1, "the file has no point"},
        {"# nothing\n\n", 2, 1, "the file has no point"},
        {kSquare, 4, 1, "the file has no face"},
        {"v 1 abc 0\n", 1, 5, "'abc' is no number"},
        {"v 0 0 0\nv nan 0 0\n", 2, 3, "nan is out of range"},
        {"v 0 0 0\nv 0 -inf 0\n", 2, 5, "-inf is out of range"},
        {"v 0 0 1e999\n", 1, 7, "'1e999' is no number"},
        {"v 0 0 2e6\n", 1, 7, "2e6 is out of range"},
        {"v 0 0\n", 1, 6, "a point of 2 numbers"},
        {"v\n", 1, 2, "a point of 0 numbers"},
        {"v 1 2 3 4 5\n", 1, 12, "a point of 5 numbers"},
        {"v 1 2 3 4 5 6 7 8\n", 1, 17, "'8' is a number too many"},
        {kSquare + "vt\nf 1 2 3 4\n", 5, 3, "a texture coordinate of 0 numbers"},
        {kSquare + "vt 0 x\nf 1 2 3 4\n", 5, 6, "'x' is no number"},
        {kSquare + "f 1 2 3 0\n", 5, 9, "there is no 'v' 0: they are counted from 1"},
        {kSquare + "f 1 2 5\n", 5, 7, "there is no 'v' 5"},
        {kSquare + "f 1 2 -5\n", 5, 7, "there is no 'v' -5"},
        {"f 1 2 -1\n" + kSquare, 1, 7, "there is no 'v' -1"},
        {kSquare + "f 1 2 99999999999999999999\n", 5, 7, "is no number of a 'v'"},
        {kSquare + "f 1/1 2/1 3/1\n", 5, 3, "there is no 'vt' 1"},
        {kSquare + "f 1//2 2 3\n", 5, 3, "there is no 'vn' 2"},
        {kSquare + "f 1/ 2 3\n", 5, 3, "'' is no number of a 'vt'"},
        {kSquare + "f 1/1/1/1 2 3\n", 5, 3, "there is no 'vt' 1"},
        {kSquare + "vt 0 0\nvn 0 0 1\nf 1/1/1/1 2 3\n", 7, 3, "'1/1' is no number of a 'vn'"},
        {kSquare + "f one 2 3\n", 5, 3, "'one' is no number of a 'v'"},
        {kSquare + "f 1.5 2 3\n", 5, 3, "'1.5' is no number of a 'v'"},
        {kSquare + "f 1 2\n", 5, 6, "a face of 2 corners"},
        {kSquare + "f\n", 5, 2, "a face of 0 corners"},
        {kSquare + "f 1 2 \\\n3 4\n", 5, 7, "'\\' is no number of a 'v'"},
        {kSquare + "f 1 2 3 1\n", 5, 1, "the face has the corner 1 twice"},
        {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", 4, 1, "the triangle 1 2 3 has no area"},
        {"v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n", 4, 1, "the triangle 1 2 3 has no area"},
        {"v 7 7 7\n" + kSquare + "f 2 3 4 5\n", 1, 1, "the point 1 is in no face"},
        {hat + "f 1 2 5\n", 8, 1, "the edge 1 2 has three triangles"},
        {hat + "f 2 1 5\n", 8, 1, "the edge 1 2 has three triangles"},
        {kSquare + "f 1 2 3\nf 1 3 4\n  f 1 2 3\n", 7, 3, "the edge 1 2 is run through the same way as in line 5"},
        {"ply\nformat ascii 1.0\n", 1, 1, "unknown keyword 'ply'"},
        {kSquare + "face 1 2 3\n", 5, 1, "unknown keyword 'face'"},
        {std::string("v 0 0 0\n\x1b[2J\0\xff\n", 15), 2, 1, "unknown keyword '\\x1b[2J"},
    };
    for (const Malformed& one : cases) {
        const auto mesh = readObj(one.text, "t.obj", MeshReading::Strict);
        ASSERT_FALSE(mesh) << one.text;
        const Error& e = mesh.error();
        EXPECT_EQ(e.file, "t.obj");
        EXPECT_EQ(std::pair(e.line, e.column), std::pair(one.line, one.column)) << one.text << e.text();
        EXPECT_NE(e.message.find(one.fragment), std::string::npos) << one.text << e.text();
        for (const char c : e.text()) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << e.text();
    }
}

/// A square of two faces, 1 2 3 and 1 3 4, with lines around them that a tolerant reading accepts.
struct Tolerated {
    std::string text;
    std::string note;  ///< all of them, or empty
};

TEST(ObjReader, WhatDoesNotMatterIsPassedOverWithANote) {
    const std::string faces = "f 1 2 3\nf 1 3 4\n";
    const std::vector<Tolerated> cases{
        {kSquare + faces, ""},
        {"\xef\xbb\xbf" + kSquare + faces, ""},
        {"\xef\xbb\xbf# written by a program\n" + kSquare + faces, ""},
        {"v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3\rf 1 3 4\r", ""},
        {"v\f0 0\v0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0\f\n" + faces, ""},
        {"v 0 0 \\\n0\nv 1 0 0 \\\r\n1 0 0\nv 1 1\\\n 0\nv 0 1 0\nf 1 2 \\\n3\nf 1 \\\n \\ \n3 4\\\n", ""},
        {"mtllib C:\\cloth\\\n" + kSquare + "g a \\\n b c\nusemtl # none \\\n" + faces, ""},
        {kSquare + "f 1 2 3# a corner\nf 1 3 4 # \\\n", ""},
        {"v 0 0 0 nan 1.#IND 3 4 5 6 7\nv 1 0 0 red\nv 1 1 0 1\nv 0 1 0 1 2\nvn nan x\nvn\n" + faces, ""},
        {kSquare + "f 1//9 2//-7 3//x\nf 1// 3// 4//\n", ""},
        {kSquare + "f 1/ 2/ 3/\nf 1/// 3 4/1/1/1\nvt 0 0\n", ""},
        {kSquare + "vt 0 0\nvt nan 0\nf 1/1 2/2 3/1\nf 1 3 4/1\nvt\nvt a\nvt 1 2 c\n", ""},
        {kSquare + "vt 0 0\nf 1/1 2/2 3/1\nf 1 3/x 4/0\n",
         "3 corners without the texture coordinate that it names, the first in line 6"},
        {kSquare + "ny 0 1 0\nny 0 1 0\n" + faces + "e 1 2\nny 0 1 0\n\x1b[2J 7\n",
         "words passed over: ny 3, e 1, \\x1b[2J 1"},
        {kSquare + faces + "l 1 2\nl 3 4 1\n", ""},
        {kSquare + faces + "l 2 9\nl x 2 0\n",
         "3 ends of lines (l) without the point that it names, the first in line 7"},
        {kSquare + faces + "v 5 5 5\n", "point 5 is in no face and becomes no particle"},
        {kSquare + faces + "v nan 5 5\nv 5\nv 9e9 0 0\n",
         "3 points are in no face and become no particles, the first is point 5"},
        {kSquare + "f 1 2\n" + faces + "f 2\nf\nf 1 1 2\nf 3 4 4 3\n",
         "5 faces of fewer than three corners left out, the first in line 5"},
        {kSquare + "f 1 2 2 3\nf 1 1 3 4 1\n", ""},
        {kSquare + faces + faces, "2 faces left out, over the points of another one, the first in line 7"},
        {kSquare + "f 1 2 3\nf 1 4 3\n", "1 face turned over to agree with the faces around, the first in line 6"},
    };
    for (const Tolerated& one : cases) {
        const auto mesh = readObj(one.text, "t.obj");
        ASSERT_TRUE(mesh) << one.text << mesh.error().text();
        ASSERT_EQ(mesh->points.size(), 4u) << one.text;
        EXPECT_EQ(mesh->points[2], Vec3(1, 1, 0));
        EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}})) << one.text;
        EXPECT_TRUE(mesh->textures.empty()) << one.text;
        std::string notes;
        for (const std::string& note : mesh->notes) notes += (notes.empty() ? "" : "; ") + note;
        EXPECT_EQ(notes, one.note) << one.text;
    }
}

// Two triangles, and a point without a face between them.
TEST(ObjReader, LinesThatAreNoEdgesSayWhatIsSewn) {
    const std::string panels = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 1 2 3\nf 5 6 7\n";
    const auto seams = [&](const std::string& lines) {
        const auto mesh = readObj(panels + lines, "t.obj", MeshReading::Tolerant);
        EXPECT_TRUE(mesh) << lines;
        return mesh->seams;
    };
    using Seams = std::vector<std::array<Index, 2>>;
    EXPECT_EQ(seams(""), Seams{});
    EXPECT_EQ(seams("l 1 5\nl 6 2\n"), (Seams{{0, 3}, {1, 4}})) << "indices of the mesh, the smaller one first";
    EXPECT_EQ(seams("l 1 5\nl 5 1\nl 1/1 -3/2\n"), (Seams{{0, 3}})) << "once";
    EXPECT_EQ(seams("l 1 2 6 7\n"), (Seams{{1, 4}})) << "a line through four points, of which two are edges";
    EXPECT_EQ(seams("l 1 4\nl 4 5\nl 2 2\nl 3\nl\n"), Seams{})
        << "a point without a face, a point with itself, too few points";
    const auto strict = readObj(panels.substr(0, panels.find("v 9")) + "v 1 1 1\nf 1 2 4\nf 1 3 2\nl 3 4\nl 1 8\n",
                                "t.obj", MeshReading::Strict);
    ASSERT_FALSE(strict);
    EXPECT_EQ(strict.error().line, 8);
    EXPECT_EQ(strict.error().column, 5);
    EXPECT_NE(strict.error().message.find("there is no 'v' 8"), std::string::npos) << strict.error().text();
}

TEST(ObjReader, ATolerantReadingStillRefusesWhatIsNoSurface) {
    const std::string hat = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nf 1 2 3\nf 2 1 4\n";
    const std::vector<Malformed> cases{
        {"# nothing\n\n", 2, 1, "the file has no point"},
        {kSquare, 4, 1, "the file has no face"},
        {"v 1 abc 0\n", 1, 5, "'abc' is no number"},
        {kSquare + "v 1 \\\nnan 0\nf 1 2 5\n", 6, 1, "nan is out of range"},
        {kSquare + "v 1 2\nf 1 2 5\n", 5, 6, "a point of 2 numbers"},
        {kSquare + "f 1 2 3 0\n", 5, 9, "there is no 'v' 0: they are counted from 1"},
        {kSquare + "f 1 2 \\\n 5\n", 6, 2, "there is no 'v' 5"},
        {"\xef\xbb\xbfv 1 x 0\n", 1, 8, "'x' is no number"},
        {kSquare + "f 1.5 2 3\n", 5, 3, "'1.5' is no number of a 'v'"},
        {kSquare + "face 1 2 3\n", 5, 1, "'face' is no keyword of OBJ, and the file has no face"},
        {"solid cube\nfacet normal 0 0 1\n", 1, 1, "'solid' is no keyword of OBJ, and the file has no point"},
        {kSquare + "f\nf 1 2\nf 1 1 2\n", 5, 1, "no face of the file has three corners"},
        {kSquare + "f 1 2 3\nf 1 3 2 4 3\n", 6, 1, "the face has the corner 3 twice"},
        {kSquare + "f 1 3 2 4\n", 5, 1, "the face crosses or touches itself"},
        {hat + "f 1 2 5\n", 8, 1, "the edge 1 2 has three triangles"},
        // A strip of five triangles around five points, with a half twist.
        {"v 1 0 0\nv 0 1 0\nv -1 0 1\nv -1 -1 0\nv 0 -1 1\nf 1 2 3\nf 3 2 4\nf 3 4 5\nf 5 4 1\nf 5 1 2\n", 10, 1,
         "the patch has one side only, as a Moebius strip"},
    };
    for (const Malformed& one : cases) {
        const auto mesh = readObj(one.text, "t.obj");
        ASSERT_FALSE(mesh) << one.text;
        const Error& e = mesh.error();
        EXPECT_EQ(std::pair(e.line, e.column), std::pair(one.line, one.column)) << one.text << e.text();
        EXPECT_NE(e.message.find(one.fragment), std::string::npos) << one.text << e.text();
    }
}

TEST(ObjReader, PointsInNoFaceKeepTheirNumbers) {
    const auto mesh = readObj("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 8 8 8\nv 0 1 0\nf 2 3 5\n", "t.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->filePoints, 5);
    EXPECT_EQ(mesh->points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh->triangles, (std::vector<Triangle>{{0, 1, 2}}));
    EXPECT_EQ(mesh->pointOf, (std::vector<Index>{-1, 0, 1, -1, 2}));
    EXPECT_EQ(mesh->numberOf, (std::vector<Index>{1, 2, 4}));
}

TEST(ObjReader, OfVeryManyWordsTheFirstAreCountedByName) {
    std::string text = kSquare + "f 1 2 3 4\n";
    for (int k = 0; k < 40; ++k) text += "word" + std::to_string(k) + " 1 2\n";
    const auto mesh = readObj(text, "t.obj");
    ASSERT_TRUE(mesh);
    ASSERT_EQ(mesh->notes.size(), 1u);
    EXPECT_NE(mesh->notes[0].find("word0 1, word1 1, "), std::string::npos) << mesh->notes[0];
    EXPECT_NE(mesh->notes[0].find("word11 1, others 28"), std::string::npos) << mesh->notes[0];
}

// The larger group of faces of each patch keeps its orientation; so does a patch of a single face.
TEST(ObjReader, FacesThatAreTurnedOverAreTurnedBack) {
    std::string text;
    for (int k = 0; k < 6; ++k)
        for (int r = 0; r < 2; ++r) text += "v " + std::to_string(k) + " " + std::to_string(r) + " 0\n";
    text += "f 1 2 4 3\nf 3 5 6 4\nf 5 7 8 6\nf 7 8 10 9\nf 9 11 12 10\n";
    const auto mesh = readObj(text, "t.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_FALSE(findEdgeFault(mesh->triangles, Index(mesh->points.size())));
    for (const Triangle& t : mesh->triangles)
        EXPECT_GT(areaVector(mesh->points[t[0]], mesh->points[t[1]], mesh->points[t[2]]).z(), 0);
    EXPECT_EQ(mesh->notes,
              std::vector<std::string>{"2 faces turned over to agree with the faces around, the first in line 13"});
    EXPECT_FALSE(readObj(text, "t.obj", MeshReading::Strict));
}

TEST(ObjReader, SaysWhyAFileCannotBeRead) {
    EXPECT_NE(readMeshFile("nowhere.obj").error().message.find("No such file"), std::string::npos);
    EXPECT_NE(readMeshFile(CLOTHLAB_SOURCE_DIR).error().message.find("this is a folder"), std::string::npos);
    EXPECT_NE(readMeshFile("/dev/zero").error().message.find("this is a device"), std::string::npos);
}

// Points and triangles beyond the limit are refused while they are counted, before any of them is made.
TEST(ObjReader, TooManyPointsAndTrianglesAreRefusedBeforeTheyAreMade) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    std::string text;
    for (Index k = 0; k <= kMostMeshPoints; ++k) text += "v\n";
    const auto points = readObj(text, "t.obj");
    ASSERT_FALSE(points);
    EXPECT_EQ(points.error().line, kMostMeshPoints + 1);
    EXPECT_NE(points.error().message.find("more than 4000000 points"), std::string::npos);
    text = "f";
    for (Index k = 0; k < kMostMeshTriangles + 3; ++k) text += " 1";
    const auto triangles = readObj(text, "t.obj");
    ASSERT_FALSE(triangles);
    EXPECT_NE(triangles.error().message.find("more than 16000000 triangles"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::geometry
