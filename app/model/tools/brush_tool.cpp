#include "model/tools/brush_tool.hpp"

#include <algorithm>

namespace clothlab::app::model {

Touched touchedBy(const BrushTouch& touch, double radius, const worker::Snapshot& snapshot) {
    Touched touched;
    if (!snapshot.mesh || touch.topologyRevision != snapshot.mesh->revision) return touched;
    const auto& patches = snapshot.mesh->patches;
    const auto holds = [&](const cloth::ClothModel::Patch& patch) {
        return touch.particle >= patch.firstParticle && touch.particle < patch.firstParticle + patch.particles;
    };
    const auto patch = std::ranges::find_if(patches, holds);
    if (patch == patches.end()) return touched;
    touched.cloth = int(patch - patches.begin());
    for (Index i = patch->firstParticle; i < patch->firstParticle + patch->particles; ++i) {
        const float* x = snapshot.positions.data() + 3 * std::size_t(i);
        if (i == touch.particle || (Vec3(x[0], x[1], x[2]) - touch.place).norm() <= radius)
            touched.particles.push_back(snapshot.mesh->particleNumber(i) - patch->firstParticle);
    }
    std::ranges::sort(touched.particles);
    return touched;
}

Index BrushTool::particles() const {
    std::vector<std::pair<int, Index>> all;
    for (const scene::Painting::Layer& layer : painting.layers)
        for (const Index particle : layer.particles) all.emplace_back(layer.cloth, particle);
    std::ranges::sort(all);
    return Index(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace clothlab::app::model
