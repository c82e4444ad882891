#pragma once

#include <memory>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "geometry/distance_field.hpp"
#include "integrators/state/state.hpp"
#include "scene/regions.hpp"

namespace clothlab::scene {

/// The world that a scene describes: the model, its start state, and what acts on it.
struct World {
    std::vector<MaterialLayers> materials;
    std::unique_ptr<cloth::ClothModel> model;  ///< stable address: the force model keeps a pointer to it
    integrators::SimulationState start;
    std::vector<cloth::PointForce> pointForces;
    std::vector<contact::Collider> colliders;
};

/// Fills the scene's solids that are not filled yet, and makes the distance fields of its meshes, so that building it
/// again need not. `progress`, from 0 to 1, is of the field that is being made; an Error when `stop` asks for it.
Expected<void> makeSolids(Scene& scene, const geometry::DistanceField::Progress& progress = {},
                          const std::stop_token& stop = {});
Expected<World> buildWorld(const Scene& scene);

}  // namespace clothlab::scene
