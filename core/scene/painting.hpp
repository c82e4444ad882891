#pragma once

#include <vector>

#include "scene/scene.hpp"

/// Parts of cloths painted by hand with another material: regions over those of the scene.
namespace clothlab::scene {

/// What a brush does to the particles that it touches.
enum class BrushEffect : int { Stiffness, Weight, Erase };
std::span<const EnumEntry> enumTable(BrushEffect);

struct Brush {
    BrushEffect effect = BrushEffect::Stiffness;
    double factor = 10;    ///< by which stiffnesses or mass differ from those of the cloth
    double radius = 0.08;  ///< m, around the place that it touches

    bool operator==(const Brush&) const = default;
};
void describe(Brush& s, FieldList& list);

/// What was painted, as a whole: to undo is to take an earlier one.
struct Painting {
    struct Layer {
        int cloth = 0;
        std::vector<Index>
            particles;        ///< ascending, the cloth's own numbers from 0; of a welded mesh those of its points
        MaterialRegion says;  ///< without a place

        bool operator==(const Layer&) const = default;
    };
    std::vector<Layer> layers;

    bool empty() const { return layers.empty(); }
    bool operator==(const Painting&) const = default;
};

/// The painting after the brush has touched particles (ascending) of a cloth whose material is `base`. What it says of
/// them replaces what other layers say of the same keys; a layer of the same values grows, an empty one goes.
Painting paint(Painting painting, const Brush& brush, int cloth, std::span<const Index> particles,
               const cloth::MaterialSettings& base);

/// The scene with the painting as regions over its own, each on a set "painted N" of its own. Asks for cloths that are
/// made (makeCloth).
Scene withPainting(Scene scene, const Painting& painting);

}  // namespace clothlab::scene
