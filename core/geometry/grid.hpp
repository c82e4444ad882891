#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace clothlab::geometry {

using Triangle = std::array<Index, 3>;

/// A patch of rows x columns vertices; vertex (r, c) has number r * columns + c.
struct GridPatch {
    int rows = 2, columns = 2;

    Index vertices() const { return Index(rows) * columns; }
    Index vertex(int r, int c) const { return Index(r) * columns + c; }
    bool contains(int r, int c) const { return r >= 0 && c >= 0 && r < rows && c < columns; }
};

/// Two triangles per quad, diagonals alternating, counter-clockwise seen against the normal (column axis x row axis).
std::vector<Triangle> gridTriangles(const GridPatch& grid);

/// Four triangles per quad, two for either diagonal, oriented as above: the surface twice, symmetric around every
/// vertex.
std::vector<Triangle> gridTrianglesOfBothDiagonals(const GridPatch& grid);

}  // namespace clothlab::geometry
