#pragma once

#include "cloth/cloth_model.hpp"
#include "scene/scene.hpp"

namespace clothlab::scene {

/// Maps the numbers of a cloth's particles in a scene to those of the model.
class Numbering {
public:
    explicit Numbering(const cloth::ClothModel& model)
        : model_(model), particles_(cloth::particlesByOutsideNumber(model)) {}
    Index particle(std::size_t cloth, Index number) const {
        return particles_[model_.patches[cloth].firstParticle + number];
    }

private:
    const cloth::ClothModel& model_;
    const std::vector<Index> particles_;  // of each number outside
};

/// Particles of one cloth, in the numbering of the model.
struct Selection {
    std::size_t cloth = 0;
    std::vector<Index> particles;
};
/// A range of a grid, or a set by its name. `what` begins the message of an Error: "pins".
Expected<Selection> selectParticles(const ParticleRange& range, const Scene& scene, const Numbering& numbering,
                                    std::string_view what);

}  // namespace clothlab::scene
