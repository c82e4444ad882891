#pragma once

#include <string>

#include "cloth/cloth_model.hpp"
#include "scene/scene.hpp"

namespace clothlab::scene {

/// A cloth at rest in numbers that reveal a wrong unit or a bad mesh.
struct ClothFacts {
    Vec3 size = Vec3::Zero();  ///< m, of its bounding box
    Index points = 0, triangles = 0;
    geometry::PatchCount patches;  ///< of its surface
    double shortestEdge = 0;       ///< m
    double smallestTriangle = 0;   ///< m^2
    double mass = 0;               ///< kg
    Index threads = 0;             ///< sewing threads
};
ClothFacts clothFacts(const cloth::ClothModel& model, std::size_t cloth);

/// "0.3 x 0 x 0.3 m; 16 points, 18 triangles, 1 component, 1 boundary loop; shortest edge 0.1 m, ..."
std::string toText(const ClothFacts& facts);
/// Empty for a cloth between a centimetre and 100 m; otherwise its size, and for a mesh or a solid the scale that would
/// correct it.
std::string sizeNote(const ClothFacts& facts, const ClothPatch& cloth);

}  // namespace clothlab::scene
