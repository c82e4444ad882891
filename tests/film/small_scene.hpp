#pragma once

#include "scene/scene.hpp"

namespace clothlab::app::film {

/// A cloth that hangs from one corner, large enough to be visible and small enough for a film in a test.
inline scene::Scene smallScene() {
    scene::Scene scene;
    scene.name = "small";
    scene::ClothPatch cloth;
    cloth.rows = cloth.columns = 9;
    cloth.origin = Vec3(-0.5, 0.5, 0);
    scene.cloths.push_back(cloth);
    scene.pins.push_back({.where = {0, 0, 0, 0, 0}});
    scene.settings.integrator.dt = 0.01;
    return scene;
}

}  // namespace clothlab::app::film
