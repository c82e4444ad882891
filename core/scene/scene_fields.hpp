#pragma once

#include <string_view>

#include "scene/scene.hpp"

/// Description tables of a scene, shared by reader, writer, overrides and help.
namespace clothlab::scene {

/// The fields of a struct under "prefix.", each with its default.
template <class S>
FieldList listFields(S& settings, std::string_view prefix = {}) {
    FieldList list;
    list.nest(prefix, settings);
    return list;
}

/// A scene's own scalars that `--set` may change: "steps", "overlay", "fabric".
FieldList lengthFields(Scene& scene);

/// A material gives its mass in one way: an assignment to "particle_mass" clears the density and resets the volume
/// density; one to a density clears the particle mass. Other keys change nothing.
void settleMass(cloth::MaterialSettings& material, std::string_view key);

/// A fault of a cloth beyond the ranges of its single values, and the key at fault; an empty key = none.
struct ClothFault {
    std::string_view key;
    std::string message;
};
ClothFault findFault(const ClothPatch& cloth);
/// Likewise for a mesh: an edge too short at this scale.
ClothFault findMeshFault(const ClothPatch& cloth);
/// Likewise for a solid: a lattice too coarse for its limbs, or a skin too fine for its lattice.
ClothFault findSolidFault(const ClothPatch& cloth);

/// Largest number of particles of a scene, all cloths together.
inline constexpr long kMaxParticles = 4'000'000;

/// From and to of a range along one axis of `count` particles, counted from 0. `word` is "row" or "column".
struct AxisRange {
    int from, to;
};
Expected<AxisRange> resolveAxis(int from, int to, int count, std::string_view word);

}  // namespace clothlab::scene
