#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace clothlab::geometry {

using Triangle = std::array<Index, 3>;

/// A patch of rows x columns vertices, and its triangles (gridTriangles); the normal goes into the picture.
///
///              c = 0     1     2
///      r = 0     0 ----- 1 ----- 2
///                |   \   |   /   |      vertex (r, c) has number r * columns + c
///          1     3 ----- 4 ----- 5
///                |   /   |   \   |      diagonals: from (r, c) to (r + 1, c + 1) where r + c is even,
///          2     6 ----- 7 ----- 8                 from (r, c + 1) to (r + 1, c) where it is odd
struct GridPatch {
    int rows = 2, columns = 2;

    Index vertices() const { return Index(rows) * columns; }
    Index vertex(int r, int c) const { return Index(r) * columns + c; }
    bool contains(int r, int c) const { return r >= 0 && c >= 0 && r < rows && c < columns; }
};

/// Two triangles per quad, counter-clockwise seen against the normal (column axis x row axis).
std::vector<Triangle> gridTriangles(const GridPatch& grid);

/// Four triangles per quad, two for either diagonal, oriented as above: the surface twice, symmetric around every
/// vertex.
std::vector<Triangle> gridTrianglesOfBothDiagonals(const GridPatch& grid);

}  // namespace clothlab::geometry
