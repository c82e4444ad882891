#include "scene/numbering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace clothlab::scene {
namespace {

/// In the numbering of its cloth.
Expected<Selection> toNumbers(const ParticleRange& range, const Scene& scene) {
    const auto set = std::find_if(scene.sets.begin(), scene.sets.end(),
                                  [&](const ParticleSet& one) { return one.name == range.set; });
    if (!range.set.empty() && set == scene.sets.end())
        return fail(fmt::format("there is no set '{}'", shown(range.set)));
    const int number = range.set.empty() ? range.cloth : set->cloth;
    if (number < 0 || number >= int(scene.cloths.size())) return fail(fmt::format("there is no cloth {}", number));
    const ClothPatch& cloth = scene.cloths[number];
    auto particles = range.set.empty() ? resolve(range, cloth) : resolve(*set, cloth);
    if (!particles) return fail(particles.error());
    return Selection{std::size_t(number), std::move(*particles)};
}

}  // namespace

Expected<Selection> selectParticles(const ParticleRange& range, const Scene& scene, const Numbering& numbering,
                                    std::string_view what) {
    auto selection = toNumbers(range, scene);
    if (!selection) {
        selection.error().message = fmt::format("{}: {}", what, selection.error().message);
        return selection;
    }
    for (Index& i : selection->particles) i = numbering.particle(selection->cloth, i);
    return selection;
}

}  // namespace clothlab::scene
