#pragma once

#include <vector>

#include "scene/scene.hpp"

/// Parts of cloths painted by hand with another material: regions over those of the scene.
namespace clothlab::scene {

/// The effect of a brush on the particles that it touches.
enum class BrushEffect : int { Stiffness, Weight, Erase };
std::span<const EnumEntry> enumTable(BrushEffect);

struct Brush {
    BrushEffect effect = BrushEffect::Stiffness;
    double factor = 10;    ///< of stiffnesses or mass relative to those of the cloth
    double radius = 0.08;  ///< m, around the touched place

    bool operator==(const Brush&) const = default;
};
void describe(Brush& s, FieldList& list);

/// A whole painting: undoing restores an earlier one.
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

/// The painting after the brush has touched particles (ascending) of a cloth whose material is `base`. Its values
/// replace those of other layers for the same keys; a layer of the same values grows, an empty one is removed.
Painting paint(Painting painting, const Brush& brush, int cloth, std::span<const Index> particles,
               const cloth::MaterialSettings& base);

/// The scene with the painting as regions over its own, each on its own set "painted N". Needs finished cloths
/// (makeCloth).
Scene withPainting(Scene scene, const Painting& painting);

}  // namespace clothlab::scene
