#pragma once

#include <string_view>

#include "scene/scene.hpp"

/// What reader, writer, overrides and help share about the description tables of a scene.
namespace clothlab::scene {

/// The fields of a struct under "prefix.", each with its default.
template <class S>
FieldList fieldsOf(S& settings, std::string_view prefix = {}) {
    FieldList list;
    list.nest(prefix, settings);
    return list;
}

/// A scene's own scalars that `--set` may change: "steps", "overlay", "fabric".
FieldList lengthFields(Scene& scene);

/// A material says its mass in one way: an assignment to "particle_mass" leaves no density, and a volume density that
/// is the default; one to a density leaves no particle mass. Any other key changes nothing.
void settleMass(cloth::MaterialSettings& material, std::string_view key);

/// What is wrong with a cloth beyond the range of its single values, and the key at fault; an empty key = nothing.
struct ClothFault {
    std::string_view key;
    std::string message;
};
ClothFault findFault(const ClothPatch& cloth);
/// The same of a mesh: at this scale an edge has hardly a length.
ClothFault findMeshFault(const ClothPatch& cloth);
/// The same of a solid: a lattice too coarse for its limbs, or a skin too fine for its lattice.
ClothFault findSolidFault(const ClothPatch& cloth);

/// Largest number of particles of a scene, all cloths together.
inline constexpr long kMaxParticles = 4'000'000;

/// From and to of a range along one axis of `count` particles, counted from 0. `word` is "row" or "column".
struct AxisRange {
    int from, to;
};
Expected<AxisRange> resolveAxis(int from, int to, int count, std::string_view word);

}  // namespace clothlab::scene
