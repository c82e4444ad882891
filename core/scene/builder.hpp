#pragma once

#include <memory>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "geometry/distance_field.hpp"
#include "integrators/state/state.hpp"
#include "scene/regions.hpp"

namespace clothlab::scene {

/// The world of a scene: the model, its start state, and the forces and solids that act on it.
struct World {
    std::vector<MaterialLayers> materials;
    std::unique_ptr<cloth::ClothModel> model;  ///< stable address: the force model keeps a pointer to it
    integrators::SimulationState start;
    std::vector<cloth::PointForce> pointForces;
    std::vector<contact::Collider> colliders;
};

/// Fills the scene's unfilled solids, and builds the distance fields of its meshes, so that later builds need not.
/// `progress`, from 0 to 1, is that of the current field; an Error when `stop` was requested.
Expected<void> makeSolids(Scene& scene, const geometry::DistanceField::Progress& progress = {},
                          const std::stop_token& stop = {});
Expected<World> buildWorld(const Scene& scene);

}  // namespace clothlab::scene
