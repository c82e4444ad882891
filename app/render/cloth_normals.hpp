#pragma once

#include <span>
#include <vector>

#include "geometry/grid.hpp"

namespace clothlab::app::render {

/// Smooth vertex normals (#P x 3, unit): the sum of the cross products of the edges of each triangle around a vertex,
/// which weighs by area; a vertex without triangles, or among degenerate ones, looks up. `normals` is resized.
void vertexNormals(std::span<const float> positions, std::span<const geometry::Triangle> triangles,
                   std::vector<float>& normals);

}  // namespace clothlab::app::render
