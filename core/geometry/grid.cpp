#include "geometry/grid.hpp"

namespace clothlab::geometry {

namespace {

/// Calls quad(r, c, a, b, d, e) for every quad: a, b are its corners in row r, d, e those in row r + 1.
template <class Quad>
void forQuads(const GridPatch& grid, Quad&& quad) {
    for (int r = 0; r + 1 < grid.rows; ++r)
        for (int c = 0; c + 1 < grid.columns; ++c)
            quad(r, c, grid.vertex(r, c), grid.vertex(r, c + 1), grid.vertex(r + 1, c), grid.vertex(r + 1, c + 1));
}

std::size_t quads(const GridPatch& grid) { return std::size_t(grid.rows - 1) * std::size_t(grid.columns - 1); }

}  // namespace

std::vector<Triangle> gridTriangles(const GridPatch& grid) {
    std::vector<Triangle> out;
    out.reserve(2 * quads(grid));
    forQuads(grid, [&out](int r, int c, Index a, Index b, Index d, Index e) {
        if ((r + c) % 2 == 0) {
            out.push_back({a, b, e});
            out.push_back({a, e, d});
        } else {
            out.push_back({a, b, d});
            out.push_back({b, e, d});
        }
    });
    return out;
}

std::vector<Triangle> gridTrianglesOfBothDiagonals(const GridPatch& grid) {
    std::vector<Triangle> out;
    out.reserve(4 * quads(grid));
    forQuads(grid, [&out](int, int, Index a, Index b, Index d, Index e) {
        for (const Triangle& t : {Triangle{a, b, e}, Triangle{a, e, d}, Triangle{a, b, d}, Triangle{b, e, d}})
            out.push_back(t);
    });
    return out;
}

}  // namespace clothlab::geometry
