#include "geometry/grid.hpp"

namespace clothlab::geometry {

std::vector<Triangle> gridTriangles(const GridPatch& grid) {
    std::vector<Triangle> out;
    out.reserve(2 * static_cast<std::size_t>(grid.rows - 1) * static_cast<std::size_t>(grid.columns - 1));
    for (int r = 0; r + 1 < grid.rows; ++r)
        for (int c = 0; c + 1 < grid.columns; ++c) {
            const Index a = grid.vertex(r, c), b = grid.vertex(r, c + 1), d = grid.vertex(r + 1, c),
                        e = grid.vertex(r + 1, c + 1);
            if ((r + c) % 2 == 0) {
                out.push_back({a, b, e});
                out.push_back({a, e, d});
            } else {
                out.push_back({a, b, d});
                out.push_back({b, e, d});
            }
        }
    return out;
}

}  // namespace clothlab::geometry
