#include "geometry/flat_triangles.hpp"

#include <gtest/gtest.h>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {
namespace {

double surfaceOf(const TriangleMesh& mesh) {
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        area += areaVector(mesh.points[a], mesh.points[b], mesh.points[c]).norm() / 2;
    return area;
}

/// Expects a surface with these numbers of components and border curves, and without flat triangles.
void expectWhole(const std::string& text, double area, Index components, Index loops, const std::string& note) {
    const auto mesh = readMeshText(text, "t.obj");
    ASSERT_TRUE(mesh) << text << mesh.error().text();
    for (const auto& [a, b, c] : mesh->triangles)
        EXPECT_FALSE(isDegenerate(mesh->points[a], mesh->points[b], mesh->points[c])) << text;
    EXPECT_FALSE(findEdgeFault(mesh->triangles, Index(mesh->points.size())));
    const PatchCount count = countPatches(mesh->triangles, Index(mesh->points.size()));
    EXPECT_EQ(count.components, components) << text;
    EXPECT_EQ(count.boundaryLoops, loops) << text;
    EXPECT_NEAR(surfaceOf(*mesh), area, 1e-12) << text;
    ASSERT_FALSE(mesh->notes.empty()) << text;
    EXPECT_EQ(mesh->notes[0], note);
}

// A square of the corners 1 to 4 and its middle 5; the diagonal runs from 1 to 3 over the middle.
const std::string kSquareOfFive = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 0\n";

TEST(FlatTriangles, OneBetweenTwoTrianglesGivesAwayItsMiddle) {
    const std::string note = "1 face without area left out, the first in line ";
    expectWhole(kSquareOfFive + "f 1 2 5\nf 2 3 5\nf 1 5 3\nf 1 3 4\n", 4, 1, 1, note + "8");
    expectWhole(kSquareOfFive + "f 1 3 4\nf 3 1 5\nf 2 3 5\nf 1 2 5\n", 4, 1, 1, note + "7");
}

TEST(FlatTriangles, OneOnTheBorderIsLeftOut) {
    const std::string note = "1 face without area left out, the first in line ";
    expectWhole(kSquareOfFive + "f 1 2 5\nf 2 3 5\nf 1 5 3\n", 2, 1, 1,
                note + "8");  // both short sides have neighbours
    expectWhole(kSquareOfFive + "f 1 3 4\nf 1 5 3\nv 0 0 5\n", 2, 1, 1, note + "7");  // the long side has one: a flap
    expectWhole(kSquareOfFive + "f 1 2 4\nf 1 5 3\n", 2, 1, 1, note + "7");           // a point joins it, no side
    expectWhole("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 1 4 2\n", 0.5, 1, 1, note + "6");  // a corner twice
}

TEST(FlatTriangles, ARowOfThemIsTakenOutInRounds) {
    // Six points on the diagonal: a fan of four flat triangles closes the seam between one triangle and five.
    std::string text = "v 0 0 0\nv 5 0 0\nv 5 5 0\nv 0 5 0\nv 1 1 0\nv 2 2 0\nv 3 3 0\nv 4 4 0\n";
    text += "f 1 2 5\nf 5 2 6\nf 6 2 7\nf 7 2 8\nf 8 2 3\nf 1 3 4\n";
    text += "f 1 5 6\nf 1 6 7\nf 1 7 8\nf 1 8 3\n";
    expectWhole(text, 25, 1, 1, "4 faces without area left out, the first in line 15");
}

TEST(FlatTriangles, WhatWouldOpenTheSurfaceIsRefusedWithItsLine) {
    // Two panels, and between them a triangle whose corners 2 and 5 coincide: a seam, which must not be guessed.
    const auto mesh = readMeshText(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 1 0 0\nv 1 -1 0\nf 1 2 3\nf 3 5 4\nf 2 5 3\nf 5 2 6\n", "t.obj");
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().line, 9) << mesh.error().text();
    EXPECT_NE(mesh.error().message.find("the surface would come apart there"), std::string::npos);
}

TEST(FlatTriangles, AFileOfThemAloneHasNoSurface) {
    const auto mesh = readMeshText("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "t.obj");
    ASSERT_FALSE(mesh);
    EXPECT_NE(mesh.error().text().find("t.obj:4:1: no face of the file has an area"), std::string::npos)
        << mesh.error().text();
}

}  // namespace
}  // namespace clothlab::geometry
