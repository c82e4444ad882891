#include "scene/painting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene/regions.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

constexpr std::array kEffects{
    EnumEntry{int(BrushEffect::Stiffness), "stiffness", "stiffness",
              "Stretch, shear and bend stiffness become those of the cloth times the factor."},
    EnumEntry{int(BrushEffect::Weight), "weight", "weight",
              "The density, or the mass of a particle, becomes that of the cloth times the factor."},
    EnumEntry{int(BrushEffect::Erase), "erase", "erase", "Removes the painting; the scene's own regions stay."},
};

/// Keys of the material that a brush changes.
std::vector<std::string_view> listKeys(BrushEffect effect, const cloth::MaterialSettings& base) {
    if (effect == BrushEffect::Stiffness) return {"stretch_stiffness", "shear_stiffness", "bend_stiffness"};
    if (effect == BrushEffect::Erase) return {};
    if (base.particleMass > 0) return {"particle_mass"};
    return {"density", "volume_density"};
}

MaterialRegion saidBy(const Brush& brush, cloth::MaterialSettings base) {
    MaterialRegion region;
    const FieldList from = listFields(base), to = listFields(region.values);
    for (const std::string_view key : listKeys(brush.effect, base)) {
        const FieldMeta& valid = to.find(key)->meta;
        *std::get<double*>(to.find(key)->ref) =
            std::clamp(brush.factor * *std::get<double*>(from.find(key)->ref), valid.min, valid.max);
        region.given.emplace_back(key);
    }
    return region;
}

bool sharesKeys(const MaterialRegion& region, const MaterialRegion& other) {
    return std::ranges::any_of(
        region.given, [&](const std::string& key) { return std::ranges::find(other.given, key) != other.given.end(); });
}

void removeIndices(std::vector<Index>& from, std::span<const Index> these) {
    std::vector<Index> left;
    std::ranges::set_difference(from, these, std::back_inserter(left));
    from = std::move(left);
}

void addIndices(std::vector<Index>& to, std::span<const Index> these) {
    std::vector<Index> joined;
    std::ranges::set_union(to, these, std::back_inserter(joined));
    to = std::move(joined);
}

std::string freeSetName(const Scene& scene) {
    for (int number = 1;; ++number) {
        std::string name = fmt::format("painted {}", number);
        if (std::ranges::find(scene.sets, name, &ParticleSet::name) == scene.sets.end()) return name;
    }
}

/// By the points of a mesh's file, the first of each.
std::vector<Index> numbersInScene(const ClothPatch& cloth, std::vector<Index> particles) {
    if (cloth.mesh && cloth.weld.distance > 0)
        for (Index& number : particles) number = cloth.weld.content->welded.firstOf[number];
    if (cloth.mesh)
        for (Index& number : particles) number = cloth.mesh.content->numberOfPoint(number);
    return particles;
}

}  // namespace

std::span<const EnumEntry> enumTable(BrushEffect) { return kEffects; }

void describe(Brush& s, FieldList& list) {
    list.add("brush.effect", s.effect,
             {.label = "the brush changes", .help = "The effect of painting with G + left drag."});
    list.add("brush.factor", s.factor,
             {.label = "by a factor of",
              .min = 1e-3,
              .max = 1e3,
              .sliderMin = 0.01,
              .sliderMax = 100,
              .logarithmic = true,
              .help = "Factor from the cloth's material at the time of painting to the painted one: above 1 "
                      "stiffer or heavier, below 1 softer or lighter."});
    list.add("brush.radius", s.radius,
             {.label = "within",
              .unit = "m",
              .min = 1e-4,
              .max = 100,
              .sliderMin = 0.01,
              .sliderMax = 0.5,
              .logarithmic = true,
              .help = "Radius of the brush around the place that it touches; other layers "
                      "of the cloth within it are painted, too."});
}

Painting paint(Painting painting, const Brush& brush, int cloth, std::span<const Index> particles,
               const cloth::MaterialSettings& base) {
    const MaterialRegion wanted = saidBy(brush, base);
    const bool erases = brush.effect == BrushEffect::Erase;
    Painting::Layer* same = nullptr;
    for (Painting::Layer& layer : painting.layers) {
        if (layer.cloth != cloth) continue;
        if (!erases && layer.says == wanted)
            same = &layer;
        else if (erases || sharesKeys(layer.says, wanted))
            removeIndices(layer.particles, particles);
    }
    if (!erases && !same) same = &painting.layers.emplace_back(Painting::Layer{cloth, {}, wanted});
    if (same) addIndices(same->particles, particles);
    std::erase_if(painting.layers, [](const Painting::Layer& layer) { return layer.particles.empty(); });
    return painting;
}

Scene withPainting(Scene scene, const Painting& painting) {
    for (const Painting::Layer& layer : painting.layers) {
        const std::string name = freeSetName(scene);
        scene.sets.push_back({name, layer.cloth, numbersInScene(scene.cloths[layer.cloth], layer.particles)});
        scene.regions.push_back(layer.says);
        scene.regions.back().where = {.set = name};
    }
    return scene;
}

}  // namespace clothlab::scene
